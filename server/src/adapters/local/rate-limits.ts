import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { addressGroup } from "#lib/address-group.ts";
import { type LimitName, type LimitRule, limitRules, type Limits, type LimitWindow } from "#ports/rate-limits.ts";

const keysMaxDefault = 100_000;
const sharedKeys = 4_096;

export interface LocalLimitsOptions {
  /** Multiplies every count that is not fixed. */
  factor: number;
  /** Keys that one window tells apart; whoever comes after that shares a count with others. */
  keysMax?: number;
}

/** Rate limits in the memory of this process. */
export class LocalLimits implements Limits {
  readonly #counters: ReadonlyMap<LimitName, { rule: LimitRule; windows: readonly WindowCounter[] }>;

  constructor({ factor, keysMax = keysMaxDefault }: LocalLimitsOptions) {
    const rules = Object.entries(limitRules) as [LimitName, LimitRule][];
    this.#counters = new Map(
      rules.map(([name, rule]) => {
        const bounds = { factor: rule.isFixed ? 1 : factor, keysMax };
        return [name, { rule, windows: rule.windows.map((window) => new WindowCounter(window, bounds)) }];
      }),
    );
  }

  async take(limit: LimitName, key: string, amount = 1): Promise<number | null> {
    const { windows, counted } = this.#counterOf(limit, key);
    try {
      for (const window of windows) window.count(await window.consume(counted, amount));
      return null;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return wholeSeconds(refusal);
    }
  }

  async waitSeconds(limit: LimitName, key: string): Promise<number | null> {
    const { windows, counted } = this.#counterOf(limit, key);
    for (const window of windows) {
      const full = await window.full(counted);
      if (full) return wholeSeconds(full);
    }
    return null;
  }

  #counterOf(limit: LimitName, key: string): { windows: readonly WindowCounter[]; counted: string } {
    const counter = this.#counters.get(limit);
    if (!counter) throw new Error(`there is no limit ${limit}`);
    return { windows: counter.windows, counted: counter.rule.by === "address" ? addressGroup(key) : key };
  }
}

/** The library keeps a record and a timer for each key without end, so new keys are counted here as they come. */
class WindowCounter {
  readonly #limiter: RateLimiterMemory;
  readonly #windowMs: number;
  readonly #keysMax: number;
  #newKeys = 0;
  #newKeysSinceMs = 0;

  constructor(window: LimitWindow, bounds: { factor: number; keysMax: number }) {
    this.#limiter = new RateLimiterMemory({
      points: window.count * bounds.factor,
      duration: window.windowSeconds,
      blockDuration: window.blockSeconds ?? 0,
    });
    this.#windowMs = Math.max(window.windowSeconds, window.blockSeconds ?? 0) * 1_000;
    this.#keysMax = bounds.keysMax;
  }

  /** Rejects with the library's result when the window is full. */
  consume(key: string, amount: number): Promise<RateLimiterRes> {
    return this.#limiter.consume(this.#boundedKey(key), amount);
  }

  /** Null where one more was not refused so far. */
  async full(key: string): Promise<RateLimiterRes | null> {
    const result = await this.#limiter.get(this.#boundedKey(key));
    return result && result.consumedPoints > this.#limiter.points ? result : null;
  }

  count(result: RateLimiterRes): void {
    if (result.isFirstInDuration) this.#newKeys += 1;
  }

  #boundedKey(key: string): string {
    const now = Date.now();
    if (now - this.#newKeysSinceMs >= this.#windowMs) {
      this.#newKeysSinceMs = now;
      this.#newKeys = 0;
    }
    return this.#newKeys < this.#keysMax ? key : `shared ${hash(key) % sharedKeys}`;
  }
}

function wholeSeconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}

function hash(text: string): number {
  let value = 0;
  for (let index = 0; index < text.length; index += 1) value = (Math.imul(value, 31) + text.charCodeAt(index)) >>> 0;
  return value;
}
