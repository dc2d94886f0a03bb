import { LRUCache } from "lru-cache";
import type { Clock } from "#ports/clock.ts";
import type { Peers, SharedCacheName } from "#ports/peers.ts";
import { Emitter } from "./emitter.ts";

export interface CacheOptions<Key, Value> {
  /** The least recently used entry is evicted. */
  entriesMax: number;
  /** An entry expires `ttlMs` after it was set: whole milliseconds, at least 2. */
  expiry?: { readonly clock: Pick<Clock, "nowMs">; readonly ttlMs: number };
  /** Called with each entry that is replaced, deleted or evicted. */
  dispose?: (value: Value, key: Key) => void;
}

/** An `lru-cache` with our clock, whose memory grows with its entries. Its `max` would allocate for all at once. */
export function boundedCache<Key extends NonNullable<unknown>, Value extends NonNullable<unknown>>({
  entriesMax,
  expiry,
  dispose,
}: CacheOptions<Key, Value>): LRUCache<Key, Value> {
  return new LRUCache({
    maxSize: entriesMax,
    sizeCalculation: () => 1,
    ...(dispose && { dispose }),
    // `lru-cache` keeps an entry through its last millisecond. With resolution 0 it reads the clock at each access.
    ...(expiry && { ttl: expiry.ttlMs - 1, ttlResolution: 0, perf: { now: () => expiry.clock.nowMs() } }),
  });
}

export interface SharedUserCache {
  /** Calls the listener with each user whose facts changed at this server. */
  onForgotten(listener: (userId: bigint) => void): Disposable;
  drop(userId: bigint): void;
  /** Invalidates all users, because messages may have been missed. */
  dropAll(): void;
}

/** Caches one fact about each user, read on demand and kept until it changes. */
export class UserCache<Fact extends NonNullable<unknown>> implements SharedUserCache {
  readonly #facts: LRUCache<bigint, Fact>;
  readonly #forgotten = new Emitter<[userId: bigint]>();
  readonly #dropped = new Emitter<[userId: bigint]>();
  #changes = 0;

  constructor(options: Omit<CacheOptions<bigint, Fact>, "dispose">) {
    this.#facts = boundedCache(options);
  }

  /** The cached fact, or else the result of `read`. Null is not cached. */
  async get<Read extends Fact | null>(userId: bigint, read: () => Promise<Read>): Promise<Fact | Read> {
    const known = this.#facts.get(userId);
    if (known !== undefined) return known;
    const changes = this.#changes;
    const fact = await read();
    // A fact that changed during the read may be the old one, so it is not cached.
    if (fact !== null && changes === this.#changes) this.#facts.set(userId, fact);
    return fact;
  }

  forget(userId: bigint): void {
    this.drop(userId);
    this.#forgotten.emit(userId);
  }

  onForgotten(listener: (userId: bigint) => void): Disposable {
    return this.#forgotten.on(listener);
  }

  drop(userId: bigint): void {
    this.#changes += 1;
    this.#facts.delete(userId);
    this.#dropped.emit(userId);
  }

  /** Calls the listener with each invalidated user, whether the change was at this server or at another. */
  onDropped(listener: (userId: bigint) => void): Disposable {
    return this.#dropped.on(listener);
  }

  dropAll(): void {
    this.#changes += 1;
    this.#facts.clear();
  }
}

/** Sends invalidations to the other servers, and applies theirs. Invalidates everything after a gap. */
export function linkCaches(
  peers: Pick<Peers, "broadcast" | "onEvent" | "onGap">,
  shared: Readonly<Partial<Record<SharedCacheName, SharedUserCache>>>,
): void {
  const all = new Map(Object.entries(shared) as [SharedCacheName, SharedUserCache][]);
  for (const [what, cache] of all) cache.onForgotten((userId) => peers.broadcast("forget", { what, userId }));
  peers.onEvent("forget", ({ what, userId }) => all.get(what)?.drop(userId));
  peers.onGap(() => {
    for (const cache of all.values()) cache.dropAll();
  });
}
