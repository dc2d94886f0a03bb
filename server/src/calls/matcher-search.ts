import {
  type LinkedLists,
  type MatcherPeople,
  partnerGapMaxMs,
  partnerGapPerPersonMs,
  partnerPatienceMs,
  passesMax,
  type PersonRecords,
  reach,
  sexOf,
  sexWishCount,
  sexWishOf,
  type WaitingIndex,
  type WaitingLevel,
  wishedOf,
} from "./matcher-records.ts";
import type { ExcludedCountries } from "./matcher-countries.ts";
import { namedLanguagePoints, type PersonTags } from "./matcher-tags.ts";

/** How long balanced users search among near users only, in milliseconds; the longer time applies to a thin pool. */
export const nearHoldMs = 300;
export const nearHoldThinMs = 1_000;
const thinPoolMax = 32;

/**
 * For how long a search waits for a partner with a common named language, in milliseconds, if at least
 * `sharedHoldSearchesMin` suitable searches begin per second.
 */
export const sharedHoldMs = 500;
const sharedHoldSearchesMin = 3;
const rateWindowSeconds = 10;
/** A candidate who has waited this long, in milliseconds, is not postponed for such a partner. */
const sharedHoldPatienceMs = 5_000;

/** A search chooses among this many of the oldest users of each level. */
const choiceMax = 16;
const levelCount = 3;
const listsMax = 8;
const sexes = [1, 2] as const;

/** Candidates that a search postpones for now, because a better one may come. */
export interface Holds {
  /** Postpones users outside the searcher's zone. */
  readonly near: boolean;
  /** Postpones users without a common language who have waited less than 5 s. */
  readonly shared: boolean;
}
export const noHolds: Holds = { near: false, shared: false };

/** What a search without a result tells about the next one. */
export interface SearchEnd {
  /** All looks at a list were spent on barred users, so a suitable user may come later in it. */
  readonly wasCut: boolean;
  /** At least one candidate was barred only for a limited time. */
  readonly metTimedBar: boolean;
}

/**
 * Finds a user's partner among the waiting users; the only change to the pool is how often users were passed over.
 * Suitable users are in at most eight lists of a level: two sexes, two wishes (any, or the searcher's sex), two
 * required countries (none, or the searcher's).
 *
 * For a user who chose nothing, or switched the preference off, the partner is the oldest of the nearest level. For
 * other users `#choose` goes through the levels.
 */
export class MatcherSearch implements SearchEnd {
  readonly #people: MatcherPeople;
  readonly #records: PersonRecords;
  readonly #tags: PersonTags;
  readonly #excludedCountries: ExcludedCountries;
  readonly #waiting: WaitingIndex;
  readonly #isExcluded: ((a: bigint, b: bigint) => boolean) | null;
  readonly #rate = new SearchRate();
  /** Reused, so that a search allocates nothing. */
  readonly #numbers = new Int32Array(listsMax);
  readonly #choice = new Choice();
  readonly #merged: MergedLists;
  #person = 0;
  #nowMs = 0;
  #looksMax = 0;
  #gapMs = 0;
  #foundSinceMs = Infinity;
  #found = 0;
  #inspections = 0;
  #wasCut = false;
  #metTimedBar = false;
  #barredByCountry = 0;

  constructor(people: MatcherPeople, waiting: WaitingIndex, isExcluded?: (a: bigint, b: bigint) => boolean) {
    this.#people = people;
    this.#records = people.records;
    this.#tags = people.tags;
    this.#excludedCountries = people.excludedCountries;
    this.#waiting = waiting;
    this.#merged = new MergedLists(people.records);
    this.#isExcluded = isExcluded ?? null;
  }

  get looks(): number {
    return this.#inspections;
  }
  get wasCut(): boolean {
    return this.#wasCut;
  }
  get metTimedBar(): boolean {
    return this.#metTimedBar;
  }

  get barredByCountry(): number {
    return this.#barredByCountry;
  }

  began(person: number, nowMs: number): void {
    this.#rate.count(this.#records.sexWish(person), nowMs);
  }

  /** How long a balanced user searches among near users only, in milliseconds. */
  nearHoldMs(person: number): typeof nearHoldMs | typeof nearHoldThinMs {
    return this.#poolOf(person) < thinPoolMax ? nearHoldThinMs : nearHoldMs;
  }

  /** `sharedHoldMs` if enough suitable searches begin per second, otherwise 0. */
  sharedHoldMs(person: number): 0 | typeof sharedHoldMs {
    if (!this.#tags.isChoosing(person) || !this.#tags.hasLanguages(person)) return 0;
    const count = this.#sumOfFitting(person, this.#rate);
    return count >= sharedHoldSearchesMin * rateWindowSeconds ? sharedHoldMs : 0;
  }

  /** The best partner's record, or 0. For balanced users, from the nearest level with a partner. */
  find(person: number, nowMs: number, { looksMax, holds }: { looksMax: number; holds: Holds }): number {
    this.#begin(person, nowMs, looksMax);
    if (this.#tags.isChoosing(person)) return this.#choose(holds);
    const { country, zone, all } = this.#waiting;
    const records = this.#records;
    if (records.reach(person) === reach.required) return this.#lookAt(country, records.required(person));
    if (records.reach(person) === reach.balanced) {
      const same = this.#leavesOutOwn(person) ? 0 : this.#lookAt(country, records.country(person));
      const near = same === 0 ? this.#lookAt(zone, records.zone(person)) : same;
      if (near !== 0 || holds.near) return near;
    }
    return this.#lookAt(all, 0);
  }

  /** Whether the user excludes the own country, so that its lists have no candidate. */
  #leavesOutOwn(person: number): boolean {
    return this.#excludedCountries.has(person, this.#records.country(person));
  }

  #begin(person: number, nowMs: number, looksMax: number): void {
    this.#person = person;
    this.#nowMs = nowMs;
    this.#looksMax = looksMax;
    this.#gapMs = Math.min(partnerGapMaxMs, partnerGapPerPersonMs * this.#poolOf(person));
    this.#inspections = 0;
    this.#wasCut = false;
    this.#metTimedBar = false;
  }

  #lookAt(level: WaitingLevel, place: number): number {
    this.#found = 0;
    this.#foundSinceMs = Infinity;
    const count = this.#listNumbers(level, place);
    for (let at = 0; at < count; at += 1) this.#lookAlong(level.lists, this.#numbers[at]!);
    return this.#found;
  }

  /** Writes the numbers of a place's lists that may have suitable users into `#numbers`. Returns how many. */
  #listNumbers(level: WaitingLevel, place: number): number {
    const sexWish = this.#records.sexWish(this.#person);
    const wished = wishedOf(sexWish);
    const country = this.#records.country(this.#person);
    const free = level.listsAt(place, 0);
    const requiring = level.listsAt(place, country);
    let count = 0;
    for (const sex of sexes) {
      if (wished !== 0 && wished !== sex) continue;
      const acceptsAny = sexWishOf(sex, 0);
      const acceptsMine = sexWishOf(sex, sexOf(sexWish));
      this.#numbers[count] = free + acceptsAny;
      this.#numbers[count + 1] = free + acceptsMine;
      count += 2;
      // No user can require the unknown country, so it has no further lists.
      if (country === 0) continue;
      this.#numbers[count] = requiring + acceptsAny;
      this.#numbers[count + 1] = requiring + acceptsMine;
      count += 2;
    }
    return count;
  }

  #lookAlong(lists: LinkedLists, list: number): void {
    let looks = 0;
    for (let candidate = lists.first(list); candidate !== 0; candidate = lists.next(candidate)) {
      // During a retry the lists contain the searching user too.
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
    this.#inspections += looks;
  }

  /**
   * Chooses the highest score among the 16 oldest of each level; on a tie, the oldest. Balanced users with languages
   * get a partner who named one, then any near one, then a far one. A candidate passed over three times ends the
   * choice.
   */
  #choose(holds: Holds): number {
    const choice = this.#choice;
    const isBalanced = this.#records.reach(this.#person) === reach.balanced;
    const hasLanguages = this.#tags.hasLanguages(this.#person);
    const nearest = this.#leavesOutOwn(this.#person) ? levels.zone : levels.country;
    const first = isBalanced ? nearest : levels.far;
    choice.clear();
    for (let level: number = first; level <= levels.far; level += 1) {
      if (level === levels.far && isBalanced && holds.near && !hasLanguages) break;
      this.#collect(level);
      // Without languages no pair can score that high, so any candidate of the nearest level will do.
      const found = hasLanguages ? this.#takeBest(level, namedLanguagePoints) : this.#takeAnybody(level);
      if (found !== 0) return found;
      if (choice.isEnded) break;
    }
    if (!hasLanguages) return 0;
    for (let level: number = first; level <= levels.far; level += 1) {
      if (level === levels.far && isBalanced && holds.near) break;
      if (holds.shared) this.#dropPatient(level);
      const found = holds.shared ? this.#takeBest(level, 0) : this.#takeAnybody(level);
      if (found !== 0) return found;
    }
    return 0;
  }

  /** Removes candidates without a common language who have waited less than 5 s and can still be passed over. */
  #dropPatient(level: number): void {
    const choice = this.#choice;
    for (let at = choice.start(level); at < choice.end(level); at += 1) {
      const person = choice.people[at]!;
      const isPatient =
        this.#nowMs - this.#records.sinceMs(person) < sharedHoldPatienceMs && this.#records.passes(person) < passesMax;
      if (isPatient && choice.scores[at]! < namedLanguagePoints) choice.scores[at] = notTaken;
    }
  }

  /** If the level has further candidates and all chosen ones are barred, the oldest further one; 0 for none. */
  #takeAnybody(level: number): number {
    const found = this.#takeBest(level, 0);
    const isFull = this.#choice.end(level) - this.#choice.start(level) === choiceMax;
    return found === 0 && isFull ? this.#lookAt(this.#indexOf(level), this.#placeOf(level)) : found;
  }

  /**
   * Takes the best candidate of a level with at least `scoreMin` points, or 0, and passes over each older one. Tests
   * for bars only before taking a candidate, because these tests are expensive.
   */
  #takeBest(level: number, scoreMin: number): number {
    const { people, scores } = this.#choice;
    for (let found = this.#choice.best(level, scoreMin); found !== nobody; found = this.#choice.best(level, scoreMin)) {
      const sinceMs = this.#records.sinceMs(people[found]!);
      if (this.#isBarred(people[found]!, sinceMs)) {
        scores[found] = notTaken;
        continue;
      }
      for (let at = 0; at < found; at += 1) {
        const isNoOlder = at >= this.#choice.start(level) && this.#records.sinceMs(people[at]!) === sinceMs;
        // A near user is in the far level too and gets one pass only.
        const isCounted = people.indexOf(people[at]!) < at;
        if (!isNoOlder && !isCounted) this.#records.addPass(people[at]!);
      }
      return people[found]!;
    }
    return 0;
  }

  #indexOf(level: number): WaitingLevel {
    if (level === levels.zone) return this.#waiting.zone;
    const isCountry = level === levels.country || this.#records.reach(this.#person) === reach.required;
    return isCountry ? this.#waiting.country : this.#waiting.all;
  }

  #placeOf(level: number): number {
    if (level === levels.country) return this.#records.country(this.#person);
    if (level === levels.zone) return this.#records.zone(this.#person);
    return this.#records.required(this.#person);
  }

  /** Collects the oldest users of a level and their scores, until no later user could matter. */
  #collect(level: number): void {
    const merged = this.#merged;
    const choice = this.#choice;
    const index = this.#indexOf(level);
    const scoreMax = this.#tags.scoreMax(this.#person);
    choice.beginLevel(level);
    merged.open(index.lists, this.#numbers, this.#listNumbers(index, this.#placeOf(level)));
    while (choice.end(level) - choice.start(level) < choiceMax) {
      const candidate = merged.take(index.lists);
      if (candidate === 0) return;
      // During a retry the lists contain the searching user too.
      if (candidate === this.#person) continue;
      this.#inspections += 1;
      const score = this.#tags.score(this.#person, candidate);
      const isLast = this.#records.passes(candidate) === passesMax;
      const isBarred = (isLast || score === scoreMax) && this.#isBarred(candidate, this.#records.sinceMs(candidate));
      choice.add(level, candidate, isBarred ? notTaken : score);
      if (isLast && !isBarred) choice.isEnded = true;
      if ((isLast || score === scoreMax) && !isBarred) return;
    }
  }

  #isBarred(candidate: number, candidateSinceMs: number): boolean {
    const moment = this.#people.partners.moment(this.#person, this.#records.id(candidate));
    if (moment !== 0 && this.#isRemembered(moment, candidateSinceMs)) {
      this.#metTimedBar = true;
      return true;
    }
    if (this.#isExcluded?.(this.#people.userId(this.#person), this.#people.userId(candidate))) return true;
    if (!this.#excludedCountries.bars(this.#person, candidate)) return false;
    this.#barredByCountry += 1;
    return true;
  }

  #isRemembered(moment: number, candidateSinceMs: number): boolean {
    if (moment < 0) return this.#nowMs < -moment;
    const shorterWaitMs = this.#nowMs - Math.max(candidateSinceMs, this.#records.sinceMs(this.#person));
    return shorterWaitMs < partnerPatienceMs && this.#nowMs - moment < this.#gapMs;
  }

  /** How many other waiting users suit this one by sex and filters, without regard to countries. */
  #poolOf(person: number): number {
    const count = this.#sumOfFitting(person, this.#waiting);
    const sexWish = this.#records.sexWish(person);
    const fitsOneself = wishedOf(sexWish) === 0 || wishedOf(sexWish) === sexOf(sexWish);
    return fitsOneself && this.#records.isWaiting(person) ? count - 1 : count;
  }

  #sumOfFitting(person: number, counts: { countOf(sexWish: number): number }): number {
    const sexWish = this.#records.sexWish(person);
    const sex = sexOf(sexWish);
    const wished = wishedOf(sexWish);
    let count = 0;
    if (wished !== 2) count += counts.countOf(sexWishOf(1, 0)) + counts.countOf(sexWishOf(1, sex));
    if (wished !== 1) count += counts.countOf(sexWishOf(2, 0)) + counts.countOf(sexWishOf(2, sex));
    return count;
  }
}

class SearchRate {
  readonly #slots = new Int32Array(rateWindowSeconds * sexWishCount);
  readonly #counts = new Int32Array(sexWishCount);
  #second = 0;

  count(sexWish: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1_000);
    const passed = Math.min(second - this.#second, rateWindowSeconds);
    this.#second = second;
    for (let back = 0; back < passed; back += 1) this.#empty((second - back) % rateWindowSeconds);
    const slot = (second % rateWindowSeconds) * sexWishCount + sexWish;
    this.#slots[slot] = this.#slots[slot]! + 1;
    this.#counts[sexWish] = this.#counts[sexWish]! + 1;
  }

  countOf(sexWish: number): number {
    return this.#counts[sexWish]!;
  }

  #empty(slot: number): void {
    for (let sexWish = 0; sexWish < sexWishCount; sexWish += 1) {
      const at = slot * sexWishCount + sexWish;
      this.#counts[sexWish] = this.#counts[sexWish]! - this.#slots[at]!;
      this.#slots[at] = 0;
    }
  }
}

/** Levels of candidates, nearest first. Users who are not balanced have only the last level. */
const levels = { country: 0, zone: 1, far: 2 } as const;
const nobody = -1;
const notTaken = -1;

/** The candidates of one search: per level, the oldest first. Refilled for each search. */
class Choice {
  readonly people = new Int32Array(choiceMax * levelCount);
  readonly scores = new Int8Array(choiceMax * levelCount);
  /** The last candidate has been passed over `passesMax` times, so no later one may be preferred. */
  isEnded = false;
  readonly #starts = new Int32Array(levelCount);
  readonly #ends = new Int32Array(levelCount);
  #count = 0;

  clear(): void {
    this.isEnded = false;
    this.#starts.fill(0);
    this.#ends.fill(0);
    this.#count = 0;
  }

  beginLevel(level: number): void {
    this.#starts[level] = this.#count;
    this.#ends[level] = this.#count;
  }

  start(level: number): number {
    return this.#starts[level]!;
  }
  end(level: number): number {
    return this.#ends[level]!;
  }

  add(level: number, person: number, score: number): void {
    this.people[this.#count] = person;
    this.scores[this.#count] = score;
    this.#count += 1;
    this.#ends[level] = this.#count;
  }

  /** Index of the oldest user with the highest score of a level, at least `scoreMin`; `nobody` if there is none. */
  best(level: number, scoreMin: number): number {
    let best = nobody;
    let bestScore = scoreMin - 1;
    for (let at = this.start(level); at < this.end(level); at += 1) {
      if (this.scores[at]! <= bestScore) continue;
      best = at;
      bestScore = this.scores[at]!;
    }
    return best;
  }
}

/** Merges the lists of one place into one, oldest user first. */
class MergedLists {
  readonly #records: PersonRecords;
  readonly #heads = new Int32Array(listsMax);
  readonly #sinceMs = new Float64Array(listsMax);
  #count = 0;

  constructor(records: PersonRecords) {
    this.#records = records;
  }

  open(lists: LinkedLists, numbers: Int32Array, count: number): void {
    this.#count = count;
    for (let list = 0; list < count; list += 1) {
      this.#setHead(list, lists.first(numbers[list]!));
    }
  }

  /** The next oldest user; 0 after the last one. */
  take(lists: LinkedLists): number {
    let oldest = 0;
    for (let list = 1; list < this.#count; list += 1) if (this.#sinceMs[list]! < this.#sinceMs[oldest]!) oldest = list;
    const person = this.#heads[oldest]!;
    if (person !== 0) this.#setHead(oldest, lists.next(person));
    return person;
  }

  #setHead(list: number, person: number): void {
    this.#heads[list] = person;
    this.#sinceMs[list] = person === 0 ? Infinity : this.#records.sinceMs(person);
  }
}
