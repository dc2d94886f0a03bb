import { addressGroup } from "#lib/address-group.ts";
import { type LimitName, type LimitRule, limitRules, type Limits, type LimitWindow } from "#ports/rate-limits.ts";

const keysMaxDefault = 100_000;
const sharedKeys = 4_096;

export interface LocalLimitsOptions {
  /** Multiplies every count that is not fixed. */
  factor: number;
  /** Keys per window; further ones share a count. */
  keysMax?: number;
}

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

  take(limit: LimitName, key: string, amount = 1): Promise<number | null> {
    const { windows, counted } = this.#counterOf(limit, key);
    const nowMs = Date.now();
    for (const window of windows) {
      const waitMs = window.take(counted, amount, nowMs);
      if (waitMs > 0) return Promise.resolve(wholeSeconds(waitMs));
    }
    return allowed;
  }

  waitSeconds(limit: LimitName, key: string): Promise<number | null> {
    const { windows, counted } = this.#counterOf(limit, key);
    const nowMs = Date.now();
    for (const window of windows) {
      const waitMs = window.waitMs(counted, nowMs);
      if (waitMs > 0) return Promise.resolve(wholeSeconds(waitMs));
    }
    return allowed;
  }

  #counterOf(limit: LimitName, key: string): { windows: readonly WindowCounter[]; counted: string } {
    const counter = this.#counters.get(limit);
    if (!counter) throw new Error(`there is no limit ${limit}`);
    return { windows: counter.windows, counted: counter.rule.by === "address" ? addressGroup(key) : key };
  }
}

const allowed = Promise.resolve(null);

interface KeyCount {
  count: number;
  endsAtMs: number;
}

/** A fixed window per key that starts at the key's first use. */
class WindowCounter {
  readonly #countMax: number;
  readonly #windowMs: number;
  readonly #blockMs: number;
  readonly #keysMax: number;
  /** Ordered by start, so that expired counts are at the front; a blocked key keeps its place. */
  readonly #counts = new Map<string, KeyCount>();

  constructor(window: LimitWindow, bounds: { factor: number; keysMax: number }) {
    this.#countMax = window.count * bounds.factor;
    this.#windowMs = window.windowSeconds * 1_000;
    this.#blockMs = (window.blockSeconds ?? 0) * 1_000;
    this.#keysMax = bounds.keysMax;
  }

  /** Milliseconds for which the key is refused; 0: allowed. */
  take(key: string, amount: number, nowMs: number): number {
    const counted = this.#countOf(key, nowMs) ?? this.#begin(key, nowMs);
    const wasFull = counted.count > this.#countMax;
    counted.count += amount;
    if (counted.count <= this.#countMax) return 0;
    if (this.#blockMs > 0 && !wasFull) counted.endsAtMs = nowMs + this.#blockMs;
    return counted.endsAtMs - nowMs;
  }

  /** Returns the wait without counting a request. */
  waitMs(key: string, nowMs: number): number {
    const counted = this.#countOf(key, nowMs);
    return counted && counted.count > this.#countMax ? counted.endsAtMs - nowMs : 0;
  }

  #countOf(key: string, nowMs: number): KeyCount | null {
    const own = this.#live(key, nowMs);
    return own || this.#counts.size < this.#keysMax ? own : this.#live(sharedKey(key), nowMs);
  }

  #live(name: string, nowMs: number): KeyCount | null {
    const counted = this.#counts.get(name);
    return counted && counted.endsAtMs > nowMs ? counted : null;
  }

  #begin(key: string, nowMs: number): KeyCount {
    for (const [known, { endsAtMs }] of this.#counts) {
      if (endsAtMs > nowMs) break;
      this.#counts.delete(known);
    }
    const name = this.#counts.size < this.#keysMax ? key : sharedKey(key);
    const counted = { count: 0, endsAtMs: nowMs + this.#windowMs };
    // Deleting moves it to the end.
    this.#counts.delete(name);
    this.#counts.set(name, counted);
    return counted;
  }
}

function wholeSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1_000));
}

function sharedKey(key: string): string {
  return `shared ${hash(key) % sharedKeys}`;
}

function hash(text: string): number {
  let value = 0;
  for (let index = 0; index < text.length; index += 1) value = (Math.imul(value, 31) + text.charCodeAt(index)) >>> 0;
  return value;
}
