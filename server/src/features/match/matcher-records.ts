import type { WishedSex } from "@fava/wire/beans.ts";

/** Largest ids that the index has room for; the country table of the wire is far below. */
export const countryIdMax = 511;
export const zoneMax = 63;
/** Sex and wished sex together, 0 to 5: who somebody is and whom they accept, countries aside. */
export const sexWishCount = 6;
const wishedCount = 3;

/** Where somebody looks. */
export const reach = { global: 0, balanced: 1, required: 2 } as const;
export type Reach = (typeof reach)[keyof typeof reach];

/** Which pair of links of a record a list uses. */
export const linkFields = { country: 0, zone: 2, all: 4, due: 6 } as const;
/** Link fields of one record follow those of the one before after this many numbers. */
export const linksStride = 48;
/** As many doubles from one record to the next; the first of them that hold recent partners. */
export const doublesStride = linksStride / 2;
export const partnersField = 8;

const bytesStride = linksStride * 4;
const sinceField = 4;
const dueField = 5;
const idField = 6;
const placeField = 14;
const wishField = 60;
const waitingField = 61;
const queueField = 62;
const retryField = 63;

const placeBits = 9;
const placeMask = countryIdMax;
const reachBits = 2;
const reachMask = 3;

/**
 * What the matcher knows of a person: 64 bytes, and 128 for the recent partners right behind them. At a million people the
 * cost of a request is the number of cache lines and pages it touches, so all of a person lies in one place. Records are
 * numbered from 1; 0 means nobody.
 */
export class PersonRecords {
  readonly links: Int32Array;
  readonly doubles: Float64Array;
  readonly #bytes: Uint8Array;

  constructor(recordsMax: number) {
    const memory = new ArrayBuffer((recordsMax + 1) * bytesStride);
    this.links = new Int32Array(memory);
    this.doubles = new Float64Array(memory);
    this.#bytes = new Uint8Array(memory);
  }

  id(person: number): number {
    return this.doubles[person * doublesStride + idField]!;
  }
  setId(person: number, id: number): void {
    this.doubles[person * doublesStride + idField] = id;
  }

  /** When the search began, milliseconds since the epoch. */
  sinceMs(person: number): number {
    return this.doubles[person * doublesStride + sinceField]!;
  }
  setSinceMs(person: number, sinceMs: number): void {
    this.doubles[person * doublesStride + sinceField] = sinceMs;
  }

  /** When the next retry is due, milliseconds since the epoch. */
  dueMs(person: number): number {
    return this.doubles[person * doublesStride + dueField]!;
  }
  setDueMs(person: number, dueMs: number): void {
    this.doubles[person * doublesStride + dueField] = dueMs;
  }

  /** Own country, required country (0 none) and zone, packed for comparison as one number. */
  place(person: number): number {
    return this.links[person * linksStride + placeField]!;
  }
  setPlace(person: number, place: number): void {
    this.links[person * linksStride + placeField] = place;
  }
  country(person: number): number {
    return this.place(person) & placeMask;
  }
  required(person: number): number {
    return (this.place(person) >>> placeBits) & placeMask;
  }
  zone(person: number): number {
    return this.place(person) >>> (2 * placeBits);
  }

  /** Sex, wished sex and reach, packed for comparison as one number. */
  wish(person: number): number {
    return this.#bytes[person * bytesStride + wishField]!;
  }
  setWish(person: number, wish: number): void {
    this.#bytes[person * bytesStride + wishField] = wish;
  }
  sexWish(person: number): number {
    return this.wish(person) >>> reachBits;
  }
  reach(person: number): Reach {
    return (this.wish(person) & reachMask) as Reach;
  }

  isWaiting(person: number): boolean {
    return this.#bytes[person * bytesStride + waitingField] === 1;
  }
  setWaiting(person: number, isWaiting: boolean): void {
    this.#bytes[person * bytesStride + waitingField] = isWaiting ? 1 : 0;
  }

  /** Number of the retry queue plus one; 0 for somebody who is in none. */
  queue(person: number): number {
    return this.#bytes[person * bytesStride + queueField]!;
  }
  setQueue(person: number, queue: number): void {
    this.#bytes[person * bytesStride + queueField] = queue;
  }

  /** Which retries were made, as `matcher-retry.ts` packs them. */
  retry(person: number): number {
    return this.#bytes[person * bytesStride + retryField]!;
  }
  setRetry(person: number, retry: number): void {
    this.#bytes[person * bytesStride + retryField] = retry;
  }
}

export function packPlace(place: { country: number; required: number; zone: number }): number {
  return place.country | (place.required << placeBits) | (place.zone << (2 * placeBits));
}

export function sexWishOf(sex: 1 | 2, wished: WishedSex): number {
  return (sex - 1) * wishedCount + wished;
}
export function sexOf(sexWish: number): 1 | 2 {
  return sexWish < wishedCount ? 1 : 2;
}
export function wishedOf(sexWish: number): WishedSex {
  return (sexWish % wishedCount) as WishedSex;
}

export function packWish(sexWish: number, wanted: Reach): number {
  return (sexWish << reachBits) | wanted;
}
