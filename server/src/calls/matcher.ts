import { countryBalanced, type MatchFilters } from "@fava/wire/beans.ts";
import { countryIdMax, interestsMax, excludedCountriesMax, spokenLanguagesMax } from "@fava/wire/limits.ts";
import { spokenLanguages, type Talk } from "@fava/wire/talk.ts";
import {
  LinkedLists,
  linkFields,
  MatcherPeople,
  packPlace,
  packWish,
  type PersonRecords,
  reach,
  type Reach,
  sexWishOf,
  WaitingIndex,
  zoneMax,
} from "./matcher-records.ts";
import {
  type Holds,
  MatcherSearch,
  nearHoldMs,
  nearHoldThinMs,
  noHolds,
  type SearchEnd,
  sharedHoldMs,
} from "./matcher-search.ts";
import { tagIdMax } from "./matcher-tags.ts";

/** One user's search: the filters, and the facts that other users' filters test. */
export interface Seeker {
  /** At least 1 and a safe integer. */
  userId: bigint;
  sex: 1 | 2;
  filters: MatchFilters;
  /** The user's country: 0 (unknown) to `countryIdMax`. */
  countryId: number;
  /** Region of that country, 0 to `zoneMax`. */
  zone: number;
  talk?: Talk | undefined;
  /** Interface language, which users who named no language are assumed to speak; undefined: unknown. */
  languageId?: number | undefined;
  /** Excluded countries: this user and users of these countries never meet. Undefined: none. */
  leavesOut?: readonly number[] | undefined;
}

/** Two matched users, removed from the pool. Times are milliseconds since the epoch. */
export interface Pairing {
  /** The user who waited longer. If both waited equally long, the one who was found. */
  longer: bigint;
  newer: bigint;
  longerSince: number;
  newerSince: number;
}

export interface MatcherOptions {
  capacityMax: number;
  /** How many users who are not waiting keep a record of their partners. Default: `capacityMax`. */
  rememberedMax?: number;
  /** Whether two users must never meet (block or report). Must be symmetric, since it is called in one order only. */
  isExcluded?: (a: bigint, b: bigint) => boolean;
}

/** The pool is full and no waiting user suits. The caller should tell the user to retry. */
export class MatcherFullError extends Error {
  override readonly name = "MatcherFullError";
  readonly capacityMax: number;
  constructor(capacityMax: number) {
    super(`the match pool is full: ${capacityMax} people wait`);
    this.capacityMax = capacityMax;
  }
}

const sweepSearchesMax = 1_000;
const sweepLooksMax = 20_000;

/**
 * The pool of searches, and the pairing of two of them (rules MATCH-41 to MATCH-48).
 * Pure: no I/O and no clock; `nowMs` is milliseconds since the epoch and must never decrease.
 *
 * Two users are compatible when each user's filters accept the other: the sex, and the country where one is required.
 * A pair is barred when `isExcluded` returns true, when one user excludes the other's country, or while `separate`
 * keeps them apart. A pair is also barred while either has waited less than 5 s, if they met less than
 * min(10 min, 15 s x n) ago; n waiting users fit the searching user by sex and wish. A user's last 8 partners count.
 *
 * Guarantee, provided `sweep` runs at `nextDueMs`: no two compatible users who are not barred wait together, except
 * - two users in different zones while the later one is balanced and holds for a near partner (300 ms, 1 s in a thin
 *   pool);
 * - two users without a common language while one holds for one (500 ms, where at least three suitable searches a
 *   second begin), unless the other had waited 5 s by then;
 * - for at most 1 s after those holds, a pair with more than 16 barred users ahead of one of them in a list, or a pair
 *   whose meeting or separation has just expired;
 * - until the next retry (1, 2, 4, 8, 16 and 32 s after the start, then every 32 s), a pair with more than 4,096 barred
 *   users ahead of one of them, or one that `isExcluded` no longer excludes.
 * The partner is the suitable user who waited longest, among the first 16 (4,096) of each list; for balanced users, of
 * the same country first and the same zone next. Users who chose languages or interests get a partner who shares one
 * ahead of at most 16 others, each passed over at most three times in a search (decision 045).
 */
export class Matcher {
  readonly #capacityMax: number;
  readonly #people: MatcherPeople;
  readonly #records: PersonRecords;
  readonly #waiting: WaitingIndex;
  readonly #due: DueQueues;
  readonly #search: MatcherSearch;

  constructor(options: MatcherOptions) {
    this.#capacityMax = options.capacityMax;
    // At least two, so that the users of one `separate` do not evict each other.
    this.#people = new MatcherPeople(options.capacityMax + Math.max(2, options.rememberedMax ?? options.capacityMax));
    this.#records = this.#people.records;
    this.#waiting = new WaitingIndex(this.#records);
    this.#due = new DueQueues(this.#records);
    this.#search = new MatcherSearch(this.#people, this.#waiting, options.isExcluded);
  }

  /**
   * Matches at once, or files the user as waiting. Pressing again with the same filters changes nothing; other filters
   * start a new search that keeps the original start. `since` restores the start of a search whose connection failed; a
   * `since` after now counts as now.
   * @throws MatcherFullError when no user suits and the pool is full; the user then does not wait.
   * @throws RangeError for a seeker outside the documented ranges, which the caller must reject.
   */
  start(seeker: Seeker, nowMs: number, since: number = nowMs): Pairing | null {
    assertSeeker(seeker);
    const records = this.#records;
    const person = this.#people.obtain(seeker.userId);
    const wish = packWish(sexWishOf(seeker.sex, seeker.filters.sex), reachOf(seeker.filters.country));
    const required = Math.max(0, seeker.filters.country);
    const { countryId: country, zone, talk, languageId, leavesOut } = seeker;
    const place = packPlace({ country, required, zone, languageId });
    let sinceMs = Math.min(since, nowMs);
    if (records.isWaiting(person)) {
      const isSameWish = records.wish(person) === wish && records.place(person) === place;
      const { tags, excludedCountries } = this.#people;
      const isSame = isSameWish && tags.areSame(person, talk) && excludedCountries.areSame(person, leavesOut);
      if (isSame && sinceMs >= records.sinceMs(person)) return null;
      sinceMs = Math.min(sinceMs, records.sinceMs(person));
      this.#remove(person);
    }
    records.setWish(person, wish);
    records.setPlace(person, place);
    records.setSinceMs(person, sinceMs);
    this.#people.tags.set(person, talk);
    this.#people.excludedCountries.set(person, leavesOut);
    this.#search.began(person, nowMs);
    return this.#matchOrFile(person, nowMs);
  }

  cancel(userId: bigint): boolean {
    const person = this.#waitingPerson(userId);
    if (person !== 0) this.#remove(person);
    return person !== 0;
  }

  /** Retries the search of each due user, longest overdue first. Bounded; `nextDueMs` tells when to continue. */
  sweep(nowMs: number): Pairing[] {
    const pairings: Pairing[] = [];
    let looks = 0;
    for (let searches = 0; searches < sweepSearchesMax && looks < sweepLooksMax; searches += 1) {
      const person = this.#due.take(nowMs);
      if (person === 0) break;
      const retry = this.#records.retry(person);
      const holds = holdsAt(retry);
      const partner = this.#search.find(person, nowMs, { looksMax: looksOfRetry(retry), holds });
      looks += this.#search.looks;
      if (partner !== 0) pairings.push(this.#pair(person, partner, nowMs));
      else if (holds.near || holds.shared) this.#schedule(person, { delayMs: restOfHoldMs(retry), nowMs });
      else this.#retryLater(person, nowMs);
    }
    return pairings;
  }

  /** When `sweep` has work, in milliseconds since the epoch; null if no user waits. */
  nextDueMs(): number | null {
    const dueMs = this.#due.earliestMs();
    return dueMs === Infinity ? null : dueMs;
  }

  /** Keeps two users apart for `forMs` after a failed connection, and forgets that they met. */
  separate(a: bigint, b: bigint, { nowMs, forMs }: { nowMs: number; forMs: number }): void {
    const one = this.#people.obtain(a);
    const other = this.#people.obtain(b);
    const untilMs = nowMs + forMs;
    this.#people.partners.keepApart(one, Number(b), untilMs);
    this.#people.partners.keepApart(other, Number(a), untilMs);
  }

  /** Records what another server knows of the two, unless a later fact is known. `moment`: as in `RecentPartners`. */
  learn(a: bigint, b: bigint, moment: number): void {
    const one = this.#people.obtain(a);
    const other = this.#people.obtain(b);
    this.#people.partners.learn(one, Number(b), moment);
    this.#people.partners.learn(other, Number(a), moment);
  }

  isWaiting(userId: bigint): boolean {
    return this.#waitingPerson(userId) !== 0;
  }

  waitingCount(): number {
    return this.#waiting.count;
  }

  /** How often an excluded country alone made a candidate unsuitable. Repeated tests of a pair count each time. */
  get barredByCountry(): number {
    return this.#search.barredByCountry;
  }

  sinceOf(userId: bigint): number | null {
    const person = this.#waitingPerson(userId);
    return person === 0 ? null : this.#records.sinceMs(person);
  }

  #waitingPerson(userId: bigint): number {
    const person = this.#people.find(userId);
    return this.#records.isWaiting(person) ? person : 0;
  }

  #matchOrFile(person: number, nowMs: number): Pairing | null {
    const records = this.#records;
    const waitedMs = nowMs - records.sinceMs(person);
    const nearMs = records.reach(person) === reach.balanced ? this.#search.nearHoldMs(person) : 0;
    const holds = { near: waitedMs < nearMs, shared: waitedMs < this.#search.sharedHoldMs(person) };
    const partner = this.#search.find(person, nowMs, { looksMax: looksAtFirst, holds });
    if (partner !== 0) return this.#pair(person, partner, nowMs);
    if (this.#waiting.count >= this.#capacityMax) throw new MatcherFullError(this.#capacityMax);

    this.#people.leaveIdle(person);
    records.setWaiting(person, true);
    this.#waiting.file(person);
    if (holds.shared) this.#holdOut(person, { nearMs: holds.near ? nearMs : 0, nowMs });
    else if (holds.near) this.#schedule(person, { delayMs: nearMs as RetryDelayMs, nowMs });
    else if (this.#search.wasCut) this.#schedule(person, { delayMs: retryFirstMs, nowMs });
    else {
      records.setRetry(person, retryNone);
      this.#retryLater(person, nowMs);
    }
    return null;
  }

  /** Schedules a retry for the end of the shorter hold. After it the rest of the longer hold follows. */
  #holdOut(person: number, { nearMs, nowMs }: { nearMs: number; nowMs: number }): void {
    const isNearFirst = nearMs === nearHoldMs;
    this.#schedule(person, { delayMs: isNearFirst ? nearHoldMs : sharedHoldMs, nowMs });
    if (nearMs !== 0) this.#records.setRetry(person, isNearFirst ? retryShared : retryNear);
  }

  #schedule(person: number, { delayMs, nowMs }: { delayMs: RetryDelayMs; nowMs: number }): void {
    this.#records.setRetry(person, retryNone);
    this.#due.schedule(person, delayMs, nowMs);
  }

  #retryLater(person: number, nowMs: number): void {
    const retry = retryAfter(this.#records.retry(person), this.#search);
    this.#records.setRetry(person, retry);
    this.#due.schedule(person, retryDelayMs(retry), nowMs);
  }

  #remove(person: number): void {
    this.#waiting.unfile(person);
    this.#due.unschedule(person);
    this.#records.setWaiting(person, false);
    this.#people.enterIdle(person);
  }

  #pair(searching: number, found: number, nowMs: number): Pairing {
    if (this.#records.isWaiting(searching)) this.#remove(searching);
    this.#remove(found);
    this.#people.partners.rememberMeeting(searching, this.#records.id(found), nowMs);
    this.#people.partners.rememberMeeting(found, this.#records.id(searching), nowMs);
    const foundIsLonger = this.#records.sinceMs(found) <= this.#records.sinceMs(searching);
    const longer = foundIsLonger ? found : searching;
    const newer = foundIsLonger ? searching : found;
    return {
      longer: this.#people.userId(longer),
      newer: this.#people.userId(newer),
      longerSince: this.#records.sinceMs(longer),
      newerSince: this.#records.sinceMs(newer),
    };
  }
}

function reachOf(wishedCountry: number): Reach {
  if (wishedCountry > 0) return reach.required;
  return wishedCountry === countryBalanced ? reach.balanced : reach.global;
}

interface Range {
  readonly min: number;
  readonly max: number;
}
const userIds: Range = { min: 1, max: Number.MAX_SAFE_INTEGER };
const sexes: Range = { min: 1, max: 2 };
const wishedSexes: Range = { min: 0, max: 2 };
const wishedCountries: Range = { min: countryBalanced, max: countryIdMax };
const countryIds: Range = { min: 0, max: countryIdMax };
const excludedIds: Range = { min: 1, max: countryIdMax };
const excludedCounts: Range = { min: 0, max: excludedCountriesMax };
const zones: Range = { min: 0, max: zoneMax };

const languageIds: Range = { min: 0, max: spokenLanguages.length - 1 };
/** Limited by the number of bits only, because a later version may have more tags. */
const tagIds: Range = { min: 0, max: tagIdMax };
const languageCounts: Range = { min: 0, max: spokenLanguagesMax };
const interestCounts: Range = { min: 0, max: interestsMax };

function assertSeeker({ userId, sex, filters, countryId, zone, talk, languageId, leavesOut = [] }: Seeker): void {
  assertWithin("userId", Number(userId), userIds);
  assertWithin("sex", sex, sexes);
  assertWithin("filters.sex", filters.sex, wishedSexes);
  assertWithin("filters.country", filters.country, wishedCountries);
  assertWithin("countryId", countryId, countryIds);
  assertWithin("zone", zone, zones);
  if (languageId !== undefined) assertWithin("languageId", languageId, languageIds);
  assertWithin("leavesOut.length", leavesOut.length, excludedCounts);
  for (const id of leavesOut) assertWithin("leavesOut", id, excludedIds);
  if (!talk) return;
  assertWithin("talk.languages.length", talk.languages.length, languageCounts);
  assertWithin("talk.interests.length", talk.interests.length, interestCounts);
  for (const id of talk.languages) assertWithin("talk.languages", id, tagIds);
  for (const id of talk.interests) assertWithin("talk.interests", id, tagIds);
}

function assertWithin(name: string, value: number, { min, max }: Range): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name} must be an integer from ${min} to ${max}, not ${value}`);
}

const retryDelaysMs = [125, 200, 250, 300, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;
type RetryDelayMs = (typeof retryDelaysMs)[number];

/** One queue per delay. All entries of a queue wait equally long, so appending keeps it sorted. */
class DueQueues {
  readonly #records: PersonRecords;
  readonly #lists: LinkedLists;
  /** When the first entry of each queue is due; Infinity if the queue is empty. */
  readonly #firstDueMs = new Float64Array(retryDelaysMs.length).fill(Infinity);

  constructor(records: PersonRecords) {
    this.#records = records;
    this.#lists = new LinkedLists(records.links, linkFields.due, retryDelaysMs.length);
  }

  schedule(person: number, delayMs: RetryDelayMs, nowMs: number): void {
    const queue = retryDelaysMs.indexOf(delayMs);
    this.#records.setQueue(person, queue + 1);
    this.#records.setDueMs(person, nowMs + delayMs);
    if (this.#lists.first(queue) === 0) this.#firstDueMs[queue] = nowMs + delayMs;
    this.#lists.append(queue, person);
  }

  unschedule(person: number): void {
    const queue = this.#records.queue(person) - 1;
    if (queue < 0) return;
    const wasFirst = this.#lists.first(queue) === person;
    this.#lists.remove(queue, person);
    this.#records.setQueue(person, 0);
    if (!wasFirst) return;
    const first = this.#lists.first(queue);
    this.#firstDueMs[queue] = first === 0 ? Infinity : this.#records.dueMs(first);
  }

  earliestMs(): number {
    return this.#firstDueMs[this.#earliestQueue()]!;
  }

  /** Removes the user who has been due the longest; 0 when no user is due. */
  take(nowMs: number): number {
    const queue = this.#earliestQueue();
    if (this.#firstDueMs[queue]! > nowMs) return 0;
    const person = this.#lists.first(queue);
    this.unschedule(person);
    return person;
  }

  #earliestQueue(): number {
    let earliest = 0;
    for (let queue = 1; queue < retryDelaysMs.length; queue += 1)
      if (this.#firstDueMs[queue]! < this.#firstDueMs[earliest]!) earliest = queue;
    return earliest;
  }
}

/** At how many users of each list a first search looks, and a first retry. */
const looksAtFirst = 16;
const looksAtRetry = 64;
/** After this many steps, each times four, a search looks at 4,096 users of each list. */
const deepeningsMax = 3;

const retryFirstMs = 125;
const deepenedDelaysMs = [125, 250, 500] as const satisfies readonly RetryDelayMs[];
/** Delay of a retry whose only reason is that a timed bar may have ended. */
const lapseDelayMs = 1_000;
/** Regular retries run 1, 2, 4, 8, 16 and 32 s after the start, then every 32 s. */
const plainDelaysMs = [1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const satisfies readonly RetryDelayMs[];

/** A user's retries in one byte: three bits for regular ones, two for deeper looks, two for the reason of the next. */
const retryNone = 0;
const plainMask = 7;
const deepeningsShift = 3;
const deepeningsMask = 3;
const reasonShift = 5;
const reasons = { plain: 0, deepened: 1, lapse: 2, hold: 3 } as const;
/** After the shorter hold: the next retry still waits for a near partner, or for a common language. */
const retryNear = pack(1, 0, reasons.hold);
const retryShared = pack(2, 0, reasons.hold);

function holdsAt(retry: number): Holds {
  return retry === retryNear || retry === retryShared
    ? { near: retry === retryNear, shared: retry === retryShared }
    : noHolds;
}

/** How much of the longer hold remains after the shorter one, in milliseconds. */
function restOfHoldMs(retry: number): RetryDelayMs {
  return (retry === retryNear ? nearHoldThinMs - sharedHoldMs : sharedHoldMs - nearHoldMs) as RetryDelayMs;
}

function looksOfRetry(retry: number): number {
  return looksAtRetry * 4 ** ((retry >>> deepeningsShift) & deepeningsMask);
}

/** Counts a retry without result. `retryDelayMs` returns the delay of the next one. */
function retryAfter(retry: number, end: SearchEnd): number {
  const plain = retry & plainMask;
  const deepenings = (retry >>> deepeningsShift) & deepeningsMask;
  if (end.wasCut && deepenings < deepeningsMax) return pack(plain, deepenings + 1, reasons.deepened);
  if (end.metTimedBar) return pack(plain, deepenings, reasons.lapse);
  return pack(Math.min(plain + 1, plainDelaysMs.length), deepenings, reasons.plain);
}

function retryDelayMs(retry: number): RetryDelayMs {
  const reason = retry >>> reasonShift;
  if (reason === reasons.deepened) return deepenedDelaysMs[((retry >>> deepeningsShift) & deepeningsMask) - 1]!;
  return reason === reasons.lapse ? lapseDelayMs : plainDelaysMs[(retry & plainMask) - 1]!;
}

function pack(plain: number, deepenings: number, reason: number): number {
  return plain | (deepenings << deepeningsShift) | (reason << reasonShift);
}
