import type { Logger } from "pino";
import type { PauseGuard } from "#db/pause-guard.ts";
import { KeyedMutex } from "#lib/keyed-mutex.ts";
import { PeerRetries } from "#lib/peer-retries.ts";
import { Pauses, Tasks, Timers } from "#lib/tasks.ts";
import type { KeptMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { Departure, HubListener } from "#ports/hub-listener.ts";
import type { OneTimeKeys } from "#ports/one-time-keys.ts";
import {
  type Asked,
  type HandedDoings,
  type HandedSession,
  type HomeAnswer,
  NobodyThereError,
  type Ownership,
  PeerFailedError,
  type Peers,
  PeerSilentError,
  personKey,
  userOfKey,
} from "#ports/peers.ts";
import type { Epoch, ProcessId } from "#ports/room-claims.ts";

/** How long a home that does not answer is asked. A server that hangs is declared dead before that. */
const askMs = 10_000;
/** Two servers must not claim one user at the same time; a claim that takes longer begins again. */
const turnMs = 12_000;
const turnLookMs = 50;
/** How long an answer is kept for a server that did not receive it. */
const answerKeptMs = 8_000;
/** How long requests for a user who moves still come to the old home. */
const movingMs = 10_000;
/** The unacknowledged messages of a session, as JSON: with all the rest they must fit into one message between servers. */
const outboxCharactersMax = 160_000;

/** Where a page resumes its chat session. */
export interface Resumption {
  readonly sessionId: string;
  readonly lastSequence: number;
}

/** A chat session without its socket. */
export interface KeptSession {
  readonly sequence: number;
  readonly outbox: readonly KeptMessage[];
}

/** A session that this server has given up. */
export interface ReleasedSession extends KeptSession {
  /** The page moves: the server has received all that it sent over the old socket. */
  readonly hasSaidAll: boolean;
}

/** The chat sessions of this server. */
export interface HandingHub {
  isHere(userId: bigint): boolean;
  /** What is kept of this session; null if it cannot be resumed from there. */
  keptFor(userId: bigint, from: Resumption): KeptSession | null;
  /** The same; this server has no such session afterwards. */
  release(userId: bigint, from: Resumption): ReleasedSession | null;
  /** Continues a session of another server; its socket follows. */
  adopt(userId: bigint, sessionId: string, kept: KeptSession): void;
  /** Asks the page to resume its session at the server `to`; false if there is no live page that can. */
  move(userId: bigint, to: ProcessId): boolean;
}

/** The searches and calls of users at this server. */
export interface HandedPeople {
  hasCall(userId: bigint): boolean;
  /** Whether the call has to stay at this server. One that is about to stop lets calls with two pictures go. */
  keepsCall(userId: bigint): boolean;
  /** Ends what the user does besides a call, and returns it for the next home. */
  pack(userId: bigint): HandedDoings;
  /** The same for a new page, which has begun nothing but a search for which its request came to this server. */
  packForNewPage(userId: bigint): HandedDoings | null;
  /**
   * What the user did at the old home, until disposed: the user arrives meanwhile.
   *
   * @param from `atMs`: when that was true, or earlier, by the monotonic clock; `isResumed`: the session's socket follows.
   */
  bring(userId: bigint, doings: HandedDoings, from: { atMs: number; isResumed: boolean }): Disposable;
  /**
   * Gives up the call `roomId` to a server with a later epoch.
   *
   * @returns `taken`: this server is a later owner of the call; `elsewhere`: the user does something else here.
   */
  yieldCall(userId: bigint, roomId: string, epoch: Epoch): "free" | "elsewhere" | "taken";
  /** Another server became the user's home without asking this one, which still has the call. */
  lostHome(userId: bigint): void;
}

/** Where a user of a call is. `awaited`: no server has a page of theirs; the next one is sent to the call. */
export type CallPeople = Asked["callIsAt"]["out"] | "awaited";

/** A page that says hello. */
export interface Claimant {
  readonly resume: Resumption | null;
  /** Names the page's call; null: the page has none. */
  readonly ticket: string | null;
}

export interface PersonHomesOptions {
  peers: Peers;
  hub: HandingHub;
  /** Ends the user's session: another page of theirs has taken over. */
  replaced: (userId: bigint) => void;
  /** This server has become the home of a user with a page here. */
  ownedHere: (userId: bigint) => void;
  people: HandedPeople;
  /** The server with the user's call according to the database; null: this one, or no call. */
  findCall(userId: bigint, ticket: string | null): Promise<ProcessId | null>;
  /** Null: this is the only server, which is never asked. */
  siteBus: {
    takenFor(userId: bigint): HandedSession["taken"];
    bringTaken(userId: bigint, taken: HandedSession["taken"]): void;
  } | null;
  /** Locks of the site, so that only one server at a time claims a user. */
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
 * The home of a user is the one server with the user's chat session, search and call (decision 055). A server becomes the
 * home before it greets a page: it asks the old home, which releases the user in one turn, or keeps the user because of a
 * call. Then the page is sent there.
 */
export class PersonHomes implements Pick<HubListener, "arrived" | "gone">, AsyncDisposable {
  readonly #options: PersonHomesOptions;
  readonly #homes = new Map<bigint, Ownership>();
  /** Users of whom this server asks to be the home. */
  readonly #owning = new Map<bigint, AbortController>();
  readonly #claims = new KeyedMutex<bigint>();
  readonly #given = new Map<bigint, Given>();
  /** What users bring who have not arrived yet. */
  readonly #brought = new Map<bigint, Disposable>();
  readonly #tasks: Tasks;
  readonly #retries: PeerRetries;
  readonly #pauses: Pauses;
  readonly #timers: Timers;
  readonly #serving: readonly Disposable[];
  #claimCount = 0;
  #handed = 0;

  constructor(options: PersonHomesOptions) {
    const { peers, pauseGuard, clock } = options;
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#retries = new PeerRetries(clock);
    this.#pauses = new Pauses(clock);
    this.#timers = new Timers(clock);
    this.#serving = [
      peers.serve("giveHome", (asked, key) => pauseGuard.say(async () => this.#give(userOfKey(key), asked))),
      peers.serve("callIsAt", async (asked, key) => this.#sendToCall(userOfKey(key), asked)),
    ];
  }

  /** Number of chat sessions handed to other servers. */
  get handed(): number {
    return this.#handed;
  }

  /**
   * Makes this server the home of a user whose page says hello to it.
   *
   * @returns the server that has the user's call, to which the page has to go; null: the page may be greeted.
   */
  claim(userId: bigint, claimant: Claimant): Promise<ProcessId | null> {
    return this.#claims.run(userId, async () => {
      if (this.#hasHere(userId)) return null;
      await using _turn = await this.#turn(userId);
      const askedMs = this.#options.clock.monotonicMs();
      const answer = await this.#askHome(userId, claimant);
      if (answer?.type === "stays") return answer.home;
      const session = answer?.session ?? null;
      // Takes the call if its server is dead or about to stop. A page that brings its session is sent on once it is greeted.
      const place = await this.#options.findCall(userId, claimant.ticket);
      if (place !== null && !session) return place;
      await this.#own(userId);
      const from = { atMs: askedMs, isResumed: session !== null };
      if (answer?.doings) this.#brought.set(userId, this.#options.people.bring(userId, answer.doings, from));
      if (session && claimant.resume) this.#adopt(userId, claimant.resume, session);
      return null;
    });
  }

  /** Releases a user who was claimed for a page that has gone before it was greeted. */
  unclaim(userId: bigint): void {
    if (this.#hasHere(userId)) return;
    this.#release(userId);
    this.#endBrought(userId);
  }

  /** Has the pages of a user come to a call that this server has taken. */
  callHere(userId: bigint, roomId: string, epoch: Epoch): Promise<CallPeople> {
    const { peers, hub, people } = this.#options;
    return this.#claims.run(userId, async () => {
      // A page that was just claimed here is about to be greeted.
      if (hub.isHere(userId) || this.#homes.has(userId)) return "awaited";
      await using _turn = await this.#turn(userId);
      const answer = await this.#ask("callIsAt", userId, { server: peers.self, roomId, epoch });
      if (answer === null && people.hasCall(userId)) await this.#own(userId);
      return answer ?? "awaited";
    });
  }

  /** The user's call here is over: without a page, this server is no longer the home. */
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
    // The next home is not known yet, and others must not take the user for absent.
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

  /** Waits until no other server claims the user. If the lock cannot be had, goes on without it. */
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
      // The engine of the locks is away.
    }
    const sinceMs = clock.monotonicMs();
    return {
      [Symbol.asyncDispose]: async () => {
        // After that time it may be another server's.
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
    input: Asked[Kind]["in"],
  ): Promise<Asked[Kind]["out"] | null> {
    const { peers } = this.#options;
    return this.#retries.within(askMs, async () => {
      try {
        return await peers.ask(kind, personKey(userId), input);
      } catch (error) {
        // Without the message bus no home can be asked: the page is greeted all the same.
        if (error instanceof PeerSilentError && peers.isAway) throw new NobodyThereError("the message bus is away");
        if (error instanceof PeerFailedError) throw new PeerSilentError(error.message);
        throw error;
      }
    });
  }

  #adopt(userId: bigint, { sessionId }: Resumption, { taken, ...kept }: HandedSession): void {
    const { hub, siteBus } = this.#options;
    siteBus?.bringTaken(userId, taken);
    hub.adopt(userId, sessionId, kept);
  }

  /** All in one turn: afterwards nothing begins here for the user. */
  #give(userId: bigint, { home, claim, resume }: Asked["giveHome"]["in"]): HomeAnswer {
    const { peers, people } = this.#options;
    // The user has just left this server, and comes back.
    if (home === peers.self) return { type: "released", session: null, doings: null };
    const before = this.#given.get(userId);
    if (before?.home === home && claim <= before.claim) {
      if (claim === before.claim) return before.answer;
      throw new NobodyThereError("a request of an earlier claim");
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

  #sendToCall(userId: bigint, { server, roomId, epoch }: Asked["callIsAt"]["in"]): Asked["callIsAt"]["out"] {
    const { peers, hub, people } = this.#options;
    if (server === peers.self) throw new NobodyThereError("the user has just left this server");
    const yielded = people.yieldCall(userId, roomId, epoch);
    if (yielded !== "free") return yielded;
    if (!hub.isHere(userId)) throw new NobodyThereError("the user has no page here");
    hub.move(userId, server);
    return "coming";
  }
}
