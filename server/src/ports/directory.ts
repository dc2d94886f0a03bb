import type { Person } from "@fava/wire/people.ts";

/** A call that runs, or that is over and not stored yet, as one of its two people has it. Times are milliseconds since the epoch. */
export interface UnwrittenCall {
  readonly id: string;
  readonly otherId: bigint;
  /** When both saw each other; null: not yet. */
  readonly connectedAtMs: number | null;
  /** Null: it runs. */
  readonly endedAtMs: number | null;
}

/** Calls that the servers of the site know before the database does. */
export interface UnwrittenCalls {
  /** Those of this person at this server. */
  here(userId: bigint): readonly UnwrittenCall[];
  /**
   * Those of `one` with `other`, at whichever server.
   *
   * @throws EndpointError 503 where a server did not answer.
   */
  between(one: bigint, other: bigint): Promise<readonly UnwrittenCall[]>;
}

/** Who people are to each other. A hidden person is one who deleted the account, or where either has blocked the other. */
export interface Directory {
  /**
   * People as `viewerId` sees them in lists, in this language; hidden ones are left out. At most `listPageRows` ids, in
   * three queries at most.
   */
  cards(viewerId: bigint, ids: readonly bigint[], language: string): Promise<ReadonlyMap<bigint, Person>>;
  isHidden(one: bigint, other: bigint): Promise<boolean>;
  areFriends(one: bigint, other: bigint): Promise<boolean>;
  /** Whether the other may be looked at: met lately, in one's lists or conversations, or just found by search. */
  isKnown(viewerId: bigint, otherId: bigint): Promise<boolean>;
  /**
   * The same, though the other deleted the account or either has blocked the other: such a person can be reported and
   * blocked, so that nobody can tell a block from a deletion (rule PEOPLE-561).
   */
  isAcquainted(viewerId: bigint, otherId: bigint): Promise<boolean>;
  /** Met in a call of the last `recentMs`. */
  haveMet(one: bigint, other: bigint): Promise<boolean>;
  /** Calls of `one` with `other` that the database may not have yet. */
  unwrittenCalls: UnwrittenCalls["between"];
  /** The person with this chat id, also of a deleted account until it is erased; null for nobody. */
  byExternalId(externalId: string): Promise<{ userId: bigint; official: boolean } | null>;
  /** People who may see this person's presence, at most `relationsMax`. */
  friendIds(userId: bigint): Promise<readonly bigint[]>;
}

/** What other features need of conversations. */
export interface Messaging {
  /** Whether a message could be sent now: friends and open conversations `yes`, after a call `request`. */
  canMessage(userId: bigint, otherId: bigint): Promise<"yes" | "request" | "no">;
}
