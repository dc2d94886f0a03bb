import { type FilterPrices, pricePerMinute } from "@fava/wire/beans.ts";
import { codes } from "@fava/wire/codes.ts";
import { nextGuardMs } from "@fava/wire/limits.ts";
import { type MatchedPush, pushCodes } from "@fava/wire/pushes.ts";
import type { Logger } from "pino";
import type { CallService, EndedRoom, LeaveReason } from "#features/call/service.ts";
import { badInput, CallError, forbidden } from "#http/call-error.ts";
import type { Allowances } from "#ports/balances.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { PriceBook } from "#ports/price-book.ts";
import type { Settings } from "#ports/settings.ts";
import type { HubListener, RoomFrame } from "#socket/hub-listener.ts";
import type { Departure } from "#socket/session-machine.ts";
import { CountryPresence } from "./country-presence.ts";
import { gatedWishes, requireBeans, requireStanding } from "./gate.ts";
import { KeptPlaces } from "./kept-places.ts";
import { Matcher, type Pairing } from "./matcher.ts";
import { MeetAgain } from "./meet-again.ts";
import type { MatchBars, MatchGate, MatchPeople, MeetWishes, Search, SearchRequest } from "./search.ts";
import { type Settled, settlePair } from "./settlement.ts";
import { SweepTimer } from "./sweep-timer.ts";

export type { MatchBars, MatchFacts, MatchGate, MatchPeople, MeetWishes, SearchRequest } from "./search.ts";

export interface MatchServiceOptions {
  bus: Bus;
  calls: CallService;
  people: MatchPeople;
  bars: MatchBars;
  wishes: MeetWishes;
  gate: MatchGate;
  allowances: Allowances;
  prices: Pick<PriceBook, "filterPrices">;
  settings: Pick<Settings, "selectableCountryIds">;
  clock: Clock;
  logger: Logger;
  /** People who search at once. */
  searchesMax: number;
}

export interface StartAnswer {
  state: "searching" | "no_profiles" | "not_searching";
  /** Beans a minute. */
  price: number;
  /** Milliseconds since the epoch. */
  since: number;
}

/** A pair whose connection did not come about is kept apart for this long: it would fail again. */
const separationMs = 30_000;
const retryMs = 1_000;

/**
 * Who searches, and what becomes of it. Hears from the hub who comes and goes, and hands pairs to the call service.
 * A person is in one place only: not here, searching, or in a room.
 */
export class MatchService implements Omit<HubListener, "typing">, AsyncDisposable {
  readonly #options: MatchServiceOptions;
  readonly #matcher: Matcher;
  readonly #meetings: MeetAgain;
  readonly #wishes: MeetWishes;
  readonly #searches = new Map<bigint, Search>();
  /** Whose socket is lost: they search on, but nobody is matched with somebody who is not there. */
  readonly #away = new Set<bigint>();
  readonly #places = new KeptPlaces();
  readonly #countries = new CountryPresence();
  readonly #background = new Set<Promise<void>>();
  readonly #retries = new Set<Disposable>();
  readonly #endedSubscription: Disposable;
  readonly #sweepTimer: SweepTimer;
  /** Epoch of the matcher's time, which must never run backwards as the wall clock may. */
  readonly #epochMs: number;
  #stopping = false;

  constructor(options: MatchServiceOptions) {
    this.#options = options;
    this.#epochMs = options.clock.nowMs() - options.clock.monotonicMs();
    this.#matcher = new Matcher({
      capacityMax: options.searchesMax,
      isExcluded: options.bars.isExcluded.bind(options.bars),
    });
    this.#wishes = gatedWishes(options);
    this.#meetings = new MeetAgain({ ...options, wishes: this.#wishes });
    this.#sweepTimer = new SweepTimer(options.clock, () => this.#sweep());
    this.#endedSubscription = options.calls.onEnded((ended) => this.#roomEnded(ended));
  }

  /** People who search now, and how many of them the matcher knows: all but those who are away or being paired. */
  get counts(): { searching: number; waiting: number } {
    return { searching: this.#searches.size + this.#meetings.size, waiting: this.#matcher.waitingCount() };
  }

  /**
   * Starts searching, or goes on where the person searches already; from a call it is next, unless it only refreshes.
   *
   * @throws CallError 402 `{need, have, limit}`; 403 `no_socket`, `profile_incomplete`, `not_met`, `unchecked`,
   * `paused` with `until`; 429 where nothing more fits.
   */
  async start(request: SearchRequest): Promise<StartAnswer> {
    const { bars, people, prices, settings } = this.#options;
    const { userId, wish, withUserId } = request;
    const renewed = request.refresh ? this.#meetings.renew(request) : null;
    if (renewed !== null) return { state: "searching", price: 0, since: renewed };
    await requireStanding(userId, this.#options);
    if (withUserId !== undefined) return this.#meetAgain(request, withUserId);
    if (wish.country > 0 && !settings.selectableCountryIds.includes(wish.country)) {
      throw badInput("country cannot be chosen", "country");
    }
    this.#requireRoom(userId);
    const price = pricePerMinute(wish, prices.filterPrices());
    const [facts] = await Promise.all([people.matchFacts(userId), bars.prepare(userId)]);
    if (!facts.complete) throw forbidden("profile_incomplete");
    if (price > 0) await requireBeans(userId, price, this.#options.allowances);
    // The world went on while this was read; from here to the end nothing waits.
    this.#requireRoom(userId);
    // A new chat session, whose blocks have not been read, took the place of the one that asked.
    if (!bars.isPrepared(userId)) return this.start(request);
    const idle = this.#doesNothing(request, price);
    if (idle) return idle;
    const sinceMs = this.#takePlace(userId, this.#nowMs());
    this.#leaveAll(userId, "next");
    this.#countries.set(userId, facts.countryId);
    if (wish.country > 0 && this.#countries.othersIn(wish.country, userId) === 0) {
      return { state: "no_profiles", price, since: sinceMs };
    }
    this.#enter({ ...request, facts, price, sinceMs, phase: "waiting" });
    return { state: "searching", price, since: sinceMs };
  }

  /** Stops searching, or leaves the call. */
  stop(userId: bigint): void {
    this.#places.forget(userId);
    this.#leaveAll(userId, "stop");
  }

  /** One of the two blocked the other: a call of theirs ends for the other as if its partner had left. */
  part(blockerId: bigint, blockedId: bigint): void {
    const { calls } = this.#options;
    this.#meetings.part(blockerId, blockedId);
    if (calls.current(blockerId)?.match.user_Id === Number(blockedId)) calls.leave(blockerId, "stop");
  }

  info(userId: bigint): { status: 0 | 1 | 2 | 3; match: MatchedPush | null; prices: FilterPrices } {
    const { calls, prices } = this.#options;
    const current = calls.current(userId);
    const status = current?.status ?? (this.#searches.has(userId) || this.#meetings.has(userId) ? 1 : 0);
    return { status, match: current?.match ?? null, prices: prices.filterPrices() };
  }

  arrived(userId: bigint): void {
    this.#inBackground(this.#learnCountry(userId));
  }

  dropped(userId: bigint): void {
    this.#away.add(userId);
    this.#setAside(userId, "away");
    this.#meetings.dropped(userId);
    this.#options.calls.dropped(userId);
  }

  resumed(userId: bigint): void {
    this.#away.delete(userId);
    const search = this.#searches.get(userId);
    if (search?.phase === "away") this.#enter(search);
    this.#meetings.resumed(userId);
    this.#options.calls.resumed(userId);
  }

  gone(userId: bigint, how: Departure): void {
    this.#withdraw(userId);
    this.#meetings.withdraw(userId);
    this.#places.forget(userId);
    this.#countries.delete(userId);
    this.#away.delete(userId);
    this.#options.calls.gone(userId, how);
  }

  roomFrame(userId: bigint, frame: RoomFrame): void {
    this.#options.calls.roomFrame(userId, frame);
  }

  /** Makes no more pairs; resolves when none is half made. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#sweepTimer[Symbol.dispose]();
    for (const retry of this.#retries) retry[Symbol.dispose]();
    this.#endedSubscription[Symbol.dispose]();
    await Promise.all([...this.#background, this.#meetings[Symbol.asyncDispose]()]);
  }

  #nowMs(): number {
    return Math.floor(this.#epochMs + this.#options.clock.monotonicMs());
  }

  #requireRoom(userId: bigint): void {
    const { bus, calls, searchesMax } = this.#options;
    if (!bus.isPresent(userId)) throw forbidden("no_socket");
    const isIn = this.#searches.has(userId) || this.#meetings.has(userId);
    const full = this.counts.searching >= searchesMax && !isIn;
    if (this.#stopping || full || !calls.hasCapacity) throw new CallError(codes.slowDown, "nothing more fits");
  }

  /** Waits for one person, at no price; the blocks of the two are asked together with their wishes. */
  async #meetAgain(request: SearchRequest, otherId: bigint): Promise<StartAnswer> {
    const { userId } = request;
    this.#requireRoom(userId);
    if (!(await this.#wishes.wishEachOther(userId, otherId))) throw forbidden("not_met");
    this.#requireRoom(userId);
    const idle = this.#doesNothing(request, 0);
    if (idle) return idle;
    this.#places.forget(userId);
    const sinceMs = this.#meetings.sinceOf(userId, otherId) ?? this.#nowMs();
    this.#leaveAll(userId, "next");
    this.#meetings.wait(request, { otherId, sinceMs, away: this.#away.has(userId) });
    return { state: "searching", price: 0, since: sinceMs };
  }

  /** The answer to a start that is to do nothing, or null. */
  #doesNothing({ userId, refresh }: SearchRequest, price: number): StartAnswer | null {
    const current = this.#options.calls.current(userId);
    // A start that was on its way when the match was made does not mean "next" (rule MATCH-72).
    const wasOnItsWay = current !== null && !current.joined && current.ageMs < nextGuardMs;
    const renewsNothing = refresh && !this.#searches.has(userId);
    if (!wasOnItsWay && !renewsNothing) return null;
    return { state: "not_searching", price, since: current?.sinceMs ?? this.#nowMs() };
  }

  #leaveAll(userId: bigint, reason: LeaveReason): void {
    this.#withdraw(userId);
    this.#meetings.withdraw(userId);
    this.#options.calls.leave(userId, reason);
  }

  /** Where the person stands in the queue: as before, or at its end. */
  #takePlace(userId: bigint, nowMs: number): number {
    const kept = this.#places.take(userId, nowMs);
    return this.#searches.get(userId)?.sinceMs ?? kept ?? nowMs;
  }

  #withdraw(userId: bigint): void {
    const search = this.#searches.get(userId);
    this.#searches.delete(userId);
    if (search?.phase === "waiting") this.#cancel(userId);
  }

  /** Takes the search out of the matcher, and out of the pair it may be settling in, without losing its place. */
  #setAside(userId: bigint, phase: "away" | "retrying"): void {
    const search = this.#searches.get(userId);
    if (!search) return;
    this.#searches.set(userId, { ...search, phase });
    if (search.phase === "waiting") this.#cancel(userId);
  }

  #cancel(userId: bigint): void {
    this.#matcher.cancel(userId);
    this.#armSweep();
  }

  #enter(search: Search): void {
    const { userId, facts, wish } = search;
    const away = this.#away.has(userId);
    this.#searches.set(userId, { ...search, phase: away ? "away" : "waiting" });
    if (away) return;
    const person = { userId, sex: facts.sex, wish, countryId: facts.countryId, zone: facts.zone };
    const pairing = this.#matcher.start(person, this.#nowMs(), search.sinceMs);
    if (pairing) this.#settle(pairing);
    this.#armSweep();
  }

  #settle(pairing: Pairing): void {
    const [longer, newer] = [this.#settling(pairing.longer), this.#settling(pairing.newer)];
    this.#inBackground(
      settlePair({ longer, newer }, this.#options).then(
        (settled) => this.#settled(settled.longer, settled.newer),
        (error: unknown) => {
          this.#options.logger.error({ err: error }, "pair could not be settled");
          for (const search of [longer, newer]) this.#retry(search);
        },
      ),
    );
  }

  #settling(userId: bigint): Search {
    const search = this.#searches.get(userId);
    if (!search) throw new Error("the matcher paired somebody who does not search");
    const settling: Search = { ...search, phase: "settling" };
    this.#searches.set(userId, settling);
    return settling;
  }

  /** Both may have left, stopped or pressed start again meanwhile: then the other goes back to its place. */
  #settled(longer: Settled, newer: Settled): void {
    const here = [longer, newer].filter(({ search }) => this.#searches.get(search.userId) === search);
    const barred = this.#options.bars.isExcluded(longer.search.userId, newer.search.userId);
    if (here.length === 2 && longer.matched && newer.matched && !barred && !this.#stopping) {
      if (!this.#options.calls.hasCapacity) return here.forEach(({ search }) => this.#retry(search));
      for (const { search } of here) this.#searches.delete(search.userId);
      const preparedOffer = longer.search.offer;
      this.#options.calls.create({ offerer: longer.matched, answerer: newer.matched, preparedOffer });
      return;
    }
    for (const settled of here) {
      if (settled.matched) this.#enter(settled.search);
      else this.#close(settled);
    }
  }

  /** The search ends by itself, and its owner is told why (rule CASE-68). */
  #close(settled: Extract<Settled, { matched: null }>): void {
    const { userId } = settled.search;
    this.#searches.delete(userId);
    const closed = { code: pushCodes.callMessage, roomId: "", type: 2, is_enough: 0, meter: null } as const;
    const { bus } = this.#options;
    if (settled.why === "beans") bus.push(userId, closed);
    else bus.push(userId, { ...closed, why: settled.why, until: settled.until });
  }

  /** Goes back to the matcher in a moment; at once would be a loop while the cause lasts. */
  #retry(search: Search): void {
    const { userId } = search;
    if (this.#searches.get(userId) !== search) return;
    this.#setAside(userId, "retrying");
    const timer = this.#options.clock.after(retryMs, () => {
      this.#retries.delete(timer);
      const waiting = this.#searches.get(userId);
      if (waiting?.phase === "retrying") this.#enter(waiting);
    });
    this.#retries.add(timer);
  }

  #armSweep(): void {
    this.#sweepTimer.arm(this.#stopping ? null : this.#matcher.nextDueMs(), this.#nowMs());
  }

  #sweep(): void {
    for (const pairing of this.#matcher.sweep(this.#nowMs())) this.#settle(pairing);
    this.#armSweep();
  }

  #roomEnded({ people, leaverId, reason, wasLive }: EndedRoom): void {
    if (wasLive) return;
    const nowMs = this.#nowMs();
    for (const { userId, sinceMs } of people) {
      if (userId !== leaverId) this.#places.keep(userId, { sinceMs, nowMs });
    }
    if (reason === "not_joined")
      this.#matcher.separate(people[0].userId, people[1].userId, { nowMs, forMs: separationMs });
  }

  async #learnCountry(userId: bigint): Promise<void> {
    const facts = await this.#options.people.matchFacts(userId);
    if (facts.complete && this.#options.bus.isPresent(userId)) this.#countries.set(userId, facts.countryId);
  }

  #inBackground(work: Promise<void>): void {
    const watched = work
      .catch((error: unknown) => this.#options.logger.error({ err: error }, "match work failed"))
      .finally(() => this.#background.delete(watched));
    this.#background.add(watched);
  }
}
