import { type Kysely, sql } from "kysely";

/** What beans and filters cost, orders, what providers said about them, and what the nightly comparison found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPrices(db);
  await createOrders(db);
  await createEvents(db);
}

async function createPrices(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table filter_prices (
      id smallint primary key default 1 check (id = 1),
      gender integer not null check (gender between 0 and 1000000),
      country integer not null check (country between 0 and 1000000),
      gender_and_country integer not null check (gender_and_country between 0 and 1000000),
      check (gender_and_country <= gender + country)
    )`.execute(db);
  await sql`
    create table packs (
      id bigint generated always as identity primary key,
      country_id integer not null,
      golds bigint not null check (golds between 1 and 100000000),
      price_minor bigint not null check (price_minor between 1 and 100000000),
      currency_code text not null check (currency_code ~ '^[A-Z]{3}$'),
      created_at timestamptz not null,
      removed_at timestamptz
    )`.execute(db);
  await sql`create index packs_offered on packs (country_id) where removed_at is null`.execute(db);
  await sql`
    create table shop_changes (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      actor_id bigint not null references users (id),
      change text not null check (change in ('prices', 'pack_added', 'pack_removed')),
      before text,
      after text
    )`.execute(db);
  await appendOnly(db, "shop_changes");
}

async function createOrders(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    )`.execute(db);
  await sql`create index payment_orders_user on payment_orders (user_id, created_at)`.execute(db);
  await sql`
    create index payment_orders_check on payment_orders (next_check_at) where next_check_at is not null`.execute(db);
  await sql`create index payment_orders_review on payment_orders (changed_at) where state = 'review'`.execute(db);
  await sql`create index payment_orders_created on payment_orders (created_at)`.execute(db);
  await sql`
    create table payment_refunds (
      order_id bigint not null references payment_orders (id),
      refund_no text not null,
      amount_minor bigint not null check (amount_minor >= 0),
      state text not null check (state in ('asked', 'pending', 'done', 'failed')),
      provider_refund_id text,
      asked_at timestamptz not null,
      next_ask_at timestamptz,
      primary key (order_id, refund_no)
    )`.execute(db);
  await sql`create index payment_refunds_ask on payment_refunds (next_ask_at) where next_ask_at is not null`.execute(
    db,
  );
  await sql`
    create table payment_disputes (
      order_id bigint not null references payment_orders (id),
      case_id text not null,
      amount_minor bigint not null check (amount_minor >= 0),
      state text not null check (state in ('open', 'won', 'lost')),
      primary key (order_id, case_id)
    )`.execute(db);
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    )`.execute(db);
  await sql`create index payment_events_order on payment_events (provider, order_no)`.execute(db);
  await appendOnly(db, "payment_events");
  await sql`
    create table payment_event_results (
      id bigint generated always as identity primary key,
      event_id bigint not null references payment_events (id),
      result text not null check (
        result in ('applied', 'ignored', 'parked', 'review', 'unknown_order', 'foreign_provider')
      ),
      at timestamptz not null
    )`.execute(db);
  await sql`create index payment_event_results_event on payment_event_results (event_id)`.execute(db);
  await appendOnly(db, "payment_event_results");
  await sql`
    create table order_decisions (
      id bigint generated always as identity primary key,
      order_id bigint not null references payment_orders (id),
      actor_id bigint not null references users (id),
      decision text not null check (decision in ('credit', 'close')),
      reason text not null,
      note text not null,
      at timestamptz not null
    )`.execute(db);
  await appendOnly(db, "order_decisions");
  await sql`
    create table webhook_refusals (
      id bigint generated always as identity primary key,
      provider text not null,
      reason text not null,
      raw_sha256 text not null,
      at timestamptz not null
    )`.execute(db);
  await sql`
    create table reconciliation_findings (
      id bigint generated always as identity primary key,
      day date not null,
      kind text not null,
      order_no text not null,
      detail text not null,
      at timestamptz not null,
      unique (day, kind, order_no)
    )`.execute(db);
  await appendOnly(db, "reconciliation_findings");
}

/** The function that refuses stands since 0002. */
async function appendOnly(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`
    create trigger ${sql.id(`${table}_append_only`)} before update or delete on ${sql.table(table)}
    for each row execute function refuse_change()`.execute(db);
  await sql`
    create trigger ${sql.id(`${table}_no_truncate`)} before truncate on ${sql.table(table)}
    for each statement execute function refuse_change()`.execute(db);
}
