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
import type { LeftOutCountries } from "./matcher-countries.ts";
import { namedLanguagePoints, type PersonTags } from "./matcher-tags.ts";

/** How long balanced people look near only: ordinarily, and where few people wait. */
export const nearHoldMs = 300;
export const nearHoldThinMs = 1_000;
const thinPoolMax = 32;

/** How long somebody who named a language waits for a person who named it too, where others come so often. */
export const sharedHoldMs = 500;
const sharedHoldSearchesMin = 3;
const rateWindowSeconds = 10;
/** Whoever has waited so long is waited past no more. */
const sharedHoldPatienceMs = 5_000;

/** Of a level of the index so many people, the oldest who are not barred, are chosen among. */
const choiceMax = 16;
const levelCount = 3;
const listsMax = 8;
const sexes = [1, 2] as const;

/** Whom a search that holds out for somebody leaves for later. */
export interface Holds {
  /** People beyond the own zone. */
  readonly near: boolean;
  /** People without a common language who have not waited for long. */
  readonly shared: boolean;
}
export const noHolds: Holds = { near: false, shared: false };

/** What an unsuccessful search says about the next one. */
export interface SearchEnd {
  /** Barred people filled the looks of a list, so somebody suitable may stand behind them. */
  readonly wasCut: boolean;
  /** Somebody was passed over for a reason that ends by itself. */
  readonly metTimedBar: boolean;
}

/**
 * Finds the partner of one person among those who wait; changes nothing in the pool but how often people were passed
 * over. Whoever suits stands in at most eight lists of a level: two sexes, two wishes (any, or my sex), two required
 * countries (none, or mine).
 *
 * For somebody who chose nothing to talk about, or switched the preference off, that is the oldest of the nearest level.
 * Otherwise the levels are gone through by `#choose`.
 */
export class MatcherSearch implements SearchEnd {
  readonly #people: MatcherPeople;
  readonly #records: PersonRecords;
  readonly #tags: PersonTags;
  readonly #leftOut: LeftOutCountries;
  readonly #waiting: WaitingIndex;
  readonly #isExcluded: ((a: bigint, b: bigint) => boolean) | null;
  readonly #rate = new SearchRate();
  /** Made once, and filled by each search anew: nothing is allocated in one. */
  readonly #numbers = new Int32Array(listsMax);
  readonly #choice = new Choice();
  readonly #merged: MergedLists;
  #person = 0;
  #nowMs = 0;
  #looksMax = 0;
  #gapMs = 0;
  #foundSinceMs = Infinity;
  #found = 0;
  #looks = 0;
  #wasCut = false;
  #metTimedBar = false;
  #barredByCountry = 0;

  constructor(people: MatcherPeople, waiting: WaitingIndex, isExcluded?: (a: bigint, b: bigint) => boolean) {
    this.#people = people;
    this.#records = people.records;
    this.#tags = people.tags;
    this.#leftOut = people.leftOut;
    this.#waiting = waiting;
    this.#merged = new MergedLists(people.records);
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

  /** Of all looks since the beginning, how many met somebody who was barred by a country that is left out, and by nothing else. */
  get barredByCountry(): number {
    return this.#barredByCountry;
  }

  /** Counts a search that begins. */
  began(person: number, nowMs: number): void {
    this.#rate.count(this.#records.sexWish(person), nowMs);
  }

  /** How long a balanced person looks near only before everybody will do. */
  nearHoldMs(person: number): typeof nearHoldMs | typeof nearHoldThinMs {
    return this.#poolOf(person) < thinPoolMax ? nearHoldThinMs : nearHoldMs;
  }

  /** How long a person waits for somebody with a common language: not at all where few come who suit. */
  sharedHoldMs(person: number): 0 | typeof sharedHoldMs {
    if (!this.#tags.isChoosing(person) || !this.#tags.hasLanguages(person)) return 0;
    const count = this.#sumOfFitting(person, this.#rate);
    return count >= sharedHoldSearchesMin * rateWindowSeconds ? sharedHoldMs : 0;
  }

  /** The best partner, 0 where there is none: for balanced people the nearest level that has one. */
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

  /** Whether nobody of the own country is met: then its list holds nobody who could be. */
  #leavesOutOwn(person: number): boolean {
    return this.#leftOut.has(person, this.#records.country(person));
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
    this.#found = 0;
    this.#foundSinceMs = Infinity;
    const count = this.#listNumbers(level, place);
    for (let at = 0; at < count; at += 1) this.#lookAlong(level.lists, this.#numbers[at]!);
    return this.#found;
  }

  /** The lists of a place in which somebody may stand who suits, in `#numbers`; how many they are. */
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
      // Nobody can require the unknown country, and its lists would be the free ones again.
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

  /**
   * Of the 16 oldest of each level the one with whom most is shared, of equals the oldest. For
   * balanced people who named a language first whoever named it too, near as far; then anybody, the near ones before the
   * far. Whoever was passed over three times ends the choice: nobody behind them is taken.
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
      // Without languages nobody has as many points as that: the nearest level with anybody has whoever is taken.
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

  /** Whoever waits no longer than that, and was not passed over too often, is left for a moment. */
  #dropPatient(level: number): void {
    const choice = this.#choice;
    for (let at = choice.start(level); at < choice.end(level); at += 1) {
      const person = choice.people[at]!;
      const isPatient =
        this.#nowMs - this.#records.sinceMs(person) < sharedHoldPatienceMs && this.#records.passes(person) < passesMax;
      if (isPatient && choice.scores[at]! < namedLanguagePoints) choice.scores[at] = notTaken;
    }
  }

  /** The best of the choice at a level, or, where all of a full one are barred, the oldest behind them; 0: nobody. */
  #takeAnybody(level: number): number {
    const found = this.#takeBest(level, 0);
    const isFull = this.#choice.end(level) - this.#choice.start(level) === choiceMax;
    return found === 0 && isFull ? this.#lookAt(this.#indexOf(level), this.#placeOf(level)) : found;
  }

  /**
   * Takes the best of those of a level with so many points at least, 0 where there is none; everybody who would have been
   * taken before is passed over once more. Whether people are barred is asked of those alone who would be taken: to ask
   * of each would cost more than all the rest.
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
        // Whoever is near stands among all as well.
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

  /** The oldest people of a level with their points, as far as anybody behind them could matter. */
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
      // In a retry the person waits in these lists too.
      if (candidate === this.#person) continue;
      this.#looks += 1;
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
    if (!this.#leftOut.bars(this.#person, candidate)) return false;
    this.#barredByCountry += 1;
    return true;
  }

  #isRemembered(moment: number, candidateSinceMs: number): boolean {
    if (moment < 0) return this.#nowMs < -moment;
    const shorterWaitMs = this.#nowMs - Math.max(candidateSinceMs, this.#records.sinceMs(this.#person));
    return shorterWaitMs < partnerPatienceMs && this.#nowMs - moment < this.#gapMs;
  }

  /** How many wait whose sex and filters fit this person, countries aside and without the person. */
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

/** Searches that began within the last ten seconds, by sex and wish. */
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

  /** How many, as of the last one that was counted. */
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

/** Where people are chosen from: the near before the far; whoever is not balanced has one place only, the last. */
const levels = { country: 0, zone: 1, far: 2 } as const;
/** In the place of an index. */
const nobody = -1;
/** In the place of points. */
const notTaken = -1;

/** Whom one search chooses among, level by level, the oldest first; filled anew for each. */
class Choice {
  readonly people = new Int32Array(choiceMax * levelCount);
  readonly scores = new Int8Array(choiceMax * levelCount);
  /** Whoever was added last was passed over as often as anybody may be. */
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

  /** Where the oldest stands of those with the most points of a level, at least so many; `nobody` where none has them. */
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

/** Goes along the lists of one place at once, the oldest person first. */
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

  /** The oldest of all who have not been taken yet; 0 at the end of all lists. */
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
