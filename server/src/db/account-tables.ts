import type { ColumnType, Generated } from "kysely";
import type { OptionalTimestamp, Timestamp } from "./timestamps.ts";

/** Who people are, how they sign in, and their bans (migration 0001). */
export interface AccountTables {
  users: UsersTable;
  identities: IdentitiesTable;
  age_refusals: AgeRefusalsTable;
  bans: BansTable;
  sessions: SessionsTable;
  login_events: LoginEventsTable;
}

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
  about: Generated<string>;
  location: Generated<string>;
  nickname_changed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  /** Strangers find the person by nickname. */
  searchable: Generated<boolean>;
  /** The account of this service itself. */
  official: Generated<boolean>;
  /** The person deleted the account: gone for everybody, and can come back for 14 days. */
  deleted_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  /** Nothing of the person is left but what the law asks for. */
  erased_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
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
  until: OptionalTimestamp;
  case_id: bigint | null;
  /** Null: software. */
  decided_by: bigint | null;
  seconded_by: bigint | null;
  /** Until a person has decided. */
  is_provisional: Generated<boolean>;
  /** Rule that led to it, where software decided. */
  rule: string | null;
  call_id: string | null;
  /** 1 to 3: which strike it is; 0 for none. */
  strike: Generated<number>;
  /** It ended before its time; `ended_because` is lifted, shortened, replaced or lapsed. */
  ended_early_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  ended_because: string | null;
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
  ended_at: OptionalTimestamp;
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
