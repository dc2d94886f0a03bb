import { PeerRetries } from "#lib/peer-retries.ts";
import { Timers } from "#lib/tasks.ts";
import type { KeptMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import { type HandedDoings, type HandedSession, type PeerKey, type Peers, personKey } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";

/** How long the home before is asked for a chat session: a socket waits for its welcome meanwhile. */
const fetchMs = 4_000;
/** So long a session that was given away is still told to whoever did not hear the answer. */
const toldMs = 2 * fetchMs;
/** Of what a session takes along as JSON: with all else it still is one message between processes. */
const outboxCharactersMax = 160_000;

/** Where a page goes on from. */
export interface Resumption {
  readonly sessionId: string;
  readonly lastSequence: number;
}

/** What is kept of a chat session without a socket. */
export interface KeptSession {
  readonly sequence: number;
  readonly outbox: readonly KeptMessage[];
}

/** The same where it is given away. */
export interface ReleasedSession extends KeptSession {
  /** The page moves: it has said all that it says over the socket which it leaves, and all of it was heard. */
  readonly hasSaidAll: boolean;
}

/** The chat sessions of this process. */
export interface HandingHub {
  isHere(userId: bigint): boolean;
  /** What is kept for the person of this session, if it can go on from there. */
  keptFor(userId: bigint, from: Resumption): KeptSession | null;
  /** The same, and the session is another process's from here on. */
  release(userId: bigint, from: Resumption): ReleasedSession | null;
  /** Goes on with a session of another process; its socket is still to come. */
  adopt(userId: bigint, sessionId: string, kept: KeptSession): void;
}

/** The searches and calls of users, handed over together with their chat sessions. */
export interface HandedPeople {
  /** Runs `fetch`; no search or call begins for the user meanwhile. */
  coming<Out>(userId: bigint, fetch: () => Promise<Out>): Promise<Out>;
  /** Keeps what the user did at the previous server, as of `atMs` on the monotonic clock, until disposed. */
  bring(userId: bigint, doings: HandedDoings, atMs: number): Disposable;
  /** Takes the session once its search or call can move to the next home; null: it stays at this server. */
  release<Taken>(
    userId: bigint,
    home: ProcessId,
    take: () => Taken | null,
  ): Promise<{ taken: Taken; doings: HandedDoings } | null>;
}

interface SessionHandoverOptions {
  hub: HandingHub;
  peers: Peers;
  guests: HandedPeople;
  /** The newest delivery of each server that the page has received. */
  siteBus: {
    takenFor(userId: bigint): HandedSession["taken"];
    bringTaken(userId: bigint, taken: HandedSession["taken"]): void;
  };
  processes: { living(): Promise<ReadonlySet<ProcessId>> };
  clock: Clock;
}

interface Handing extends Resumption {
  readonly home: ProcessId;
  readonly answer: Promise<HandedSession | null>;
  isOver: boolean;
}

/**
 * A chat session that is resumed at another process than it was at (rule SOCKET-110): its home gives it away with
 * what the page has not acknowledged and all that the person does, and forgets it; the next home goes on. Nothing of it
 * ends, and each push comes once.
 */
export class SessionHandover implements Disposable {
  readonly #options: SessionHandoverOptions;
  readonly #asks: PeerRetries;
  readonly #handing = new Map<bigint, Handing>();
  readonly #timers: Timers;
  readonly #answering: Disposable;
  #handed = 0;

  constructor(options: SessionHandoverOptions) {
    this.#options = options;
    this.#asks = new PeerRetries(options);
    this.#timers = new Timers(options.clock);
    const userOf = (key: PeerKey) => BigInt(key.slice("person:".length));
    this.#answering = options.peers.serve("handOver", ({ home, ...from }, key) =>
      this.#handOver(userOf(key), from, home),
    );
  }

  /** Chat sessions that were given away since the start. */
  get handed(): number {
    return this.#handed;
  }

  /** Has a session here that a page wants to go on with; where another process has it, it is this one's when it resolves. */
  async fetch(userId: bigint, { sessionId, lastSequence }: Resumption): Promise<void> {
    const { hub, peers, guests, siteBus, clock } = this.#options;
    const question = { sessionId, lastSequence, home: peers.self };
    await guests.coming(userId, async () => {
      let askedMs = 0;
      const handed = await this.#asks.within(fetchMs, () => {
        askedMs = clock.monotonicMs();
        return peers.ask("handOver", personKey(userId), question);
      });
      // Another page of theirs may have come meanwhile.
      if (!handed || hub.isHere(userId)) return;
      using _brought = guests.bring(userId, handed.doings, askedMs);
      siteBus.bringTaken(userId, handed.taken);
      hub.adopt(userId, sessionId, handed);
    });
  }

  /** Gives nobody away any more. */
  [Symbol.dispose](): void {
    this.#answering[Symbol.dispose]();
    this.#asks[Symbol.dispose]();
    this.#timers[Symbol.dispose]();
  }

  async #handOver(userId: bigint, from: Resumption, home: ProcessId): Promise<HandedSession | null> {
    const { hub } = this.#options;
    const before = this.#handing.get(userId);
    // One that is over and whose session is here again is another move's.
    const isSame = before?.sessionId === from.sessionId && before.home === home;
    // As old as its answer is by now nobody knows a clean look.
    if (before && !(before.isOver && hub.isHere(userId))) return isSame ? before.answer.then(withoutCleanLook) : null;
    const kept = hub.keptFor(userId, from);
    if (!kept || JSON.stringify(kept.outbox).length > outboxCharactersMax) return null;
    const handing: Handing = { ...from, home, answer: this.#giveAway(userId, from, home), isOver: false };
    this.#handing.set(userId, handing);
    try {
      const handed = await handing.answer;
      this.#handed += handed ? 1 : 0;
      return handed;
    } finally {
      handing.isOver = true;
      this.#timers.after(toldMs, () => {
        if (this.#handing.get(userId) === handing) this.#handing.delete(userId);
      });
    }
  }

  async #giveAway(userId: bigint, from: Resumption, home: ProcessId): Promise<HandedSession | null> {
    const { hub, guests, siteBus } = this.#options;
    const released = await guests.release(userId, home, () => {
      const taken = siteBus.takenFor(userId);
      const kept = hub.release(userId, from);
      return kept && { ...kept, taken };
    });
    if (!released) return null;
    const { hasSaidAll, ...taken } = released.taken;
    const handed = { ...taken, doings: released.doings };
    // Of what the page has said over a socket that was lost the end may be missing: that the camera was switched, too.
    return hasSaidAll ? handed : withoutCleanLook(handed);
  }
}

function withoutCleanLook(handed: HandedSession): HandedSession;
function withoutCleanLook(handed: HandedSession | null): HandedSession | null;
function withoutCleanLook(handed: HandedSession | null): HandedSession | null {
  const { look } = handed?.doings ?? {};
  return handed && look ? { ...handed, doings: { ...handed.doings, look: { ...look, cleanAgeMs: null } } } : handed;
}
