import type { MatchFilters } from "@fava/wire/beans.ts";
import type { Talk } from "@fava/wire/talk.ts";
import type { ProcessId } from "./room-claims.ts";

export interface SearchRef {
  readonly userId: bigint;
  /** Grows with each wait of the user, so that messages about an earlier wait are recognized as stale. */
  readonly searchId: number;
}

export interface PoolSearch extends SearchRef {
  readonly sex: 1 | 2;
  readonly filters: MatchFilters;
  /** 0 if unknown. */
  readonly countryId: number;
  readonly zone: number;
  /** Place in the queue: milliseconds on the timeline of this server's searches. */
  readonly sinceMs: number;
  readonly talk?: Talk | undefined;
  /** Id of the interface language in `spokenLanguages`; undefined if unknown. */
  readonly languageId?: number | undefined;
  readonly leavesOut?: readonly number[] | undefined;
  /** Since when the user waits with these filters, on the same timeline. Undefined: not counted for estimates. */
  readonly waitSinceMs?: number | undefined;
  readonly isFixed?: boolean | undefined;
  /** The only user whom this search may find, and who must search for this user. Undefined: anyone who suits. */
  readonly otherId?: bigint | undefined;
}

/** The parts of a search that decide how long it waits. */
export type WaitOf = Pick<PoolSearch, "sex" | "filters" | "countryId" | "zone">;

/** Within this time, half of such searches find a partner. */
export interface WaitEstimate {
  /** One of `waitEstimateSeconds`; null if longer than all of them, or unknown. */
  readonly seconds: number | null;
  /** `yours`: computed from similar searches. `wider`: from a larger group. `none`: unknown. */
  readonly basis: "yours" | "wider" | "none";
}

export interface FoundPair {
  /** Fencing number of the matcher. Pairs with a lower one than the newest known are stale. */
  readonly epoch: bigint;
  readonly pairId: number;
  /** Its server makes the room: the search that waited longer, if its server stays and the other's page can move. */
  readonly longer: SearchRef;
  readonly newer: SearchRef;
  /** The server of the newer search; null if it is this server. */
  readonly newerAt: ProcessId | null;
}

/** State of the matcher as this server knows it, and counts of corrections since the start. */
export interface MatchPoolFigures {
  readonly hasMatcher: boolean;
  /** No matcher has this server's latest searches, so its users are not matched. */
  readonly isUnheard: boolean;
  /** Epoch of the newest known matcher; 0 if none is known. */
  readonly epoch: bigint;
  /** Pairs that this server rejected: `stale` from an earlier matcher, `gone` with an ended search. */
  readonly refused: { readonly stale: number; readonly gone: number };
  /** Searches of this server that a matcher had lost or had not received. */
  readonly rollCorrections: number;
  /** Candidates that a matcher of this server rejected only because of an excluded country. */
  readonly barredByCountry: number;
}

/** Waiting searches, one per user. No method waits for an answer; listeners receive the pairs (decision 033). */
export interface MatchPool extends AsyncDisposable {
  readonly waitingCount: number;
  readonly figures: MatchPoolFigures;
  /**
   * Adds a search in place of the user's earlier one. May emit a pair before it returns. Two users who search for each
   * other match at once.
   * @throws MatcherFullError if nobody suits and the pool is full.
   */
  enter(search: PoolSearch): void;
  /** Removes the search; does nothing if the user waits with another one. */
  withdraw(search: SearchRef): void;
  /** Keeps two users apart for a while, because their connection failed and would fail again. */
  separate(one: bigint, other: bigint): void;
  /** The two were matched, and one is at another server now: no matcher may pair them again at once. */
  met(one: bigint, other: bigint): void;
  /** How long such a search waits; `none` without a matcher. Within seconds, all servers answer alike. */
  estimateWait(search: WaitOf): Promise<WaitEstimate>;
  /** Call when this server is about to stop. Other servers then get the rooms of its users' matches. */
  leave(): void;
  onPair(listener: (pair: FoundPair) => void): Disposable;
}
