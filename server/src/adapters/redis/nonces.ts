import type { Redis } from "ioredis";
import { nonceMemoryMs } from "@fava/wire/limits.ts";
import type { NonceUse, Nonces, SignedCall } from "#ports/nonces.ts";

/**
 * When the memory began stands in it, so that an engine which has forgotten everything knows that it has: what was signed
 * before may have been taken. All in one step, since two processes may be handed the same call at once.
 */
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

/** Nonces that all processes of a site share. While the engine is away none can be noted. */
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
      // Away, which the connection logs, or out of memory, which the engine does.
      return "full";
    }
  }
}
