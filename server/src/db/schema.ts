import type { ColumnType, Generated } from "kysely";

/** Tables as the migrations leave them; `schema.test.ts` compares them with the database. */
export interface Database {
  users: UsersTable;
  identities: IdentitiesTable;
  age_refusals: AgeRefusalsTable;
  bans: BansTable;
  sessions: SessionsTable;
  login_events: LoginEventsTable;
  match_wishes: MatchWishesTable;
  calls: CallsTable;
  call_events: CallEventsTable;
}

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;

export interface UsersTable {
  id: Generated<bigint>;
  user_no: string;
  external_id: string;
  nickname: string;
  /** Key of the picture in blob storage; empty for none. */
  avatar_key: string;
  /** 0 until the person said, then 1 male or 2 female, for good. */
  sex: number;
  /** Calendar day, read as text; null until given. */
  birthday: string | null;
  country_id: number;
  role: number;
  language: string;
  created_at: Timestamp;
  last_login_at: Timestamp;
  last_login_ip: string;
  device_id: string;
}

export interface IdentitiesTable {
  login_type: number;
  third_party_id: string;
  user_id: bigint;
}

/** Under-age sign-ins: a keyed hash of the identity and the day it may try again, nothing else of the date. */
export interface AgeRefusalsTable {
  identity_hash: string;
  try_again_on: string;
}

export interface BansTable {
  id: Generated<bigint>;
  user_id: bigint;
  reason_id: number;
  reason: string;
  created_at: Timestamp;
  /** Null: without end. */
  until: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface SessionsTable {
  id: string;
  user_id: bigint;
  /** SHA-256 of the token, hex. */
  token_hash: string;
  source: number;
  ip: string;
  user_agent: string;
  language: string;
  created_at: Timestamp;
  last_seen_at: Timestamp;
  expires_at: Timestamp;
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  /** expired, kicked, deleted, signed_out or banned; null while it lives. */
  end_reason: string | null;
}

export interface LoginEventsTable {
  id: Generated<bigint>;
  user_id: bigint;
  ip: string;
  device_id: string;
  user_agent: string;
  at: Timestamp;
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
  connected_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
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
