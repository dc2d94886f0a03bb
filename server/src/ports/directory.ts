import type { Person } from "@fava/wire/people.ts";

/** A call from one user's view that runs, or that has ended and is not stored yet. */
export interface UnwrittenCall {
  readonly id: string;
  readonly otherId: bigint;
  /** When both users saw each other; null if not yet. */
  readonly connectedAtMs: number | null;
  /** Null while the call runs. */
  readonly endedAtMs: number | null;
}

/** Calls that the database does not have yet, from the memory of the servers. */
export interface UnwrittenCalls {
  here(userId: bigint): readonly UnwrittenCall[];
  /**
   * Calls of `one` with `other` at any server.
   * @throws EndpointError 503 if a server did not answer.
   */
  between(one: bigint, other: bigint): Promise<readonly UnwrittenCall[]>;
}

/** Relations between users. Two users are hidden if either blocked the other, or the other's account is deleted. */
export interface Directory {
  /** Users as `viewerId` sees them, without hidden ones. Takes at most `listPageRows` ids and three queries. */
  cards(viewerId: bigint, ids: readonly bigint[], language: string): Promise<ReadonlyMap<bigint, Person>>;
  isHidden(one: bigint, other: bigint): Promise<boolean>;
  areFriends(one: bigint, other: bigint): Promise<boolean>;
  /** Whether the viewer may open the profile: met lately, in their list or conversation, or found by search. */
  isKnown(viewerId: bigint, otherId: bigint): Promise<boolean>;
  /** As `isKnown`, also for hidden users: one can report and block them, as deleted ones (rule PEOPLE-561). */
  isAcquainted(viewerId: bigint, otherId: bigint): Promise<boolean>;
  /** Whether the two met in a call within `recentMs`. */
  haveMet(one: bigint, other: bigint): Promise<boolean>;
  unwrittenCalls: UnwrittenCalls["between"];
  /** The user with this chat id, deleted or not until the erasure; null if there is none. */
  byExternalId(externalId: string): Promise<{ userId: bigint; official: boolean } | null>;
  /** Users who may see this user's presence, at most `relationsMax`. */
  friendIds(userId: bigint): Promise<readonly bigint[]>;
}

export interface Messaging {
  /** Whether the user could send a message now: `yes` to friends and in open conversations, `request` after a call. */
  canMessage(userId: bigint, otherId: bigint): Promise<"yes" | "request" | "no">;
}
