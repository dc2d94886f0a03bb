import { countryBalanced, type MatchFilters } from "@fava/wire/beans.ts";
import { countryIdMax, interestsMax, leavesOutMax, spokenLanguagesMax } from "@fava/wire/limits.ts";
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

/** One person who wants to be matched. */
export interface Seeker {
  /** At least 1 and a safe integer. */
  userId: bigint;
  sex: 1 | 2;
  filters: MatchFilters;
  /** Own country, 0 unknown, at most `countryIdMax`. */
  countryId: number;
  /** Region of the own country, 0 to `zoneMax`. */
  zone: number;
  /** What the person chose to talk in and about; undefined: nothing. */
  talk?: Talk | undefined;
  /** Id of the interface's language, which people are assumed to speak who named none; undefined: not known. */
  languageId?: number | undefined;
  /** Countries whose people the person does not meet, nor they the person; undefined: none. */
  leavesOut?: readonly number[] | undefined;
}

/** Two people who were matched; both have left the pool. Times in milliseconds since the epoch. */
export interface Pairing {
  /** Who waited longer; of two who began at the same moment, the one who was found. */
  longer: bigint;
  newer: bigint;
  longerSince: number;
  newerSince: number;
}

export interface MatcherOptions {
  /** How many people can wait at once. */
  capacityMax: number;
  /** How many people who do not wait are remembered with their partners; as many as can wait where it is not named. */
  rememberedMax?: number;
  /** Whether the two must never meet (blocks, reports); asked of every candidate, in one order only. */
  isExcluded?: (a: bigint, b: bigint) => boolean;
}

/** The pool is full: nobody suitable was waiting, and there is no room to wait. The caller answers "try again". */
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
 * The pool of people who search, and the pairing of two of them (rules MATCH-41 to MATCH-48).
 * Pure: no I/O and no clock; `nowMs` is milliseconds since the epoch and must not decrease from call to call.
 *
 * Two people are compatible when the filters of each accept the other: the sex, and the country where one is required.
 * A pair is barred when `isExcluded` says so, when one leaves out the country of the other, while it is kept apart by
 * `separate`, or, while either has waited less than 5 s, when the one who searches met the other less than min(10 min, 15 s x people waiting whose sexes and wishes
 * fit) ago (the last 8 partners are remembered).
 *
 * The guarantee, as long as `sweep` is called at `nextDueMs`: no two compatible people who are not barred wait together,
 * except
 * - two people in different zones while the one who came later is balanced and holds out for somebody near (300 ms, 1 s
 *   in a thin pool);
 * - two people without a common language while one of them holds out for somebody with one (half a second, where three
 *   suitable searches a second begin), unless the other had waited 5 s by then;
 * - for at most 1 s, after those holds, a pair with more than 16 people who are barred for one of them before the other in their list, or
 *   whose memory of each other or separation has just ended;
 * - until the next retry (1, 2, 4, 8, 16 and 32 s after the start, then every 32 s), a pair with more than 4,096 barred
 *   people before one of them, or one that `isExcluded` no longer excludes.
 * A partner is always the one who waited longest of those who suit, of the own country first and the own zone next for
 * balanced people, and of the first 16 (4,096) of each list; but for whoever chose something to talk in or about, who
 * gets somebody with whom it is shared before 16 others at most, none of whom is passed over more than three times in a
 * search (decision 045).
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
    // Two at least, so that the pair of `separate` never pushes one another out.
    this.#people = new MatcherPeople(options.capacityMax + Math.max(2, options.rememberedMax ?? options.capacityMax));
    this.#records = this.#people.records;
    this.#waiting = new WaitingIndex(this.#records);
    this.#due = new DueQueues(this.#records);
    this.#search = new MatcherSearch(this.#people, this.#waiting, options.isExcluded);
  }

  /**
   * Matches at once, or files the person as waiting. Pressing again with the same filters changes nothing; others are
   * searched anew and keeps the original start. `since` gives back the start of a search that failed to connect; a later
   * one than now counts as now.
   * @throws MatcherFullError when nobody suits and the pool is full; the person does not wait then.
   * @throws RangeError for a seeker outside the named ranges, which the caller must not let through.
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
      const { tags, leftOut } = this.#people;
      const isSame = isSameWish && tags.areSame(person, talk) && leftOut.areSame(person, leavesOut);
      if (isSame && sinceMs >= records.sinceMs(person)) return null;
      sinceMs = Math.min(sinceMs, records.sinceMs(person));
      this.#remove(person);
    }
    records.setWish(person, wish);
    records.setPlace(person, place);
    records.setSinceMs(person, sinceMs);
    this.#people.tags.set(person, talk);
    this.#people.leftOut.set(person, leavesOut);
    this.#search.began(person, nowMs);
    return this.#matchOrFile(person, nowMs);
  }

  /** Ends a search; false when the person was not waiting. */
  cancel(userId: bigint): boolean {
    const person = this.#waitingPerson(userId);
    if (person !== 0) this.#remove(person);
    return person !== 0;
  }

  /**
   * Looks again for everybody who is due, the longest overdue first. The work of one call is bounded; who did not get
   * their turn stay due, and `nextDueMs` says so.
   */
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

  /** When `sweep` has something to do, milliseconds since the epoch; null when nobody waits. */
  nextDueMs(): number | null {
    const dueMs = this.#due.earliestMs();
    return dueMs === Infinity ? null : dueMs;
  }

  /** Keeps two people apart for a short time because their connection failed; it replaces the memory of having met. */
  separate(a: bigint, b: bigint, { nowMs, forMs }: { nowMs: number; forMs: number }): void {
    const one = this.#people.obtain(a);
    const other = this.#people.obtain(b);
    const untilMs = nowMs + forMs;
    this.#people.partners.keepApart(one, Number(b), untilMs);
    this.#people.partners.keepApart(other, Number(a), untilMs);
  }

  /** What is known elsewhere of the two, unless something later is known here; `moment` as of `RecentPartners`. */
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

  /** Looks at somebody who was barred by a country that is left out, and by nothing else; of a pair each one counts. */
  get barredByCountry(): number {
    return this.#search.barredByCountry;
  }

  /** When the person's search began, or null for somebody who is not waiting. */
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

  /** Until the first of both holds is over; what remains of the other follows. */
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
const leftOutIds: Range = { min: 1, max: countryIdMax };
const leftOutCounts: Range = { min: 0, max: leavesOutMax };
const zones: Range = { min: 0, max: zoneMax };

const languageIds: Range = { min: 0, max: spokenLanguages.length - 1 };
/** A later version may know more of them. */
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
  assertWithin("leavesOut.length", leavesOut.length, leftOutCounts);
  for (const id of leavesOut) assertWithin("leavesOut", id, leftOutIds);
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

/** Every delay after which somebody is looked for again. */
const retryDelaysMs = [125, 200, 250, 300, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;
type RetryDelayMs = (typeof retryDelaysMs)[number];

/**
 * Who is looked for again, and when: one queue for each delay. Since a delay is constant within its queue, the queue is
 * sorted by itself and nothing costs more than constant time.
 */
class DueQueues {
  readonly #records: PersonRecords;
  readonly #lists: LinkedLists;
  /** When the first of each queue is due; Infinity where it is empty. */
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

  /** Does nothing for somebody who is in no queue. */
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

  /** When the earliest is due; Infinity when nobody is. */
  earliestMs(): number {
    return this.#firstDueMs[this.#earliestQueue()]!;
  }

  /** Takes out whoever has been due the longest; 0 when nobody is due yet. */
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

/** How many people of each list a first search looks at, and the first retry. */
const looksAtFirst = 16;
const looksAtRetry = 64;
/** After this many deepenings, each by four, a search looks at 4,096 people of each list. */
const deepeningsMax = 3;

/** After a first search that was cut short. */
const retryFirstMs = 125;
const deepenedDelaysMs = [125, 250, 500] as const satisfies readonly RetryDelayMs[];
/** A retry made only because something that bars a pair may have ended by itself. */
const lapseDelayMs = 1_000;
/** Plain retries come 1, 2, 4, 8, 16 and 32 s after the start, then every 32 s. */
const plainDelaysMs = [1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const satisfies readonly RetryDelayMs[];

/**
 * Which retries a person had, in one byte: plain ones in three bits, deepenings in two, and the reason of the next in
 * two.
 */
const retryNone = 0;
const plainMask = 7;
const deepeningsShift = 3;
const deepeningsMask = 3;
const reasonShift = 5;
const reasons = { plain: 0, deepened: 1, lapse: 2, hold: 3 } as const;
/** The first of two holds is over: the next retry still holds out for somebody near, or with a common language. */
const retryNear = pack(1, 0, reasons.hold);
const retryShared = pack(2, 0, reasons.hold);

function holdsAt(retry: number): Holds {
  return retry === retryNear || retry === retryShared
    ? { near: retry === retryNear, shared: retry === retryShared }
    : noHolds;
}

/** What remains then of the other hold. */
function restOfHoldMs(retry: number): RetryDelayMs {
  return (retry === retryNear ? nearHoldThinMs - sharedHoldMs : sharedHoldMs - nearHoldMs) as RetryDelayMs;
}

function looksOfRetry(retry: number): number {
  return looksAtRetry * 4 ** ((retry >>> deepeningsShift) & deepeningsMask);
}

/** Counts the retry that follows an unsuccessful one; `retryDelayMs` says when it comes. */
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
