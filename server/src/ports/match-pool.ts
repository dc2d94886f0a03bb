import type { MatchFilters } from "@fava/wire/beans.ts";
import type { Talk } from "@fava/wire/talk.ts";
import type { ProcessId } from "./room-claims.ts";

export interface SearchRef {
  readonly userId: bigint;
  /** Grows with every wait of the user: a message about an earlier wait is stale. */
  readonly searchId: number;
}

export interface PoolSearch extends SearchRef {
  readonly sex: 1 | 2;
  readonly filters: MatchFilters;
  /** 0: unknown. */
  readonly countryId: number;
  readonly zone: number;
  /** Place in the queue: milliseconds on the timeline of this server's searches. */
  readonly sinceMs: number;
  readonly talk?: Talk | undefined;
  /** Id of the interface language in `spokenLanguages`; undefined: unknown. */
  readonly languageId?: number | undefined;
  readonly leavesOut?: readonly number[] | undefined;
  /** Start of the wait with these filters, on the same timeline; undefined: excluded from waiting-time statistics. */
  readonly waitSinceMs?: number | undefined;
  readonly isFixed?: boolean | undefined;
  /** The only user whom this search may find, who searches for this one too; undefined: anyone who suits. */
  readonly otherId?: bigint | undefined;
}

/** The parts of a search on which its waiting time depends. */
export type WaitOf = Pick<PoolSearch, "sex" | "filters" | "countryId" | "zone">;

/** The time within which half of such searches find a partner. */
export interface WaitEstimate {
  /** One of `waitEstimateSeconds`; null: longer than all of them, or unknown. */
  readonly seconds: number | null;
  /** From similar searches, from a larger group, or unknown. */
  readonly basis: "yours" | "wider" | "none";
}

export interface FoundPair {
  /** Fencing number of the matcher: pairs of an earlier epoch are stale. */
  readonly epoch: bigint;
  readonly pairId: number;
  /** Whose server has the room: the one that waited longer, if that server stays and the other's page can move. */
  readonly longer: SearchRef;
  readonly newer: SearchRef;
  /** The server of the newer search; null: this one. */
  readonly newerAt: ProcessId | null;
}

/** State of the matcher as this server knows it, and error counts since the start. */
export interface MatchPoolFigures {
  readonly hasMatcher: boolean;
  /** No matcher has received this server's latest state, so its users are not matched. */
  readonly isUnheard: boolean;
  /** Epoch of the newest known matcher; 0: none. */
  readonly epoch: bigint;
  /** Rejected pairs: of an earlier matcher, and with an ended search. */
  readonly refused: { readonly stale: number; readonly gone: number };
  /** Searches of this server that a matcher had lost or never received. */
  readonly rollCorrections: number;
  /** Candidates that this server's matchers rejected only because of an excluded country. */
  readonly barredByCountry: number;
}

/** Methods never wait for an answer: pairs go to the listeners (decision 033). At most one search a user. */
export interface MatchPool extends AsyncDisposable {
  readonly waitingCount: number;
  readonly figures: MatchPoolFigures;
  /**
   * Replaces an earlier search of the user; may emit a pair before it returns. Two users who search for each other
   * match at once.
   * @throws MatcherFullError where there is no match and the pool is full.
   */
  enter(search: PoolSearch): void;
  /** Does nothing where the user waits with another search. */
  withdraw(search: SearchRef): void;
  /** Keeps two users apart for a while: their connection failed, and would fail again. */
  separate(one: bigint, other: bigint): void;
  /** The two were matched, and one is at another server now: no matcher pairs them again at once. */
  met(one: bigint, other: bigint): void;
  /** Waiting time of such a search, within seconds equal at every server; `none` without a matcher. */
  estimateWait(search: WaitOf): Promise<WaitEstimate>;
  /** This server is shutting down: matches of its users go to other servers, and so do the users. */
  leave(): void;
  onPair(listener: (pair: FoundPair) => void): Disposable;
}
