-- Prices, orders, events of payment providers, and findings of the nightly reconciliation.

create table filter_prices (
  id smallint primary key default 1 check (id = 1),
  gender integer not null check (gender between 0 and 1000000),
  country integer not null check (country between 0 and 1000000),
  gender_and_country integer not null check (gender_and_country between 0 and 1000000),
  check (gender_and_country <= gender + country)
);
comment on table filter_prices is 'One row: current filter prices in beans a minute.';

create table packs (
  id bigint generated always as identity primary key,
  country_id integer not null,
  golds bigint not null check (golds between 1 and 100000000),
  price_minor bigint not null check (price_minor between 1 and 100000000),
  currency_code text not null check (currency_code ~ '^[A-Z]{3}$'),
  created_at timestamptz not null,
  removed_at timestamptz
);
create index packs_offered on packs (country_id) where removed_at is null;
comment on table packs is 'Packs of beans on offer in a country.';
comment on column packs.removed_at is 'Null: on offer.';

create table shop_changes (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id bigint not null references users (id),
  change text not null check (change in ('prices', 'pack_added', 'pack_removed')),
  before text,
  after text
);
create trigger shop_changes_append_only before update or delete on shop_changes
  for each row execute function refuse_change();
create trigger shop_changes_no_truncate before truncate on shop_changes
  for each statement execute function refuse_change();
comment on table shop_changes is 'Append-only: changes of prices and packs by administrators.';

create table payment_orders (
  id bigint generated always as identity primary key,
  order_no text not null unique check (order_no ~ '^[a-z0-9]{4,32}$'),
  user_id bigint not null references users (id),
  provider text not null,
  channel_type smallint not null,
  pay_type text not null,
  pay_name text not null,
  pack_id bigint references packs (id),
  beans bigint not null check (beans > 0),
  amount_minor bigint not null check (amount_minor > 0),
  currency_code text not null check (currency_code ~ '^[A-Z]{3}$'),
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  language text not null,
  state text not null check (
    state in ('created', 'pending', 'paid', 'failed', 'expired', 'refunded', 'disputed', 'charged_back', 'review')
  ),
  closed_by_person boolean not null default false,
  review_reason text,
  review_transaction_id text,
  provider_ref text,
  pay_url text not null default '',
  expires_at timestamptz,
  transaction_id text,
  paid_at timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  checks smallint not null default 0,
  next_check_at timestamptz,
  unique (provider, transaction_id),
  check ((transaction_id is null) = (paid_at is null)),
  check ((state in ('paid', 'refunded', 'disputed', 'charged_back')) <= (paid_at is not null)),
  check ((state in ('created', 'pending', 'failed', 'expired')) <= (paid_at is null)),
  check ((state = 'review') = (review_reason is not null))
);
create index payment_orders_user on payment_orders (user_id, created_at);
create index payment_orders_check on payment_orders (next_check_at) where next_check_at is not null;
create index payment_orders_review on payment_orders (changed_at) where state = 'review';
create index payment_orders_created on payment_orders (created_at);
comment on table payment_orders is 'Orders, with copies of pack and price, which may change later.';
comment on column payment_orders.checks is 'Number of queries by the poller.';
comment on column payment_orders.closed_by_person is 'An administrator closed the order without beans.';
comment on column payment_orders.next_check_at is 'Next query by the poller; null: none.';
comment on column payment_orders.pack_id is 'Null: a custom number of beans.';
comment on column payment_orders.provider_ref is 'The provider''s id of the order.';
comment on column payment_orders.review_transaction_id is 'Payment that is in review.';
comment on column payment_orders.transaction_id is 'Payment for which the beans were credited.';

create table payment_refunds (
  order_id bigint not null references payment_orders (id),
  refund_no text not null,
  amount_minor bigint not null check (amount_minor >= 0),
  state text not null check (state in ('asked', 'pending', 'done', 'failed')),
  provider_refund_id text,
  asked_at timestamptz not null,
  next_ask_at timestamptz,
  primary key (order_id, refund_no)
);
create index payment_refunds_ask on payment_refunds (next_ask_at) where next_ask_at is not null;
comment on table payment_refunds is 'Refunds of an order.';
comment on column payment_refunds.next_ask_at is 'Next query to the provider; null: none.';

create table payment_disputes (
  order_id bigint not null references payment_orders (id),
  case_id text not null,
  amount_minor bigint not null check (amount_minor >= 0),
  state text not null check (state in ('open', 'won', 'lost')),
  primary key (order_id, case_id)
);
comment on table payment_disputes is 'Disputes of an order.';

create table payment_events (
  id bigint generated always as identity primary key,
  provider text not null,
  event_id text not null,
  order_no text not null,
  kind text not null,
  event text not null,
  source text not null check (source in ('webhook', 'query')),
  raw_sha256 text,
  received_at timestamptz not null,
  unique (provider, event_id)
);
create index payment_events_order on payment_events (provider, order_no);
create trigger payment_events_append_only before update or delete on payment_events
  for each row execute function refuse_change();
create trigger payment_events_no_truncate before truncate on payment_events
  for each statement execute function refuse_change();
comment on table payment_events is 'Append-only: authenticated events from providers.';
comment on column payment_events.event is 'The event as JSON, with amounts as text.';
comment on column payment_events.raw_sha256 is 'Hash of the webhook body; null for a response to our query.';

create table payment_event_results (
  id bigint generated always as identity primary key,
  event_id bigint not null references payment_events (id),
  result text not null check (
    result in ('applied', 'ignored', 'parked', 'review', 'unknown_order', 'foreign_provider')
  ),
  at timestamptz not null
);
create index payment_event_results_event on payment_event_results (event_id);
create trigger payment_event_results_append_only before update or delete on payment_event_results
  for each row execute function refuse_change();
create trigger payment_event_results_no_truncate before truncate on payment_event_results
  for each statement execute function refuse_change();
comment on table payment_event_results is 'Append-only: results of handling an event; the newest row counts.';

create table order_decisions (
  id bigint generated always as identity primary key,
  order_id bigint not null references payment_orders (id),
  actor_id bigint not null references users (id),
  decision text not null check (decision in ('credit', 'close')),
  reason text not null,
  note text not null,
  at timestamptz not null
);
create trigger order_decisions_append_only before update or delete on order_decisions
  for each row execute function refuse_change();
create trigger order_decisions_no_truncate before truncate on order_decisions
  for each statement execute function refuse_change();
comment on table order_decisions is 'Append-only: an administrator''s decision on an order in review.';
comment on column order_decisions.reason is 'Why it was in review.';

create table webhook_refusals (
  id bigint generated always as identity primary key,
  provider text not null,
  reason text not null,
  raw_sha256 text not null,
  at timestamptz not null
);
comment on table webhook_refusals is 'Rejected webhooks; the newest ten thousand.';

create table reconciliation_findings (
  id bigint generated always as identity primary key,
  day date not null,
  kind text not null,
  order_no text not null,
  detail text not null,
  at timestamptz not null,
  unique (day, kind, order_no)
);
create trigger reconciliation_findings_append_only before update or delete on reconciliation_findings
  for each row execute function refuse_change();
create trigger reconciliation_findings_no_truncate before truncate on reconciliation_findings
  for each statement execute function refuse_change();
comment on table reconciliation_findings is 'Append-only: differences between orders, ledger and provider in the nightly reconciliation.';
