import type { Talk } from "@fava/wire/talk.ts";

/** One bit per tag of a kind, in two 32-bit words. */
export const tagIdMax = 63;
/** 32-bit words per user: two for languages, two for interests. */
const tagsStride = 4;
const interestsField = 2;
const wordShift = 5;
const bitMask = 31;

/** Bits of `talkFlags` in the record. */
const talkFlags = { languages: 1, interests: 2, prefers: 4 } as const;

/** Points of a pair (decision 045): both named a language, or one named it and it is the other's interface language. */
export const namedLanguagePoints = 4;
const assumedLanguagePoints = 2;
const interestPointsMax = 2;

interface TalkRecords {
  talkFlags(person: number): number;
  setTalkFlags(person: number, flags: number): void;
  languagePlusOne(person: number): number;
}

/** Chosen languages and interests, 16 bytes per user. Kept outside the records, because most users choose none. */
export class PersonTags {
  readonly #records: TalkRecords;
  readonly #bits: Int32Array;

  constructor(records: TalkRecords, recordsMax: number) {
    this.#records = records;
    this.#bits = new Int32Array((recordsMax + 1) * tagsStride);
  }

  /** Call only while the user is not waiting. */
  set(person: number, talk: Talk | undefined): void {
    this.#records.setTalkFlags(person, flagsOf(talk));
    if (!talk) return;
    const start = person * tagsStride;
    this.#bits.fill(0, start, start + tagsStride);
    for (const id of talk.languages) this.#add(start, id);
    for (const id of talk.interests) this.#add(start + interestsField, id);
  }

  /** Whether the user chose exactly this, in any order. */
  areSame(person: number, talk: Talk | undefined): boolean {
    const flags = flagsOf(talk);
    if (flags !== this.#records.talkFlags(person)) return false;
    if (flags === 0) return true;
    const isLanguage = (id: number) => this.#hasLanguage(person, id);
    const isInterest = (id: number) => this.#has(person * tagsStride + interestsField, id);
    return (
      !talk ||
      (this.#count(person, 0) === talk.languages.length &&
        this.#count(person, interestsField) === talk.interests.length &&
        talk.languages.every(isLanguage) &&
        talk.interests.every(isInterest))
    );
  }

  /** Whether the user chose a language or interest and did not switch the preference off. */
  isChoosing(person: number): boolean {
    return this.#records.talkFlags(person) > talkFlags.prefers;
  }

  hasLanguages(person: number): boolean {
    return (this.#records.talkFlags(person) & talkFlags.languages) !== 0;
  }

  /** Points of a pair, in either order. */
  score(one: number, other: number): number {
    return this.#languageScore(one, other) + this.#interestScore(one, other);
  }

  /** The most points that any pair with this user can have. */
  scoreMax(person: number): number {
    const languages = this.hasLanguages(person) ? namedLanguagePoints : assumedLanguagePoints;
    return languages + Math.min(interestPointsMax, this.#count(person, interestsField));
  }

  #languageScore(one: number, other: number): number {
    const hasOne = this.hasLanguages(one);
    const hasOther = this.hasLanguages(other);
    if (hasOne && hasOther) return this.#sharedCount(one, other, 0) > 0 ? namedLanguagePoints : 0;
    if (!hasOne && !hasOther) return 0;
    const named = hasOne ? one : other;
    const unnamed = hasOne ? other : one;
    return this.#hasLanguage(named, this.#records.languagePlusOne(unnamed) - 1) ? assumedLanguagePoints : 0;
  }

  #interestScore(one: number, other: number): number {
    if ((this.#records.talkFlags(one) & this.#records.talkFlags(other) & talkFlags.interests) === 0) return 0;
    return Math.min(interestPointsMax, this.#sharedCount(one, other, interestsField));
  }

  #sharedCount(one: number, other: number, field: number): number {
    const at = one * tagsStride + field;
    const otherAt = other * tagsStride + field;
    return bitCount(this.#bits[at]! & this.#bits[otherAt]!) + bitCount(this.#bits[at + 1]! & this.#bits[otherAt + 1]!);
  }

  #count(person: number, field: number): number {
    return this.#sharedCount(person, person, field);
  }

  /** False for id -1, an unknown language. */
  #hasLanguage(person: number, id: number): boolean {
    return id >= 0 && this.#has(person * tagsStride, id);
  }

  #has(start: number, id: number): boolean {
    return ((this.#bits[start + (id >> wordShift)]! >>> (id & bitMask)) & 1) === 1;
  }

  #add(start: number, id: number): void {
    const at = start + (id >> wordShift);
    this.#bits[at] = this.#bits[at]! | (1 << (id & bitMask));
  }
}

function flagsOf(talk: Talk | undefined): number {
  if (!talk || talk.languages.length + talk.interests.length === 0) return 0;
  return (
    (talk.languages.length > 0 ? talkFlags.languages : 0) |
    (talk.interests.length > 0 ? talkFlags.interests : 0) |
    (talk.prefer === 1 ? talkFlags.prefers : 0)
  );
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}
