import type { IncomingMessage } from "node:http";
import proxyAddress from "@fastify/proxy-addr";
import { addressGroup } from "#lib/address-group.ts";

/** Reads the client's address of an upgrade as Fastify does: `X-Forwarded-For` from trusted proxies only. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (request) => proxyAddress(request, isTrusted);
}

/** Open sockets of one address group; thousands of users may share an address. */
const openMax = 200;
/** Sockets of one address group without a verified hello. */
const silentMax = 30;

interface Counted {
  open: number;
  silent: number;
}

export class AddressSockets {
  readonly #factor: number;
  /** By address group; only groups with an open socket. */
  readonly #counts = new Map<string, Counted>();

  constructor(factor: number) {
    this.#factor = factor;
  }

  /** Null if the socket exceeds a limit. */
  open(address: string): AddressSocket | null {
    const key = addressGroup(address);
    const counted = this.#counts.get(key) ?? { open: 0, silent: 0 };
    if (counted.open >= openMax * this.#factor || counted.silent >= silentMax * this.#factor) return null;
    counted.open += 1;
    counted.silent += 1;
    this.#counts.set(key, counted);
    let isSilent = true;
    const greeted = () => {
      if (isSilent) counted.silent -= 1;
      isSilent = false;
    };
    return {
      greeted,
      closed: () => {
        greeted();
        counted.open -= 1;
        if (counted.open === 0) this.#counts.delete(key);
      },
    };
  }
}

export interface AddressSocket {
  greeted(): void;
  /** Call it once. */
  readonly closed: () => void;
}
