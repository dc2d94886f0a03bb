import type { Clock } from "#ports/clock.ts";

/** A sweep that keeps falling due at once must not take the whole process. */
const pauseMsMin = 10;

/** The one timer of the pool; armed only while somebody waits. */
export class SweepTimer implements Disposable {
  readonly #clock: Clock;
  readonly #sweep: () => void;
  #armed: { dueMs: number; timer: Disposable } | null = null;

  constructor(clock: Clock, sweep: () => void) {
    this.#clock = clock;
    this.#sweep = sweep;
  }

  /** `dueMs` on the caller's time line, on which it is `nowMs` now; null where nobody waits. */
  arm(dueMs: number | null, nowMs: number): void {
    // A timer that comes too early only looks again; most searches end before it, and moving it every time would cost.
    if (dueMs !== null && this.#armed && this.#armed.dueMs <= dueMs) return;
    this[Symbol.dispose]();
    if (dueMs === null) return;
    const timer = this.#clock.after(Math.max(pauseMsMin, dueMs - nowMs), () => {
      this.#armed = null;
      this.#sweep();
    });
    this.#armed = { dueMs, timer };
  }

  [Symbol.dispose](): void {
    this.#armed?.timer[Symbol.dispose]();
    this.#armed = null;
  }
}
