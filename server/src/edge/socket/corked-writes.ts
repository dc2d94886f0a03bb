import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** How long a message that is not urgent may wait for the next one, in milliseconds. */
const companyMs = 20;
/** Held bytes beyond this are written at once, so that a client that reads nothing is noticed. */
const heldBytesMax = 65_536;

/**
 * One write to the kernel for all messages of a turn, since it costs most of a message. A patient message is sent with
 * the next one.
 */
export class CorkedWrites implements Disposable {
  readonly #streams = new WeakMap<WebSocket, Duplex>();
  /** `#due` streams are uncorked at the end of this turn; `#patient` ones hold only messages that can wait. */
  readonly #due = new Set<Duplex>();
  readonly #patient = new Set<Duplex>();
  #turn: NodeJS.Immediate | undefined;
  #company: NodeJS.Timeout | undefined;

  /** Sets the stream that a socket writes to; a socket without one writes at once. */
  attach(socket: WebSocket, stream: Duplex): void {
    this.#streams.set(socket, stream);
  }

  send(socket: WebSocket, text: string, canWait: boolean): void {
    const stream = this.#streams.get(socket);
    if (!stream) return socket.send(text);
    if (stream.writableCorked === 0) stream.cork();
    socket.send(text);
    if (stream.writableLength > heldBytesMax) stream.uncork();
    else if (!canWait) this.#holdForTurn(stream);
    else if (!this.#due.has(stream)) this.#holdForCompany(stream);
  }

  flush(socket: WebSocket): void {
    this.#streams.get(socket)?.uncork();
  }

  [Symbol.dispose](): void {
    this.#uncorkDue();
    this.#uncorkPatient();
  }

  #holdForTurn(stream: Duplex): void {
    this.#due.add(stream);
    this.#turn ??= setImmediate(() => this.#uncorkDue());
  }

  #holdForCompany(stream: Duplex): void {
    this.#patient.add(stream);
    this.#company ??= setTimeout(() => this.#uncorkPatient(), companyMs);
  }

  #uncorkDue(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    for (const stream of this.#due) {
      this.#patient.delete(stream);
      stream.uncork();
    }
    this.#due.clear();
  }

  #uncorkPatient(): void {
    clearTimeout(this.#company);
    this.#company = undefined;
    for (const stream of this.#patient) if (!this.#due.has(stream)) stream.uncork();
    this.#patient.clear();
  }
}
