import { KeyedMutex } from "#lib/keyed-mutex.ts";

/** What was read of somebody together with others, before it is that person's turn to hear of it. */
export interface EarlyRead {
  readonly personId: bigint;
  /** What else was read at that moment: of one batch, nothing is older than the rest. */
  readonly batch: object;
}

/**
 * What tells one person a total comes one after the other, each with the total of its own moment: one that is older than
 * the one before it would stay on the screen.
 *
 * Whoever reads ahead of the turn says so before reading. If the person was told something else in between, it may be
 * older than that, or of somebody who is hidden by now, and has to be read again.
 */
export class PersonTurns {
  readonly #turns = new KeyedMutex<bigint>();
  /** By person, while they wait for their turn; true: the person was told something else meanwhile. */
  readonly #earlyReads = new Map<bigint, Map<EarlyRead, boolean>>();

  /** Resolves or rejects as `work` does, which reads what it tells. */
  run<Result>(personId: bigint, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(personId, async () => {
      try {
        return await work();
      } finally {
        this.#outdate(personId, null);
      }
    });
  }

  /** To be called before anything is read, and ended by `tell` or `endEarlyRead`. */
  beginEarlyRead(personId: bigint, batch: object): EarlyRead {
    const read = { personId, batch };
    const ofPerson = this.#earlyReads.get(personId) ?? new Map<EarlyRead, boolean>();
    this.#earlyReads.set(personId, ofPerson.set(read, false));
    return read;
  }

  /** @returns whether what was read can be told now. */
  endEarlyRead(read: EarlyRead): boolean {
    const ofPerson = this.#earlyReads.get(read.personId);
    const isOutdated = ofPerson?.get(read) ?? true;
    ofPerson?.delete(read);
    if (ofPerson?.size === 0) this.#earlyReads.delete(read.personId);
    return !isOutdated;
  }

  /** In the person's turn: `told` where what was read early still stands, else `readAgain`. */
  tell<Result>(
    read: EarlyRead,
    ways: { told: () => Result | Promise<Result>; readAgain: () => Promise<Result> },
  ): Promise<Result> {
    const { personId, batch } = read;
    return this.#turns.run(personId, async () => {
      const isFresh = this.endEarlyRead(read);
      try {
        return await (isFresh ? ways.told() : ways.readAgain());
      } finally {
        this.#outdate(personId, isFresh ? batch : null);
      }
    });
  }

  /** All that was read early of the person, but for that of the batch which the person was just told of. */
  #outdate(personId: bigint, batch: object | null): void {
    const ofPerson = this.#earlyReads.get(personId);
    for (const read of ofPerson?.keys() ?? []) if (read.batch !== batch) ofPerson?.set(read, true);
  }
}
