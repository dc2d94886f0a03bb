/** Serializes work by key. A chain of promises is several times faster than a `p-queue` or `async-mutex` per key. */
export class KeyedMutex<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  /** Settles as `work` does, whether or not earlier work of the key failed. */
  run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key);
    const running = before ? before.then(work, work) : work();
    this.#last.set(key, running);
    const forget = () => {
      if (this.#last.get(key) === running) this.#last.delete(key);
    };
    running.then(forget, forget);
    return running;
  }

  get size(): number {
    return this.#last.size;
  }

  /** Resolves when the key has no work, including work added meanwhile. */
  async idleOf(key: Key): Promise<void> {
    for (let last = this.#last.get(key); last; last = this.#last.get(key)) await Promise.allSettled([last]);
  }

  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}

/** The same for both orders of the two ids. */
export function pairKey(one: bigint, other: bigint): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
