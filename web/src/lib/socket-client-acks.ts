import { socketAckDelayMs, socketAckFramesMax } from "@fava/wire/limits.ts";

/**
 * Gathers what has arrived on one socket into few acknowledgements (rule SOCKET-7). The owner calls `flush` before it says
 * goodbye and `forget` when the socket is lost: the next hello then tells what has arrived.
 */
export class SocketAcks {
  readonly #send: (sequence: number) => void;
  #newest = 0;
  #waiting = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (sequence: number) => void) {
    this.#send = send;
  }

  /** Sequences only grow, so the newest one speaks for all before it. */
  add(sequence: number): void {
    this.#newest = sequence;
    this.#waiting += 1;
    if (this.#waiting >= socketAckFramesMax) return this.flush();
    this.#timer ??= setTimeout(() => this.flush(), socketAckDelayMs);
  }

  flush(): void {
    const hasWaited = this.#waiting > 0;
    this.forget();
    if (hasWaited) this.#send(this.#newest);
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = 0;
  }
}
