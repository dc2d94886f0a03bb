import { KeyedMutex } from "#lib/keyed-mutex.ts";

/** A read of a user's data that runs before the user's turn in the queue, for several users at once. */
export interface EarlyRead {
  readonly userId: bigint;
  /** Reads of one batch share a snapshot of the database. */
  readonly batch: object;
}

/**
 * Serializes pushes that carry totals, per user; each reads the totals in its turn. An early read is announced before
 * it begins. It becomes stale if another push of the user runs meanwhile.
 */
export class UserPushQueue {
  readonly #turns = new KeyedMutex<bigint>();
  /** By user. The value is true once another push has made the read stale. */
  readonly #earlyReads = new Map<bigint, Map<EarlyRead, boolean>>();

  run<Result>(userId: bigint, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(userId, async () => {
      try {
        return await work();
      } finally {
        this.#markStale(userId, null);
      }
    });
  }

  /** Call before reading. `runWithRead` or `endEarlyRead` ends it. */
  beginEarlyRead(userId: bigint, batch: object): EarlyRead {
    const read = { userId: userId, batch };
    const ofPerson = this.#earlyReads.get(userId) ?? new Map<EarlyRead, boolean>();
    this.#earlyReads.set(userId, ofPerson.set(read, false));
    return read;
  }

  endEarlyRead(read: EarlyRead): boolean {
    const ofPerson = this.#earlyReads.get(read.userId);
    const isOutdated = ofPerson?.get(read) ?? true;
    ofPerson?.delete(read);
    if (ofPerson?.size === 0) this.#earlyReads.delete(read.userId);
    return !isOutdated;
  }

  /** Runs `fresh` in the user's turn if the read is not stale, else `stale`. */
  runWithRead<Result>(
    read: EarlyRead,
    paths: { fresh: () => Result | Promise<Result>; stale: () => Promise<Result> },
  ): Promise<Result> {
    const { userId, batch } = read;
    return this.#turns.run(userId, async () => {
      const isFresh = this.endEarlyRead(read);
      try {
        return await (isFresh ? paths.fresh() : paths.stale());
      } finally {
        this.#markStale(userId, isFresh ? batch : null);
      }
    });
  }

  /** Marks the user's early reads as stale, except those of this batch. */
  #markStale(userId: bigint, batch: object | null): void {
    const ofPerson = this.#earlyReads.get(userId);
    for (const read of ofPerson?.keys() ?? []) if (read.batch !== batch) ofPerson?.set(read, true);
  }
}
