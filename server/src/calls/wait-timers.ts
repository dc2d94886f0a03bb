import type { Clock } from "#ports/clock.ts";

interface WaitTimersOptions {
  clock: Clock;
  nowMs: () => number;
  /** After how long to report a search that still waits, in milliseconds from its place in the queue, ascending. */
  afterMs: readonly number[];
  waited: (userId: bigint) => void;
}

/** Reports searches that have waited for each time in `afterMs`, except times that had passed before `watch`. */
export class WaitTimers implements Disposable {
  readonly #options: WaitTimersOptions;
  readonly #timers = new Map<bigint, Disposable>();

  constructor(options: WaitTimersOptions) {
    this.#options = options;
  }

  watch(userId: bigint, sinceMs: number): void {
    this.forget(userId);
    const { nowMs, afterMs } = this.#options;
    const now = nowMs();
    this.#arm(
      userId,
      afterMs.map((delayMs) => sinceMs + delayMs).filter((dueMs) => dueMs > now),
    );
  }

  forget(userId: bigint): void {
    this.#timers.get(userId)?.[Symbol.dispose]();
    this.#timers.delete(userId);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers.values()) timer[Symbol.dispose]();
    this.#timers.clear();
  }

  #arm(userId: bigint, [dueMs, ...later]: readonly number[]): void {
    this.#timers.delete(userId);
    if (dueMs === undefined) return;
    const { clock, nowMs, waited } = this.#options;
    const timer = clock.after(dueMs - nowMs(), () => {
      this.#arm(userId, later);
      waited(userId);
    });
    this.#timers.set(userId, timer);
  }
}
