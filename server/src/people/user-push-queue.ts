import { KeyedMutex } from "#lib/keyed-mutex.ts";

/** A read of a user's data, made for several users at once, before it is the user's turn to be notified. */
export interface EarlyRead {
  readonly userId: bigint;
  /** Reads of one batch come from one snapshot. */
  readonly batch: object;
}

/**
 * Serializes notifications that carry totals, per user, each with totals read in its turn. An early read is announced
 * before it begins, and is stale if the user was notified of something else in between.
 */
export class UserPushQueue {
  readonly #turns = new KeyedMutex<bigint>();
  /** By user; true: a notification in between made the read stale. */
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

  /** To be called before reading, and ended by `runWithRead` or `endEarlyRead`. */
  beginEarlyRead(userId: bigint, batch: object): EarlyRead {
    const read = { userId: userId, batch };
    const ofPerson = this.#earlyReads.get(userId) ?? new Map<EarlyRead, boolean>();
    this.#earlyReads.set(userId, ofPerson.set(read, false));
    return read;
  }

  /** @returns whether the read is still fresh. */
  endEarlyRead(read: EarlyRead): boolean {
    const ofPerson = this.#earlyReads.get(read.userId);
    const isOutdated = ofPerson?.get(read) ?? true;
    ofPerson?.delete(read);
    if (ofPerson?.size === 0) this.#earlyReads.delete(read.userId);
    return !isOutdated;
  }

  /** Runs `fresh` in the user's turn if the read is still fresh, else `stale`. */
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
