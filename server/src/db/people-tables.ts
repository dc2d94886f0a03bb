import type { ColumnType, Generated } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type OptionalTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** What people are to each other, what they write, and their pictures (migration 0006). */
export interface PeopleTables {
  /** `user_id` follows `other_id`. */
  follows: RelationsTable;
  likes: RelationsTable;
  blocks: RelationsTable;
  /** `user_id` would like to meet `other_id` again. */
  meet_wishes: RelationsTable;
  conversations: ConversationsTable;
  messages: MessagesTable;
  conversation_sides: ConversationSidesTable;
  images: ImagesTable;
  reports: ReportsTable;
  stopped_texts: StoppedTextsTable;
  data_exports: DataExportsTable;
}

export interface RelationsTable {
  user_id: bigint;
  other_id: bigint;
  at: Timestamp;
}

export interface ConversationsTable {
  id: Generated<bigint>;
  low_id: bigint;
  high_id: bigint;
  /** Who asked; null once the other accepted, or where both were friends from the start. */
  requested_by: bigint | null;
  /** A request was accepted: both may write, friends or not. */
  accepted: Generated<boolean>;
  created_at: Timestamp;
}

export interface MessagesTable {
  id: Generated<bigint>;
  conversation_id: bigint;
  sender_id: bigint;
  client_id: string;
  /** text or met. */
  kind: string;
  text: string;
  sent_at: Timestamp;
}

/** A conversation as one of the two has it: their list and their unread count. */
export interface ConversationSidesTable {
  user_id: bigint;
  other_id: bigint;
  conversation_id: bigint;
  last_message_id: bigint;
  unread_count: Generated<number>;
  /** Id of the newest message read; 0 for none. */
  read_up_to: Generated<bigint>;
  /** The other's request waits for this side's answer. */
  request: Generated<boolean>;
  /** The request was declined: shown in no list of this side. */
  declined: Generated<boolean>;
}

export interface ImagesTable {
  id: Generated<bigint>;
  /** What the world knows it by. */
  public_id: string;
  user_id: bigint;
  /** unused, avatar or photo. */
  kind: Generated<string>;
  /** pending, approved or refused. */
  status: Generated<string>;
  reason_id: number | null;
  blob_key: string;
  thumb_key: string;
  width: number;
  height: number;
  position: Generated<number>;
  created_at: Timestamp;
  decided_at: OptionalTimestamp;
  decided_by: bigint | null;
  removed_at: OptionalTimestamp;
  /** Why a person looks: unsure, reported, contact, like_removed, random or new. */
  why: Generated<string>;
  /** 0 to 1; null where the models did not look. */
  explicit: number | null;
  /** Perceptual hash, 16 hex digits. */
  phash: string | null;
}

export interface ReportsTable {
  id: Generated<bigint>;
  reporter_id: bigint;
  reported_id: bigint;
  reason_id: number;
  call_id: string | null;
  message_id: bigint | null;
  at: Timestamp;
  case_id: bigint | null;
  /** Whether a person found it right; null until its case was decided. */
  was_right: boolean | null;
}

/** Texts that were refused for what they held; the text itself is not kept. */
export interface StoppedTextsTable {
  id: Generated<bigint>;
  user_id: bigint;
  /** message, nickname, about or location. */
  place: string;
  /** Kinds of finding, joined by commas. */
  findings: string;
  at: Timestamp;
}

export interface DataExportsTable {
  user_id: bigint;
  /** preparing, ready or failed. */
  state: string;
  percent: Generated<number>;
  file_key: string | null;
  size_bytes: number | null;
  begun_at: Timestamp;
  until: OptionalTimestamp;
}
