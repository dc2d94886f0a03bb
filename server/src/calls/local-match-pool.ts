import { Emitter } from "#lib/emitter.ts";
import type { Clock } from "#ports/clock.ts";
import type {
  FoundPair,
  MatchPool,
  MatchPoolFigures,
  PoolSearch,
  SearchRef,
  WaitOf,
  WaitEstimate,
} from "#ports/match-pool.ts";
import type { RecentPartner } from "#ports/peers.ts";
import { Matcher, MatcherFullError, type Pairing } from "./matcher.ts";
import { type CountedWait, WaitTimes } from "./wait-estimate.ts";

interface LocalMatchPoolOptions {
  clock: Clock;
  /** Milliseconds, never decreasing. */
  nowMs: () => number;
  capacityMax: number;
  /** Whether two users must never meet; answered from memory. */
  isExcluded: (one: bigint, other: bigint) => boolean;
  /** Epoch of the pairs it finds; a matcher without peers keeps the default. */
  epoch?: bigint;
}

/** How long a pair whose connection failed is kept apart, in milliseconds: it would fail again. */
export const separationMs = 30_000;

export class LocalMatchPool implements MatchPool {
  readonly #nowMs: () => number;
  readonly #epoch: bigint;
  readonly #matcher: Matcher;
  readonly #capacityMax: number;
  readonly #isExcluded: LocalMatchPoolOptions["isExcluded"];
  readonly #waiting = new Map<bigint, { readonly searchId: number; readonly wait: CountedWait | null }>();
  readonly #waitTimes: WaitTimes;
  /** Searches for one specific user, by the searcher's id. */
  readonly #rematches = new Map<bigint, PoolSearch>();
  readonly #pairs = new Emitter<[pair: FoundPair]>();
  readonly #sweepTimer: SweepTimer;
  #pairCount = 0;
  #isEnded = false;

  constructor({ clock, nowMs, epoch = 1n, ...matching }: LocalMatchPoolOptions) {
    this.#nowMs = nowMs;
    this.#epoch = epoch;
    this.#matcher = new Matcher(matching);
    this.#waitTimes = new WaitTimes(nowMs);
    this.#capacityMax = matching.capacityMax;
    this.#isExcluded = matching.isExcluded;
    this.#sweepTimer = new SweepTimer(clock, () => this.#sweep());
  }

  get waitingCount(): number {
    return this.#matcher.waitingCount() + this.#rematches.size;
  }

  /** The matcher runs in this server, so nothing is refused or corrected. */
  get figures(): MatchPoolFigures {
    return {
      hasMatcher: true,
      isUnheard: false,
      epoch: this.#epoch,
      refused: { stale: 0, gone: 0 },
      rollCorrections: 0,
      barredByCountry: this.barredByCountry,
    };
  }

  get barredByCountry(): number {
    return this.#matcher.barredByCountry;
  }

  enter(search: PoolSearch): void {
    const { userId, searchId, waitSinceMs } = search;
    this.#rematches.delete(userId);
    this.#forget(userId, "gave up");
    const wait = waitSinceMs === undefined ? null : this.#waitTimes.began(search, waitSinceMs);
    this.#waiting.set(userId, { searchId, wait });
    let pairing: Pick<Pairing, "longer" | "newer"> | null;
    try {
      pairing =
        search.otherId === undefined
          ? this.#matcher.start(search, this.#nowMs(), search.sinceMs)
          : this.#waitForOne(search, search.otherId);
    } catch (error) {
      this.#forget(userId, "gave up");
      throw error;
    }
    if (pairing) this.#tell(pairing);
    this.#armSweep();
  }

  withdraw({ userId, searchId }: SearchRef): void {
    if (this.#waiting.get(userId)?.searchId !== searchId) return;
    this.#forget(userId, "gave up");
    this.#rematches.delete(userId);
    this.#matcher.cancel(userId);
    this.#armSweep();
  }

  separate(one: bigint, other: bigint): void {
    this.#matcher.separate(one, other, { nowMs: this.#nowMs(), forMs: separationMs });
  }

  met(one: bigint, other: bigint): void {
    this.#matcher.learn(one, other, this.#nowMs());
  }

  /** Records what another server remembers of two users; clamps the time, as that server's clock may differ. */
  learn(one: bigint, { userId: other, moment }: RecentPartner): void {
    const nowMs = this.#nowMs();
    this.#matcher.learn(one, other, Math.max(-(nowMs + separationMs), Math.min(moment, nowMs)));
  }

  async estimateWait(search: WaitOf): Promise<WaitEstimate> {
    return this.#waitTimes.estimateWait(search);
  }

  /** A single server has no peer to hand its searches to. */
  leave(): void {}

  onPair(listener: (pair: FoundPair) => void): Disposable {
    return this.#pairs.on(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    this.#sweepTimer[Symbol.dispose]();
  }

  #waitForOne(search: PoolSearch, otherId: bigint): Pick<Pairing, "longer" | "newer"> | null {
    const { userId, sinceMs } = search;
    this.#matcher.cancel(userId);
    const other = this.#rematches.get(otherId);
    if (other?.otherId !== userId || this.#isExcluded(userId, otherId)) {
      if (this.#rematches.size >= this.#capacityMax) throw new MatcherFullError(this.#capacityMax);
      this.#rematches.set(userId, search);
      return null;
    }
    this.#rematches.delete(otherId);
    return sinceMs < other.sinceMs ? { longer: userId, newer: otherId } : { longer: otherId, newer: userId };
  }

  #tell({ longer, newer }: Pick<Pairing, "longer" | "newer">): void {
    this.#pairCount += 1;
    const pair = { epoch: this.#epoch, pairId: this.#pairCount, longer: this.#take(longer), newer: this.#take(newer) };
    this.#pairs.emit({ ...pair, newerAt: null });
  }

  #take(userId: bigint): SearchRef {
    const searchId = this.#forget(userId, "found");
    if (searchId === undefined) throw new Error("the matcher paired a user who does not search");
    return { userId, searchId };
  }

  /** Ends the search. @returns its id; undefined if there was none. */
  #forget(userId: bigint, how: "found" | "gave up"): number | undefined {
    const waited = this.#waiting.get(userId);
    this.#waiting.delete(userId);
    if (waited?.wait) this.#waitTimes.ended(waited.wait, how);
    return waited?.searchId;
  }

  #armSweep(): void {
    this.#sweepTimer.arm(this.#isEnded ? null : this.#matcher.nextDueMs(), this.#nowMs());
  }

  #sweep(): void {
    for (const pairing of this.#matcher.sweep(this.#nowMs())) this.#tell(pairing);
    this.#armSweep();
  }
}

/** Minimum delay of a sweep, so that constantly due sweeps do not block the process. */
const pauseMsMin = 10;

/** The pool's only timer; armed only while a user waits. */
class SweepTimer implements Disposable {
  readonly #clock: Clock;
  readonly #sweep: () => void;
  #armed: { dueMs: number; timer: Disposable } | null = null;

  constructor(clock: Clock, sweep: () => void) {
    this.#clock = clock;
    this.#sweep = sweep;
  }

  /** `dueMs` is on the caller's timeline, where it is `nowMs` now; null when no user waits. */
  arm(dueMs: number | null, nowMs: number): void {
    // A timer that fires early only searches again; most searches end before it, and moving it every time would cost.
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
