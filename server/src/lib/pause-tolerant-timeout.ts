import type { Clock } from "#ports/clock.ts";

const beatMs = 250;
/** If two beats are farther apart, the process or the machine was suspended in between. */
const beatMaxMs = 2 * beatMs;

/** A timeout that counts only time in which this process runs. Events of a suspension are handled before it expires. */
export class PauseTolerantTimeout implements Disposable {
  readonly #clock: Clock;
  readonly #passed: () => void;
  #leftMs: number;
  #beatAtMs: number;
  #timer: Disposable;

  constructor(clock: Clock, limitMs: number, passed: () => void) {
    this.#clock = clock;
    this.#passed = passed;
    this.#leftMs = limitMs;
    this.#beatAtMs = clock.monotonicMs();
    this.#timer = this.#wait();
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  #wait(): Disposable {
    return this.#clock.after(Math.min(beatMs, this.#leftMs), () => this.#beat());
  }

  #beat(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#leftMs -= Math.min(nowMs - this.#beatAtMs, beatMaxMs);
    this.#beatAtMs = nowMs;
    if (this.#leftMs > 0) this.#timer = this.#wait();
    else this.#passed();
  }
}
