import {
  type LinkedLists,
  type MatcherPeople,
  partnerGapMaxMs,
  partnerGapPerPersonMs,
  partnerPatienceMs,
  type PersonRecords,
  reach,
  sexOf,
  sexWishOf,
  type WaitingIndex,
  type WaitingLevel,
  wishedOf,
} from "./matcher-records.ts";

/** How long balanced people look near only: ordinarily, and where few people wait. */
const holdShortMs = 300;
const holdThinMs = 1_000;
const thinPoolMax = 32;

/** What an unsuccessful search says about the next one. */
export interface SearchEnd {
  /** Barred people filled the looks of a list, so somebody suitable may stand behind them. */
  readonly wasCut: boolean;
  /** Somebody was passed over for a reason that ends by itself. */
  readonly metTimedBar: boolean;
}

/**
 * Finds the partner of one person among those who wait; changes nothing in the pool. Whoever suits stands in at most
 * eight lists of a level: two sexes, two wishes (any, or my sex), two required countries (none, or mine).
 */
export class MatcherSearch implements SearchEnd {
  readonly #people: MatcherPeople;
  readonly #records: PersonRecords;
  readonly #waiting: WaitingIndex;
  readonly #isExcluded: ((a: bigint, b: bigint) => boolean) | null;
  #person = 0;
  #nowMs = 0;
  #looksMax = 0;
  #gapMs = 0;
  #foundSinceMs = Infinity;
  #found = 0;
  #looks = 0;
  #wasCut = false;
  #metTimedBar = false;

  constructor(people: MatcherPeople, waiting: WaitingIndex, isExcluded?: (a: bigint, b: bigint) => boolean) {
    this.#people = people;
    this.#records = people.records;
    this.#waiting = waiting;
    this.#isExcluded = isExcluded ?? null;
  }

  /** How many people the last search looked at. */
  get looks(): number {
    return this.#looks;
  }
  /** See `SearchEnd`; both speak of the last search, and mean something only when it found nobody. */
  get wasCut(): boolean {
    return this.#wasCut;
  }
  get metTimedBar(): boolean {
    return this.#metTimedBar;
  }

  /** How long a balanced person looks near only before everybody will do. */
  holdMs(person: number): typeof holdShortMs | typeof holdThinMs {
    return this.#poolOf(person) < thinPoolMax ? holdThinMs : holdShortMs;
  }

  /** The best partner, 0 where there is none: for balanced people the nearest level that has one. */
  find(person: number, nowMs: number, looksMax: number): number {
    if (this.#records.reach(person) !== reach.global) {
      const near = this.findNear(person, nowMs, looksMax);
      if (near !== 0 || this.#records.reach(person) === reach.required) return near;
    } else this.#begin(person, nowMs, looksMax);
    return this.#lookAt(this.#waiting.all, 0);
  }

  /** As `find`, without going past the required country, or past the zone. */
  findNear(person: number, nowMs: number, looksMax: number): number {
    this.#begin(person, nowMs, looksMax);
    const records = this.#records;
    if (records.reach(person) === reach.required) return this.#lookAt(this.#waiting.country, records.required(person));
    const same = this.#lookAt(this.#waiting.country, records.country(person));
    return same === 0 ? this.#lookAt(this.#waiting.zone, records.zone(person)) : same;
  }

  #begin(person: number, nowMs: number, looksMax: number): void {
    this.#person = person;
    this.#nowMs = nowMs;
    this.#looksMax = looksMax;
    this.#gapMs = Math.min(partnerGapMaxMs, partnerGapPerPersonMs * this.#poolOf(person));
    this.#looks = 0;
    this.#wasCut = false;
    this.#metTimedBar = false;
  }

  #lookAt(level: WaitingLevel, place: number): number {
    const wished = wishedOf(this.#records.sexWish(this.#person));
    this.#found = 0;
    this.#foundSinceMs = Infinity;
    if (wished !== 2) this.#lookAtSex(level, place, 1);
    if (wished !== 1) this.#lookAtSex(level, place, 2);
    return this.#found;
  }

  #lookAtSex(level: WaitingLevel, place: number, sex: 1 | 2): void {
    const acceptsAny = sexWishOf(sex, 0);
    const acceptsMine = sexWishOf(sex, sexOf(this.#records.sexWish(this.#person)));
    const free = level.listsAt(place, 0);
    this.#lookAlong(level.lists, free + acceptsAny);
    this.#lookAlong(level.lists, free + acceptsMine);
    const country = this.#records.country(this.#person);
    // Nobody can require the unknown country, and its lists would be the free ones again.
    if (country === 0) return;
    const requiring = level.listsAt(place, country);
    this.#lookAlong(level.lists, requiring + acceptsAny);
    this.#lookAlong(level.lists, requiring + acceptsMine);
  }

  #lookAlong(lists: LinkedLists, list: number): void {
    let looks = 0;
    for (let candidate = lists.first(list); candidate !== 0; candidate = lists.next(candidate)) {
      // In a retry the person waits in these lists too.
      if (candidate === this.#person) continue;
      const sinceMs = this.#records.sinceMs(candidate);
      if (sinceMs >= this.#foundSinceMs) break;
      if (looks === this.#looksMax) {
        this.#wasCut = true;
        break;
      }
      looks += 1;
      if (this.#isBarred(candidate, sinceMs)) continue;
      this.#found = candidate;
      this.#foundSinceMs = sinceMs;
      break;
    }
    this.#looks += looks;
  }

  #isBarred(candidate: number, candidateSinceMs: number): boolean {
    const moment = this.#people.partners.moment(this.#person, this.#records.id(candidate));
    if (moment !== 0 && this.#isRemembered(moment, candidateSinceMs)) {
      this.#metTimedBar = true;
      return true;
    }
    if (this.#isExcluded === null) return false;
    return this.#isExcluded(this.#people.userId(this.#person), this.#people.userId(candidate));
  }

  #isRemembered(moment: number, candidateSinceMs: number): boolean {
    if (moment < 0) return this.#nowMs < -moment;
    const shorterWaitMs = this.#nowMs - Math.max(candidateSinceMs, this.#records.sinceMs(this.#person));
    return shorterWaitMs < partnerPatienceMs && this.#nowMs - moment < this.#gapMs;
  }

  /** How many wait whose sex and filters fit this person, countries aside and without the person. */
  #poolOf(person: number): number {
    const sexWish = this.#records.sexWish(person);
    const sex = sexOf(sexWish);
    const wished = wishedOf(sexWish);
    let count = 0;
    if (wished !== 2) count += this.#waiting.countOf(sexWishOf(1, 0)) + this.#waiting.countOf(sexWishOf(1, sex));
    if (wished !== 1) count += this.#waiting.countOf(sexWishOf(2, 0)) + this.#waiting.countOf(sexWishOf(2, sex));
    const fitsOneself = wished === 0 || wished === sex;
    return fitsOneself && this.#records.isWaiting(person) ? count - 1 : count;
  }
}
