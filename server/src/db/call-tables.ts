import type { Generated } from "kysely";
import type { OptionalTimestamp, Timestamp } from "./timestamps.ts";

/** What people asked of a match, and the calls that came of it (migration 0002). */
export interface CallTables {
  match_wishes: MatchWishesTable;
  calls: CallsTable;
  call_events: CallEventsTable;
}

export interface MatchWishesTable {
  user_id: bigint;
  sex: number;
  country: number;
  updated_at: Timestamp;
}

export interface CallsTable {
  id: string;
  offerer_id: bigint;
  answerer_id: bigint;
  /** Beans a minute, fixed when the match was made. */
  offerer_price: number;
  answerer_price: number;
  matched_at: Timestamp;
  /** When both sides had video; null where it never came to that. */
  connected_at: OptionalTimestamp;
  ended_at: OptionalTimestamp;
  /** next, stop, left, not_joined, lost, kicked, banned or restart. */
  end_reason: string | null;
}

/** Append only: what happened in a call, without any text or picture. */
export interface CallEventsTable {
  id: Generated<bigint>;
  call_id: string;
  user_id: bigint | null;
  kind: string;
  at: Timestamp;
}
