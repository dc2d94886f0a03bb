const shortestMs = 1_000;
const longestMs = 60_000;

/** How long to wait before the next attempt, doubling with each one that failed. */
export class Backoff {
  #failures = 0;

  /** @param firstMs instead of a second, after the first failure. */
  nextMs(firstMs = shortestMs): number {
    const delayMs = this.#failures === 0 ? firstMs : Math.min(longestMs, shortestMs * 2 ** this.#failures);
    this.#failures += 1;
    return delayMs;
  }

  reset(): void {
    this.#failures = 0;
  }
}
