import { leavesOutMax } from "@fava/wire/limits.ts";

/** Numbers from one person to the next: the lists of two people never share a cache line with a part of theirs. */
const countriesStride = 8;
/** In the place of a country; nobody is of it but those whose country is not known. */
const noCountry = 0;

interface CountryRecords {
  country(person: number): number;
  leavesOut(person: number): boolean;
  setLeavesOut(person: number, leavesOut: boolean): void;
}

/** Whose people somebody does not meet, 16 bytes a person, beside the records: only who leaves out any is looked up. */
export class LeftOutCountries {
  readonly #records: CountryRecords;
  readonly #ids: Uint16Array;

  constructor(records: CountryRecords, recordsMax: number) {
    this.#records = records;
    this.#ids = new Uint16Array((recordsMax + 1) * countriesStride);
  }

  /** Of somebody who does not wait; at most `leavesOutMax` ids. */
  set(person: number, countryIds: readonly number[] = []): void {
    this.#records.setLeavesOut(person, countryIds.length > 0);
    if (countryIds.length === 0) return;
    const start = person * countriesStride;
    this.#ids.fill(noCountry, start, start + countriesStride);
    this.#ids.set(countryIds, start);
  }

  /** Whether they are those of the person, the order aside. */
  areSame(person: number, countryIds: readonly number[] = []): boolean {
    return this.#count(person) === countryIds.length && countryIds.every((id) => this.has(person, id));
  }

  has(person: number, countryId: number): boolean {
    if (countryId === noCountry || !this.#records.leavesOut(person)) return false;
    const start = person * countriesStride;
    for (let at = start; at < start + leavesOutMax; at += 1) if (this.#ids[at] === countryId) return true;
    return false;
  }

  /** Whether either of two people leaves out the country of the other. */
  bars(one: number, other: number): boolean {
    return this.has(one, this.#records.country(other)) || this.has(other, this.#records.country(one));
  }

  #count(person: number): number {
    if (!this.#records.leavesOut(person)) return 0;
    const start = person * countriesStride;
    let count = 0;
    while (count < leavesOutMax && this.#ids[start + count] !== noCountry) count += 1;
    return count;
  }
}
