import type { Redis } from "ioredis";
import { nonceMemoryMs } from "@fava/wire/limits.ts";
import type { NonceUse, Nonces, SignedCall } from "#ports/nonces.ts";

/** When Redis's memory began shows whether Redis lost nonces. One script, as two servers may get one request. */
const useScript = `
local since = redis.call("GET", KEYS[1])
if not since then
  local now = redis.call("TIME")
  since = now[1] * 1000 + math.floor(now[2] / 1000)
  redis.call("SET", KEYS[1], since)
end
if tonumber(ARGV[1]) < tonumber(since) then return "stale" end
if redis.call("SET", KEYS[2], "", "NX", "PX", ARGV[2]) then return "new" end
return "used"
`;

const sinceKey = "fava:nonces:since";

/** While Redis is away, it accepts none. */
export class RedisNonces implements Nonces {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async use({ sessionId, nonce, signedAtMs }: SignedCall): Promise<NonceUse> {
    const key = `fava:nonce:${sessionId}|${nonce}`;
    try {
      return (await this.#redis.eval(useScript, 2, sinceKey, key, signedAtMs, nonceMemoryMs)) as NonceUse;
    } catch {
      // Redis is away, which the connection logs, or out of memory, which Redis logs.
      return "full";
    }
  }
}
