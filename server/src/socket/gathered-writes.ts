import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** How long a frame that nobody waits for may wait for company. */
const companyMs = 20;

/**
 * Sends texts over sockets so that the kernel is asked once for all that a socket gets in one turn of the event loop,
 * which costs more than everything else that is done for a frame. A text that nobody waits for stays a moment longer,
 * and goes out with the next one.
 */
export class GatheredWrites implements Disposable {
  readonly #streams = new WeakMap<WebSocket, Duplex>();
  /** Corked streams: those that are let go at the end of this turn, and those with nothing but texts that can wait. */
  readonly #due = new Set<Duplex>();
  readonly #patient = new Set<Duplex>();
  #turn: NodeJS.Immediate | undefined;
  #company: NodeJS.Timeout | undefined;

  /** Says what a socket writes to; one that was not said writes at once. */
  attach(socket: WebSocket, stream: Duplex): void {
    this.#streams.set(socket, stream);
  }

  send(socket: WebSocket, text: string, canWait: boolean): void {
    const stream = this.#streams.get(socket);
    if (stream) this.#hold(stream, canWait);
    socket.send(text);
  }

  /** Lets everything go that is held back. */
  [Symbol.dispose](): void {
    this.#letDueGo();
    this.#letPatientGo();
  }

  #hold(stream: Duplex, canWait: boolean): void {
    if (stream.writableCorked === 0) stream.cork();
    if (canWait) {
      this.#patient.add(stream);
      this.#company ??= setTimeout(() => this.#letPatientGo(), companyMs);
    } else {
      this.#due.add(stream);
      this.#turn ??= setImmediate(() => this.#letDueGo());
    }
  }

  #letDueGo(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    for (const stream of this.#due) {
      this.#patient.delete(stream);
      stream.uncork();
    }
    this.#due.clear();
  }

  #letPatientGo(): void {
    clearTimeout(this.#company);
    this.#company = undefined;
    for (const stream of this.#patient) if (!this.#due.has(stream)) stream.uncork();
    this.#patient.clear();
  }
}
