import type { Clock } from "#ports/clock.ts";

interface WaitWatchOptions {
  clock: Clock;
  /** The time line on which searches say their places, milliseconds. */
  nowMs: () => number;
  /** When something is done about a search that still waits, milliseconds from its place in the queue, ascending. */
  afterMs: readonly number[];
  waited: (userId: bigint) => void;
}

/**
 * Says of searches that they have waited for so long. What is over by the time a search comes is not said of it: whoever
 * presses Start again keeps their place, and a search that moves to another process was said of at the one before.
 */
export class WaitWatch implements Disposable {
  readonly #options: WaitWatchOptions;
  readonly #timers = new Map<bigint, Disposable>();

  constructor(options: WaitWatchOptions) {
    this.#options = options;
  }

  /** Watches this search in place of what the person searched before. */
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
