import type { Redis } from "ioredis";
import { unavailable } from "#lib/errors.ts";
import type { OneTimeKeys, OneTimeUse } from "#ports/one-time-keys.ts";

const awaySeconds = 1;

/** The second half of a sign-in may arrive at another server. */
export class RedisOneTimeKeys implements OneTimeKeys {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async add(use: OneTimeUse, key: string, lifeMs: number): Promise<boolean> {
    const answer = await this.#redis.set(nameOf(use, key), "", "PX", Math.ceil(lifeMs), "NX").catch(away);
    return answer === "OK";
  }

  async take(use: OneTimeUse, key: string): Promise<boolean> {
    return (await this.#redis.del(nameOf(use, key)).catch(away)) === 1;
  }
}

function nameOf(use: OneTimeUse, key: string): string {
  return `fava:once:${use}:${key}`;
}

function away(): never {
  throw unavailable(awaySeconds);
}
