import type { Standstill } from "#db/standstill.ts";
import type { SearchRef } from "#ports/match-pool.ts";
import {
  type CallEvent,
  type HandedDoings,
  NobodyThereError,
  type Ownership,
  type PeerKey,
  type Peers,
  processKey,
} from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { NewSearch } from "./match-eligibility.ts";
import type { RunningCalls } from "./room-claims.ts";
import type { KnownLook } from "./search-inspection.ts";

/** People in one question. */
const askedAtOnce = 1_000;

/** Somebody of here whose search or call is at another process. */
export interface Lent {
  readonly loan: SearchRef;
  readonly host: ProcessId;
  readonly otherId: bigint;
  /** To go on with where the host never had them. */
  readonly search: NewSearch | null;
  readonly sinceMs: number;
  /** The host has said that it has them. */
  isKept: boolean;
  isConnected: boolean;
  /** Their page has been in the call since before the host had it. */
  readonly stays?: boolean;
}

/** Somebody whose home is another process, and whose search or call is here. */
export interface Guest {
  readonly loan: SearchRef;
  home: ProcessId;
  /** Of the key by which others reach what they do here. */
  ownership: Ownership;
  /** Their page is there, or may come back to its chat session. */
  isHere: boolean;
  /** What goes home with them; null while they stay. */
  luggage: Luggage | null;
}

/** Somebody of here for whom another process, which has asked where their call is, is about to be the home. */
export interface Leaving {
  readonly userId: bigint;
  readonly nextHome: ProcessId;
  /** Of the monotonic clock, in milliseconds. */
  readonly untilMs: number;
  /** What they did here, and go on with where they stay; null: nothing. */
  readonly doings: PackedDoings | null;
}

/** All that somebody does besides a call. */
export type PackedDoings = Pick<HandedDoings, "search" | "rematch" | "sinceMs">;

/** With what somebody goes home. */
export interface Luggage {
  readonly search?: NewSearch | null;
  readonly sinceMs?: number | null;
  readonly look?: KnownLook | null;
  /** The two are kept apart for a while. */
  readonly isApart?: boolean;
}

/** What somebody did, as their home tells it. */
export interface Heard {
  readonly from: ProcessId;
  readonly number: number;
  readonly loanId: number;
  readonly event: CallEvent;
}

/** Where somebody in an adopted call is: `awaited` also where their page has to say so itself. */
export type AdoptedPlace = "stays" | "awaited" | "elsewhere";

export interface LoanCheckOptions {
  peers: Peers;
  /** The processes of the site that are not known to be dead. */
  processes: { living(): Promise<ReadonlySet<ProcessId>> };
  /** Whether two people are in a call, as the database knows it. */
  runningCalls: Pick<RunningCalls, "areIn" | "isOwnedBy">;
  /** While others may go on with the calls of this process it says nothing of its people. */
  standstill: Pick<Standstill, "isInDoubt" | "say">;
}

/** The call that another server takes over, and the other user in it. */
export interface Adoption {
  readonly roomId: string;
  readonly otherId: bigint;
  readonly host: ProcessId;
}

/** Asks the other process of loans whether it knows of them. */
export class LoanChecks {
  readonly #options: LoanCheckOptions;

  constructor(options: LoanCheckOptions) {
    this.#options = options;
  }

  /**
   * Those of here whose call or search at their host is over, or whose host is dead and nobody goes on with it. Whoever
   * is lent no more when a host answers has been given away: asked for here, their call would lose the page that it has.
   */
  async over(kept: readonly Lent[], isLent: (lent: Lent) => boolean): Promise<readonly Lent[]> {
    const { peers } = this.#options;
    const strays = await this.#strays(
      kept,
      ({ host }) => host,
      (host, lent) => peers.ask("hasGuests", host, { loans: lent.map(({ loan }) => loan) }),
    );
    const over: Lent[] = [];
    for (const lent of strays) if (isLent(lent) && (await this.#isOver(lent))) over.push(lent);
    return over;
  }

  /** Guests of here whom their home has not lent. */
  unlent(guests: readonly Guest[]): Promise<readonly Guest[]> {
    const { peers } = this.#options;
    return this.#strays(
      guests,
      ({ home }) => home,
      (home, known) => peers.ask("keepGuests", home, { loans: known.map(({ loan }) => loan), host: peers.self }),
    );
  }

  /** Those whose page has gone from the process that was about to be their home, or never came there. */
  unawaited(leaving: readonly Leaving[]): Promise<readonly Leaving[]> {
    return this.#strays(
      leaving,
      ({ nextHome }) => nextHome,
      (home, known) => this.#options.peers.ask("hasPages", home, { userIds: known.map(({ userId }) => userId) }),
    );
  }

  /** Those of whom their other process does not know, or which is dead. */
  async #strays<Known>(
    all: readonly Known[],
    processOf: (known: Known) => ProcessId,
    ask: (process: PeerKey, known: readonly Known[]) => Promise<readonly boolean[]>,
  ): Promise<readonly Known[]> {
    if (all.length === 0) return [];
    const living = await this.#options.processes.living();
    const strays: Known[] = [];
    for (const process of new Set(all.map(processOf))) {
      const there = all.filter((known) => processOf(known) === process);
      for (let from = 0; from < there.length; from += askedAtOnce) {
        const asked = there.slice(from, from + askedAtOnce);
        const isKnown = living.has(process) ? await ask(processKey(process), asked).catch(() => null) : [];
        if (isKnown) strays.push(...asked.filter((_known, index) => !isKnown[index]));
      }
    }
    return strays;
  }

  /**
   * A host that does not know of it may have heard in another order who became its person's home;
   * of a dead one somebody goes on with it, and asks for them, for as long as it is not written down as over.
   */
  async #isOver({ host, loan, otherId }: Lent): Promise<boolean> {
    const { peers, processes, runningCalls } = this.#options;
    try {
      return (await peers.ask("moveHome", processKey(host), { loan, home: peers.self })) === null;
    } catch (error) {
      if (!(error instanceof NobodyThereError) || (await processes.living()).has(host)) return false;
      return !(await runningCalls.areIn(loan.userId, otherId));
    }
  }

  /** Whether the user is lent for this call to a process that has died, or that has lost the call to `host`. */
  async isOfDead(lent: Lent, { roomId, otherId, host }: Adoption): Promise<boolean> {
    const { processes, runningCalls } = this.#options;
    if (lent.otherId !== otherId) return false;
    if (!(await processes.living()).has(lent.host)) return true;
    return lent.host !== host && runningCalls.isOwnedBy(roomId, host);
  }
}
