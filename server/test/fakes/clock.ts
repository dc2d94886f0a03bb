import type { Clock } from "#ports/clock.ts";

interface DueWork {
  dueMs: number;
  work: () => void;
}

/** Work that keeps starting itself without a delay would never let `advance` end. */
const runsMax = 100_000;

/** A clock that stands still until the test moves it. */
export class TestClock implements Clock {
  #elapsedMs = 0;
  readonly #startMs: number;
  readonly #due = new Set<DueWork>();

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#startMs = startMs;
  }

  nowMs(): number {
    return this.#startMs + this.#elapsedMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  /** As if one processor were busy all the time. */
  processorMs(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, work: () => void): Disposable {
    const entry = { dueMs: this.#elapsedMs + Math.max(0, delayMs), work };
    this.#due.add(entry);
    return { [Symbol.dispose]: () => void this.#due.delete(entry) };
  }

  /** Number of timers that were neither run nor cancelled. */
  get pendingCount(): number {
    return this.#due.size;
  }

  /** Moves the time forward and runs what falls due, in order of time and then of asking, each at its own moment. */
  advance(ms: number): void {
    const untilMs = this.#elapsedMs + ms;
    for (let runs = 0; ; runs += 1) {
      const next = this.#nextDue(untilMs);
      if (!next) break;
      if (runs === runsMax) throw new Error("work keeps falling due at the same moment");
      this.#due.delete(next);
      this.#elapsedMs = next.dueMs;
      next.work();
    }
    this.#elapsedMs = untilMs;
  }

  #nextDue(untilMs: number): DueWork | null {
    let next: DueWork | null = null;
    for (const entry of this.#due) {
      if (entry.dueMs <= untilMs && (next === null || entry.dueMs < next.dueMs)) next = entry;
    }
    return next;
  }
}
