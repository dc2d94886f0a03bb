import type { SelectType } from "kysely";
import type { PeopleTables } from "#db/people-tables.ts";

type Name<Value> = Value extends bigint
  ? "bigint"
  : Value extends boolean
    ? "boolean"
    : Value extends number
      ? "smallint" | "integer" | "real"
      : Value extends Date
        ? "timestamp with time zone"
        : Value extends string
          ? "text" | "date"
          : never;
type Nullability<Value> = null extends Value ? "null" : "not null";
/** A column as the database describes it, of the type that `schema.ts` gives it. */
export type Described<Column> = `${Name<NonNullable<SelectType<Column>>>} ${Nullability<SelectType<Column>>}`;

/** Every column of migration 0006, for the test that compares types and database. */
export const peopleColumns = {
  follows: { user_id: "bigint not null", other_id: "bigint not null", at: "timestamp with time zone not null" },
  likes: { user_id: "bigint not null", other_id: "bigint not null", at: "timestamp with time zone not null" },
  blocks: { user_id: "bigint not null", other_id: "bigint not null", at: "timestamp with time zone not null" },
  meet_wishes: { user_id: "bigint not null", other_id: "bigint not null", at: "timestamp with time zone not null" },
  conversations: {
    id: "bigint not null",
    low_id: "bigint not null",
    high_id: "bigint not null",
    requested_by: "bigint null",
    accepted: "boolean not null",
    created_at: "timestamp with time zone not null",
  },
  messages: {
    id: "bigint not null",
    conversation_id: "bigint not null",
    sender_id: "bigint not null",
    client_id: "text not null",
    kind: "text not null",
    text: "text not null",
    sent_at: "timestamp with time zone not null",
  },
  conversation_sides: {
    user_id: "bigint not null",
    other_id: "bigint not null",
    conversation_id: "bigint not null",
    last_message_id: "bigint not null",
    unread_count: "integer not null",
    read_up_to: "bigint not null",
    request: "boolean not null",
    declined: "boolean not null",
  },
  images: {
    id: "bigint not null",
    public_id: "text not null",
    user_id: "bigint not null",
    kind: "text not null",
    status: "text not null",
    reason_id: "smallint null",
    blob_key: "text not null",
    thumb_key: "text not null",
    width: "integer not null",
    height: "integer not null",
    position: "integer not null",
    created_at: "timestamp with time zone not null",
    decided_at: "timestamp with time zone null",
    decided_by: "bigint null",
    removed_at: "timestamp with time zone null",
    why: "text not null",
    explicit: "real null",
    phash: "text null",
  },
  reports: {
    id: "bigint not null",
    reporter_id: "bigint not null",
    reported_id: "bigint not null",
    reason_id: "smallint not null",
    call_id: "text null",
    message_id: "bigint null",
    at: "timestamp with time zone not null",
    case_id: "bigint null",
    was_right: "boolean null",
  },
  stopped_texts: {
    id: "bigint not null",
    user_id: "bigint not null",
    place: "text not null",
    findings: "text not null",
    at: "timestamp with time zone not null",
  },
  data_exports: {
    user_id: "bigint not null",
    state: "text not null",
    percent: "smallint not null",
    file_key: "text null",
    size_bytes: "integer null",
    begun_at: "timestamp with time zone not null",
    until: "timestamp with time zone null",
  },
} as const satisfies {
  [Table in keyof PeopleTables]: { [Column in keyof PeopleTables[Table]]: Described<PeopleTables[Table][Column]> };
};
