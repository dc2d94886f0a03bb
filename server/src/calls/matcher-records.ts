import type { WishedSex } from "@fava/wire/beans.ts";
import { countryIdMax } from "@fava/wire/limits.ts";
import { ExcludedCountries } from "./matcher-countries.ts";
import { PersonTags } from "./matcher-tags.ts";

/** Largest zone id that the index has room for. */
export const zoneMax = 63;
/** Number of combinations of sex and wished sex; their ids are 0 to 5. */
export const sexWishCount = 6;
const wishedCount = 3;

/** How far a search reaches: every country, near users first, or one required country. */
export const reach = { global: 0, balanced: 1, required: 2 } as const;
export type Reach = (typeof reach)[keyof typeof reach];

/** Field of each kind of list within a record's links: the first of a pair of links. */
export const linkFields = { country: 0, zone: 2, all: 4, due: 6 } as const;
const linksStride = 48;
/** `doublesStride`: doubles per record. `partnersField`: the first double with recent partners. */
const doublesStride = linksStride / 2;
const partnersField = 8;

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
const languageShift = 2 * placeBits + 6;
const reachBits = 2;
const reachMask = 3;
/** Bits of one byte: one for waiting, two for passes, three for `talkFlags`, one for excluded countries. */
const waitingBit = 1;
const passStep = 2;
const passMask = 6;
const talkShift = 3;
const talkMask = 7;
const leavesOutBit = 64;
/** How often a user may be passed over during one search. */
export const passesMax = 3;

/**
 * Records of users: 64 bytes each and 128 bytes of recent partners after them. They are contiguous, because cache lines
 * dominate the cost of a request. Numbers begin at 1; 0 means none.
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

  sinceMs(person: number): number {
    return this.doubles[person * doublesStride + sinceField]!;
  }
  setSinceMs(person: number, sinceMs: number): void {
    this.doubles[person * doublesStride + sinceField] = sinceMs;
  }

  dueMs(person: number): number {
    return this.doubles[person * doublesStride + dueField]!;
  }
  setDueMs(person: number, dueMs: number): void {
    this.doubles[person * doublesStride + dueField] = dueMs;
  }

  /** Own country, required country (0: none), zone and interface language, packed for comparison as one number. */
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
    return (this.place(person) >>> (2 * placeBits)) & zoneMax;
  }
  /** Interface language plus one; 0 when unknown. */
  languagePlusOne(person: number): number {
    return this.place(person) >>> languageShift;
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
    return (this.#bytes[person * bytesStride + waitingField]! & waitingBit) !== 0;
  }
  /** Also resets the passes, which count per search. */
  setWaiting(person: number, isWaiting: boolean): void {
    const at = person * bytesStride + waitingField;
    this.#bytes[at] = (this.#bytes[at]! & ~(waitingBit | passMask)) | (isWaiting ? waitingBit : 0);
  }

  /** How often the user was passed over for a partner who shares more, 0 to `passesMax`. */
  passes(person: number): number {
    return (this.#bytes[person * bytesStride + waitingField]! & passMask) / passStep;
  }
  /** Stops at `passesMax`. A user who is passed over more often was barred for those searches. */
  addPass(person: number): void {
    if (this.passes(person) === passesMax) return;
    const at = person * bytesStride + waitingField;
    this.#bytes[at] = this.#bytes[at]! + passStep;
  }

  /** What the user chose, packed by `matcher-tags.ts`. In the record, so that an empty choice reads nothing else. */
  talkFlags(person: number): number {
    return (this.#bytes[person * bytesStride + waitingField]! >>> talkShift) & talkMask;
  }
  /** Call only while the user is not waiting. Clears the waiting bit and the passes. */
  setTalkFlags(person: number, flags: number): void {
    const at = person * bytesStride + waitingField;
    this.#bytes[at] = (this.#bytes[at]! & leavesOutBit) | (flags << talkShift);
  }

  leavesOut(person: number): boolean {
    return (this.#bytes[person * bytesStride + waitingField]! & leavesOutBit) !== 0;
  }
  setLeavesOut(person: number, leavesOut: boolean): void {
    const at = person * bytesStride + waitingField;
    this.#bytes[at] = (this.#bytes[at]! & ~leavesOutBit) | (leavesOut ? leavesOutBit : 0);
  }

  /** Number of the user's retry queue plus one; 0 if in none. */
  queue(person: number): number {
    return this.#bytes[person * bytesStride + queueField]!;
  }
  setQueue(person: number, queue: number): void {
    this.#bytes[person * bytesStride + queueField] = queue;
  }

  /** The user's retries, packed by `matcher.ts`. */
  retry(person: number): number {
    return this.#bytes[person * bytesStride + retryField]!;
  }
  setRetry(person: number, retry: number): void {
    this.#bytes[person * bytesStride + retryField] = retry;
  }
}

interface PlaceFacts {
  country: number;
  required: number;
  zone: number;
  languageId: number | undefined;
}

export function packPlace({ country, required, zone, languageId }: PlaceFacts): number {
  const languagePlusOne = languageId === undefined ? 0 : languageId + 1;
  return country | (required << placeBits) | (zone << (2 * placeBits)) | (languagePlusOne << languageShift);
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

const knuth = 0x9e3779b1;

/** Hash table from user id to record number, with a fixed size. Unlike a `Map`, it never pauses to rehash. */
export class IdTable {
  /** Pairs of id and record number, so that one read gets both. Id 0 marks a free slot. */
  readonly #slots: Float64Array;
  readonly #mask: number;
  readonly #shift: number;

  /** Keeps at least half of the slots free with `entriesMax` entries, so that probes stay short. */
  constructor(entriesMax: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(entriesMax * 2)));
    this.#slots = new Float64Array(2 ** bits * 2);
    this.#mask = 2 ** bits - 1;
    this.#shift = 32 - bits;
  }

  get(id: number): number {
    const slot = this.#slotOf(id);
    return this.#slots[slot * 2] === 0 ? 0 : this.#slots[slot * 2 + 1]!;
  }

  set(id: number, record: number): void {
    const slot = this.#slotOf(id);
    this.#slots[slot * 2] = id;
    this.#slots[slot * 2 + 1] = record;
  }

  delete(id: number): void {
    let hole = this.#slotOf(id);
    if (this.#slots[hole * 2] === 0) return;
    // Moves later entries of the chain into the hole, unless their own chain begins after it. So no tombstones remain.
    for (let slot = (hole + 1) & this.#mask; this.#slots[slot * 2] !== 0; slot = (slot + 1) & this.#mask) {
      const home = this.#homeOf(this.#slots[slot * 2]!);
      if (((slot - home) & this.#mask) < ((slot - hole) & this.#mask)) continue;
      this.#slots[hole * 2] = this.#slots[slot * 2]!;
      this.#slots[hole * 2 + 1] = this.#slots[slot * 2 + 1]!;
      hole = slot;
    }
    this.#slots[hole * 2] = 0;
  }

  #slotOf(id: number): number {
    let slot = this.#homeOf(id);
    while (this.#slots[slot * 2] !== id && this.#slots[slot * 2] !== 0) slot = (slot + 1) & this.#mask;
    return slot;
  }

  #homeOf(id: number): number {
    return Math.imul((id | 0) ^ (id / 4_294_967_296), knuth) >>> this.#shift;
  }
}

/** Records of waiting users and, for their recent partners, of others as space allows. Evicts the longest idle. */
export class MatcherPeople {
  readonly records: PersonRecords;
  readonly partners: RecentPartners;
  readonly tags: PersonTags;
  readonly excludedCountries: ExcludedCountries;
  readonly #recordsMax: number;
  readonly #table: IdTable;
  /** User ids by record, as the callers' own bigint objects, so that no request creates one. */
  readonly #userIds: bigint[] = [0n];
  /** Idle users. Uses the same links as the retry queues, since no user is idle and due at once. */
  readonly #idle: LinkedLists;

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax;
    this.records = new PersonRecords(recordsMax);
    this.partners = new RecentPartners(this.records);
    this.tags = new PersonTags(this.records, recordsMax);
    this.excludedCountries = new ExcludedCountries(this.records, recordsMax);
    this.#table = new IdTable(recordsMax);
    this.#idle = new LinkedLists(this.records.links, linkFields.due, 1);
  }

  find(userId: bigint): number {
    return this.#table.get(Number(userId));
  }

  userId(person: number): bigint {
    return this.#userIds[person]!;
  }

  obtain(userId: bigint): number {
    const known = this.find(userId);
    if (known !== 0) return known;
    const person = this.#userIds.length <= this.#recordsMax ? this.#userIds.length : this.#forgetIdlest();
    const id = Number(userId);
    this.#userIds[person] = userId;
    this.records.setId(person, id);
    this.#table.set(id, person);
    this.#idle.append(0, person);
    return person;
  }

  /** Removes a user who starts to wait from the candidates for eviction. */
  leaveIdle(person: number): void {
    this.#idle.remove(0, person);
  }

  /** Makes a user who stopped waiting the last candidate for eviction. */
  enterIdle(person: number): void {
    this.#idle.append(0, person);
  }

  #forgetIdlest(): number {
    const person = this.#idle.first(0);
    this.#idle.remove(0, person);
    this.#table.delete(this.records.id(person));
    this.partners.forget(person);
    return person;
  }
}

const requiredCount = countryIdMax + 1;
/** How many neighbours to pass from each end to find the place of a returning user with an older start. */
const placeStepsMax = 1_024;

/** Doubly linked lists over two links of each record: constant time and no allocation. */
export class LinkedLists {
  readonly #links: Int32Array;
  readonly #field: number;
  /** First and last record of each list. */
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

  /** Inserts `person` before `successor`, or at the end for 0. */
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

/** One level of the index: waiting users of each place by sex, wished sex and required country, oldest first. */
export class WaitingLevel {
  readonly lists: LinkedLists;
  readonly #records: PersonRecords;

  constructor(records: PersonRecords, field: number, placeCount: number) {
    this.#records = records;
    this.lists = new LinkedLists(records.links, field, placeCount * requiredCount * sexWishCount);
  }

  /** Number of the first list of a place with this required country (0: none). Add the id of sex and wish. */
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

  /** A newcomer goes to the end. A returning user's place is searched from both ends, at most `placeStepsMax` steps. */
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

/** All waiting users, indexed three times: by own country, by zone, and all together. */
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

const partnersRememberedMax = 8;
/** How long a pair that met stays apart, in milliseconds: this long per waiting user, up to the maximum. */
export const partnerGapPerPersonMs = 15_000;
export const partnerGapMaxMs = 600_000;
/** After both have waited this long, in milliseconds, an earlier meeting does not bar them. */
export const partnerPatienceMs = 5_000;

/**
 * The last eight partners, stored in the record. Each entry is the partner's id and a moment: positive when they met,
 * negative until when they are separated after a failed connection.
 */
export class RecentPartners {
  readonly #doubles: Float64Array;

  constructor({ doubles }: PersonRecords) {
    this.#doubles = doubles;
  }

  /** Positive: when `person` last met the partner. Negative: until when they stay apart. 0: no entry. */
  moment(person: number, partnerId: number): number {
    const start = person * doublesStride + partnersField;
    for (let at = start; at < start + partnersRememberedMax; at += 1)
      if (this.#doubles[at] === partnerId) return this.#doubles[at + partnersRememberedMax]!;
    return 0;
  }

  rememberMeeting(person: number, partnerId: number, nowMs: number): void {
    this.#write(person, partnerId, nowMs);
  }

  /** Separates the two and removes their meeting, since users whose connection failed have not met. */
  keepApart(person: number, partnerId: number, untilMs: number): void {
    this.#write(person, partnerId, -untilMs);
  }

  /** Records what another server knows, unless the existing entry is later. */
  learn(person: number, partnerId: number, moment: number): void {
    if (this.#timeOf(this.#placeFor(person, partnerId)) < Math.abs(moment)) this.#write(person, partnerId, moment);
  }

  *all(person: number): Iterable<{ partnerId: number; moment: number }> {
    const start = person * doublesStride + partnersField;
    for (let at = start; at < start + partnersRememberedMax; at += 1)
      if (this.#doubles[at] !== 0)
        yield { partnerId: this.#doubles[at]!, moment: this.#doubles[at + partnersRememberedMax]! };
  }

  forget(person: number): void {
    const start = person * doublesStride + partnersField;
    for (let at = start; at < start + 2 * partnersRememberedMax; at += 1) this.#doubles[at] = 0;
  }

  #write(person: number, partnerId: number, moment: number): void {
    const place = this.#placeFor(person, partnerId);
    this.#doubles[place] = partnerId;
    this.#doubles[place + partnersRememberedMax] = moment;
  }

  /** Position of the partner's entry, or of the oldest entry. */
  #placeFor(person: number, partnerId: number): number {
    const start = person * doublesStride + partnersField;
    let place = start;
    for (let at = start; at < start + partnersRememberedMax; at += 1) {
      if (this.#doubles[at] === partnerId) return at;
      if (this.#timeOf(at) < this.#timeOf(place)) place = at;
    }
    return place;
  }

  #timeOf(at: number): number {
    return Math.abs(this.#doubles[at + partnersRememberedMax]!);
  }
}
