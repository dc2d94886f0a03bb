/** The middle one of the last so many values; 0 before the first. */
export class RecentMedian {
  readonly #count: number;
  readonly #values: number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  add(value: number): void {
    this.#values.push(value);
    if (this.#values.length > this.#count) this.#values.shift();
  }

  get value(): number {
    const sorted = this.#values.toSorted((one, other) => one - other);
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  }
}
