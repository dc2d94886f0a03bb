import type { SelectType } from "kysely";
import { expect, test } from "vitest";
import { createTestDatabase } from "#testing/database.ts";
import type { Database } from "./schema.ts";

type Name<Value> = Value extends bigint
  ? "bigint"
  : Value extends boolean
    ? "boolean"
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
  bean_accounts: {
    id: "bigint not null",
    house: "text null",
    user_id: "bigint null",
    balance: "bigint null",
    held: "bigint null",
    version: "bigint null",
  },
  bean_transfers: {
    id: "bigint not null",
    key: "text not null",
    kind: "text not null",
    from_account: "bigint not null",
    to_account: "bigint not null",
    amount: "bigint not null",
    reference: "text not null",
    reason: "text null",
    overdraft: "boolean not null",
    at: "timestamp with time zone not null",
  },
  bean_entries: {
    transfer_id: "bigint not null",
    account_id: "bigint not null",
    amount: "bigint not null",
    balance_after: "bigint null",
    account_version: "bigint null",
  },
  bean_holds: {
    id: "bigint not null",
    key: "text not null",
    account_id: "bigint not null",
    amount: "bigint not null",
    reference: "text not null",
    at: "timestamp with time zone not null",
  },
  bean_hold_ends: {
    hold_id: "bigint not null",
    amount: "bigint not null",
    transfer_id: "bigint null",
    at: "timestamp with time zone not null",
  },
  bean_caps: {
    id: "bigint not null",
    user_id: "bigint not null",
    beans: "bigint null",
    beans_until: "bigint null",
    from_at: "timestamp with time zone not null",
    asked_at: "timestamp with time zone not null",
  },
  free_matches: {
    user_id: "bigint not null",
    day: "date not null",
    matches: "smallint not null",
    call_id: "text not null",
  },
  filter_prices: {
    id: "smallint not null",
    gender: "integer not null",
    country: "integer not null",
    gender_and_country: "integer not null",
  },
  packs: {
    id: "bigint not null",
    country_id: "integer not null",
    golds: "bigint not null",
    price_minor: "bigint not null",
    currency_code: "text not null",
    created_at: "timestamp with time zone not null",
    removed_at: "timestamp with time zone null",
  },
  shop_changes: {
    id: "bigint not null",
    at: "timestamp with time zone not null",
    actor_id: "bigint not null",
    change: "text not null",
    before: "text null",
    after: "text null",
  },
  payment_orders: {
    id: "bigint not null",
    order_no: "text not null",
    user_id: "bigint not null",
    provider: "text not null",
    channel_type: "smallint not null",
    pay_type: "text not null",
    pay_name: "text not null",
    pack_id: "bigint null",
    beans: "bigint not null",
    amount_minor: "bigint not null",
    currency_code: "text not null",
    country_code: "text not null",
    language: "text not null",
    state: "text not null",
    closed_by_person: "boolean not null",
    review_reason: "text null",
    review_transaction_id: "text null",
    provider_ref: "text null",
    pay_url: "text not null",
    expires_at: "timestamp with time zone null",
    transaction_id: "text null",
    paid_at: "timestamp with time zone null",
    created_at: "timestamp with time zone not null",
    changed_at: "timestamp with time zone not null",
    checks: "smallint not null",
    next_check_at: "timestamp with time zone null",
  },
  payment_refunds: {
    refund_no: "text not null",
    order_id: "bigint not null",
    amount_minor: "bigint not null",
    state: "text not null",
    provider_refund_id: "text null",
    asked_at: "timestamp with time zone not null",
    next_ask_at: "timestamp with time zone null",
  },
  payment_disputes: {
    order_id: "bigint not null",
    case_id: "text not null",
    amount_minor: "bigint not null",
    state: "text not null",
  },
  payment_events: {
    id: "bigint not null",
    provider: "text not null",
    event_id: "text not null",
    order_no: "text not null",
    kind: "text not null",
    event: "text not null",
    source: "text not null",
    raw_sha256: "text null",
    received_at: "timestamp with time zone not null",
  },
  payment_event_results: {
    id: "bigint not null",
    event_id: "bigint not null",
    result: "text not null",
    at: "timestamp with time zone not null",
  },
  order_decisions: {
    id: "bigint not null",
    order_id: "bigint not null",
    actor_id: "bigint not null",
    decision: "text not null",
    reason: "text not null",
    note: "text not null",
    at: "timestamp with time zone not null",
  },
  webhook_refusals: {
    id: "bigint not null",
    provider: "text not null",
    reason: "text not null",
    raw_sha256: "text not null",
    at: "timestamp with time zone not null",
  },
  reconciliation_findings: {
    id: "bigint not null",
    day: "date not null",
    kind: "text not null",
    order_no: "text not null",
    detail: "text not null",
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
