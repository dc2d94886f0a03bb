import type { Person } from "@fava/wire/people.ts";

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
  /** Met in a call of the last `recentMs`. */
  haveMet(one: bigint, other: bigint): Promise<boolean>;
  /** The person with this chat id; null for nobody and for deleted accounts. */
  byExternalId(externalId: string): Promise<{ userId: bigint; official: boolean } | null>;
  /** People who may see this person's presence, at most `relationsMax`. */
  friendIds(userId: bigint): Promise<readonly bigint[]>;
}

/** What other features need of conversations. */
export interface Messaging {
  /** Whether a message could be sent now: friends and open conversations `yes`, after a call `request`. */
  canMessage(userId: bigint, otherId: bigint): Promise<"yes" | "request" | "no">;
}
