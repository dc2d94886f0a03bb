import { slowDown } from "#http/call-error.ts";
import type { Clock } from "#ports/clock.ts";
import type { Limits } from "#ports/limits.ts";

/** The processor time that each person's pictures may take in a minute. */
export class DecodeBudget {
  readonly #clock: Clock;
  readonly #limits: Limits;

  constructor(parts: { clock: Clock; limits: Limits }) {
    this.#clock = parts.clock;
    this.#limits = parts.limits;
  }

  /**
   * Does what uses one processor at most, and counts what it took: no more than went by, and no more than the whole
   * process used, since a machine that does something else meanwhile is nobody's fault.
   *
   * @throws CallError 429 while the person's time is used up, and whatever the work throws.
   */
  async spend<Result>(userId: bigint, work: () => Promise<Result>): Promise<Result> {
    const key = String(userId);
    const wait = await this.#limits.waitSeconds("decodeMsByUser", key);
    if (wait !== null) throw slowDown(wait, "too much to decode");
    const { monotonicMs, processorMs } = this.#read();
    try {
      return await work();
    } finally {
      const now = this.#read();
      const tookMs = Math.min(now.monotonicMs - monotonicMs, now.processorMs - processorMs);
      await this.#limits.take("decodeMsByUser", key, Math.ceil(tookMs));
    }
  }

  #read(): { monotonicMs: number; processorMs: number } {
    return { monotonicMs: this.#clock.monotonicMs(), processorMs: this.#clock.processorMs() };
  }
}
