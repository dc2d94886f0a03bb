import type { SelectType } from "kysely";
import { expect, test } from "vitest";
import { createTestDatabase } from "#testing/database.ts";
import type { Database } from "./schema.ts";

type Name<Value> = Value extends bigint
  ? "bigint"
  : Value extends number
    ? "smallint" | "integer"
    : Value extends Date
      ? "timestamp with time zone"
      : Value extends string
        ? "text" | "date"
        : never;
type Nullability<Value> = null extends Value ? "null" : "not null";
type Described<Column> = `${Name<NonNullable<SelectType<Column>>>} ${Nullability<SelectType<Column>>}`;

/** Every column as the types of `schema.ts` allow it: a column added or changed there does not compile until it is here. */
const expected = {
  users: {
    id: "bigint not null",
    user_no: "text not null",
    external_id: "text not null",
    nickname: "text not null",
    avatar_key: "text not null",
    sex: "smallint not null",
    birthday: "date null",
    country_id: "integer not null",
    role: "smallint not null",
    language: "text not null",
    created_at: "timestamp with time zone not null",
    last_login_at: "timestamp with time zone not null",
    last_login_ip: "text not null",
    device_id: "text not null",
  },
  identities: {
    login_type: "smallint not null",
    third_party_id: "text not null",
    user_id: "bigint not null",
  },
  age_refusals: {
    identity_hash: "text not null",
    try_again_on: "date not null",
  },
  bans: {
    id: "bigint not null",
    user_id: "bigint not null",
    reason_id: "smallint not null",
    reason: "text not null",
    created_at: "timestamp with time zone not null",
    until: "timestamp with time zone null",
  },
  sessions: {
    id: "text not null",
    user_id: "bigint not null",
    token_hash: "text not null",
    source: "smallint not null",
    ip: "text not null",
    user_agent: "text not null",
    language: "text not null",
    created_at: "timestamp with time zone not null",
    last_seen_at: "timestamp with time zone not null",
    expires_at: "timestamp with time zone not null",
    ended_at: "timestamp with time zone null",
    end_reason: "text null",
  },
  login_events: {
    id: "bigint not null",
    user_id: "bigint not null",
    ip: "text not null",
    device_id: "text not null",
    user_agent: "text not null",
    at: "timestamp with time zone not null",
  },
  match_wishes: {
    user_id: "bigint not null",
    sex: "smallint not null",
    country: "integer not null",
    updated_at: "timestamp with time zone not null",
  },
  calls: {
    id: "text not null",
    offerer_id: "bigint not null",
    answerer_id: "bigint not null",
    offerer_price: "integer not null",
    answerer_price: "integer not null",
    matched_at: "timestamp with time zone not null",
    connected_at: "timestamp with time zone null",
    ended_at: "timestamp with time zone null",
    end_reason: "text null",
  },
  call_events: {
    id: "bigint not null",
    call_id: "text not null",
    user_id: "bigint null",
    kind: "text not null",
    at: "timestamp with time zone not null",
  },
} as const satisfies {
  [Table in keyof Database]: { [Column in keyof Database[Table]]: Described<Database[Table][Column]> };
};

const { pool } = await createTestDatabase();

test("the tables of the database are the tables the types name", async () => {
  const { rows } = await pool.query<{ table: string; column: string; described: string }>(
    `select table_name as table, column_name as column,
       data_type || case is_nullable when 'YES' then ' null' else ' not null' end as described
     from information_schema.columns where table_schema = 'public' and table_name not like 'kysely_%'`,
  );
  const actual: Record<string, Record<string, string>> = {};
  for (const { table, column, described } of rows) (actual[table] ??= {})[column] = described;
  expect(actual).toEqual(expected);
});
