import type { Clock } from "#ports/clock.ts";

/** How often it is looked whether the process is awake. */
const beatMs = 250;
/** More than this between two beats is time in which the process, or the whole machine, did not run. */
const beatMaxMs = 2 * beatMs;

/**
 * Calls back after `limitMs` in which this process ran: while it stands still, as in a machine that is paused, the work
 * that it waits for stands still with it, and what came meanwhile is heard before the limit is over.
 */
export class AwakeLimit implements Disposable {
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
