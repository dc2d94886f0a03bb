import type { WishedSex } from "@fava/wire/beans.ts";
import type { Talk } from "@fava/wire/talk.ts";
import type { Random } from "@fava/server/ports/random.ts";
import type { Seeker } from "@fava/server/calls/matcher.ts";

const countryCount = 250;
const zoneCount = 12;
const blockerPercent = 5;
const blockedMax = 3;
const taggedPercent = 60;
const leavingOutPercent = 20;
const languageCount = 12;
const interestCount = 48;
const interestsOfOne = 3;

/**
 * People as the matcher is designed for, from a seed: 80 % men, of whom 50 % want women and 5 % men; of the women 30 %
 * want men and 5 % women. 60 % are balanced, 30 % global, and 10 % want one country, which is Zipf-drawn like their
 * own. Of a hundred, 60 name one or two of twelve languages, Zipf-drawn, and interests; 20 exclude their own country,
 * and half of these another, Zipf-drawn one. Each person is computed on demand from small arrays, so that eight million
 * fit into memory.
 */
export class Population {
  readonly size: number;
  readonly #sexes: Uint8Array;
  readonly #wishes: Uint8Array;
  readonly #countries: Uint8Array;
  readonly #wishedCountries: Int16Array;
  readonly #blocks = new Map<bigint, Set<bigint>>();

  constructor(size: number, random: Random) {
    this.size = size;
    this.#sexes = new Uint8Array(size);
    this.#wishes = new Uint8Array(size);
    this.#countries = new Uint8Array(size);
    this.#wishedCountries = new Int16Array(size);
    const drawCountry = zipf(countryCount, random);
    for (let person = 0; person < size; person += 1) {
      const isMan = random.integer(1, 100) <= 80;
      this.#sexes[person] = isMan ? 1 : 2;
      this.#wishes[person] = drawWishedSex(isMan, random.integer(1, 100));
      this.#countries[person] = drawCountry();
      const where = random.integer(1, 100);
      this.#wishedCountries[person] = where <= 60 ? -1 : where <= 90 ? 0 : drawCountry();
      if (random.integer(1, 100) > blockerPercent) continue;
      const blocked = Array.from({ length: random.integer(1, blockedMax) }, () => BigInt(random.integer(1, size)));
      this.#blocks.set(BigInt(person + 1), new Set(blocked));
    }
  }

  /** `person` is from 0 to size - 1; the user id is one more. */
  seeker(person: number): Seeker {
    const countryId = this.#countries[person]!;
    return {
      userId: BigInt(person + 1),
      sex: this.#sexes[person] as 1 | 2,
      filters: { sex: this.#wishes[person] as WishedSex, country: this.#wishedCountries[person]! },
      countryId,
      zone: countryId % zoneCount,
      talk: talkOf(person),
      languageId: zipfLanguage(share(person, 1)),
      leavesOut: this.#leavesOut(person),
    };
  }

  #leavesOut(person: number): number[] | undefined {
    if (share(person, 10) * 100 >= leavingOutPercent) return undefined;
    const own = this.#countries[person]!;
    // The country of another person, so its chance follows the number of its people.
    const other = this.#countries[Math.floor(share(person, 11) * this.size)]!;
    const ids = share(person, 12) < 0.5 || other === own ? [own] : [own, other];
    // The server refuses wanted and excluded countries that are the same, since no partner could exist.
    return ids.includes(this.#wishedCountries[person]!) ? undefined : ids;
  }

  readonly isExcluded = (a: bigint, b: bigint): boolean =>
    (this.#blocks.get(a)?.has(b) ?? false) || (this.#blocks.get(b)?.has(a) ?? false);
}

function talkOf(person: number): Talk | undefined {
  if (share(person, 2) * 100 >= taggedPercent) return undefined;
  const languages = new Set([zipfLanguage(share(person, 1))]);
  if (share(person, 3) < 0.5) languages.add(zipfLanguage(share(person, 4)));
  const interests = new Set<number>();
  for (let draw = 0; draw < interestsOfOne; draw += 1)
    interests.add(Math.floor(share(person, 5 + draw) * interestCount));
  return { languages: [...languages], interests: [...interests], prefer: 1 };
}

function drawWishedSex(isMan: boolean, percent: number): WishedSex {
  if (isMan) return percent <= 50 ? 2 : percent <= 55 ? 1 : 0;
  return percent <= 30 ? 1 : percent <= 35 ? 2 : 0;
}

/** A number from 0 to 1, fixed for each person and purpose. */
function share(person: number, purpose: number): number {
  let mixed = Math.imul(person ^ Math.imul(purpose, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

function zipfLanguage(drawn: number): number {
  const total = Array.from({ length: languageCount }, (_, rank) => 1 / (rank + 1)).reduce((sum, each) => sum + each);
  let left = drawn * total;
  for (let language = 0; language < languageCount - 1; language += 1) {
    left -= 1 / (language + 1);
    if (left < 0) return language;
  }
  return languageCount - 1;
}

/** Country ids from 1 by Zipf's law with exponent 1. */
function zipf(count: number, random: Random): () => number {
  const resolution = 1_000_000;
  const sums: number[] = [];
  for (let rank = 1; rank <= count; rank += 1) sums.push((sums.at(-1) ?? 0) + 1 / rank);
  const total = sums.at(-1)!;
  return () => {
    const target = (random.integer(0, resolution - 1) / resolution) * total;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > target) high = middle;
      else low = middle + 1;
    }
    return low + 1;
  };
}
