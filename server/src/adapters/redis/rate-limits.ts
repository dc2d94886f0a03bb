import type { Redis } from "ioredis";
import { addressGroup } from "#lib/address-group.ts";
import { type LimitName, type LimitRule, limitRules, type Limits } from "#ports/rate-limits.ts";

/** Arguments of each window: maximum count, length in ms, block in ms. Returns the wait in ms; 0: allowed. */
const takeScript = `
local amount = tonumber(ARGV[1])
for index, key in ipairs(KEYS) do
  local most, window, block = unpack(ARGV, index * 3 - 1, index * 3 + 1)
  local count = redis.call("INCRBY", key, amount)
  if count == amount then redis.call("PEXPIRE", key, window) end
  if count > tonumber(most) then
    if tonumber(block) > 0 and count - amount <= tonumber(most) then redis.call("PEXPIRE", key, block) end
    return redis.call("PTTL", key)
  end
end
return 0
`;

const waitScript = `
for index, key in ipairs(KEYS) do
  local count = redis.call("GET", key)
  if count and tonumber(count) > tonumber(ARGV[index]) then return redis.call("PTTL", key) end
end
return 0
`;

export interface RedisLimitsOptions {
  redis: Redis;
  /** Multiplies every count that is not fixed. */
  factor: number;
  /** Counts while Redis is away: each server by itself. */
  meanwhile: Limits;
}

export class RedisLimits implements Limits {
  readonly #redis: Redis;
  readonly #factor: number;
  readonly #meanwhile: Limits;

  constructor({ redis, factor, meanwhile }: RedisLimitsOptions) {
    this.#redis = redis;
    this.#factor = factor;
    this.#meanwhile = meanwhile;
  }

  async take(limit: LimitName, key: string, amount = 1): Promise<number | null> {
    const { keys, windows } = this.#windowsOf(limit, key);
    const bounds = windows.flatMap(({ countMax, windowMs, blockMs }) => [countMax, windowMs, blockMs]);
    try {
      return waitOf(await this.#redis.eval(takeScript, keys.length, ...keys, amount, ...bounds));
    } catch {
      return this.#meanwhile.take(limit, key, amount);
    }
  }

  async waitSeconds(limit: LimitName, key: string): Promise<number | null> {
    const { keys, windows } = this.#windowsOf(limit, key);
    try {
      return waitOf(
        await this.#redis.eval(waitScript, keys.length, ...keys, ...windows.map(({ countMax }) => countMax)),
      );
    } catch {
      return this.#meanwhile.waitSeconds(limit, key);
    }
  }

  #windowsOf(limit: LimitName, key: string) {
    const rule: LimitRule = limitRules[limit];
    const counted = rule.by === "address" ? addressGroup(key) : key;
    const factor = rule.isFixed ? 1 : this.#factor;
    return {
      keys: rule.windows.map((_window, index) => `fava:limit:${limit}:${index}:${counted}`),
      windows: rule.windows.map(({ count, windowSeconds, blockSeconds = 0 }) => ({
        countMax: count * factor,
        windowMs: windowSeconds * 1_000,
        blockMs: blockSeconds * 1_000,
      })),
    };
  }
}

function waitOf(answer: unknown): number | null {
  const waitMs = Number(answer);
  return waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1_000)) : null;
}
