/**
 * Work of one key comes one after the other, in the order in which it was asked for; different keys do not wait for each
 * other. A key is forgotten when its last work is done, so that there are never more than calls under way.
 */
export class Lines {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves or rejects as `work` does; what came before on the line, and failed, does not matter. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key);
    const running = before ? before.then(work, work) : work();
    this.#last.set(key, running);
    const forget = () => {
      if (this.#last.get(key) === running) this.#last.delete(key);
    };
    running.then(forget, forget);
    return running;
  }

  /** Keys with work under way or waiting. */
  get size(): number {
    return this.#last.size;
  }
}

/** The key of two people, whichever of them is named first. */
export function pairKey(one: bigint, other: bigint): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
