import type { LRUCache } from "lru-cache";
import { boundedCache } from "#lib/cache.ts";
import type { Clock } from "#ports/clock.ts";
import { memoryLifeMs, type MemoryUse, type TemporaryStore } from "#ports/temporary-store.ts";

const wordsMaxDefault = 200_000;

interface Word {
  readonly word: string;
}

export class LocalTemporaryStore implements TemporaryStore {
  readonly #words: Readonly<Record<MemoryUse, LRUCache<string, Word>>>;

  constructor({ clock, wordsMax: entriesMax = wordsMaxDefault }: { clock: Clock; wordsMax?: number }) {
    const words = (use: MemoryUse) =>
      boundedCache<string, Word>({ entriesMax, expiry: { clock, ttlMs: memoryLifeMs[use] } });
    this.#words = {
      rechargeToken: words("rechargeToken"),
      priceListVisit: words("priceListVisit"),
      foundPerson: words("foundPerson"),
      browsedPerson: words("browsedPerson"),
    };
  }

  async remember(use: MemoryUse, words: ReadonlyMap<string, string>): Promise<void> {
    for (const [key, word] of words) this.#words[use].set(key, { word });
  }

  async recall(use: MemoryUse, key: string): Promise<string | null> {
    return this.#words[use].get(key)?.word ?? null;
  }
}
