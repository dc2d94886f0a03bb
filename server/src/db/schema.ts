import type { ColumnType, Generated } from "kysely";
import type { ModerationTables } from "./moderation-tables.ts";
import type { PeopleTables } from "./people-tables.ts";

/** Tables as the migrations leave them; `schema.test.ts` compares them with the database. */
export interface Database extends PeopleTables, ModerationTables {
  users: UsersTable;
  identities: IdentitiesTable;
  age_refusals: AgeRefusalsTable;
  bans: BansTable;
  sessions: SessionsTable;
  login_events: LoginEventsTable;
  match_wishes: MatchWishesTable;
  calls: CallsTable;
  call_events: CallEventsTable;
  bean_accounts: BeanAccountsTable;
  bean_transfers: BeanTransfersTable;
  bean_entries: BeanEntriesTable;
  bean_holds: BeanHoldsTable;
  bean_hold_ends: BeanHoldEndsTable;
  bean_caps: BeanCapsTable;
  free_matches: FreeMatchesTable;
  filter_prices: FilterPricesTable;
  packs: PacksTable;
  shop_changes: ShopChangesTable;
  payment_orders: PaymentOrdersTable;
  payment_refunds: PaymentRefundsTable;
  payment_disputes: PaymentDisputesTable;
  payment_events: PaymentEventsTable;
  payment_event_results: PaymentEventResultsTable;
  order_decisions: OrderDecisionsTable;
  webhook_refusals: WebhookRefusalsTable;
  reconciliation_findings: ReconciliationFindingsTable;
}

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;
type OptionalTimestamp = ColumnType<Date | null, Date | string | null, Date | string | null>;

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
  until: ColumnType<Date | null, Date | string | null, Date | string | null>;
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

/** Of a person, with figures that run along, or of the house, without. */
export interface BeanAccountsTable {
  id: Generated<bigint>;
  house: string | null;
  user_id: bigint | null;
  balance: bigint | null;
  /** Sum of the open holds. */
  held: bigint | null;
  /** Number of entries. */
  version: bigint | null;
}

/** Append only. */
export interface BeanTransfersTable {
  id: Generated<bigint>;
  key: string;
  kind: string;
  from_account: bigint;
  to_account: bigint;
  amount: bigint;
  /** Order number or call id. */
  reference: string;
  reason: string | null;
  overdraft: boolean;
  at: Timestamp;
}

/** Append only: two for a transfer, with opposite signs. */
export interface BeanEntriesTable {
  transfer_id: bigint;
  account_id: bigint;
  amount: bigint;
  /** These two are null on accounts of the house. */
  balance_after: bigint | null;
  account_version: bigint | null;
}

/** Append only: transfers to `filter-revenue` that are not made yet. */
export interface BeanHoldsTable {
  id: Generated<bigint>;
  key: string;
  account_id: bigint;
  amount: bigint;
  reference: string;
  at: Timestamp;
}

/** Append only: a hold without a row here is open. */
export interface BeanHoldEndsTable {
  hold_id: bigint;
  /** What was posted of it. */
  amount: bigint;
  /** Null where nothing was. */
  transfer_id: bigint | null;
  at: Timestamp;
}

/** Append only: a person's newest row counts. Beans a UTC day; null: no cap. */
export interface BeanCapsTable {
  id: Generated<bigint>;
  user_id: bigint;
  /** From `from_at` on. */
  beans: bigint | null;
  /** Before that. */
  beans_until: bigint | null;
  from_at: Timestamp;
  asked_at: Timestamp;
}

/** Matches of a person that began with free seconds, on the newest UTC day that had any. */
export interface FreeMatchesTable {
  user_id: bigint;
  day: string;
  matches: number;
  /** The last of them, so that asking again for it counts once. */
  call_id: string;
}

/** One row: what filters cost now, in beans a minute. */
export interface FilterPricesTable {
  id: Generated<number>;
  gender: number;
  country: number;
  gender_and_country: number;
}

export interface PacksTable {
  id: Generated<bigint>;
  country_id: number;
  golds: bigint;
  price_minor: bigint;
  currency_code: string;
  created_at: Timestamp;
  /** Null while it is offered. */
  removed_at: OptionalTimestamp;
}

/** Append only: what administrators changed about prices and packs. */
export interface ShopChangesTable {
  id: Generated<bigint>;
  at: Timestamp;
  actor_id: bigint;
  /** prices, pack_added or pack_removed. */
  change: string;
  before: string | null;
  after: string | null;
}

/** What was ordered is a copy: packs and prices change afterwards. */
export interface PaymentOrdersTable {
  id: Generated<bigint>;
  order_no: string;
  user_id: bigint;
  provider: string;
  channel_type: number;
  pay_type: string;
  pay_name: string;
  /** Null: an exact number of beans. */
  pack_id: bigint | null;
  beans: bigint;
  amount_minor: bigint;
  currency_code: string;
  country_code: string;
  language: string;
  state: string;
  /** A person decided that this order gets no beans. */
  closed_by_person: Generated<boolean>;
  review_reason: string | null;
  /** Of the payment that waits for a decision. */
  review_transaction_id: string | null;
  /** The provider's own id of the order. */
  provider_ref: string | null;
  pay_url: Generated<string>;
  expires_at: OptionalTimestamp;
  /** Of the payment for which the beans were credited. */
  transaction_id: string | null;
  paid_at: OptionalTimestamp;
  created_at: Timestamp;
  changed_at: Timestamp;
  /** How often the provider was asked by the poller. */
  checks: Generated<number>;
  /** When the poller asks next; null: never. */
  next_check_at: OptionalTimestamp;
}

export interface PaymentRefundsTable {
  refund_no: string;
  order_id: bigint;
  amount_minor: bigint;
  /** asked, pending, done or failed. */
  state: string;
  provider_refund_id: string | null;
  asked_at: Timestamp;
  /** When the provider is asked again; null: never. */
  next_ask_at: OptionalTimestamp;
}

export interface PaymentDisputesTable {
  order_id: bigint;
  case_id: string;
  amount_minor: bigint;
  /** open, won or lost. */
  state: string;
}

/** Append only: everything that a provider said and that was believed to come from it. */
export interface PaymentEventsTable {
  id: Generated<bigint>;
  provider: string;
  event_id: string;
  order_no: string;
  kind: string;
  /** The event as JSON, amounts as text. */
  event: string;
  /** webhook or query. */
  source: string;
  /** Of the body it came in; null for the answer to a question of ours. */
  raw_sha256: string | null;
  received_at: Timestamp;
}

/** Append only: what became of an event; the newest row counts. */
export interface PaymentEventResultsTable {
  id: Generated<bigint>;
  event_id: bigint;
  /** applied, ignored, parked, review, unknown_order or foreign_provider. */
  result: string;
  at: Timestamp;
}

/** Append only: what a person decided about an order in review. */
export interface OrderDecisionsTable {
  id: Generated<bigint>;
  order_id: bigint;
  actor_id: bigint;
  /** credit or close. */
  decision: string;
  /** Why it was in review. */
  reason: string;
  note: string;
  at: Timestamp;
}

/** Webhooks that were not believed; the newest ten thousand. */
export interface WebhookRefusalsTable {
  id: Generated<bigint>;
  provider: string;
  reason: string;
  raw_sha256: string;
  at: Timestamp;
}

/** Append only: where orders, ledger and provider disagreed at night. */
export interface ReconciliationFindingsTable {
  id: Generated<bigint>;
  day: string;
  kind: string;
  order_no: string;
  detail: string;
  at: Timestamp;
}
