import type { Clock } from "#ports/clock.ts";
import { NoOwnerError, PeerTimeoutError } from "#ports/peers.ts";
import { RetryPauses } from "./tasks.ts";

const retryMs = 100;

/** Retries requests to other servers until they are answered, or until disposed. */
export class PeerRetries implements Disposable {
  readonly #clock: Clock;
  readonly #pauses: RetryPauses;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pauses = new RetryPauses(clock);
  }

  /** Retries for `forMs` milliseconds. Null if there is no answer by then, or if no server owns the key. */
  async within<Out>(forMs: number, ask: () => Promise<Out>): Promise<Out | null> {
    const untilMs = this.#clock.monotonicMs() + forMs;
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof NoOwnerError) return null;
        if (!(error instanceof PeerTimeoutError)) throw error;
        if (this.#pauses.isOver || this.#clock.monotonicMs() >= untilMs) return null;
        await this.#pauses.wait(retryMs);
      }
    }
  }

  [Symbol.dispose](): void {
    this.#pauses[Symbol.dispose]();
  }
}
