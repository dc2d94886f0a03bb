import type { Generated } from "kysely";
import type { OptionalTimestamp, Timestamp } from "./timestamps.ts";

/** Orders, what payment providers said of them, and what was decided (migration 0004). */
export interface PaymentTables {
  payment_orders: PaymentOrdersTable;
  payment_refunds: PaymentRefundsTable;
  payment_disputes: PaymentDisputesTable;
  payment_events: PaymentEventsTable;
  payment_event_results: PaymentEventResultsTable;
  order_decisions: OrderDecisionsTable;
  webhook_refusals: WebhookRefusalsTable;
  reconciliation_findings: ReconciliationFindingsTable;
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
