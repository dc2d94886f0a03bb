import { countryIdMax, linkFields, linksStride, sexWishCount, zoneMax } from "./matcher-records.ts";
import type { PersonRecords } from "./matcher-records.ts";

const requiredCount = countryIdMax + 1;
/** How many neighbours are passed, from each end, to find the place of somebody who returns with an older start. */
const placeStepsMax = 1_024;

/** Many doubly linked lists through one pair of links of the records: constant time, nothing allocated. */
export class LinkedLists {
  readonly #links: Int32Array;
  readonly #field: number;
  /** First and last of each list; 0 where it is empty. */
  readonly #ends: Int32Array;

  constructor(links: Int32Array, field: number, listCount: number) {
    this.#links = links;
    this.#field = field;
    this.#ends = new Int32Array(listCount * 2);
  }

  first(list: number): number {
    return this.#ends[list * 2]!;
  }
  last(list: number): number {
    return this.#ends[list * 2 + 1]!;
  }
  next(person: number): number {
    return this.#links[person * linksStride + this.#field]!;
  }
  previous(person: number): number {
    return this.#links[person * linksStride + this.#field + 1]!;
  }

  append(list: number, person: number): void {
    this.insertBefore(list, 0, person);
  }

  /** Puts `person` in front of `successor`; 0 means at the end. */
  insertBefore(list: number, successor: number, person: number): void {
    const predecessor = successor === 0 ? this.last(list) : this.previous(successor);
    const at = person * linksStride + this.#field;
    this.#links[at] = successor;
    this.#links[at + 1] = predecessor;
    if (predecessor === 0) this.#ends[list * 2] = person;
    else this.#links[predecessor * linksStride + this.#field] = person;
    if (successor === 0) this.#ends[list * 2 + 1] = person;
    else this.#links[successor * linksStride + this.#field + 1] = person;
  }

  remove(list: number, person: number): void {
    const successor = this.next(person);
    const predecessor = this.previous(person);
    if (predecessor === 0) this.#ends[list * 2] = successor;
    else this.#links[predecessor * linksStride + this.#field] = successor;
    if (successor === 0) this.#ends[list * 2 + 1] = predecessor;
    else this.#links[successor * linksStride + this.#field + 1] = predecessor;
  }
}

/** One level of the index: who waits at a place, by sex, wished sex and required country, the oldest first. */
export class WaitingLevel {
  readonly lists: LinkedLists;
  readonly #records: PersonRecords;

  constructor(records: PersonRecords, field: number, placeCount: number) {
    this.#records = records;
    this.lists = new LinkedLists(records.links, field, placeCount * requiredCount * sexWishCount);
  }

  /** The lists of a place that require one country (0 none) are neighbours: add the sex and wish. */
  listsAt(place: number, required: number): number {
    return (place * requiredCount + required) * sexWishCount;
  }

  file(place: number, person: number): void {
    const list = this.listsAt(place, this.#records.required(person)) + this.#records.sexWish(person);
    this.lists.insertBefore(list, this.#successor(list, this.#records.sinceMs(person)), person);
  }

  unfile(place: number, person: number): void {
    this.lists.remove(this.listsAt(place, this.#records.required(person)) + this.#records.sexWish(person), person);
  }

  /**
   * Whom somebody with this start stands in front of. Newcomers find the end at once; who returns is looked for from
   * both ends. Between more neighbours than that on both sides the place is given in front: nobody loses by returning.
   */
  #successor(list: number, sinceMs: number): number {
    let front = this.lists.first(list);
    let back = this.lists.last(list);
    for (let steps = 0; steps < placeStepsMax; steps += 1) {
      if (back === 0) return this.lists.first(list);
      if (this.#records.sinceMs(back) <= sinceMs) return this.lists.next(back);
      if (this.#records.sinceMs(front) > sinceMs) return front;
      back = this.lists.previous(back);
      front = this.lists.next(front);
    }
    return front;
  }
}

/** Everybody who waits, three times: by own country, by zone, and all together. */
export class WaitingIndex {
  readonly country: WaitingLevel;
  readonly zone: WaitingLevel;
  readonly all: WaitingLevel;
  readonly #records: PersonRecords;
  readonly #countBySexWish = new Int32Array(sexWishCount);
  #count = 0;

  constructor(records: PersonRecords) {
    this.#records = records;
    this.country = new WaitingLevel(records, linkFields.country, countryIdMax + 1);
    this.zone = new WaitingLevel(records, linkFields.zone, zoneMax + 1);
    this.all = new WaitingLevel(records, linkFields.all, 1);
  }

  get count(): number {
    return this.#count;
  }

  /** How many wait with one sex and wish. */
  countOf(sexWish: number): number {
    return this.#countBySexWish[sexWish]!;
  }

  file(person: number): void {
    this.country.file(this.#records.country(person), person);
    this.zone.file(this.#records.zone(person), person);
    this.all.file(0, person);
    this.#change(person, 1);
  }

  unfile(person: number): void {
    this.country.unfile(this.#records.country(person), person);
    this.zone.unfile(this.#records.zone(person), person);
    this.all.unfile(0, person);
    this.#change(person, -1);
  }

  #change(person: number, by: 1 | -1): void {
    this.#count += by;
    const sexWish = this.#records.sexWish(person);
    this.#countBySexWish[sexWish] = this.#countBySexWish[sexWish]! + by;
  }
}
