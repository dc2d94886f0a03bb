import type { Person } from "@fava/wire/people.ts";

/** A call that runs, or has ended and is not stored yet, as one user sees it. */
export interface UnwrittenCall {
  readonly id: string;
  readonly otherId: bigint;
  /** When both saw each other; null: not yet. */
  readonly connectedAtMs: number | null;
  /** Null: it is running. */
  readonly endedAtMs: number | null;
}

/** Calls that servers know of before the database does. */
export interface UnwrittenCalls {
  here(userId: bigint): readonly UnwrittenCall[];
  /** Calls of `one` with `other` at any server. @throws EndpointError 503 where a server did not answer. */
  between(one: bigint, other: bigint): Promise<readonly UnwrittenCall[]>;
}

/** Relations between users. A user is hidden who deleted the account, or where either has blocked the other. */
export interface Directory {
  /** Users as `viewerId` sees them in lists, without hidden ones. At most `listPageRows` ids; at most three queries. */
  cards(viewerId: bigint, ids: readonly bigint[], language: string): Promise<ReadonlyMap<bigint, Person>>;
  isHidden(one: bigint, other: bigint): Promise<boolean>;
  areFriends(one: bigint, other: bigint): Promise<boolean>;
  /** Whether the viewer may open the profile: met recently, in their lists or conversations, or found by search. */
  isKnown(viewerId: bigint, otherId: bigint): Promise<boolean>;
  /** Also hidden users: they can be reported and blocked, so a block looks like a deletion (rule PEOPLE-561). */
  isAcquainted(viewerId: bigint, otherId: bigint): Promise<boolean>;
  /** Met in a call within `recentMs`. */
  haveMet(one: bigint, other: bigint): Promise<boolean>;
  unwrittenCalls: UnwrittenCalls["between"];
  /** The user with this chat id, also of a deleted account until its erasure; null for none. */
  byExternalId(externalId: string): Promise<{ userId: bigint; official: boolean } | null>;
  /** Users who may see this user's presence, at most `relationsMax`. */
  friendIds(userId: bigint): Promise<readonly bigint[]>;
}

export interface Messaging {
  /** Whether a message could be sent now: `yes` to friends and in open conversations, `request` after a call. */
  canMessage(userId: bigint, otherId: bigint): Promise<"yes" | "request" | "no">;
}
