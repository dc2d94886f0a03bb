import type { Logger } from "pino";
import { pushCodes } from "@fava/wire/pushes.ts";
import { Tasks, Timers } from "#lib/tasks.ts";
import type { AvailableBalances } from "#ports/billing.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import {
  isPaused,
  type MatchExclusions,
  type MatchGate,
  type MatchPeople,
  pauseEnd,
  type Search,
} from "./match-eligibility.ts";
import { Matcher, type Pairing } from "./matcher.ts";
import type { CallService, Matched } from "./room-service.ts";
import type { SearchChecks } from "./search-inspection.ts";

interface SearchPoolOptions {
  bus: Bus;
  calls: CallService;
  people: MatchPeople;
  exclusions: MatchExclusions;
  gate: MatchGate;
  availableBalances: AvailableBalances;
  checks: SearchChecks;
  clock: Clock;
  logger: Logger;
  /** People who search at once. */
  searchesMax: number;
}

/** A pair whose connection did not come about is kept apart for this long: it would fail again. */
const separationMs = 30_000;
const retryMs = 1_000;

/**
 * The searches that go on: has the matcher find pairs among them, and makes each pair's room. At most one search a
 * person.
 */
export class SearchPool implements AsyncDisposable {
  readonly #options: SearchPoolOptions;
  /** The matcher's time, the same on which places are counted. */
  readonly #nowMs: () => number;
  readonly #matcher: Matcher;
  readonly #searches = new Map<bigint, Search>();
  /** The searches of those who are in a room that came of them. */
  readonly #paired = new Map<bigint, Search>();
  /** Whose socket is lost: they search on, but nobody is matched with somebody who is not there. */
  readonly #away = new Set<bigint>();
  readonly #tasks: Tasks;
  readonly #retries: Timers;
  readonly #sweepTimer: SweepTimer;
  #stopping = false;

  constructor(options: SearchPoolOptions, nowMs: () => number) {
    this.#options = options;
    this.#nowMs = nowMs;
    this.#tasks = new Tasks(options);
    this.#retries = new Timers(options.clock);
    this.#matcher = new Matcher({
      capacityMax: options.searchesMax,
      isExcluded: options.exclusions.isExcluded.bind(options.exclusions),
    });
    this.#sweepTimer = new SweepTimer(options.clock, () => this.#sweep());
  }

  get size(): number {
    return this.#searches.size;
  }

  /** How many of them the matcher knows: all but those who are away or being paired. */
  get waitingCount(): number {
    return this.#matcher.waitingCount();
  }

  has(userId: bigint): boolean {
    return this.#searches.has(userId);
  }

  /** The person's place in the queue, or null where they do not search. */
  sinceOf(userId: bigint): number | null {
    return this.#searches.get(userId)?.sinceMs ?? null;
  }

  isAway(userId: bigint): boolean {
    return this.#away.has(userId);
  }

  /** Searches on from the place that the search says; it may find its pair at once. */
  enter(search: Omit<Search, "phase">): void {
    const { userId, facts, filters } = search;
    const away = this.#away.has(userId);
    this.#options.checks[search.checks ? "begin" : "end"](userId);
    this.#searches.set(userId, { ...search, phase: away ? "away" : "waiting" });
    if (away) return;
    const person = { userId, sex: facts.sex, filters, countryId: facts.countryId, zone: facts.zone };
    const pairing = this.#matcher.start(person, this.#nowMs(), search.sinceMs);
    if (pairing) this.#settle(pairing);
    this.#armSweep();
  }

  /** The search of which the person's room was made, once that room is over; null for a room that came otherwise. */
  takePaired(userId: bigint): Search | null {
    const search = this.#paired.get(userId) ?? null;
    this.#paired.delete(userId);
    return search;
  }

  withdraw(userId: bigint): void {
    const search = this.#searches.get(userId);
    this.#searches.delete(userId);
    if (search) this.#options.checks.end(userId);
    if (search?.phase === "waiting") this.#cancel(userId);
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
  }

  /** Keeps two people apart for a while. */
  separate(one: bigint, other: bigint): void {
    this.#matcher.separate(one, other, { nowMs: this.#nowMs(), forMs: separationMs });
  }

  /** Makes no more pairs; resolves when none is half made. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#sweepTimer[Symbol.dispose]();
    this.#retries[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
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

  #settle(pairing: Pairing): void {
    const [longer, newer] = [this.#settling(pairing.longer), this.#settling(pairing.newer)];
    this.#tasks.add("match work failed", () =>
      finalizePair({ longer, newer }, this.#options).then(
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
    const barred = this.#options.exclusions.isExcluded(longer.search.userId, newer.search.userId);
    if (here.length === 2 && longer.matched && newer.matched && !barred && !this.#stopping) {
      if (!this.#options.calls.hasCapacity) return here.forEach(({ search }) => this.#retry(search));
      // Their looks go on into the room.
      for (const { search } of here) {
        this.#searches.delete(search.userId);
        this.#paired.set(search.userId, search);
      }
      const preparedOffer = longer.search.offer;
      this.#options.calls.create({ offerer: longer.matched, answerer: newer.matched, preparedOffer });
      return;
    }
    for (const settled of here) {
      if (settled.matched) this.enter(settled.search);
      else this.#close(settled);
    }
  }

  /** The search ends by itself, and its owner is told why (rule CASE-68). */
  #close(settled: Extract<Settled, { matched: null }>): void {
    const { userId } = settled.search;
    this.withdraw(userId);
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
    this.#retries.after(retryMs, () => {
      const waiting = this.#searches.get(userId);
      if (waiting?.phase === "retrying") this.enter(waiting);
    });
  }

  #armSweep(): void {
    this.#sweepTimer.arm(this.#stopping ? null : this.#matcher.nextDueMs(), this.#nowMs());
  }

  #sweep(): void {
    for (const pairing of this.#matcher.sweep(this.#nowMs())) this.#settle(pairing);
    this.#armSweep();
  }
}

/** One side of a found pair: ready for its room, without the beans for its filters, or not to be matched at present. */
type Settled =
  | { readonly search: Search; readonly matched: Matched; readonly why?: never }
  | { readonly search: Search; readonly matched: null; readonly why: "beans" }
  | { readonly search: Search; readonly matched: null; readonly why: "paused"; readonly until: number | null };

interface FinalizationPorts {
  people: MatchPeople;
  availableBalances: AvailableBalances;
  gate: MatchGate;
  clock: Clock;
}

/** Reads what the room of a pair needs, and asks again whether a paid filter can be paid (rule BEANS-63). */
async function finalizePair(
  pair: { longer: Search; newer: Search },
  ports: FinalizationPorts,
): Promise<{ longer: Settled; newer: Settled }> {
  const [longer, newer] = await Promise.all([
    settleOne(pair.longer, pair.newer.language, ports),
    settleOne(pair.newer, pair.longer.language, ports),
  ]);
  return { longer, newer };
}

async function settleOne(
  search: Search,
  otherLanguage: string,
  { people, availableBalances, gate, clock }: FinalizationPorts,
): Promise<Settled> {
  const { userId, price, sinceMs } = search;
  const [card, { have }, restrictions] = await Promise.all([
    people.remoteUser(userId, otherLanguage),
    price === 0 ? { have: 0n } : availableBalances.spendable(userId),
    gate.restrictionsOf(userId),
  ]);
  if (isPaused(restrictions, clock.nowMs()))
    return { search, matched: null, why: "paused", until: pauseEnd(restrictions) };
  if (have < BigInt(price)) return { search, matched: null, why: "beans" };
  const isEnough = have >= 2n * BigInt(price) ? 1 : 0;
  return { search, matched: { userId, card, price, isEnough, sinceMs, restrictions } };
}

/** A sweep that keeps falling due at once must not take the whole process. */
const pauseMsMin = 10;

/** The one timer of the pool; armed only while somebody waits. */
class SweepTimer implements Disposable {
  readonly #clock: Clock;
  readonly #sweep: () => void;
  #armed: { dueMs: number; timer: Disposable } | null = null;

  constructor(clock: Clock, sweep: () => void) {
    this.#clock = clock;
    this.#sweep = sweep;
  }

  /** `dueMs` on the caller's time line, on which it is `nowMs` now; null where nobody waits. */
  arm(dueMs: number | null, nowMs: number): void {
    // A timer that comes too early only looks again; most searches end before it, and moving it every time would cost.
    if (dueMs !== null && this.#armed && this.#armed.dueMs <= dueMs) return;
    this[Symbol.dispose]();
    if (dueMs === null) return;
    const timer = this.#clock.after(Math.max(pauseMsMin, dueMs - nowMs), () => {
      this.#armed = null;
      this.#sweep();
    });
    this.#armed = { dueMs, timer };
  }

  [Symbol.dispose](): void {
    this.#armed?.timer[Symbol.dispose]();
    this.#armed = null;
  }
}
