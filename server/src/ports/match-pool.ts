import type { MatchFilters } from "@fava/wire/beans.ts";
import type { Talk } from "@fava/wire/talk.ts";
import type { ProcessId } from "./room-claims.ts";

/** One search of one person. */
export interface SearchRef {
  readonly userId: bigint;
  /** Another one each time that the person begins to wait, and greater than those before: what is said of an earlier wait means nothing. */
  readonly searchId: number;
}

/** A search as the pool has to know it. */
export interface PoolSearch extends SearchRef {
  readonly sex: 1 | 2;
  readonly filters: MatchFilters;
  /** Own country, 0 unknown. */
  readonly countryId: number;
  /** Region of the own country. */
  readonly zone: number;
  /** The place in the queue: milliseconds on the time line of this process's searches. */
  readonly sinceMs: number;
  /** What the person chose to talk in and about; undefined: nothing. */
  readonly talk?: Talk | undefined;
  /** Id of the interface's language, one of `spokenLanguages`; undefined: not known. */
  readonly languageId?: number | undefined;
  /** Countries whose people the person does not meet; undefined: none. */
  readonly leavesOut?: readonly number[] | undefined;
  /**
   * When the person began to wait with these filters, on the same time line; undefined: how long it takes counts for
   * nothing.
   */
  readonly waitSinceMs?: number | undefined;
  /** The user's page cannot move to another server; undefined: it can. */
  readonly isFixed?: boolean | undefined;
  /** Waits for this one person, who waits for them as well, and for nobody else; undefined: for anybody who suits. */
  readonly otherId?: bigint | undefined;
}

/** Whose search it is, and what it asks for, as far as this decides how long it takes. */
export type WaitOf = Pick<PoolSearch, "sex" | "filters" | "countryId" | "zone">;

/** By when half of such searches have found somebody. */
export interface WaitOutlook {
  /** One of `outlookSeconds`; null: later than all of them, or nobody knows. */
  readonly seconds: number | null;
  /** From searches like this one, from those of more people, or nobody knows. */
  readonly basis: "yours" | "wider" | "none";
}

/** Two people whom the pool brought together; neither is in it any more. */
export interface FoundPair {
  /** Grows with every matcher of the site: what an earlier one found after the next had begun means nothing. */
  readonly epoch: bigint;
  /** Counts the pairs of an epoch. */
  readonly pairId: number;
  /** Whose server has the room: the one that waited longer, if that server stays and the other's page can move. */
  readonly longer: SearchRef;
  readonly newer: SearchRef;
  /** The server of the newer search; null: this one. */
  readonly newerAt: ProcessId | null;
}

/** What this process knows of the matcher, and what went amiss between the two since it began. */
export interface MatchPoolFigures {
  readonly hasMatcher: boolean;
  /** No matcher has heard what this process said last: nobody here is met. */
  readonly isUnheard: boolean;
  /** Of the newest matcher that this process has heard of; 0 before. */
  readonly epoch: bigint;
  /** Pairs that were not taken: of an earlier matcher, and with a search that is over. */
  readonly refused: { readonly stale: number; readonly gone: number };
  /** Searches of this process that a matcher had lost, or never heard of. */
  readonly rollCorrections: number;
  /** Looks of this process's matchers at somebody who was barred by a country that is left out, and by nothing else. */
  readonly barredByCountry: number;
}

/**
 * The people who wait for somebody, and who suits whom (decision 033). Nothing in here waits for an answer: what becomes
 * of a search is told to those who listen for pairs. At most one search a person.
 */
export interface MatchPool extends AsyncDisposable {
  /** How many of this process's searches wait in it. */
  readonly waitingCount: number;
  readonly figures: MatchPoolFigures;
  /**
   * Waits from the place that the search says; a search that the person waited with before is over. The pair may be told
   * before this returns. Two who wait for each other alone are one as soon as both do, whomever they have met lately.
   *
   * @throws MatcherFullError where nobody suits, and no more can wait.
   */
  enter(search: PoolSearch): void;
  /** Waits no longer; does nothing where the person waits with another search. */
  withdraw(search: SearchRef): void;
  /** Keeps two people apart for a while: their connection failed, and would again. */
  separate(one: bigint, other: bigint): void;
  /** The two were found for each other, and one of them is at another process now: no matcher finds them again at once. */
  met(one: bigint, other: bigint): void;
  /** How long such a search takes, the same at every process of a site but for some seconds; `none` where the matcher does not answer. */
  outlook(search: WaitOf): Promise<WaitOutlook>;
  /** This process is about to stop: whoever waits here, or will, is found for people of other processes, and goes there. */
  leave(): void;
  /** Every pair with a search of this process that waited longer. */
  onPair(listener: (pair: FoundPair) => void): Disposable;
}
