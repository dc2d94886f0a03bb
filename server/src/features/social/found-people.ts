import { LruMap } from "#lru-map.ts";

/** Whoever was found may be looked at for this long. */
const foundMs = 3_600_000;
const pairsMax = 200_000;

/** Who found whom by search, lately. */
export class FoundPeople {
  readonly #until = new LruMap<string, number>(pairsMax);

  remember(userId: bigint, foundIds: Iterable<bigint>, nowMs: number): void {
    for (const foundId of foundIds) this.#until.set(`${userId}:${foundId}`, nowMs + foundMs);
  }

  has(userId: bigint, foundId: bigint, nowMs: number): boolean {
    return (this.#until.get(`${userId}:${foundId}`) ?? 0) > nowMs;
  }
}
