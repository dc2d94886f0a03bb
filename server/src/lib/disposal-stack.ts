/**
 * What has to be ended, in the order in which it began: disposing ends the latest first, each before the one before it,
 * as `await using` does. The language's own `AsyncDisposableStack` comes with Node.js 24.
 */
export class DisposalStack implements AsyncDisposable {
  readonly #ends: (() => unknown)[] = [];

  /** Disposes this too; answers it. */
  use<Part extends AsyncDisposable | Disposable>(part: Part): Part {
    this.#ends.push(() => (Symbol.asyncDispose in part ? part[Symbol.asyncDispose]() : part[Symbol.dispose]()));
    return part;
  }

  /** Does this when it is its turn. */
  defer(end: () => void | Promise<void>): void {
    this.#ends.push(end);
  }

  /**
   * Ends everything, once, also where some of it fails.
   *
   * @throws what failed; an `AggregateError` where that was more than one.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (let end = this.#ends.pop(); end; end = this.#ends.pop()) {
      try {
        await end();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, "several parts could not be ended");
    if (errors.length === 1) throw errors[0];
  }
}
