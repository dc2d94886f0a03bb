import { excludedCountriesMax } from "@fava/wire/limits.ts";

/** Elements per user. They take 16 bytes, so that one user's list is within one cache line. */
const countriesStride = 8;
/** Marks an empty element. Id 0 is the unknown country, which nobody excludes. */
const noCountry = 0;

interface CountryRecords {
  country(person: number): number;
  leavesOut(person: number): boolean;
  setLeavesOut(person: number, leavesOut: boolean): void;
}

/** Excluded countries, 16 bytes per user. Kept outside the records, because most users exclude none. */
export class ExcludedCountries {
  readonly #records: CountryRecords;
  readonly #ids: Uint16Array;

  constructor(records: CountryRecords, recordsMax: number) {
    this.#records = records;
    this.#ids = new Uint16Array((recordsMax + 1) * countriesStride);
  }

  /** Stores at most `excludedCountriesMax` ids. Call only while the user is not waiting. */
  set(person: number, countryIds: readonly number[] = []): void {
    this.#records.setLeavesOut(person, countryIds.length > 0);
    if (countryIds.length === 0) return;
    const start = person * countriesStride;
    this.#ids.fill(noCountry, start, start + countriesStride);
    this.#ids.set(countryIds, start);
  }

  /** Whether the user excludes exactly these countries, in any order. */
  areSame(person: number, countryIds: readonly number[] = []): boolean {
    return this.#count(person) === countryIds.length && countryIds.every((id) => this.has(person, id));
  }

  has(person: number, countryId: number): boolean {
    if (countryId === noCountry || !this.#records.leavesOut(person)) return false;
    const start = person * countriesStride;
    for (let at = start; at < start + excludedCountriesMax; at += 1) if (this.#ids[at] === countryId) return true;
    return false;
  }

  /** Whether either of two users excludes the other's country. */
  bars(one: number, other: number): boolean {
    return this.has(one, this.#records.country(other)) || this.has(other, this.#records.country(one));
  }

  #count(person: number): number {
    if (!this.#records.leavesOut(person)) return 0;
    const start = person * countriesStride;
    let count = 0;
    while (count < excludedCountriesMax && this.#ids[start + count] !== noCountry) count += 1;
    return count;
  }
}
