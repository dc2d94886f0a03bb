/** Work on the same two people runs one after the other, so that what they are told comes in the order it happened. */
export class PairTurns {
  /** The last work of each pair that has any; as many as there are calls under way. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when all earlier work on these two has ended, however it ended. */
  async take<Result>(one: bigint, other: bigint, work: () => Promise<Result>): Promise<Result> {
    const pair = one < other ? `${one}:${other}` : `${other}:${one}`;
    const before = this.#last.get(pair) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(pair, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(pair) === mine) this.#last.delete(pair);
    }
  }
}
