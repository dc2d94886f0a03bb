import type { Logger } from "pino";
import { type MatchFilters, pricePerMinute } from "@fava/wire/beans.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { matchInfo } from "@fava/wire/endpoints/match.ts";
import { nextGuardMs } from "@fava/wire/limits.ts";
import { forbidden, slowDown } from "#lib/errors.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Tracer } from "#lib/tracer.ts";
import type { AvailableBalances, PriceBook } from "#ports/billing.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { Departure, HubListener, RoomMessage } from "#ports/hub-listener.ts";
import type { MatchPoolFigures, SearchRef, WaitEstimate } from "#ports/match-pool.ts";
import type { HandedActivity } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { Settings } from "#ports/settings.ts";
import {
  isRematch,
  type MatchAges,
  MatchEligibility,
  type MatchExclusions,
  type MatchGate,
  type MatchPeople,
  type NewSearch,
  type RematchRequests,
  type RematchSearch,
  type SearchRequest,
} from "./match-eligibility.ts";
import { requireNotExcluded } from "#people/talk-service.ts";
import type { MatchedPair } from "./live-room.ts";
import { LocalMatchPool } from "./local-match-pool.ts";
import type { EstimateFigures } from "./wait-estimate.ts";
import { type HandedRematch, Rematch } from "./rematch.ts";
import type { CallService, LeaveReason, RoomEnded, RoomEvent, RoomEventConsumer } from "./room-service.ts";
import type { SearchChecks } from "./search-inspection.ts";
import { SearchPool, type SearchSite, type WaitingSearch } from "./search-pool.ts";

export type {
  MatchExclusions,
  MatchFacts,
  MatchGate,
  MatchPeople,
  RematchRequests,
  SearchRequest,
} from "./match-eligibility.ts";

const bothSides = ["offerer", "answerer"] as const;
/** After this many matches in a row that the page did not join, the search ends instead of returning to the queue. */
const missedMax = 3;
/** After how many seconds a page may retry if the server was full. */
const fullRetrySeconds = 5;

export interface FirstSearchStore {
  /** Called for every search; returns at once and never throws. */
  searched(userId: bigint): void;
}

interface MatchServiceOptions {
  bus: Bus;
  calls: CallService;
  people: MatchPeople;
  exclusions: MatchExclusions;
  rematchRequests: RematchRequests;
  gate: MatchGate;
  ages: MatchAges;
  availableBalances: AvailableBalances;
  checks: SearchChecks;
  firstSearches: FirstSearchStore;
  prices: Pick<PriceBook, "filterPrices">;
  settings: Pick<Settings, "selectableCountryIds">;
  clock: Clock;
  tracer?: Tracer;
  logger: Logger;
  searchesMax: number;
  /** The other servers; undefined on a single server. */
  site?: SearchSite;
}

export interface StartAnswer {
  state: "searching" | "no_profiles" | "not_searching";
  price: number;
  since: number;
}

/** Searches: who may search, and what a user does. A user is idle, searches or is in a room, and never two of these. */
export class MatchService
  implements
    Omit<HubListener, "preview" | "returned" | "typing" | "searchMedia" | "relayed" | "unheard">,
    RoomEventConsumer,
    AsyncDisposable
{
  readonly #options: MatchServiceOptions;
  readonly #pool: SearchPool;
  readonly #rematch: Rematch;
  readonly #eligibility: MatchEligibility;
  readonly #positions = new QueuePositions();
  readonly #countries = new CountryPresence();
  /** By user, the Start requests in progress, and the Stop requests that arrived during them. */
  readonly #starting = new Map<bigint, { starts: number; stops: number }>();
  readonly #tasks: Tasks;
  readonly #nowMs: () => number;
  #stopping = false;

  constructor(options: MatchServiceOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#nowMs = steadyTime(options.clock);
    const site = options.site ?? aloneSite(options);
    const eligibility = new MatchEligibility(options);
    this.#eligibility = eligibility;
    const paired = (pair: MatchedPair) => void options.calls.create(pair);
    this.#pool = new SearchPool({ ...options, site, eligibility, paired }, this.#nowMs);
    this.#rematch = new Rematch({
      ...options,
      rematchRequests: eligibility,
      pool: this.#pool,
    });
  }

  /** `searching`: all users who search. `waiting`: those whom the matcher knows, without users away or being paired. */
  get counts(): { searching: number; waiting: number } {
    return { searching: this.#pool.size, waiting: this.#pool.waitingCount };
  }

  get poolFigures(): MatchPoolFigures {
    return this.#pool.figures;
  }

  get estimateFigures(): EstimateFigures {
    return this.#pool.estimateFigures;
  }

  /**
   * Starts a search, or continues the user's running one. During a call it leaves the call for the next partner, unless
   * `refresh` is set.
   * @throws EndpointError 400 for a country that cannot be chosen or is excluded; 402 `{need, have, limit}`; 403
   * `no_socket`, `profile_incomplete`, `not_met`, `paused` with `until`, `age_check`; 429 if the server is full.
   */
  async start(request: SearchRequest): Promise<StartAnswer> {
    const { clock, tracer } = this.#options;
    const sinceMs = clock.monotonicMs();
    let outcome: StartAnswer["state"] | "refused" = "refused";
    const starting = this.#starting.get(request.userId) ?? { starts: 0, stops: 0 };
    const { stops } = starting;
    starting.starts += 1;
    this.#starting.set(request.userId, starting);
    try {
      const answer = await this.#start(request, () => starting.stops !== stops);
      outcome = answer.state;
      if (outcome === "searching") this.#options.site?.gather(request.userId);
      if (outcome !== "not_searching") this.#options.firstSearches.searched(request.userId);
      return answer;
    } finally {
      starting.starts -= 1;
      if (starting.starts === 0) this.#starting.delete(request.userId);
      tracer?.record(request.traceparent, "match.start", { sinceMs, outcome });
    }
  }

  async #start(request: SearchRequest, isStopped: () => boolean): Promise<StartAnswer> {
    const { prices } = this.#options;
    const { userId, filters, withUserId } = request;
    const roomBefore = this.#roomOf(userId);
    const rematch = request.refresh ? this.#pool.rematchOf(userId) : null;
    if (rematch) {
      const { offer, checks = false } = request;
      this.#pool.enter({ ...rematch, offer, checks });
      return { state: "searching", price: 0, since: rematch.sinceMs };
    }
    await this.#eligibility.requireStanding(userId);
    if (withUserId !== undefined) return this.#meetAgain(request, withUserId, isStopped);
    this.#eligibility.requireSelectable(filters);
    this.#requireRoom(userId);
    const price = pricePerMinute(filters, prices.filterPrices());
    const facts = await this.#eligibility.requireSearch(userId, filters, price);
    // Checked again, because the state may have changed during the reads. From here on nothing is awaited.
    this.#requireRoom(userId);
    // A new chat session has replaced the one of this request, and its exclusions are not loaded.
    if (!this.#eligibility.isPrepared(userId)) return this.#start(request, isStopped);
    const idle = this.#doesNothing(request, { price, roomBefore, isStopped: isStopped() });
    if (idle) return idle;
    const sinceMs = this.#takeQueuePlace(userId, this.#nowMs());
    const runningSinceMs = this.#pool.waitSinceOf({ userId, facts, filters });
    const waitSinceMs = runningSinceMs ?? this.#nowMs();
    this.#countries.set(userId, facts.countryId);
    // A single server knows all present users. With several servers no server does, so only the search can tell.
    const isAlone = !this.#options.site && this.#countries.othersIn(filters.country, userId) === 0;
    const isNobodyThere = filters.country > 0 && isAlone;
    this.#leaveAll(userId, "next", { isRestart: runningSinceMs !== null && !isNobodyThere });
    if (isNobodyThere) return { state: "no_profiles", price, since: sinceMs };
    this.#pool.enter({ ...request, facts, price, sinceMs, waitSinceMs, missed: 0 });
    return { state: "searching", price, since: sinceMs };
  }

  requireStanding(userId: bigint): Promise<void> {
    return this.#eligibility.requireStanding(userId);
  }

  /** @throws EndpointError 400 for a country that cannot be chosen or that the user excludes. */
  async estimateWait(userId: bigint, filters: MatchFilters): Promise<WaitEstimate> {
    this.#eligibility.requireSelectable(filters);
    const facts = await this.#options.people.matchFacts(userId);
    requireNotExcluded(filters, facts);
    const { sex, countryId, zone } = facts;
    return this.#pool.estimateWait(userId, { sex, filters, countryId, zone });
  }

  openSearches(): Iterable<NewSearch> {
    return this.#pool.open();
  }

  onWaited(listener: (search: WaitingSearch) => void): Disposable {
    return this.#pool.onWaited(listener);
  }

  onWaitEnded(listener: Parameters<SearchPool["onWaitEnded"]>[0]): Disposable {
    return this.#pool.onWaitEnded(listener);
  }

  onSearchEnded(listener: Parameters<SearchPool["onSearchEnded"]>[0]): Disposable {
    return this.#pool.onSearchEnded(listener);
  }

  stop(userId: bigint): void {
    const starting = this.#starting.get(userId);
    if (starting) starting.stops += 1;
    this.#positions.forget(userId);
    this.#leaveAll(userId, "stop");
  }

  /** Ends a call between the two after a block. The blocked user is told that the partner left. */
  part(blockerId: bigint, blockedId: bigint): void {
    const { calls } = this.#options;
    this.#pool.part(blockerId, blockedId);
    if (calls.current(blockerId)?.match.user_Id === Number(blockedId)) calls.leave(blockerId, "stop");
  }

  /** Continues a search that began at another server, unless the user does something else by now. */
  async continueSearch(search: NewSearch): Promise<void> {
    const { userId } = search;
    await this.#eligibility.prepare(userId);
    const doesNothing = this.#roomOf(userId) === null && !this.#pool.has(userId);
    if (!this.#options.bus.isHere(userId) || !this.#eligibility.isPrepared(userId) || !doesNothing || this.#stopping)
      return;
    this.#pool.come(search);
    if (isRematch(search)) this.#rematch.watch();
  }

  isBusy(userId: bigint): boolean {
    return this.#options.calls.otherIn(userId) !== null || this.#pool.has(userId);
  }

  /** Asks the user's page to move to the server where `otherId` waits. False if the search is over or cannot move. */
  sendTo(ref: SearchRef, otherId: bigint, to: ProcessId): boolean {
    return this.#pool.sendTo(ref, otherId, to);
  }

  /** Ends the user's search or rematch and returns it for the user's next server. A call is not included. */
  pack(userId: bigint): Pick<HandedActivity, "search" | "rematch" | "sinceMs"> {
    const packed = this.#pool.pack(userId);
    const doing =
      packed && isRematch(packed) ? { search: null, rematch: handed(packed) } : { search: packed, rematch: null };
    return { ...doing, sinceMs: this.#positions.take(userId, this.#nowMs()) };
  }

  async continueRematch(handed: unknown): Promise<void> {
    const { otherId: withUserId, away: _isFoundOutHere, ...request } = handed as HandedRematch;
    const facts = await this.#options.people.matchFacts(request.userId);
    await this.continueSearch({ ...request, ...freeSearch, withUserId, facts });
  }

  otherIn(userId: bigint): bigint | null {
    return this.#options.calls.otherIn(userId);
  }

  keepPlace(userId: bigint, sinceMs: number): void {
    this.#positions.keep(userId, { sinceMs, nowMs: this.#nowMs() });
  }

  info(userId: bigint): OutputOf<typeof matchInfo> {
    const { calls, prices } = this.#options;
    const current = calls.current(userId);
    const status = current?.status ?? (this.#pool.has(userId) ? 1 : 0);
    const { match = null, returnLeftMs = null } = current ?? {};
    return { status, match, return_ms: returnLeftMs, prices: prices.filterPrices() };
  }

  arrived(userId: bigint): void {
    // Nothing of an earlier chat session may remain, even if its end was never reported.
    this.#pool.resumed(userId);
    this.#tasks.add("failed to read a user's country", () => this.#learnCountry(userId));
  }

  dropped(userId: bigint): void {
    this.#pool.dropped(userId);
    this.#options.calls.dropped(userId);
  }

  resumed(userId: bigint): void {
    this.#pool.resumed(userId);
    this.#options.calls.resumed(userId);
  }

  gone(userId: bigint, how: Departure): void {
    this.#pool.gone(userId);
    this.#positions.forget(userId);
    this.#countries.delete(userId);
    this.#options.calls.gone(userId, how);
  }

  roomMessage(userId: bigint, message: RoomMessage): void {
    this.#options.calls.roomMessage(userId, message);
  }

  onRoomEvent(event: RoomEvent): void {
    if (this.#stopping) return;
    this.#rematch.onRoomEvent(event);
    if (event.kind === "ended") this.#roomEnded(event);
  }

  /** Call when the server is about to stop. From then on other servers get the rooms of its searches. */
  leave(): void {
    this.#pool.leave();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    await Promise.all([this.#tasks, this.#pool, this.#rematch].map((part) => part[Symbol.asyncDispose]()));
  }

  #requireRoom(userId: bigint): void {
    const { calls, searchesMax } = this.#options;
    if (!this.#options.bus.isHere(userId)) throw forbidden("no_socket");
    const full = this.#pool.size >= searchesMax && !this.#pool.has(userId);
    if (this.#stopping || full || !calls.hasCapacity) throw slowDown(fullRetrySeconds, "the server is full");
  }

  /** The rematch requests are read with the blocks, so no exclusions need to be loaded. */
  async #meetAgain(request: SearchRequest, otherId: bigint, isStopped: () => boolean): Promise<StartAnswer> {
    const { userId } = request;
    const roomBefore = this.#roomOf(userId);
    this.#requireRoom(userId);
    const facts = await this.#eligibility.requireRematch(userId, otherId);
    this.#requireRoom(userId);
    const idle = this.#doesNothing(request, { price: 0, roomBefore, isStopped: isStopped() });
    if (idle) return idle;
    this.#positions.forget(userId);
    const sinceMs = request.ring?.sinceMs ?? this.#pool.sinceOf(userId, otherId) ?? this.#nowMs();
    this.#leaveAll(userId, "next");
    this.#rematch.begin({ ...request, ...freeSearch, withUserId: otherId, facts, sinceMs });
    return { state: "searching", price: 0, since: sinceMs };
  }

  #roomOf(userId: bigint): string | null {
    return this.#options.calls.current(userId)?.match.roomId ?? null;
  }

  /** The response to a Start that must do nothing. `roomBefore`: room on its arrival; `isStopped`: a Stop followed. */
  #doesNothing(
    { userId, refresh, knownRoomId }: SearchRequest,
    { price, roomBefore, isStopped }: { price: number; roomBefore: string | null; isStopped: boolean },
  ): StartAnswer | null {
    const current = this.#options.calls.current(userId);
    // A Start sent before the match does not mean "next". Neither does one of a connected page that has not received
    // the match, however late it arrives (rule MATCH-90).
    const wasOnItsWay =
      current !== null &&
      (current.match.roomId !== roomBefore ||
        (!current.joined && current.ageMs < nextGuardMs) ||
        (knownRoomId !== undefined && knownRoomId !== current.match.roomId && current.returnLeftMs === null));
    const renewsNothing = refresh && this.#pool.sinceOf(userId) === null;
    if (!wasOnItsWay && !renewsNothing && !isStopped) return null;
    return { state: "not_searching", price, since: current?.sinceMs ?? this.#nowMs() };
  }

  #leaveAll(userId: bigint, reason: LeaveReason, search: { isRestart?: boolean } = {}): void {
    this.#pool.withdraw(userId, search);
    this.#options.calls.leave(userId, reason);
  }

  /** Place in the queue: of the running search, or of the last failed match, or the end of the queue. */
  #takeQueuePlace(userId: bigint, nowMs: number): number {
    const kept = this.#positions.take(userId, nowMs);
    return this.#pool.sinceOf(userId) ?? kept ?? nowMs;
  }

  /**
   * After `not_joined` both search again, unless for each other. Otherwise a user who did not leave keeps the place.
   */
  #roomEnded({ people, side: leaver, reason, wasLive, joined }: RoomEnded): void {
    const both = bothSides.map((side) => ({
      ...people[side],
      side,
      search: this.#pool.takePaired(people[side].userId),
    }));
    if (wasLive) return;
    if (reason === "not_joined") this.#pool.separate(people.offerer.userId, people.answerer.userId);
    for (const { userId, side, sinceMs, search } of both) {
      if (side === leaver) continue;
      const missed = search && !joined[side] ? search.missed + 1 : 0;
      const goesOn = reason === "not_joined" && missed < missedMax && !this.#stopping;
      if (search && !isRematch(search) && goesOn && this.#options.bus.isHere(userId))
        this.#pool.enter({ ...search, offer: null, missed });
      else this.keepPlace(userId, sinceMs);
    }
  }

  async #learnCountry(userId: bigint): Promise<void> {
    const facts = await this.#options.people.matchFacts(userId);
    if (facts.complete && this.#options.bus.isHere(userId)) this.#countries.set(userId, facts.countryId);
  }
}

const freeSearch = { filters: { sex: 0, country: 0 }, price: 0, missed: 0 } as const;

function handed({
  userId,
  withUserId,
  language,
  offer,
  sinceMs,
  checks,
  phase,
  traceparent,
  ring,
}: RematchSearch): HandedRematch {
  const away = phase === "away";
  return { userId, otherId: withUserId, language, offer, sinceMs, away, checks: checks ?? false, traceparent, ring };
}

function aloneSite({ clock, searchesMax, exclusions }: MatchServiceOptions): SearchSite {
  const isExcluded = exclusions.isExcluded.bind(exclusions);
  return {
    openPool: (nowMs) => new LocalMatchPool({ clock, nowMs, capacityMax: searchesMax, isExcluded }),
    comeTo: () => Promise.resolve(false),
    move: () => false,
    gather: () => undefined,
  };
}

/** Present users of this server by country, so far as they could be matched. */
class CountryPresence {
  readonly #countryOf = new Map<bigint, number>();
  readonly #counts = new Map<number, number>();

  set(userId: bigint, countryId: number): void {
    if (this.#countryOf.get(userId) === countryId) return;
    this.delete(userId);
    this.#countryOf.set(userId, countryId);
    this.#counts.set(countryId, (this.#counts.get(countryId) ?? 0) + 1);
  }

  delete(userId: bigint): void {
    const countryId = this.#countryOf.get(userId);
    if (countryId === undefined) return;
    this.#countryOf.delete(userId);
    const left = (this.#counts.get(countryId) ?? 0) - 1;
    if (left > 0) this.#counts.set(countryId, left);
    else this.#counts.delete(countryId);
  }

  othersIn(countryId: number, userId: bigint): number {
    const count = this.#counts.get(countryId) ?? 0;
    return this.#countryOf.get(userId) === countryId ? count - 1 : count;
  }
}

const placeKeptMs = 5_000;

/** Places in the queue of users whose match failed, until they search again. */
class QueuePositions {
  readonly #places = new Map<bigint, { sinceMs: number; untilMs: number }>();

  keep(userId: bigint, place: { sinceMs: number; nowMs: number }): void {
    this.#places.set(userId, { sinceMs: place.sinceMs, untilMs: place.nowMs + placeKeptMs });
  }

  take(userId: bigint, nowMs: number): number | null {
    const kept = this.#places.get(userId);
    this.#places.delete(userId);
    return kept && nowMs < kept.untilMs ? kept.sinceMs : null;
  }

  forget(userId: bigint): void {
    this.#places.delete(userId);
  }
}

/** A clock in milliseconds since the epoch that never runs backwards, unlike the wall clock. */
function steadyTime(clock: Clock): () => number {
  const epochMs = clock.nowMs() - clock.monotonicMs();
  return () => Math.floor(epochMs + clock.monotonicMs());
}
