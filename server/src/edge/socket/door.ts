import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { urlToHttpOptions } from "node:url";
import type { Logger } from "pino";
import { socketServerField } from "@fava/wire/socket.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Clock } from "#ports/clock.ts";
import type { ProcessId } from "#ports/room-claims.ts";

const answerMs = 1_000;
/** Maximum age of a signed address, by the clocks of two servers. */
const signatureAgeMsMax = 300_000;
const addressHeader = "fava-door";
const keyBytes = 32;

interface DoorOptions {
  self: ProcessId;
  /** Null if unknown. */
  urlOf: (server: ProcessId) => string | null;
  /** The server for clients that do not follow `move`, so that they meet others; null if unknown. */
  meetingPlace: () => ProcessId | null;
  serverSecret: ServerSecret;
  /** Maximum number of sockets that this server passes on at a time, including those it is still opening. */
  socketsMax: number;
  clock: Clock;
  logger: Pick<Logger, "warn">;
}

export interface ForwardedSocket {
  readonly server: ProcessId;
  readonly address: string;
}

export interface Upgrade {
  readonly request: Pick<IncomingMessage, "url" | "headers">;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Passes sockets for other servers on, byte for byte (decision 055), or takes them if such a server is away. */
export class Door implements Disposable {
  readonly #options: DoorOptions;
  readonly #current: Buffer;
  readonly #accepted: readonly Buffer[];
  readonly #open = new Set<Duplex>();
  #asked = 0;

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#current = doorKey(options.serverSecret.current);
    this.#accepted = options.serverSecret.accepted(doorKey);
  }

  get openCount(): number {
    return this.#open.size;
  }

  /**
   * Passes the upgrade on if its URL names another server, or its client does not follow `move` and belongs there.
   * @param address of the client; the other server applies its limits to it.
   * @returns false if this server has to take the upgrade, also at `socketsMax`: nothing was written then.
   */
  async pass(upgrade: Upgrade, address: string): Promise<boolean> {
    const { self, urlOf, meetingPlace, logger } = this.#options;
    const to = wantedServer(upgrade.request.url) ?? meetingPlace();
    // A wrong PEER_URL may lead back to a door: two doors must not pass a socket to each other endlessly.
    const isPassed = upgrade.request.headers[addressHeader] !== undefined;
    if (to === null || to === self || isPassed) return false;
    const url = urlOf(to);
    if (url === null) return false;
    if (this.#open.size / 2 + this.#asked >= this.#options.socketsMax) return false;
    this.#asked += 1;
    const answer = await this.#ask(upgrade, { to, url, address });
    this.#asked -= 1;
    if (answer.kind === "opened") this.#join(upgrade, answer);
    if (answer.kind === "refused") upgrade.socket.end(answer.head);
    if (answer.kind === "silent") logger.warn({ process: to }, "failed to reach a server at its PEER_URL");
    return answer.kind === "opened" || answer.kind === "refused";
  }

  /** The client and the passing server of an upgrade; null without a valid signature for this server. */
  passedBy({ headers }: Pick<IncomingMessage, "headers">): ForwardedSocket | null {
    const signed = headers[addressHeader];
    if (typeof signed !== "string") return null;
    const [signedAt = "", signature = "", server = "", ...rest] = signed.split(" ");
    const address = rest.join(" ");
    const given = Buffer.from(signature);
    const { self: to } = this.#options;
    const isRight = this.#accepted.some((key) => {
      const expected = Buffer.from(sign(key, { to, signedAt, server, address }));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    const ageMs = Math.abs(this.#options.clock.nowMs() - Number(signedAt));
    return isRight && ageMs <= signatureAgeMsMax ? { server, address } : null;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#open) socket.destroy();
  }

  #ask({ request }: Upgrade, { to, url, address }: { to: ProcessId; url: string; address: string }): Promise<Answer> {
    const signedAt = String(this.#options.clock.nowMs());
    const { self: server } = this.#options;
    const signed = `${signedAt} ${sign(this.#current, { to, signedAt, server, address })} ${server} ${address}`;
    const target = urlToHttpOptions(new URL(request.url ?? "/", url));
    const hostname = target.hostname ?? "";
    // Node.js would take the name from the `Host` header, which is the client's.
    const servername = isIP(hostname) === 0 ? hostname : "";
    const headers = { ...request.headers, [addressHeader]: signed };
    const send = target.protocol === "https:" ? httpsRequest : httpRequest;
    return new Promise((resolve) => {
      const asked = send({ ...target, servername, headers, agent: false });
      const settle = (answer: Answer) => {
        limit[Symbol.dispose]();
        resolve(answer);
      };
      const limit = this.#options.clock.after(answerMs, () => asked.destroy(new Error("the server does not answer")));
      asked.on("upgrade", (response, socket, head) =>
        settle({ kind: "opened", head: headOf(response), socket, first: head }),
      );
      asked.on("response", (response) => {
        response.resume();
        // The other server is stopping or full: this server takes the socket.
        settle(response.statusCode === 503 ? { kind: "away" } : { kind: "refused", head: refusalOf(response) });
      });
      asked.on("error", () => settle({ kind: "silent" }));
      asked.end();
    });
  }

  #join(upgrade: Upgrade, { head, socket: far, first }: Extract<Answer, { kind: "opened" }>): void {
    const { socket: near } = upgrade;
    const ends = [near, far] as const;
    for (const [end, other] of [ends, ends.toReversed() as [Duplex, Duplex]] as const) {
      this.#open.add(end);
      if ("setTimeout" in end) (end as { setTimeout(ms: number): void }).setTimeout(0);
      if ("setNoDelay" in end) (end as { setNoDelay(): void }).setNoDelay();
      end.on("error", () => end.destroy());
      end.once("close", () => {
        this.#open.delete(end);
        other.destroy();
      });
    }
    if (near.destroyed) return void far.destroy();
    near.write(head);
    near.write(first);
    far.write(upgrade.head);
    near.pipe(far);
    far.pipe(near);
  }
}

function doorKey(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "door/v1", keyBytes));
}

function sign(
  key: Buffer,
  { to, signedAt, server, address }: ForwardedSocket & { to: ProcessId; signedAt: string },
): string {
  return createHmac("sha256", key).update([to, signedAt, server, address].join("\n")).digest("hex");
}

type Answer =
  | { readonly kind: "opened"; readonly head: string; readonly socket: Duplex; readonly first: Buffer }
  | { readonly kind: "refused"; readonly head: string }
  /** The server refuses new sockets, or cannot be reached. */
  | { readonly kind: "away" | "silent" };

/** The server named in a socket's URL; empty: any server; null: no field, so the client does not follow `move`. */
export function wantedServer(url: string | undefined): ProcessId | null {
  const [, query = ""] = (url ?? "").split("?", 2);
  return new URLSearchParams(query).get(socketServerField);
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function refusalOf({ statusCode, statusMessage }: IncomingMessage): string {
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
}
