import type { Clock } from "#ports/clock.ts";

interface DueWork {
  readonly dueMs: number;
  readonly work: () => void;
  isOff: boolean;
}

/** Beyond this, `advance` throws, because work that reschedules itself without delay would never let it end. */
const runsMax = 100_000;

/** A clock that only the test advances. */
export class TestClock implements Clock {
  #elapsedMs = 0;
  readonly #startMs: number;
  /** Due work, next one last. */
  readonly #due: DueWork[] = [];

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#startMs = startMs;
  }

  nowMs(): number {
    return this.#startMs + this.#elapsedMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  /** Equals the elapsed time, as if one processor were always busy. */
  processorMs(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, work: () => void): Disposable {
    const entry = { dueMs: this.#elapsedMs + Math.max(0, delayMs), work, isOff: false };
    this.#due.splice(this.#placeOf(entry.dueMs), 0, entry);
    return {
      [Symbol.dispose]: () => {
        entry.isOff = true;
      },
    };
  }

  /** Timers that neither ran nor were cancelled. */
  get pendingCount(): number {
    return this.#due.filter(({ isOff }) => !isOff).length;
  }

  /** Advances the time. Runs due work in the order of time and then of registration, each at its own time. */
  advance(ms: number): void {
    const untilMs = this.#elapsedMs + ms;
    for (let runs = 0; (this.#due.at(-1)?.dueMs ?? Infinity) <= untilMs;) {
      const { dueMs, work, isOff } = this.#due.pop()!;
      if (isOff) continue;
      if (runs === runsMax) throw new Error("work keeps falling due at the same moment");
      runs += 1;
      this.#elapsedMs = dueMs;
      work();
    }
    this.#elapsedMs = untilMs;
  }

  /** Position before all work that is due by then, so that earlier registrations run first. */
  #placeOf(dueMs: number): number {
    let [low, high] = [0, this.#due.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#due[middle]!.dueMs > dueMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
