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
  /** Milliseconds that never decrease. */
  nowMs: () => number;
  capacityMax: number;
  /** Whether two users must never meet. Must not wait. */
  isExcluded: (one: bigint, other: bigint) => boolean;
  /** The epoch of its pairs. A single server keeps the default. */
  epoch?: bigint;
}

/** For how long two users whose connection failed are not matched with each other, in milliseconds. */
export const separationMs = 30_000;

export class LocalMatchPool implements MatchPool {
  readonly #nowMs: () => number;
  readonly #epoch: bigint;
  readonly #matcher: Matcher;
  readonly #capacityMax: number;
  readonly #isExcluded: LocalMatchPoolOptions["isExcluded"];
  readonly #waiting = new Map<bigint, { readonly searchId: number; readonly wait: CountedWait | null }>();
  readonly #waitTimes: WaitTimes;
  /** By user: the search for one specific other user. */
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

  /** The matcher is in this server, so there are no refused pairs and no corrected rolls. */
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

  /** Records a meeting or separation that another server knows. Limits its time, since clocks may differ. */
  learn(one: bigint, { userId: other, moment }: RecentPartner): void {
    const nowMs = this.#nowMs();
    this.#matcher.learn(one, other, Math.max(-(nowMs + separationMs), Math.min(moment, nowMs)));
  }

  async estimateWait(search: WaitOf): Promise<WaitEstimate> {
    return this.#waitTimes.estimateWait(search);
  }

  /** On a single server no other server can take the searches. */
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

  /** Ends the user's search and returns its id; undefined without a search. */
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

/** Minimum delay of a sweep in milliseconds, so that sweeps that are always due do not block the process. */
const pauseMsMin = 10;

/** The pool's only timer. It runs only while a user waits. */
class SweepTimer implements Disposable {
  readonly #clock: Clock;
  readonly #sweep: () => void;
  #armed: { dueMs: number; timer: Disposable } | null = null;

  constructor(clock: Clock, sweep: () => void) {
    this.#clock = clock;
    this.#sweep = sweep;
  }

  /** `dueMs` and `nowMs` are on the same timeline. Null: no user waits. */
  arm(dueMs: number | null, nowMs: number): void {
    // A timer that fires early only sweeps once more. Moving it for each search would cost more.
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
