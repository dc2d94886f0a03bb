import type { IncomingMessage } from "node:http";
import proxyAddress from "@fastify/proxy-addr";
import { addressGroup } from "#lib/address-group.ts";

/** From where an upgrade comes, behind proxies as Fastify reads it of calls: `X-Forwarded-For` of trusted ones alone. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (request) => proxyAddress(request, isTrusted);
}

/** How many sockets one address, with its neighbours, may have at a time; thousands of people may share one. */
const openMax = 200;
/** Sockets that have not said yet whose they are. */
const silentMax = 30;

interface Counted {
  open: number;
  silent: number;
}

/** The sockets of each address. */
export class AddressSockets {
  readonly #factor: number;
  /** Addresses that have a socket open. */
  readonly #counts = new Map<string, Counted>();

  /** `factor` multiplies what is allowed. */
  constructor(factor: number) {
    this.#factor = factor;
  }

  /** Counts one more socket that is silent so far; null where it is one too many. */
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

/** One counted socket. */
export interface AddressSocket {
  /** It is known whose it is. */
  greeted(): void;
  /** To be said once. */
  readonly closed: () => void;
}
