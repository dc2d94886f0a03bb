import { socketRequestArrivalMs, socketRequestPingMs } from "@fava/wire/limits.ts";
import type { ClientMessage, ServerMessage } from "@fava/wire/socket.ts";

/** A signed request, as `lib/api` makes it. */
export type SignedMessage = Omit<Extract<ClientMessage, { type: "request" }>, "type" | "id">;
type Answer = Extract<ServerMessage, { type: "response" }>["answer"];

/**
 * The socket could not carry a request, or was lost before the response: it is unknown whether the server received it.
 */
export class SocketLost extends Error {
  override readonly name = "SocketLost";
}

/**
 * The pending requests of one socket. A response proves that the request arrived, and nearly always comes at once.
 * After a slow one the client sends a ping: the server reads in order, so its pong proves the same. A request with
 * neither in time is lost with its socket (rule SIGN-66).
 */
export class SocketRequests {
  readonly #write: (message: ClientMessage) => void;
  readonly #silent: () => void;
  readonly #pending = new Map<number, (outcome: Answer | SocketLost) => void>();
  #id = 0;
  #pings = 0;
  #pongs = 0;

  /** `silent` is called when a request did not arrive: the owner leaves its socket. */
  constructor(options: { write: (message: ClientMessage) => void; silent: () => void }) {
    this.#write = options.write;
    this.#silent = options.silent;
  }

  ping(): void {
    this.#pings += 1;
    this.#write({ type: "ping" });
  }

  heardPong(): void {
    this.#pongs += 1;
  }

  /** Whether the server has answered every request and every ping. */
  get areSettled(): boolean {
    return this.#pongs >= this.#pings && this.#pending.size === 0;
  }

  /**
   * Sends a request at once.
   *
   * @throws SocketLost when the socket is lost before the response, and the signal's reason when it aborts
   */
  send(signed: SignedMessage, signal: AbortSignal): Promise<Answer> {
    this.#id += 1;
    const id = this.#id;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      this.#write({ type: "request", id, ...signed });
      let arrival = setTimeout(() => {
        this.ping();
        const ping = this.#pings;
        const leftMs = socketRequestArrivalMs - socketRequestPingMs;
        arrival = setTimeout(() => this.#pongs < ping && this.#silent(), leftMs);
      }, socketRequestPingMs);
      const end = () => {
        this.#pending.delete(id);
        clearTimeout(arrival);
        signal.removeEventListener("abort", abort);
      };
      const abort = () => {
        end();
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", abort);
      this.#pending.set(id, (outcome) => {
        end();
        if (outcome instanceof SocketLost) reject(outcome);
        else resolve(outcome);
      });
    });
  }

  answered({ id, answer }: Extract<ServerMessage, { type: "response" }>): void {
    this.#pending.get(id)?.(answer);
  }

  /** Fails all pending requests, because their socket is lost; the counts start again for the next one. */
  lost(): void {
    [this.#pings, this.#pongs] = [0, 0];
    for (const settle of this.#pending.values()) settle(new SocketLost("no answer over the socket"));
  }
}
