import type { MatchWish } from "@fava/wire/beans.ts";
import type { RemoteUser } from "@fava/wire/people.ts";
import type { Standing } from "#ports/moderation.ts";

/** What the matcher needs to know of a person. */
export interface MatchFacts {
  readonly sex: 1 | 2;
  readonly countryId: number;
  readonly zone: number;
  /** Birthday and gender are stored. */
  readonly complete: boolean;
}

/** Who people are; the profile service answers from its cache while they search. */
export interface MatchPeople {
  matchFacts(userId: bigint): Promise<MatchFacts>;
  remoteUser(userId: bigint, language: string): Promise<Omit<RemoteUser, "price">>;
}

/** Who must never meet. The answers come from memory; whoever searches is prepared first. */
export interface MatchBars {
  /** @throws CallError 429 where nothing more fits. */
  prepare(userId: bigint): Promise<void>;
  /** True from `prepare` to the end of the person's chat session. */
  isPrepared(userId: bigint): boolean;
  isExcluded(one: bigint, other: bigint): boolean;
}

/** Who wants to meet whom again. */
export interface MeetWishes {
  /** Whether both said so, and may. */
  wishEachOther(one: bigint, other: bigint): Promise<boolean>;
  /** The two have met again. */
  wishFulfilled(one: bigint, other: bigint): Promise<void>;
}

/** Who may be matched at present. */
export interface MatchGate {
  /** Answers from memory after the first time. */
  standing(userId: bigint): Promise<Pick<Standing, "pausedUntil" | "isNew">>;
  /** Whether pictures of calls are looked at now; while not, new accounts wait. */
  isChecking(): boolean;
}

/** What a person asks for by pressing start. */
export interface SearchRequest {
  readonly userId: bigint;
  /** Interface language, in which the other's country is named. */
  readonly language: string;
  readonly wish: MatchWish;
  /** Description prepared in advance; used for one match at most. */
  readonly offer: string | null;
  /** Only renews a search that goes on. */
  readonly refresh?: boolean;
  /** Waits for this one person, and for nobody else. */
  readonly withUserId?: bigint | undefined;
}

/**
 * One person's search.
 *
 * - `waiting`: the matcher knows of it.
 * - `settling`: a pair was found, and what the room needs is being read.
 * - `away`: the socket is lost; the place is kept until its owner is back.
 * - `retrying`: the room could not be made; it goes back to the matcher later.
 */
export interface Search extends SearchRequest {
  readonly facts: MatchFacts;
  /** Beans a minute. */
  readonly price: number;
  /** The place in the queue, milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Matches in a row of which the browser took no notice. */
  readonly missed: number;
  readonly phase: "waiting" | "settling" | "away" | "retrying";
}
