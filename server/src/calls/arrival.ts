import type { PeerRetries } from "#lib/peer-retries.ts";
import type { Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { SearchRef } from "#ports/match-pool.ts";
import {
  type CallEvent,
  callKey,
  type MatchCall,
  type Ownership,
  type PeerKey,
  type Peers,
  personKey,
  processKey,
} from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { Leaving, LoanChecks, PackedDoings } from "./loans.ts";

/**
 * How long it is tried to find out where somebody's call is, and awaited that whoever tries becomes their home: a process
 * that hangs is taken for dead before that.
 */
export const locateMs = 10_000;

interface ArrivalOptions {
  peers: Peers;
  asks: PeerRetries;
  clock: Clock;
}

interface LeavingsOptions {
  clock: Clock;
  checks: Pick<LoanChecks, "unawaited">;
}

/** A call at another process. */
interface FoundCall {
  readonly host: ProcessId;
  readonly otherId: bigint;
  readonly loan: SearchRef;
}

/** Something that comes to pass once. */
class Signal {
  readonly given: Promise<void>;
  #resolve: (() => void) | null = null;

  constructor() {
    this.given = new Promise((resolve) => (this.#resolve = resolve));
  }

  give(): void {
    this.#resolve?.();
  }
}

/** Somebody who has just come, until this process is their home and it is known where their call is. */
export class Arrival implements Disposable {
  /** What they did meanwhile. */
  readonly events: CallEvent[] = [];
  readonly #options: ArrivalOptions;
  readonly #loan: SearchRef;
  readonly #located = new Signal();
  readonly #owned = new Signal();
  readonly #settled = new Signal();
  #isOver = false;

  constructor(userId: bigint, options: ArrivalOptions) {
    this.#options = options;
    this.#loan = { userId, searchId: options.clock.nowMs() };
  }

  /** Resolves when it is known where their call was: this process may become their home. */
  get located(): Promise<void> {
    return this.#located.given;
  }

  /** Resolves when they do where their call is what they do. */
  get settled(): Promise<void> {
    return this.#settled.given;
  }

  /** This process is their home, or they are gone again. */
  owned(): void {
    this.#owned.give();
  }

  /** Another page of theirs has come, or another process is their home: no call is told of this one any more. */
  end(): void {
    this.#isOver = true;
    this.owned();
  }

  [Symbol.dispose](): void {
    this.#settled.give();
  }

  /** Finds the call that they may be in at another process, and has it take this one for their home; null: there is none. */
  async find(): Promise<FoundCall | null> {
    const { userId } = this.#loan;
    // The home before is asked while it is that; who closed the page has none.
    await this.#find([personKey(userId), callKey(userId)]);
    this.#located.give();
    {
      using _late = this.#options.clock.after(locateMs, () => this.owned());
      await this.#owned.given;
    }
    // Another process may have become their home before this one, and have begun something.
    return this.#find([callKey(userId)]);
  }

  async #find(keys: readonly PeerKey[]): Promise<FoundCall | null> {
    const { peers, asks } = this.#options;
    const home = peers.self;
    const hosts = await Promise.all(
      keys.map((key) => asks.within(locateMs, () => peers.ask("whereIsCall", key, { home }))),
    );
    const host = hosts.find((found) => found !== null && found !== home) ?? null;
    if (host === null) return null;
    const loan = this.#loan;
    const moved = await asks.whileAlive(host, async () =>
      this.#isOver ? null : peers.ask("moveHome", processKey(host), { loan, home }),
    );
    return moved && { host, otherId: moved.otherId, loan };
  }
}

/** Those of here for whom another process, which has asked where their call is, is about to be the home. */
export class Leavings {
  readonly #options: LeavingsOptions;
  readonly #all = new Map<bigint, Leaving>();

  constructor(options: LeavingsOptions) {
    this.#options = options;
  }

  has(userId: bigint): boolean {
    return this.#all.has(userId);
  }

  /** Whether another process than this one is about to be their home. */
  isToOther(userId: bigint, home: ProcessId): boolean {
    const leaving = this.#all.get(userId);
    return leaving !== undefined && leaving.nextHome !== home;
  }

  /** @param doings what they did here until now; null where nothing did, or they are leaving already. */
  begin(userId: bigint, nextHome: ProcessId, doings: PackedDoings | null): void {
    const untilMs = this.#options.clock.monotonicMs() + locateMs;
    const before = this.#all.get(userId)?.doings ?? null;
    this.#all.set(userId, { userId, nextHome, untilMs, doings: doings ?? before });
  }

  /** @returns who was leaving; undefined where they were not. */
  end(userId: bigint): Leaving | undefined {
    const leaving = this.#all.get(userId);
    this.#all.delete(userId);
    return leaving;
  }

  /** Who stays after all: that process has no page of theirs any more, or has not become their home in time. */
  async over(): Promise<readonly bigint[]> {
    const { clock, checks } = this.#options;
    const nowMs = clock.monotonicMs();
    const all = [...this.#all.values()];
    const late = all.filter(({ untilMs }) => nowMs >= untilMs);
    const over = new Set([...late, ...(await checks.unawaited(all))]);
    return [...over].filter((leaving) => this.#all.get(leaving.userId) === leaving).map(({ userId }) => userId);
  }
}

/**
 * Starts that were taken here and did not come over the chat session of here: the next page of whoever it is may have made
 * them, before this process heard that it will not be their home any more. One a person who is here.
 */
export class ForeignStarts {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #all = new Map<bigint, { readonly call: MatchCall; readonly atMs: number }>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  add(call: MatchCall): void {
    this.#all.set(call.context.session.userId, { call, atMs: this.#clock.monotonicMs() });
  }

  /** The last one, unless it is older than a page is that has no home yet; it is forgotten. */
  take(userId: bigint): MatchCall | null {
    const last = this.#all.get(userId);
    this.#all.delete(userId);
    return last && this.#clock.monotonicMs() - last.atMs < locateMs ? last.call : null;
  }
}

/** Calls of here that wait for somebody who may come back at any process: whoever arrives there asks here. */
export class AwaitedCalls implements Disposable {
  readonly #peers: Pick<Peers, "own">;
  readonly #tasks: Tasks;
  readonly #awaited = new Map<bigint, { readonly known: Promise<Ownership>; readonly noMore: AbortController }>();

  constructor(peers: Pick<Peers, "own">, tasks: Tasks) {
    this.#peers = peers;
    this.#tasks = tasks;
  }

  /** Resolves once it is known everywhere; undefined where the person is not awaited. */
  of(userId: bigint): Promise<Ownership> | undefined {
    return this.#awaited.get(userId)?.known;
  }

  add(userId: bigint): Promise<Ownership> {
    const before = this.of(userId);
    if (before) return before;
    const noMore = new AbortController();
    const known = this.#peers.own(callKey(userId), noMore.signal);
    this.#awaited.set(userId, { known, noMore });
    return known;
  }

  noMore(userId: bigint): void {
    const awaited = this.#awaited.get(userId);
    if (!awaited) return;
    this.#awaited.delete(userId);
    // Where this process reaches nobody it would ask for it later, when a call elsewhere may wait for the same person.
    awaited.noMore.abort();
    this.#tasks.add("a call is still awaited", async () => (await awaited.known)[Symbol.dispose]());
  }

  /** Nobody is awaited any more. */
  [Symbol.dispose](): void {
    for (const userId of this.#awaited.keys()) this.noMore(userId);
  }
}
