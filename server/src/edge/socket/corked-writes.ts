import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** How long a message that is not urgent may wait for the next one, in milliseconds. */
const companyMs = 20;
/** Held bytes beyond this are written at once, so that a client that reads nothing is noticed. */
const heldBytesMax = 65_536;

/**
 * Sends all messages of one turn of the event loop to a socket with one write to the kernel, since the write costs more
 * than the rest of the work for a message. A message that can wait is sent with the next one.
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

  /** Writes the held messages of this socket, such as before its close frame. */
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
