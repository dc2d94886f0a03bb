/** How many people who could be matched are here, by country. Bounded by the people present. */
export class CountryPresence {
  readonly #countryOf = new Map<bigint, number>();
  readonly #counts = new Map<number, number>();

  set(userId: bigint, countryId: number): void {
    if (this.#countryOf.get(userId) === countryId) return;
    this.delete(userId);
    this.#countryOf.set(userId, countryId);
    this.#counts.set(countryId, (this.#counts.get(countryId) ?? 0) + 1);
  }

  delete(userId: bigint): void {
    const countryId = this.#countryOf.get(userId);
    if (countryId === undefined) return;
    this.#countryOf.delete(userId);
    const left = (this.#counts.get(countryId) ?? 0) - 1;
    if (left > 0) this.#counts.set(countryId, left);
    else this.#counts.delete(countryId);
  }

  /** People of a country besides this one. */
  othersIn(countryId: number, userId: bigint): number {
    const count = this.#counts.get(countryId) ?? 0;
    return this.#countryOf.get(userId) === countryId ? count - 1 : count;
  }
}
