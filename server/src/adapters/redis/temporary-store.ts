import type { Redis } from "ioredis";
import { unavailable } from "#lib/errors.ts";
import { memoryLifeMs, type MemoryUse, type TemporaryStore } from "#ports/temporary-store.ts";

const awaySeconds = 1;

/** A store with a TTL of minutes that all servers of a site share. While Redis is away, every operation throws. */
export class RedisTemporaryStore implements TemporaryStore {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async remember(use: MemoryUse, words: ReadonlyMap<string, string>): Promise<void> {
    // The client sends the commands of one turn together.
    const kept = [...words].map(([key, word]) => this.#redis.set(nameOf(use, key), word, "PX", memoryLifeMs[use]));
    await Promise.all(kept).catch(away);
  }

  async recall(use: MemoryUse, key: string): Promise<string | null> {
    return this.#redis.get(nameOf(use, key)).catch(away);
  }
}

function nameOf(use: MemoryUse, key: string): string {
  return `fava:word:${use}:${key}`;
}

function away(): never {
  throw unavailable(awaySeconds);
}
