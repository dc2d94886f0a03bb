import type { MatchFilters } from "@fava/wire/beans.ts";
import { codes } from "@fava/wire/codes.ts";
import type { RemoteUser } from "@fava/wire/people.ts";
import type { Talk } from "@fava/wire/talk.ts";
import { EndpointError, forbidden } from "#lib/errors.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { AvailableBalances } from "#ports/billing.ts";
import type { Clock } from "#ports/clock.ts";
import { type AccountRestrictions, untilDecidedMs } from "#ports/moderation.ts";
import type { CarriedLook, RingSearch } from "#ports/peers.ts";
import type { MatchRestrictions } from "./live-room.ts";

/** What the matcher needs to know of a person; `sex` means something only where `complete`. */
export interface MatchFacts {
  readonly sex: 1 | 2;
  readonly countryId: number;
  readonly zone: number;
  /** Birthday and gender are stored. */
  readonly complete: boolean;
  /** What they say of themself to be brought together with people they can talk to. */
  readonly talk?: Talk;
  /** Countries whose people they do not meet, by id. */
  readonly leavesOut?: readonly number[];
}

/** Who people are; the profile service answers from its cache while they search. */
export interface MatchPeople {
  matchFacts(userId: bigint): Promise<MatchFacts>;
  /** What a stranger sees of a person, in the language of that stranger: with what the two share where it is said who they are. */
  remoteUser(userId: bigint, language: string, viewerId?: bigint): Promise<Omit<RemoteUser, "price">>;
}

/** Who must never meet. The answers come from memory; whoever searches is prepared first. */
export interface MatchExclusions {
  /** @throws EndpointError 429 where nothing more fits. */
  prepare(userId: bigint): Promise<void>;
  /** True from `prepare` to the end of the person's chat session. */
  isPrepared(userId: bigint): boolean;
  isExcluded(one: bigint, other: bigint): boolean;
}

/** Who wants to meet whom again. */
export interface RematchRequests {
  /** Whether both said so, and may. */
  bothRequested(one: bigint, other: bigint): Promise<boolean>;
  /** The two have met again. */
  markFulfilled(one: bigint, other: bigint): Promise<void>;
}

/** Who may be matched at present. */
export interface MatchGate {
  /** Answers from memory after the first time. */
  restrictionsOf(userId: bigint): Promise<MatchRestrictions>;
}

/** What a person asks for by pressing start. */
export interface SearchRequest {
  readonly userId: bigint;
  /** Interface language, in which the other's country is named. */
  readonly language: string;
  readonly filters: MatchFilters;
  /** Description prepared in advance; used for one match at most. */
  readonly offer: string | null;
  /** Only renews a search that goes on. */
  readonly refresh?: boolean;
  /** Waits for this one person, and for nobody else. */
  readonly withUserId?: bigint | undefined;
  /** Of whoever waits for one person: the ring that one of them accepted; undefined where they want to meet again. */
  readonly ring?: RingSearch | undefined;
  /** Room of the newest match that the page has heard of; undefined where it does not say. */
  readonly knownRoomId?: string | undefined;
  /** The page has told the person that pictures are looked at while they search: they may be asked for. */
  readonly checks?: boolean;
  /** Names the press of Start, for traces; undefined where the page does not. It goes wherever the search goes. */
  readonly traceparent?: string | undefined;
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
  /** When the person began to wait with these filters, on the same time line; undefined: how long it takes counts for nothing. */
  readonly waitSinceMs?: number | undefined;
  /** Matches in a row of which the browser took no notice. */
  readonly missed: number;
  readonly phase: "waiting" | "settling" | "away" | "retrying";
}

/** A search before the pool has it. */
export interface NewSearch extends Omit<Search, "phase"> {
  /** What was seen of the person, on the way to the process that hosts them. */
  readonly look?: CarriedLook;
}

/** The search of somebody who waits for one person only, because both want to meet again. */
export type RematchSearch<Kind extends NewSearch = Search> = Kind & { readonly withUserId: bigint };

export function isRematch<Kind extends NewSearch>(search: Kind): search is RematchSearch<Kind> {
  return search.withUserId !== undefined;
}

/**
 * Nobody is matched before a person has looked at what was reported.
 *
 * @throws EndpointError 403 `paused` with `until` (`pauseEnd`).
 */
export async function requireNoPause(
  userId: bigint,
  { gate, clock }: { gate: MatchGate; clock: Clock },
): Promise<void> {
  const restrictions = await gate.restrictionsOf(userId);
  if (isPaused(restrictions, clock.nowMs())) throw forbidden("paused", { until: pauseEnd(restrictions) });
}

/** @throws EndpointError 402 `{need, have, limit}` where the first minute cannot be paid. */
export async function requireBeans(userId: bigint, need: number, availableBalances: AvailableBalances): Promise<void> {
  const { have, limit } = await availableBalances.spendable(userId);
  if (have < BigInt(need)) {
    throw new EndpointError(codes.notEnoughBeans, "not enough beans", { need, have: wireInteger(have), limit });
  }
}

export function isPaused({ pausedUntil }: Pick<AccountRestrictions, "pausedUntil">, nowMs: number): boolean {
  return pausedUntil !== null && pausedUntil > nowMs;
}

/** Until when somebody is paused at the latest, milliseconds since the epoch; null: until a person has decided. */
export function pauseEnd({ pausedUntil }: Pick<AccountRestrictions, "pausedUntil">): number | null {
  return pausedUntil === untilDecidedMs ? null : pausedUntil;
}

/** Somebody who is not matched at present meets nobody again either. */
export function gatedRematchRequests({
  gate,
  rematchRequests,
  clock,
}: {
  gate: MatchGate;
  rematchRequests: RematchRequests;
  clock: Clock;
}): RematchRequests {
  const isAllowed = async (userId: bigint) => !isPaused(await gate.restrictionsOf(userId), clock.nowMs());
  return {
    bothRequested: async (one, other) =>
      (await isAllowed(one)) && (await isAllowed(other)) && rematchRequests.bothRequested(one, other),
    markFulfilled: (one, other) => rematchRequests.markFulfilled(one, other),
  };
}
