import type { Logger } from "pino";
import { boundedCache } from "#lib/cache.ts";
import { Emitter } from "#lib/emitter.ts";
import { RetryPauses, Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { Leases } from "#ports/leases.ts";
import type {
  FoundPair,
  MatchPool,
  MatchPoolFigures,
  PoolSearch,
  SearchRef,
  WaitOf,
  WaitEstimate,
} from "#ports/match-pool.ts";
import {
  NoOwnerError,
  type Peers,
  PeerTimeoutError,
  type PoolChange,
  processKey,
  type SiteSearch,
} from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { LocalMatchPool, separationMs } from "./local-match-pool.ts";
import { MatcherFullError } from "./matcher.ts";
import { noEstimate, waitClassesOf } from "./wait-estimate.ts";
import { PartnerMemory } from "./partner-memory.ts";

/** Each server repeats its roll (the list of its waiting searches) at this interval, which restores lost searches. */
export const rollEveryMs = 2_000;
/** The matcher drops the searches of a server from which it received nothing for this long. */
const rollAgeMaxMs = 3 * rollEveryMs;
const retryMs = 100;
/** How often a server tries to get the matcher's lease. Nobody is matched while no server has it. */
const lookEveryMs = 200;
/** Limit of changes per request, so that searches with many exclusions fit into one message. */
const changesAtOnce = 20;
const refsAtOnce = 2_000;
/** How long the matcher's estimate is cached for each class of searches. */
const estimateTtlMs = 5_000;
const estimatesMax = 2_000;
/** Limit of excluded users sent with a search. The room of a pair is checked against all. */
const blockedIdsMax = 500;

class NewerMatcherError extends Error {}

interface SiteMatchPoolOptions {
  peers: Peers;
  leases: Leases;
  clock: Clock;
  logger: Pick<Logger, "error">;
  /** Milliseconds since the epoch that never decrease. */
  nowMs: () => number;
  capacityMax: number;
  canMove: (userId: bigint) => boolean;
  /** Users whom a user must not meet, newest last. Must not wait. */
  blocks: { excludedBy(userId: bigint): Iterable<bigint> };
}

/**
 * Searches of a site with several servers. One server at a time has the matcher's lease, and all send it their waiting
 * searches (decision 033). Messages may get lost, so each server repeats its roll, and sends it at once to a new
 * matcher.
 */
export class SiteMatchPool implements MatchPool {
  readonly #options: SiteMatchPoolOptions;
  readonly #searches = new Map<bigint, SiteSearch>();
  readonly #partners: PartnerMemory;
  readonly #estimates: ReturnType<typeof boundedCache<string, Promise<WaitEstimate>>>;
  readonly #pairs = new Emitter<[pair: FoundPair]>();
  readonly #tasks: Tasks;
  readonly #pauses: RetryPauses;
  readonly #parts: Disposable[];
  readonly #holding: AsyncDisposable;
  #changes: PoolChange[] = [];
  #epoch = 0n;
  readonly #epochs = new Emitter<[epoch: bigint]>();
  #rolls = 0;
  /** Epoch of the matcher that has a whole roll of this server: it knows all searches, unless a message was lost. */
  #rolledEpoch = 0n;
  #rollCorrections = 0;
  /** The count of matchers that ran on this server before. */
  #barredBefore = 0;
  readonly #refused = { stale: 0, gone: 0 };
  #mustRoll = false;
  #isSaying = false;
  #isUnheard = false;
  #isLeaving = false;
  #matcher: SiteMatcher | null = null;

  constructor(options: SiteMatchPoolOptions) {
    const { peers, clock, leases, capacityMax } = options;
    this.#options = options;
    this.#partners = new PartnerMemory(capacityMax);
    this.#estimates = boundedCache({ entriesMax: estimatesMax, expiry: { clock, ttlMs: estimateTtlMs } });
    this.#tasks = new Tasks(options);
    this.#pauses = new RetryPauses(clock);
    this.#parts = [
      peers.serve("changePool", async ({ from, changes }) => {
        if (!this.#matcher) throw new NoOwnerError("this server no longer has the matcher");
        return { epoch: this.#matcher.epoch, unknown: this.#matcher.change(from, changes) };
      }),
      peers.serve("waitEstimate", async (search) => {
        if (!this.#matcher) throw new NoOwnerError("this server no longer has the matcher");
        return this.#matcher.estimateWait(search);
      }),
      peers.serve("takePair", async (pair) => this.#take(pair)),
      peers.onEvent("matcher", ({ epoch }) => this.#heardEpoch(epoch)),
      peers.onGap(() => this.#roll()),
      peers.onGone((process) => this.#matcher?.forget(process)),
    ];
    this.#tasks.add("failed to listen for pairs of the matcher", async () => {
      this.#parts.push(await peers.own(processKey(peers.self)));
    });
    this.#tasks.add("failed to repeat the roll of waiting searches", () => this.#rollAgainAndAgain());
    this.#holding = leases.hold("matcher", ({ epoch }, lost) => this.#match(epoch, lost), { lookEveryMs });
  }

  get waitingCount(): number {
    return this.#searches.size;
  }

  get figures(): MatchPoolFigures {
    return {
      hasMatcher: this.#matcher !== null,
      isUnheard: this.#isUnheard,
      epoch: this.#epoch,
      refused: { ...this.#refused },
      rollCorrections: this.#rollCorrections,
      barredByCountry: this.#barredBefore + (this.#matcher?.barredByCountry ?? 0),
    };
  }

  enter(search: PoolSearch): void {
    const { peers, blocks, canMove, nowMs } = this.#options;
    const blockedIds = [...blocks.excludedBy(search.userId)].slice(-blockedIdsMax);
    const partners = this.#partners.of(search.userId, nowMs());
    const leaving = this.#isLeaving ? { isLeaving: true } : {};
    const fixed = canMove(search.userId) ? {} : { isFixed: true };
    const waiting = { ...fixed, ...search, process: peers.self, blockedIds, partners, ...leaving };
    this.#searches.set(search.userId, waiting);
    this.#say(this.#entering(waiting));
  }

  withdraw({ userId, searchId }: SearchRef): void {
    if (this.#searches.get(userId)?.searchId !== searchId) return;
    this.#searches.delete(userId);
    this.#say({ type: "withdraw", search: { userId, searchId } });
  }

  met(one: bigint, other: bigint): void {
    this.#partners.met(one, other, this.#options.nowMs());
  }

  separate(one: bigint, other: bigint): void {
    this.#partners.keepApart(one, other, this.#options.nowMs() + separationMs);
    this.#say({ type: "separate", one, other });
  }

  estimateWait(search: WaitOf): Promise<WaitEstimate> {
    const key = waitClassesOf(search).join();
    const known = this.#estimates.get(key);
    if (known) return known;
    const { sex, filters, countryId, zone } = search;
    const asked = this.#options.peers
      .ask("waitEstimate", "matcher", { sex, filters, countryId, zone })
      .catch((error: unknown) => {
        if (error instanceof NoOwnerError || error instanceof PeerTimeoutError) return noEstimate;
        throw error;
      });
    this.#estimates.set(key, asked);
    return asked;
  }

  leave(): void {
    this.#isLeaving = true;
    for (const search of this.#searches.values()) this.enter(search);
  }

  onPair(listener: (pair: FoundPair) => void): Disposable {
    return this.#pairs.on(listener);
  }

  /** Releases the matcher's lease if this server holds it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#pauses[Symbol.dispose]();
    await this.#holding[Symbol.asyncDispose]();
    await this.#tasks[Symbol.asyncDispose]();
    for (const part of this.#parts) part[Symbol.dispose]();
  }

  async #match(epoch: bigint, lost: AbortSignal): Promise<void> {
    const { peers } = this.#options;
    await using matcher = new SiteMatcher(this.#options, epoch);
    this.#matcher = matcher;
    try {
      while (!lost.aborted) {
        using owned = await peers.own("matcher");
        peers.broadcast("matcher", { epoch });
        this.#heardEpoch(epoch);
        // An earlier holder may take the address of the matcher again. The lease decides, so this server takes it back.
        await aborted(AbortSignal.any([lost, owned.lost]));
        await this.#pauses.wait(retryMs);
      }
    } finally {
      this.#barredBefore += matcher.barredByCountry;
      this.#matcher = null;
    }
  }

  /** Accepts a pair if its longer search still waits. Once a newer matcher is known, pairs of earlier ones are void. */
  #take(pair: FoundPair): boolean {
    const longer = this.#searches.get(pair.longer.userId);
    const refused = pair.epoch < this.#epoch ? "stale" : "gone";
    if (refused === "stale" || longer?.searchId !== pair.longer.searchId) {
      this.#refused[refused] += 1;
      return false;
    }
    if (this.#isLeaving) {
      // The matcher found this pair before it knew that this server stops.
      this.#refused.gone += 1;
      this.#say(this.#entering(longer));
      return false;
    }
    const newerAt = pair.newerAt === this.#options.peers.self ? null : pair.newerAt;
    if (newerAt === null && this.#searches.get(pair.newer.userId)?.searchId !== pair.newer.searchId) {
      // The matcher removed both searches, so the longer one is sent again.
      this.#refused.gone += 1;
      this.#say(this.#entering(longer));
      return true;
    }
    this.#searches.delete(pair.longer.userId);
    if (newerAt === null) this.#searches.delete(pair.newer.userId);
    this.met(pair.longer.userId, pair.newer.userId);
    this.#pairs.emit({ ...pair, newerAt });
    return true;
  }

  #heardEpoch(epoch: bigint): void {
    if (epoch <= this.#epoch) return;
    this.#epoch = epoch;
    this.#roll();
    this.#epochs.emit(epoch);
  }

  #roll(): void {
    this.#mustRoll = true;
    this.#startSaying();
  }

  async #rollAgainAndAgain(): Promise<void> {
    while (!this.#pauses.isOver) {
      await this.#pauses.wait(rollEveryMs);
      if (!this.#pauses.isOver) this.#roll();
    }
  }

  #say(change: PoolChange): void {
    this.#changes.push(change);
    this.#startSaying();
  }

  #startSaying(): void {
    if (this.#isSaying || this.#pauses.isOver) return;
    this.#isSaying = true;
    this.#tasks.add("failed to send waiting searches to the matcher", async () => {
      try {
        // Waits for the end of the turn, so that one request has all its changes.
        await Promise.resolve();
        while (!this.#pauses.isOver && (this.#mustRoll || this.#changes.length > 0)) await this.#sayNext();
      } finally {
        this.#isSaying = false;
      }
    });
  }

  async #sayNext(): Promise<void> {
    const changes = this.#changes.splice(0, changesAtOnce);
    try {
      // The roll comes last, so that separations apply before the matcher pairs its searches.
      if (changes.length > 0) await this.#ask(changes);
      if (this.#mustRoll) await this.#sayRoll();
    } catch (error) {
      const isNewer = error instanceof NewerMatcherError;
      this.#isUnheard = !isNewer;
      if (!isNewer && !(error instanceof NoOwnerError) && !(error instanceof PeerTimeoutError)) throw error;
      // Keeps only separations, since the roll repeats everything else.
      this.#changes = [...changes, ...this.#changes].filter(({ type }) => type === "separate");
      this.#mustRoll = true;
      if (!isNewer) await this.#pauses.wait(retryMs);
    }
  }

  /** Sends all waiting searches, and then the changes made meanwhile. */
  async #sayRoll(): Promise<void> {
    this.#mustRoll = false;
    const roll = (this.#rolls += 1);
    const refs = [...this.#searches.values()].map(({ userId, searchId }) => ({ userId, searchId }));
    const epoch = this.#epoch;
    for (let from = 0; from === 0 || from < refs.length; from += refsAtOnce) {
      const searches = refs.slice(from, from + refsAtOnce);
      await this.#ask([{ type: "roll", roll, searches, isLast: from + refsAtOnce >= refs.length }]);
      if (this.#epoch !== epoch) return;
    }
    this.#rolledEpoch = epoch;
  }

  /** Sends how long the user has waited instead of since when, because the matcher's clock may differ. */
  #entering(search: SiteSearch): PoolChange {
    if (search.otherId !== undefined) return { type: "enterRematch", search };
    const { waitSinceMs } = search;
    const waited = waitSinceMs === undefined ? {} : { waitedMs: this.#options.nowMs() - waitSinceMs };
    return { type: "enter", search, ...waited };
  }

  /**
   * Sends changes to the matcher.
   * @throws NewerMatcherError as soon as a newer matcher is known, instead of waiting for a dead server.
   */
  async #ask(changes: readonly PoolChange[]): Promise<void> {
    const { peers } = this.#options;
    const before = this.#epoch;
    const asked = peers.ask("changePool", "matcher", { from: peers.self, changes });
    const { epoch, unknown } = await new Promise<Awaited<typeof asked>>((resolve, reject) => {
      const listening = this.#epochs.on(() => {
        // If no epoch was known, the new one may belong to the matcher that was asked.
        if (before > 0n) reject(new NewerMatcherError("another server has the matcher"));
      });
      void asked.finally(() => listening[Symbol.dispose]()).then(resolve, reject);
    });
    this.#isUnheard = false;
    this.#heardEpoch(epoch);
    if (unknown.length === 0) return;
    const unsaid = new Set(this.#changes.map((change) => ("search" in change ? change.search : null)));
    for (const userId of unknown) {
      const search = this.#searches.get(userId);
      if (!search || unsaid.has(search)) continue;
      this.#changes.push(this.#entering(search));
      if (this.#rolledEpoch === epoch) this.#rollCorrections += 1;
    }
  }
}

interface KnownSearch {
  readonly search: SiteSearch;
  /** The number of the last roll with this search; 0 if none had it. */
  roll: number;
}

/** The site's matcher, which runs while this server has its lease. */
class SiteMatcher implements AsyncDisposable {
  readonly epoch: bigint;
  readonly #options: SiteMatchPoolOptions;
  readonly #pool: LocalMatchPool;
  readonly #searches = new Map<bigint, KnownSearch>();
  readonly #heardAtMs = new Map<ProcessId, number>();
  readonly #tasks: Tasks;
  #isEnded = false;

  constructor(options: SiteMatchPoolOptions, epoch: bigint) {
    const { clock, nowMs, capacityMax } = options;
    this.#options = options;
    this.epoch = epoch;
    this.#tasks = new Tasks(options);
    const isExcluded = this.#isExcluded.bind(this);
    this.#pool = new LocalMatchPool({ clock, nowMs, capacityMax, isExcluded, epoch });
    this.#pool.onPair((pair) => this.#found(pair));
  }

  get barredByCountry(): number {
    return this.#pool.barredByCountry;
  }

  /**
   * Applies changes from a server.
   * @returns users in its roll whose searches the matcher does not know.
   */
  change(from: ProcessId, changes: readonly PoolChange[]): bigint[] {
    this.#heardAtMs.set(from, this.#options.clock.monotonicMs());
    const unknown: bigint[] = [];
    for (const change of changes) {
      switch (change.type) {
        case "enter": {
          const { search, waitedMs } = change;
          const waitSinceMs = waitedMs === undefined ? undefined : this.#options.nowMs() - waitedMs;
          this.#enter({ ...search, waitSinceMs });
          break;
        }
        case "enterRematch":
          this.#enter(change.search);
          break;
        case "withdraw":
          this.#withdraw(change.search);
          break;
        case "separate":
          this.#pool.separate(change.one, change.other);
          break;
        case "roll":
          unknown.push(...this.#call(from, change));
      }
    }
    return unknown;
  }

  estimateWait(search: WaitOf): Promise<WaitEstimate> {
    return this.#pool.estimateWait(search);
  }

  forget(process: ProcessId): void {
    this.#heardAtMs.delete(process);
    for (const { search } of this.#searches.values()) if (search.process === process) this.#withdraw(search);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await this.#pool[Symbol.asyncDispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }

  #enter(search: SiteSearch): void {
    const known = this.#searches.get(search.userId);
    if (this.#isEnded || (known && known.search.searchId > search.searchId)) return;
    this.#searches.set(search.userId, { search, roll: 0 });
    for (const partner of search.partners) this.#pool.learn(search.userId, partner);
    try {
      this.#pool.enter(search);
    } catch (error) {
      if (!(error instanceof MatcherFullError)) throw error;
      // The pool is full. The server's next roll sends the search again.
      this.#searches.delete(search.userId);
    }
  }

  #withdraw({ userId, searchId }: SearchRef): void {
    if (this.#searches.get(userId)?.search.searchId !== searchId) return;
    this.#searches.delete(userId);
    this.#pool.withdraw({ userId, searchId });
  }

  #call(from: ProcessId, { roll, searches, isLast }: Extract<PoolChange, { type: "roll" }>): bigint[] {
    const unknown: bigint[] = [];
    for (const { userId, searchId } of searches) {
      const known = this.#searches.get(userId);
      if (known?.search.searchId === searchId) known.roll = roll;
      else unknown.push(userId);
    }
    if (!isLast) return unknown;
    for (const known of this.#searches.values())
      if (known.search.process === from && known.roll !== roll) this.#withdraw(known.search);
    const nowMs = this.#options.clock.monotonicMs();
    for (const [process, heardAtMs] of this.#heardAtMs) if (nowMs - heardAtMs > rollAgeMaxMs) this.forget(process);
    return unknown;
  }

  #isExcluded(one: bigint, other: bigint): boolean {
    const [first, second] = [this.#searches.get(one)?.search, this.#searches.get(other)?.search];
    if (first && second && !canMeetAt(first, second) && !canMeetAt(second, first)) return true;
    const hasBlocked = (blocker: bigint, blocked: bigint) =>
      this.#searches.get(blocker)?.search.blockedIds.includes(blocked) ?? false;
    return hasBlocked(one, other) || hasBlocked(other, one);
  }

  #found(pair: FoundPair): void {
    const waited = [this.#takeOut(pair.longer), this.#takeOut(pair.newer)] as const;
    const [longer, newer] = canMeetAt(...waited) ? waited : (waited.toReversed() as [SiteSearch, SiteSearch]);
    this.#tasks.add("failed to send a pair to its server", async () => {
      const { peers } = this.#options;
      try {
        const told = { ...pair, longer: refOf(longer), newer: refOf(newer), newerAt: newer.process };
        if (await peers.ask("takePair", processKey(longer.process), told)) return;
      } catch (error) {
        // The server may have accepted the pair. If it has not, the rolls restore both searches.
        if (error instanceof PeerTimeoutError) return;
        if (!(error instanceof NoOwnerError)) throw error;
        this.forget(longer.process);
      }
      if (!this.#searches.has(newer.userId)) this.#enter(newer);
    });
  }

  #takeOut({ userId }: SearchRef): SiteSearch {
    const known = this.#searches.get(userId);
    if (!known) throw new Error("the matcher paired a user who does not search");
    this.#searches.delete(userId);
    return known.search;
  }
}

/** Whether the room of the two can be on the server of `host`. */
function canMeetAt(host: SiteSearch, mover: SiteSearch): boolean {
  return !host.isLeaving && (host.process === mover.process || !mover.isFixed);
}

function refOf({ userId, searchId }: SiteSearch): SearchRef {
  return { userId, searchId };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
