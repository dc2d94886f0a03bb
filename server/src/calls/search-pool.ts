import type { Logger } from "pino";
import { matchNotificationDelaysMs } from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { spokenLanguageId, type Talk } from "@fava/wire/talk.ts";
import { Emitter } from "#lib/emitter.ts";
import { Tasks, Timers } from "#lib/tasks.ts";
import type { Tracer } from "#lib/tracer.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { FoundPair, MatchPool, MatchPoolFigures, SearchRef, WaitOf, WaitEstimate } from "#ports/match-pool.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import {
  isRematch,
  type MatchEligibility,
  type MatchFacts,
  type NewSearch,
  type RematchSearch,
  type Search,
  type Settled,
  type SettledPair,
} from "./match-eligibility.ts";
import type { MatchedPair } from "./live-room.ts";
import { type EstimateFigures, EstimateCheck } from "./wait-estimate.ts";
import type { CallService } from "./room-service.ts";
import type { SearchChecks } from "./search-inspection.ts";
import { WaitTimers } from "./wait-timers.ts";

export interface SearchSite {
  /** @param nowMs the timeline of places in the queue. */
  openPool(nowMs: () => number): MatchPool;
  /** Asks the newer user's server to send the page here. False if that search is over or cannot move. */
  comeTo(pair: FoundPair): Promise<boolean>;
  /** Asks a user's page to move to another server. False if no connected page can. */
  move(userId: bigint, to: ProcessId): boolean;
  /** For clients that do not follow `move`: brings the user to the server where all such clients meet. */
  gather(userId: bigint): void;
}

interface SearchPoolOptions {
  bus: Bus;
  site: SearchSite;
  calls: Pick<CallService, "hasCapacity">;
  /** Receives a pair that is ready for its room. */
  paired: (pair: MatchedPair) => void;
  eligibility: Pick<MatchEligibility, "prepare" | "mayMeet" | "settle">;
  checks: SearchChecks;
  clock: Clock;
  tracer?: Tracer;
  logger: Logger;
}

const retryMs = 1_000;
/** How long a search waits for the partner's page to come from another server: some round trips of a slow network. */
const comeWithinMs = 3_000;
/** How long a page may take to move. If it does not, the search finds only partners who can come here for `fixedMs`. */
const moveWithinMs = 5_000;
const fixedMs = 30_000;

interface PooledSearch extends Search {
  readonly searchId: number;
  /** When the wait began or the pair was found, on the monotonic clock. */
  readonly phaseSinceMs: number;
  /** The user's page moved to this server for this pair. */
  readonly hasMoved?: true;
}

interface Departing extends SearchRef {
  readonly otherId: bigint;
  readonly to: ProcessId;
}

export interface WaitingSearch extends Search {
  readonly isWaiting: () => boolean;
}

/** How a wait ended. `withdrawn`: also by a restart with a newer offer. */
type WaitOutcome = "found" | "withdrawn" | "moved";
/** How a search ended for the user: in a room, or without one because the user stopped, left or was refused. */
type SearchEnd = "matched" | "unmatched";

/** The searches of this server, one per user. The match pool finds pairs; each ready pair is passed on for its room. */
export class SearchPool implements AsyncDisposable {
  readonly #options: SearchPoolOptions;
  readonly #nowMs: () => number;
  readonly #pool: MatchPool;
  readonly #searches = new Map<bigint, PooledSearch>();
  /** By user: the search that led to the user's current room. */
  readonly #paired = new Map<bigint, Search>();
  /** Users whose socket is lost. Their searches keep their places but are not matched. */
  readonly #away = new Set<bigint>();
  /** By the partner's id: searches that wait for the partner's page to come from another server. */
  readonly #expecting = new Map<bigint, PooledSearch>();
  readonly #departing = new Map<bigint, Departing>();
  /** Users whose page was asked to move and did not move. */
  readonly #fixed = new Set<bigint>();
  readonly #tasks: Tasks;
  readonly #retries: Timers;
  readonly #waitTimers: WaitTimers;
  readonly #estimates = new EstimateCheck();
  readonly #waited = new Emitter<[search: WaitingSearch]>();
  readonly #waitEnds = new Emitter<[search: Search, ended: { outcome: WaitOutcome; ms: number }]>();
  readonly #searchEnds = new Emitter<[search: Search, how: SearchEnd]>();
  #searchId = 0;
  #stopping = false;

  constructor(options: SearchPoolOptions, nowMs: () => number) {
    this.#options = options;
    this.#nowMs = nowMs;
    this.#tasks = new Tasks(options);
    this.#retries = new Timers(options.clock);
    const waited = this.#hasWaited.bind(this);
    this.#waitTimers = new WaitTimers({ clock: options.clock, nowMs, afterMs: matchNotificationDelaysMs, waited });
    this.#pool = options.site.openPool(nowMs);
    this.#pool.onPair((pair) => this.#found(pair));
  }

  get size(): number {
    return this.#searches.size;
  }

  /** Searches that the match pool knows, so without those that are away or being paired. */
  get waitingCount(): number {
    return this.#pool.waitingCount;
  }

  get figures(): MatchPoolFigures {
    return this.#pool.figures;
  }

  has(userId: bigint): boolean {
    return this.#searches.has(userId);
  }

  /** The searches for anyone who suits. */
  *open(): Generator<NewSearch, void> {
    for (const search of this.#searches.values()) if (!isRematch(search)) yield search;
  }

  /** Start of the user's search; null without one. `withUserId`: of a search for that user only. */
  sinceOf(userId: bigint, withUserId?: bigint): number | null {
    const search = this.#searches.get(userId);
    return search && search.withUserId === withUserId ? search.sinceMs : null;
  }

  /** Since when the user waits with these filters and facts; null if the user does not. */
  waitSinceOf({ userId, facts, filters }: Pick<NewSearch, "userId" | "facts" | "filters">): number | null {
    const search = this.#searches.get(userId);
    if (search?.waitSinceMs === undefined) return null;
    const isSame =
      search.filters.sex === filters.sex &&
      search.filters.country === filters.country &&
      search.facts.sex === facts.sex &&
      search.facts.countryId === facts.countryId;
    return isSame ? search.waitSinceMs : null;
  }

  /** Returns the expected wait, and remembers it for comparison with the real wait. */
  async estimateWait(userId: bigint, search: WaitOf): Promise<WaitEstimate> {
    const estimate = await this.#pool.estimateWait(search);
    const about = { userId, filters: search.filters, estimate, atMs: this.#nowMs() };
    const going = this.#searches.get(userId);
    this.#estimates.told(going ? waitOf(going) : null, about);
    return estimate;
  }

  get estimateFigures(): EstimateFigures {
    return this.#estimates.figures;
  }

  rematchOf(userId: bigint): RematchSearch | null {
    const search = this.#searches.get(userId);
    return search && isRematch(search) ? search : null;
  }

  *rematches(): Generator<RematchSearch, void> {
    for (const search of this.#searches.values()) if (isRematch(search) && search.phase !== "settling") yield search;
  }

  part(one: bigint, other: bigint): void {
    if (this.rematchOf(one)?.withUserId === other) this.withdraw(one);
    if (this.rematchOf(other)?.withUserId === one) this.withdraw(other);
  }

  /** Whether the user's room came from a search for one specific user. */
  hasMetAgain(userId: bigint): boolean {
    const search = this.#paired.get(userId);
    return search !== undefined && isRematch(search);
  }

  /** Continues a search that began at another server: with the partner who waits here for it, or in the match pool. */
  come(search: NewSearch): void {
    const { userId } = search;
    const longer = this.#expecting.get(userId);
    if (!longer || this.#away.has(userId) || !this.#isStill(longer)) return this.enter(search);
    this.#expecting.delete(userId);
    this.#options.checks[search.checks ? "begin" : "end"](userId);
    const searchId = this.#nextSearchId();
    const newer: PooledSearch = {
      ...search,
      searchId,
      phase: "settling",
      phaseSinceMs: longer.phaseSinceMs,
      hasMoved: true,
    };
    this.#searches.set(userId, newer);
    this.#settle(longer, newer);
  }

  /** Enters a search into the match pool, at its place in the queue. May find a pair at once. */
  enter(search: NewSearch): void {
    const { userId, facts, filters } = search;
    this.#departing.delete(userId);
    const away = this.#away.has(userId);
    this.#options.checks[search.checks ? "begin" : "end"](userId);
    const searchId = this.#nextSearchId();
    const phaseSinceMs = this.#options.clock.monotonicMs();
    this.#searches.set(userId, { ...search, searchId, phase: away ? "away" : "waiting", phaseSinceMs });
    if (away) return;
    if (!isRematch(search)) this.#waitTimers.watch(userId, search.sinceMs);
    const { sex, countryId, zone } = facts;
    const { sinceMs, waitSinceMs, withUserId: otherId } = search;
    const leavesOut = facts.leavesOut?.length ? facts.leavesOut : undefined;
    const tags = { talk: chosenOf(facts), leavesOut, languageId: spokenLanguageId(search.language) ?? undefined };
    const fixed = this.#fixed.has(userId) ? { isFixed: true } : {};
    this.#pool.enter({
      userId,
      searchId,
      sex,
      filters,
      countryId,
      zone,
      sinceMs,
      waitSinceMs,
      otherId,
      ...tags,
      ...fixed,
    });
  }

  /** Removes and returns the search that led to the user's room; null if none did. */
  takePaired(userId: bigint): Search | null {
    const search = this.#paired.get(userId) ?? null;
    this.#paired.delete(userId);
    return search;
  }

  /** `isRestart`: the user continues to search with the same filters, so that the search does not count as ended. */
  withdraw(userId: bigint, { isRestart = false } = {}): void {
    const search = this.#searches.get(userId);
    this.#end(userId, "withdrawn");
    if (search && !isRestart) this.#searchEnds.emit(search, "unmatched");
  }

  /** Asks the searching user's page to move to the server where `otherId` waits. Idempotent. */
  sendTo({ userId, searchId }: SearchRef, otherId: bigint, to: ProcessId): boolean {
    const search = this.#searches.get(userId);
    if (search?.searchId !== searchId) return false;
    const departing = this.#departing.get(userId);
    if (departing?.searchId === searchId) return departing.to === to && departing.otherId === otherId;
    if (search.phase !== "waiting" || !this.#options.site.move(userId, to)) return false;
    this.#waitEnded(search, "found");
    this.#setAside(userId, "moving");
    const leaving: Departing = { userId, searchId, otherId, to };
    this.#departing.set(userId, leaving);
    this.#retries.after(moveWithinMs, () => {
      if (this.#departing.get(userId) !== leaving) return;
      this.#departing.delete(userId);
      const stayed = this.#searches.get(userId);
      if (stayed?.searchId !== searchId || stayed.phase !== "moving") return;
      this.#stay(stayed);
    });
    return true;
  }

  /** Ends the search in any phase and returns it for the user's next server. */
  pack(userId: bigint): Search | null {
    const search = this.#searches.get(userId) ?? null;
    this.#end(userId, "moved");
    return search;
  }

  dropped(userId: bigint): void {
    this.#away.add(userId);
    this.#setAside(userId, "away");
  }

  resumed(userId: bigint): void {
    this.#away.delete(userId);
    const search = this.#searches.get(userId);
    if (search?.phase === "away") this.enter(search);
  }

  gone(userId: bigint): void {
    this.withdraw(userId);
    this.#away.delete(userId);
    this.#fixed.delete(userId);
  }

  separate(one: bigint, other: bigint): void {
    this.#pool.separate(one, other);
  }

  /** Call when the server is about to stop. Its searches get their rooms on other servers. */
  leave(): void {
    this.#pool.leave();
  }

  /** Calls the listener with each wait in the match pool that ended, and how long it took. */
  onWaitEnded(listener: (search: Search, ended: { outcome: WaitOutcome; ms: number }) => void): Disposable {
    return this.#waitEnds.on(listener);
  }

  /** Calls the listener with each search that ended, but not if it continues at another server. */
  onSearchEnded(listener: (search: Search, how: SearchEnd) => void): Disposable {
    return this.#searchEnds.on(listener);
  }

  /** Calls the listener with searches for anyone that have waited 5 s, and again after 15 s. */
  onWaited(listener: (search: WaitingSearch) => void): Disposable {
    return this.#waited.on(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#retries[Symbol.dispose]();
    this.#waitTimers[Symbol.dispose]();
    await Promise.all([this.#pool, this.#tasks].map((part) => part[Symbol.asyncDispose]()));
  }

  /** The page did not move, so the search stays here for `fixedMs`. */
  #stay(search: Search): void {
    const { userId } = search;
    this.#fixed.add(userId);
    this.enter(search);
    this.#retries.after(fixedMs, () => {
      this.#fixed.delete(userId);
      const waiting = this.#searches.get(userId);
      if (waiting?.phase === "waiting") this.enter(waiting);
    });
  }

  #end(userId: bigint, outcome: WaitOutcome): void {
    const search = this.#searches.get(userId);
    this.#searches.delete(userId);
    this.#departing.delete(userId);
    this.#waitTimers.forget(userId);
    if (!search) return;
    this.#options.checks.end(userId);
    if (search.phase === "waiting") {
      this.#pool.withdraw(search);
      this.#waitEnded(search, outcome);
    }
  }

  /** Removes the search from the match pool or from its pair. It keeps its place in the queue. */
  #setAside(userId: bigint, phase: "away" | "retrying" | "moving"): void {
    const search = this.#searches.get(userId);
    if (!search) return;
    this.#searches.set(userId, { ...search, phase });
    if (search.phase === "waiting") this.#pool.withdraw(search);
  }

  #hasWaited(userId: bigint): void {
    const search = this.#searches.get(userId);
    const isWaiting = () => this.#searches.get(userId)?.phase === "waiting";
    if (search && isWaiting()) this.#waited.emit({ ...search, isWaiting });
  }

  /** At least the current time, so that a user's later searches have higher ids at every server. */
  #nextSearchId(): number {
    this.#searchId = Math.max(this.#searchId + 1, this.#nowMs());
    return this.#searchId;
  }

  #found(pair: FoundPair): void {
    const longer = this.#settling(pair.longer);
    if (pair.newerAt === null) return this.#settle(longer, this.#settling(pair.newer));
    const { userId } = pair.newer;
    this.#expecting.set(userId, longer);
    this.#retries.after(comeWithinMs, () => this.#missed(userId, longer));
    this.#tasks.add("failed to make a pair", () =>
      this.#options.site.comeTo(pair).then(
        (isComing) => (isComing ? undefined : this.#missed(userId, longer)),
        (error: unknown) => {
          this.#options.logger.error({ err: error }, "failed to request the partner's page from another server");
          this.#missed(userId, longer);
        },
      ),
    );
  }

  #missed(userId: bigint, longer: PooledSearch): void {
    if (this.#expecting.get(userId) !== longer) return;
    this.#expecting.delete(userId);
    this.#traceSettling([longer], "gone");
    if (this.#isStill(longer)) this.enter(longer);
  }

  #settle(longer: PooledSearch, newer: PooledSearch): void {
    this.#tasks.add("failed to make a pair", () =>
      this.#options.eligibility.settle({ longer, newer }).then(
        (settled) => {
          this.#traceSettling([longer, newer], "ready");
          this.#settled(settled);
        },
        (error: unknown) => {
          this.#options.logger.error({ err: error }, "failed to settle a pair");
          this.#traceSettling([longer, newer], "failed");
          for (const search of [longer, newer]) this.#retry(search);
        },
      ),
    );
  }

  #isStill(search: Search): boolean {
    return this.#searches.get(search.userId) === search;
  }

  #settling({ userId, searchId }: SearchRef): PooledSearch {
    const search = this.#searches.get(userId);
    if (search?.searchId !== searchId) throw new Error("the match pool paired a user who does not search");
    this.#waitEnded(search, "found");
    const phaseSinceMs = this.#options.clock.monotonicMs();
    const settling: PooledSearch = { ...search, phase: "settling", phaseSinceMs };
    this.#searches.set(userId, settling);
    return settling;
  }

  #waitEnded(search: PooledSearch, outcome: WaitOutcome): void {
    const { traceparent, phaseSinceMs: sinceMs } = search;
    this.#waitEnds.emit(search, { outcome, ms: this.#options.clock.monotonicMs() - sinceMs });
    if (outcome === "found" && !isRematch(search)) this.#estimates.found(waitOf(search), this.#nowMs());
    this.#options.tracer?.record(traceparent, "match.wait", { sinceMs, outcome });
  }

  #traceSettling(searches: readonly PooledSearch[], outcome: "ready" | "gone" | "failed"): void {
    const { tracer } = this.#options;
    for (const { traceparent, phaseSinceMs: sinceMs, hasMoved = false } of searches)
      tracer?.record(traceparent, "match.settle", { sinceMs, outcome, hasMoved });
  }

  /** Either user may have left, stopped or pressed Start again. The other one then returns to the pool. */
  #settled({ longer, newer, isWanted }: SettledPair): void {
    // The pool would pair the two again at once, and the shutdown waits for each pair.
    if (this.#stopping) return;
    const here = [longer, newer].filter(({ search }) => this.#isStill(search));
    if (!isWanted) return here.forEach(({ search }) => this.withdraw(search.userId));
    const barred = !this.#options.eligibility.mayMeet(longer.search.userId, newer.search.userId);
    if (here.length === 2 && longer.matched && newer.matched && !barred) {
      if (!this.#options.calls.hasCapacity) return here.forEach(({ search }) => this.#retry(search));
      // Their inspection continues in the room.
      for (const { search } of here) {
        this.#searches.delete(search.userId);
        this.#waitTimers.forget(search.userId);
        this.#paired.set(search.userId, search);
        this.#searchEnds.emit(search, "matched");
      }
      const preparedOffer = longer.search.offer;
      this.#options.paired({ offerer: longer.matched, answerer: newer.matched, preparedOffer });
      return;
    }
    // The site's matcher may not know of the block.
    if (barred) this.separate(longer.search.userId, newer.search.userId);
    for (const settled of here) {
      if (settled.matched) this.enter(settled.search);
      else this.#close(settled);
    }
  }

  /** Ends a search that cannot continue and pushes the reason to its user. */
  #close(settled: Extract<Settled, { matched: null }>): void {
    const { userId } = settled.search;
    this.withdraw(userId);
    const closed = { code: pushCodes.callMessage, roomId: "", type: 2, is_enough: 0, meter: null } as const;
    const { bus } = this.#options;
    switch (settled.why) {
      case "beans":
        bus.push(userId, closed);
        return;
      case "age_check":
        bus.push(userId, { ...closed, why: settled.why });
        return;
      case "paused":
        bus.push(userId, { ...closed, why: settled.why, until: settled.until });
    }
  }

  /** Returns the search to the match pool after `retryMs`. At once it would loop while the cause lasts. */
  #retry(search: Search): void {
    const { userId } = search;
    if (!this.#isStill(search)) return;
    this.#setAside(userId, "retrying");
    this.#retries.after(retryMs, () => {
      const waiting = this.#searches.get(userId);
      if (waiting?.phase === "retrying") this.enter(waiting);
    });
  }
}

/** The search with the start of the measured wait instead of the place in the queue. */
function waitOf({ userId, filters, sinceMs, waitSinceMs = sinceMs }: Search) {
  return { userId, filters, sinceMs: waitSinceMs };
}

/** Undefined if the user chose nothing, so that nothing is sent to the matcher. */
function chosenOf({ talk }: MatchFacts): Talk | undefined {
  return talk && talk.languages.length + talk.interests.length > 0 ? talk : undefined;
}
