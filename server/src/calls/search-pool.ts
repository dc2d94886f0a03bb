import type { Logger } from "pino";
import { fitsToldAfterMs } from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { spokenLanguageId, type Talk } from "@fava/wire/talk.ts";
import { Emitter } from "#lib/emitter.ts";
import { Tasks, Timers } from "#lib/tasks.ts";
import type { Tracer } from "#lib/tracer.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { FoundPair, MatchPool, MatchPoolFigures, SearchRef, WaitOf, WaitOutlook } from "#ports/match-pool.ts";
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
import { type OutlookFigures, ToldOutlooks } from "./outlook.ts";
import type { CallService } from "./room-service.ts";
import type { SearchChecks } from "./search-inspection.ts";
import { WaitWatch } from "./wait-watch.ts";

/** The servers of the site, as far as searches need them. */
export interface SearchSite {
  /** @param nowMs the time line of places in the queue. */
  openPool(nowMs: () => number): MatchPool;
  /** Asks the server of the newer search to send that user's page here; false if the search is over or cannot move. */
  comeTo(pair: FoundPair): Promise<boolean>;
  /** Asks a user's page to move to another server; false if there is no live page that can. */
  move(userId: bigint, to: ProcessId): boolean;
  /** Brings a user whose client does not follow `move` to the server where such clients meet. */
  gather(userId: bigint): void;
}

interface SearchPoolOptions {
  bus: Bus;
  site: SearchSite;
  calls: Pick<CallService, "hasCapacity">;
  /** Makes the room of two users who are ready for it. */
  paired: (pair: MatchedPair) => void;
  eligibility: Pick<MatchEligibility, "prepare" | "mayMeet" | "settle">;
  checks: SearchChecks;
  clock: Clock;
  /** Records waits, and what becomes of pairs; left out where nobody does. */
  tracer?: Tracer;
  logger: Logger;
}

const retryMs = 1_000;
/** How long a search waits for its partner's page to come from another server: some round trips of a slow network. */
const comeWithinMs = 3_000;
/** A search whose page did not move by then goes on at its server, and no other server is told of it for a while. */
const moveWithinMs = 5_000;
const fixedMs = 30_000;

/** A search, and the number under which the match pool knows it. */
interface PooledSearch extends Search {
  readonly searchId: number;
  /** When it began to wait, or its pair was found, by `Clock.monotonicMs`. */
  readonly phaseSinceMs: number;
  /** The page came from another server for this pair. */
  readonly hasMoved?: true;
}

/** A search whose page was asked to move to the server of the partner. */
interface Departing extends SearchRef {
  readonly otherId: bigint;
  readonly to: ProcessId;
}

/** A search for which nobody has come so far. */
export interface WaitingSearch extends Search {
  /** Whether the person waits still. */
  readonly isWaiting: () => boolean;
}

/** How a wait for somebody ended: also `withdrawn` where the same search begins anew with a newer offer. */
type WaitOutcome = "found" | "withdrawn" | "moved";

/**
 * The searches that go on: has the match pool find pairs among them, and hands over each pair that is ready for its room.
 * At most one search a person.
 */
export class SearchPool implements AsyncDisposable {
  readonly #options: SearchPoolOptions;
  /** The pool's time, the same on which places are counted. */
  readonly #nowMs: () => number;
  readonly #pool: MatchPool;
  readonly #searches = new Map<bigint, PooledSearch>();
  /** The searches of those who are in a room that came of them. */
  readonly #paired = new Map<bigint, Search>();
  /** Whose socket is lost: they search on, but nobody is matched with somebody who is not there. */
  readonly #away = new Set<bigint>();
  /** Searches that wait for their partner's page to come from another server, by the partner. */
  readonly #expecting = new Map<bigint, PooledSearch>();
  readonly #departing = new Map<bigint, Departing>();
  /** Users whose page was asked to move and did not. */
  readonly #fixed = new Set<bigint>();
  readonly #tasks: Tasks;
  readonly #retries: Timers;
  readonly #watch: WaitWatch;
  readonly #outlooks = new ToldOutlooks();
  readonly #waited = new Emitter<[search: WaitingSearch]>();
  #searchId = 0;
  #stopping = false;

  constructor(options: SearchPoolOptions, nowMs: () => number) {
    this.#options = options;
    this.#nowMs = nowMs;
    this.#tasks = new Tasks(options);
    this.#retries = new Timers(options.clock);
    const waited = this.#hasWaited.bind(this);
    this.#watch = new WaitWatch({ clock: options.clock, nowMs, afterMs: fitsToldAfterMs, waited });
    this.#pool = options.site.openPool(nowMs);
    this.#pool.onPair((pair) => this.#found(pair));
  }

  get size(): number {
    return this.#searches.size;
  }

  /** How many of them the match pool knows: all but those who are away or being paired. */
  get waitingCount(): number {
    return this.#pool.waitingCount;
  }

  get figures(): MatchPoolFigures {
    return this.#pool.figures;
  }

  has(userId: bigint): boolean {
    return this.#searches.has(userId);
  }

  /** The person's place in the queue, or null where they do not search: for `withUserId` alone, or for anybody. */
  sinceOf(userId: bigint, withUserId?: bigint): number | null {
    const search = this.#searches.get(userId);
    return search && search.withUserId === withUserId ? search.sinceMs : null;
  }

  /** When the person began to wait for whom this search is for, too; null where they do not. */
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

  /** How long such a search of the person takes. */
  async outlook(userId: bigint, search: WaitOf): Promise<WaitOutlook> {
    const outlook = await this.#pool.outlook(search);
    const about = { userId, filters: search.filters, outlook, atMs: this.#nowMs() };
    const going = this.#searches.get(userId);
    this.#outlooks.told(going ? waitOf(going) : null, about);
    return outlook;
  }

  get outlookFigures(): OutlookFigures {
    return this.#outlooks.figures;
  }

  /** What somebody does who waits for one person only; null where they do not. */
  rematchOf(userId: bigint): RematchSearch | null {
    const search = this.#searches.get(userId);
    return search && isRematch(search) ? search : null;
  }

  /** Everybody who waits for one person only, and has not found them yet. */
  *rematches(): Generator<RematchSearch, void> {
    for (const search of this.#searches.values()) if (isRematch(search) && search.phase !== "settling") yield search;
  }

  /** Neither waits for the other any more. */
  part(one: bigint, other: bigint): void {
    if (this.rematchOf(one)?.withUserId === other) this.withdraw(one);
    if (this.rematchOf(other)?.withUserId === one) this.withdraw(other);
  }

  /** Whether the person's room came of it that two wanted to meet again. */
  hasMetAgain(userId: bigint): boolean {
    const search = this.#paired.get(userId);
    return search !== undefined && isRematch(search);
  }

  /** Continues a search of another server: with the partner who waits for it here, or like any other. */
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

  /** Continues from the search's place; it may find its pair at once. */
  enter(search: NewSearch): void {
    const { userId, facts, filters } = search;
    this.#departing.delete(userId);
    const away = this.#away.has(userId);
    this.#options.checks[search.checks ? "begin" : "end"](userId);
    const searchId = this.#nextSearchId();
    const phaseSinceMs = this.#options.clock.monotonicMs();
    this.#searches.set(userId, { ...search, searchId, phase: away ? "away" : "waiting", phaseSinceMs });
    if (away) return;
    if (!isRematch(search)) this.#watch.watch(userId, search.sinceMs);
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

  /** The search of which the person's room was made, once that room is over; null for a room that came otherwise. */
  takePaired(userId: bigint): Search | null {
    const search = this.#paired.get(userId) ?? null;
    this.#paired.delete(userId);
    return search;
  }

  withdraw(userId: bigint): void {
    this.#end(userId, "withdrawn");
  }

  /** Has the page of a found search move to the server where `otherId` waits; asked again it answers the same. */
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

  /** Ends the search, in whichever phase, and returns it for the user's next server; null if there is none. */
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

  /** Keeps two people apart for a while. */
  separate(one: bigint, other: bigint): void {
    this.#pool.separate(one, other);
  }

  /** This process is about to stop: its searches find their rooms elsewhere. */
  leave(): void {
    this.#pool.leave();
  }

  /** Hears of searches for anybody that still wait 5 s and 15 s after they began. */
  onWaited(listener: (search: WaitingSearch) => void): Disposable {
    return this.#waited.on(listener);
  }

  /** Makes no more pairs; resolves when none is half made. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#retries[Symbol.dispose]();
    this.#watch[Symbol.dispose]();
    await Promise.all([this.#pool, this.#tasks].map((part) => part[Symbol.asyncDispose]()));
  }

  /** The page did not move: only partners whose page moves here are found, until it is asked again. */
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
    this.#watch.forget(userId);
    if (!search) return;
    this.#options.checks.end(userId);
    if (search.phase === "waiting") {
      this.#pool.withdraw(search);
      this.#waitEnded(search, outcome);
    }
  }

  /** Takes the search out of the match pool, and out of the pair it may be settling in, without losing its place. */
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

  /** Milliseconds since the epoch, so that they go on growing where a person searches at the next process. */
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
    this.#tasks.add("match work failed", () =>
      this.#options.site.comeTo(pair).then(
        (isComing) => (isComing ? undefined : this.#missed(userId, longer)),
        (error: unknown) => {
          this.#options.logger.error({ err: error }, "failed to ask for the partner of another server");
          this.#missed(userId, longer);
        },
      ),
    );
  }

  /** The partner's page did not come in time. */
  #missed(userId: bigint, longer: PooledSearch): void {
    if (this.#expecting.get(userId) !== longer) return;
    this.#expecting.delete(userId);
    this.#traceSettling([longer], "gone");
    if (this.#isStill(longer)) this.enter(longer);
  }

  #settle(longer: PooledSearch, newer: PooledSearch): void {
    this.#tasks.add("match work failed", () =>
      this.#options.eligibility.settle({ longer, newer }).then(
        (settled) => {
          this.#traceSettling([longer, newer], "ready");
          this.#settled(settled);
        },
        (error: unknown) => {
          this.#options.logger.error({ err: error }, "pair could not be settled");
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
    if (search?.searchId !== searchId) throw new Error("the match pool paired somebody who does not search");
    this.#waitEnded(search, "found");
    const phaseSinceMs = this.#options.clock.monotonicMs();
    const settling: PooledSearch = { ...search, phase: "settling", phaseSinceMs };
    this.#searches.set(userId, settling);
    return settling;
  }

  #waitEnded(search: PooledSearch, outcome: WaitOutcome): void {
    const { traceparent, phaseSinceMs: sinceMs } = search;
    if (outcome === "found" && !isRematch(search)) this.#outlooks.found(waitOf(search), this.#nowMs());
    this.#options.tracer?.record(traceparent, "match.wait", { sinceMs, outcome });
  }

  #traceSettling(searches: readonly PooledSearch[], outcome: "ready" | "gone" | "failed"): void {
    const { tracer } = this.#options;
    for (const { traceparent, phaseSinceMs: sinceMs, hasMoved = false } of searches)
      tracer?.record(traceparent, "match.settle", { sinceMs, outcome, hasMoved });
  }

  /** Both may have left, stopped or pressed start again meanwhile: then the other goes back to its place. */
  #settled({ longer, newer, isWanted }: SettledPair): void {
    // Back in the pool they would be found again at once, and the stop waits for every pair that was found.
    if (this.#stopping) return;
    const here = [longer, newer].filter(({ search }) => this.#isStill(search));
    if (!isWanted) return here.forEach(({ search }) => this.withdraw(search.userId));
    const barred = !this.#options.eligibility.mayMeet(longer.search.userId, newer.search.userId);
    if (here.length === 2 && longer.matched && newer.matched && !barred) {
      if (!this.#options.calls.hasCapacity) return here.forEach(({ search }) => this.#retry(search));
      // Their looks go on into the room.
      for (const { search } of here) {
        this.#searches.delete(search.userId);
        this.#watch.forget(search.userId);
        this.#paired.set(search.userId, search);
      }
      const preparedOffer = longer.search.offer;
      this.#options.paired({ offerer: longer.matched, answerer: newer.matched, preparedOffer });
      return;
    }
    // The site's matcher may not have heard of the block yet.
    if (barred) this.separate(longer.search.userId, newer.search.userId);
    for (const settled of here) {
      if (settled.matched) this.enter(settled.search);
      else this.#close(settled);
    }
  }

  /** The search ends by itself, and its owner is told why. */
  #close(settled: Extract<Settled, { matched: null }>): void {
    const { userId } = settled.search;
    this.withdraw(userId);
    const closed = { code: pushCodes.callMessage, roomId: "", type: 2, is_enough: 0, meter: null } as const;
    const { bus } = this.#options;
    if (settled.why === "beans") bus.push(userId, closed);
    else bus.push(userId, { ...closed, why: settled.why, until: settled.until });
  }

  /** Goes back to the match pool in a moment; at once would be a loop while the cause lasts. */
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

/** Since when the person has waited for whom the search is for. */
function waitOf({ userId, filters, sinceMs, waitSinceMs = sinceMs }: Search) {
  return { userId, filters, sinceMs: waitSinceMs };
}

/** What travels to the matcher, and does not where it is nothing. */
function chosenOf({ talk }: MatchFacts): Talk | undefined {
  return talk && talk.languages.length + talk.interests.length > 0 ? talk : undefined;
}
