import type { Logger } from "pino";
import type { PauseGuard } from "#db/pause-guard.ts";
import { KeyedMutex } from "#lib/keyed-mutex.ts";
import { PeerRetries } from "#lib/peer-retries.ts";
import { RetryPauses, Tasks, Timers } from "#lib/tasks.ts";
import type { KeptMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { Departure, HubListener } from "#ports/hub-listener.ts";
import type { OneTimeKeys } from "#ports/one-time-keys.ts";
import {
  type PeerRequests,
  type HandedActivity,
  type HandedSession,
  type HomeAnswer,
  NoOwnerError,
  type Ownership,
  PeerFailedError,
  type Peers,
  PeerTimeoutError,
  personKey,
  userOfKey,
} from "#ports/peers.ts";
import type { CallOwner, Epoch, ProcessId } from "#ports/room-claims.ts";

/** How long to keep asking a silent home. A server that hangs is declared dead before that. */
const askMs = 10_000;
/** Lifetime of the lock with which only one server at a time claims a user, and how long to wait for it. */
const turnMs = 12_000;
const turnLookMs = 50;
/** How long to keep an answer for a server that retries its request. */
const answerKeptMs = 8_000;
/** How long the old home still receives the requests for a user who moves. */
const movingMs = 10_000;
/** Maximum JSON length of a session's unacknowledged messages: the answer must fit into one message between servers. */
const outboxCharactersMax = 160_000;

/** The chat session that a page resumes, and the last message it received. */
export interface Resumption {
  readonly sessionId: string;
  readonly lastSequence: number;
}

export interface SessionState {
  readonly sequence: number;
  readonly outbox: readonly KeptMessage[];
}

export interface ReleasedSession extends SessionState {
  /** The page is moving, and this server has received all its messages of the old socket. */
  readonly hasSaidAll: boolean;
}

export interface HandoverHub {
  isHere(userId: bigint): boolean;
  /** Null if the page cannot resume the session from that message. */
  keptFor(userId: bigint, from: Resumption): SessionState | null;
  /** Like `keptFor`, and removes the session from this server. */
  release(userId: bigint, from: Resumption): ReleasedSession | null;
  adopt(userId: bigint, sessionId: string, kept: SessionState): void;
  /** False if there is no live page that can move. */
  move(userId: bigint, to: ProcessId): boolean;
}

export interface HandoverPeople {
  hasCall(userId: bigint): boolean;
  /** Whether the call has to stay at this server. A stopping server hands over calls with two videos. */
  keepsCall(userId: bigint): boolean;
  /** Ends the user's search and rematch, and returns them for the next home. */
  pack(userId: bigint): HandedActivity;
  /** Like `pack`, for a new page: it has begun nothing but a search whose request reached this server. */
  packForNewPage(userId: bigint): HandedActivity | null;
  /**
   * Continues what the user did at the old home. Dispose it once the user has arrived, or will not.
   * @param from `atMs`: lower bound of the state's time, monotonic clock; `isResumed`: the session's socket follows.
   */
  bring(userId: bigint, doings: HandedActivity, from: { atMs: number; isResumed: boolean }): Disposable;
  /**
   * Gives up the call `roomId` to a later owner.
   * @returns `taken`: this server is a later owner of the call; `elsewhere`: the user does something else here.
   */
  yieldCall(userId: bigint, roomId: string, by: CallOwner): "free" | "elsewhere" | "taken";
  /** Another server became the user's home without asking this one, which still has the call. */
  lostHome(userId: bigint): void;
}

/** Answer to `callIsAt`. `awaited`: no server has a page of the user; the next page is sent to the call. */
export type CallLocationAnswer = PeerRequests["callIsAt"]["out"] | "awaited";

export interface Claimant {
  readonly resume: Resumption | null;
  /** Names the page's call; null: the page has none. */
  readonly ticket: string | null;
}

export interface PersonHomesOptions {
  peers: Peers;
  hub: HandoverHub;
  replaced: (userId: bigint) => void;
  ownedHere: (userId: bigint) => void;
  people: HandoverPeople;
  /** The server with the user's call according to the database; null: this one, or no call. */
  findCall(userId: bigint, ticket: string | null): Promise<ProcessId | null>;
  /** Null: this is the only server. */
  siteBus: {
    takenFor(userId: bigint): HandedSession["taken"];
    bringTaken(userId: bigint, taken: HandedSession["taken"]): void;
  } | null;
  locks: Pick<OneTimeKeys, "add" | "take">;
  pauseGuard: Pick<PauseGuard, "say">;
  clock: Clock;
  logger: Pick<Logger, "error">;
}

interface Given {
  readonly home: ProcessId;
  readonly claim: number;
  readonly answer: HomeAnswer;
}

/**
 * The home of a user is the one server with the user's chat session, search and call (decision 055). Before a server
 * greets a page, the old home releases the user, or keeps one with a call, to which the page then goes.
 */
export class PersonHomes implements Pick<HubListener, "arrived" | "gone">, AsyncDisposable {
  readonly #options: PersonHomesOptions;
  readonly #homes = new Map<bigint, Ownership>();
  readonly #owning = new Map<bigint, AbortController>();
  readonly #claims = new KeyedMutex<bigint>();
  readonly #given = new Map<bigint, Given>();
  readonly #brought = new Map<bigint, Disposable>();
  readonly #tasks: Tasks;
  readonly #retries: PeerRetries;
  readonly #pauses: RetryPauses;
  readonly #timers: Timers;
  readonly #serving: readonly Disposable[];
  #claimCount = 0;
  #handed = 0;

  constructor(options: PersonHomesOptions) {
    const { peers, pauseGuard, clock } = options;
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#retries = new PeerRetries(clock);
    this.#pauses = new RetryPauses(clock);
    this.#timers = new Timers(clock);
    this.#serving = [
      peers.serve("giveHome", (asked, key) => pauseGuard.say(async () => this.#give(userOfKey(key), asked))),
      peers.serve("callIsAt", async (asked, key) => this.#sendToCall(userOfKey(key), asked)),
    ];
  }

  get handed(): number {
    return this.#handed;
  }

  /** @returns the server that has the user's call, to which the page has to go; null: the page may be greeted. */
  claim(userId: bigint, claimant: Claimant): Promise<ProcessId | null> {
    return this.#claims.run(userId, async () => {
      const { hub, people } = this.#options;
      // If this server has taken the call for the other page, this page's session is still at the old home.
      if (hub.isHere(userId) || this.#homes.has(userId)) return null;
      await using _turn = await this.#turn(userId);
      const askedMs = this.#options.clock.monotonicMs();
      const answer = await this.#askHome(userId, claimant);
      if (answer?.type === "stays") return answer.home;
      const session = answer?.session ?? null;
      // Takes the call if its server is dead or about to stop. A page with a resumed session is sent on after the greeting.
      const place = await this.#options.findCall(userId, claimant.ticket);
      if (place !== null && !session) return place;
      await this.#own(userId);
      const from = { atMs: askedMs, isResumed: session !== null };
      if (answer?.doings) this.#brought.set(userId, people.bring(userId, answer.doings, from));
      if (session && claimant.resume) this.#adopt(userId, claimant.resume, session);
      return null;
    });
  }

  unclaim(userId: bigint): void {
    if (this.#hasHere(userId)) return;
    this.#release(userId);
    this.#endBrought(userId);
  }

  /** Has the pages of a user come to a call that this server has taken. */
  callHere(userId: bigint, roomId: string, epoch: Epoch): Promise<CallLocationAnswer> {
    const { peers, hub, people } = this.#options;
    return this.#claims.run(userId, async () => {
      // This server has claimed the user, and is about to greet the page.
      if (hub.isHere(userId) || this.#homes.has(userId)) return "awaited";
      await using _turn = await this.#turn(userId);
      const answer = await this.#ask("callIsAt", userId, { server: peers.self, roomId, epoch });
      if (answer === null && people.hasCall(userId)) await this.#own(userId);
      return answer ?? "awaited";
    });
  }

  /** The user's call at this server is over: without a page, this server is no longer the home. */
  callOver(userId: bigint): void {
    if (!this.#hasHere(userId)) this.#release(userId);
  }

  arrived(userId: bigint): void {
    this.#endBrought(userId);
    if (this.#homes.has(userId)) return this.#options.ownedHere(userId);
    // A single server, or the message bus is away.
    this.#tasks.add("failed to become a user's home", () => this.#own(userId, { isArrived: true }));
  }

  gone(userId: bigint, how: Departure): void {
    // A page that comes back to the call is sent to this server.
    if (this.#options.people.hasCall(userId)) return;
    if (how !== "moved" && how !== "replaced") return this.#release(userId);
    const owned = this.#homes.get(userId);
    this.#homes.delete(userId);
    // The next home is not known yet, and other servers must not consider the user absent.
    if (owned) this.#timers.after(movingMs, () => owned[Symbol.dispose]());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const serving of this.#serving) serving[Symbol.dispose]();
    this.#retries[Symbol.dispose]();
    this.#pauses[Symbol.dispose]();
    this.#timers[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
    for (const userId of this.#homes.keys()) this.#release(userId);
  }

  #hasHere(userId: bigint): boolean {
    const { hub, people } = this.#options;
    return hub.isHere(userId) || people.hasCall(userId);
  }

  #endBrought(userId: bigint): void {
    this.#brought.get(userId)?.[Symbol.dispose]();
    this.#brought.delete(userId);
  }

  #release(userId: bigint): void {
    this.#owning.get(userId)?.abort();
    this.#owning.delete(userId);
    this.#homes.get(userId)?.[Symbol.dispose]();
    this.#homes.delete(userId);
  }

  /** While the message bus is away this resolves at once, and the server owns the user when the bus is back. */
  async #own(userId: bigint, { isArrived = false } = {}): Promise<void> {
    const { peers, replaced, people, ownedHere } = this.#options;
    if (this.#homes.has(userId)) return;
    const asking = new AbortController();
    this.#owning.set(userId, asking);
    let isLate = isArrived;
    const keep = (owned: Ownership) => {
      if (asking.signal.aborted || (isLate && !this.#hasHere(userId))) return owned[Symbol.dispose]();
      this.#owning.delete(userId);
      this.#homes.set(userId, owned);
      if (isLate) ownedHere(userId);
      const lost = () => {
        if (this.#homes.get(userId) !== owned) return;
        this.#homes.delete(userId);
        replaced(userId);
        if (people.hasCall(userId)) people.lostHome(userId);
      };
      if (owned.lost.aborted) lost();
      else owned.lost.addEventListener("abort", lost, { once: true });
    };
    const kept = peers.own(personKey(userId), asking.signal).then(keep);
    if (peers.isAway) isLate = true;
    else await kept;
  }

  /** Waits until no other server claims the user. If the lock is unavailable, continues without it. */
  async #turn(userId: bigint): Promise<AsyncDisposable> {
    const { locks, clock } = this.#options;
    const key = String(userId);
    const untilMs = clock.monotonicMs() + turnMs;
    let hasLock = false;
    try {
      for (;;) {
        hasLock = await locks.add("home", key, turnMs);
        if (hasLock || this.#pauses.isOver || clock.monotonicMs() >= untilMs) break;
        await this.#pauses.wait(turnLookMs);
      }
    } catch {
      // Redis is away.
    }
    const sinceMs = clock.monotonicMs();
    return {
      [Symbol.asyncDispose]: async () => {
        // After that time the lock may be another server's.
        if (hasLock && clock.monotonicMs() - sinceMs < turnMs) await locks.take("home", key).catch(() => false);
      },
    };
  }

  #askHome(userId: bigint, { resume }: Claimant): Promise<HomeAnswer | null> {
    const { peers } = this.#options;
    this.#claimCount += 1;
    return this.#ask("giveHome", userId, { home: peers.self, claim: this.#claimCount, resume });
  }

  /** Asks the user's home until it answers; null: there is none, or none that answers in time. */
  async #ask<Kind extends "giveHome" | "callIsAt">(
    kind: Kind,
    userId: bigint,
    input: PeerRequests[Kind]["in"],
  ): Promise<PeerRequests[Kind]["out"] | null> {
    const { peers } = this.#options;
    return this.#retries.within(askMs, async () => {
      try {
        return await peers.ask(kind, personKey(userId), input);
      } catch (error) {
        // Without the message bus no home can be asked: the server greets the page without it.
        if (error instanceof PeerTimeoutError && peers.isAway) throw new NoOwnerError("the message bus is away");
        if (error instanceof PeerFailedError) throw new PeerTimeoutError(error.message);
        throw error;
      }
    });
  }

  #adopt(userId: bigint, { sessionId }: Resumption, { taken, ...kept }: HandedSession): void {
    const { hub, siteBus } = this.#options;
    siteBus?.bringTaken(userId, taken);
    hub.adopt(userId, sessionId, kept);
  }

  /** Runs in one turn of the event loop, so that nothing starts for the user after the release. */
  #give(userId: bigint, { home, claim, resume }: PeerRequests["giveHome"]["in"]): HomeAnswer {
    const { peers, people } = this.#options;
    // The user has just left this server, and comes back.
    if (home === peers.self) return { type: "released", session: null, doings: null };
    const before = this.#given.get(userId);
    if (before?.home === home && claim <= before.claim) {
      if (claim === before.claim) return before.answer;
      throw new NoOwnerError("the request belongs to an earlier claim");
    }
    if (people.keepsCall(userId)) return { type: "stays", home: peers.self };
    const answer = (resume && this.#giveSession(userId, resume)) ?? this.#endSession(userId);
    const given: Given = { home, claim, answer };
    this.#given.set(userId, given);
    this.#timers.after(answerKeptMs, () => {
      if (this.#given.get(userId) === given) this.#given.delete(userId);
    });
    return given.answer;
  }

  #giveSession(userId: bigint, from: Resumption): HomeAnswer | null {
    const { hub, people, siteBus } = this.#options;
    const kept = hub.keptFor(userId, from);
    if (!kept || JSON.stringify(kept.outbox).length > outboxCharactersMax) return null;
    const taken = siteBus?.takenFor(userId) ?? [];
    const doings = people.pack(userId);
    const released = hub.release(userId, from);
    if (!released) return null;
    this.#handed += 1;
    const { hasSaidAll, ...session } = released;
    // A page that lost its socket may have switched its camera without the server's knowing.
    const look = doings.look && !hasSaidAll ? { ...doings.look, cleanAgeMs: null } : doings.look;
    return { type: "released", session: { ...session, taken }, doings: { ...doings, look } };
  }

  #endSession(userId: bigint): HomeAnswer {
    const { people, replaced } = this.#options;
    const doings = people.packForNewPage(userId);
    replaced(userId);
    return { type: "released", session: null, doings };
  }

  #sendToCall(
    userId: bigint,
    { server, roomId, epoch }: PeerRequests["callIsAt"]["in"],
  ): PeerRequests["callIsAt"]["out"] {
    const { peers, hub, people } = this.#options;
    if (server === peers.self) throw new NoOwnerError("the user has just left this server");
    const yielded = people.yieldCall(userId, roomId, { server, epoch });
    if (yielded !== "free") return yielded;
    if (!hub.isHere(userId)) throw new NoOwnerError("the user has no page at this server");
    hub.move(userId, server);
    return "coming";
  }
}
