import type { Clock } from "@fava/server/ports/clock.ts";

interface DueWork {
  readonly dueMs: number;
  readonly work: () => void;
}

/** A clock that goes on by steps, as fast as it is asked to; made for very many timers. */
export class StepClock implements Clock {
  readonly #startMs = Date.UTC(2026, 0, 1);
  readonly #stepMs: number;
  /** Timers by the step in which they fall due. */
  readonly #steps = new Map<number, Set<DueWork>>();
  #elapsedMs = 0;

  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  nowMs(): number {
    return this.#startMs + this.#elapsedMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  processorMs(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, work: () => void): Disposable {
    const due = { dueMs: this.#elapsedMs + Math.max(0, delayMs), work };
    const step = Math.floor(due.dueMs / this.#stepMs);
    const others = this.#steps.get(step) ?? new Set();
    this.#steps.set(step, others.add(due));
    return { [Symbol.dispose]: () => void others.delete(due) };
  }

  /** Goes to the end of the current step and runs what falls due until then, each at its own moment. */
  step(): void {
    const step = Math.floor(this.#elapsedMs / this.#stepMs);
    const due = this.#steps.get(step);
    while (due && due.size > 0) {
      for (const next of [...due].toSorted((one, other) => one.dueMs - other.dueMs)) {
        if (!due.delete(next)) continue;
        this.#elapsedMs = Math.max(this.#elapsedMs, next.dueMs);
        next.work();
      }
    }
    this.#steps.delete(step);
    this.#elapsedMs = (step + 1) * this.#stepMs;
  }
}
