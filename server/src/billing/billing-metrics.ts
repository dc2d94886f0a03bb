import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";
import type { Database } from "#db/schema.ts";
import { addQueriedGauge } from "#lib/metric-registration.ts";
import type { Clock } from "#ports/clock.ts";
import type { PaymentProviderId } from "#ports/payments.ts";

type Db = Kysely<Database>;

type WebhookResult = "accepted" | "refused" | "failed";

interface BillingMetricsOptions {
  metrics: Registry;
  db: Db;
  clock: Pick<Clock, "nowMs">;
  logger: Pick<Logger, "warn">;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Four retries of a query to the provider. */
const uncheckedMs = 20 * minuteMs;
/** As in the nightly reconciliation. */
export const refundOpenMs = 3 * dayMs;

/** Orders and webhooks of this server, and what the database knows of orders that need a person. */
export class BillingMetrics {
  readonly #orders: Counter<"provider" | "state">;
  readonly #webhooks: Counter<"provider" | "result">;

  constructor({ metrics, db, clock, logger }: BillingMetricsOptions) {
    const registers = [metrics];
    this.#orders = new Counter({
      name: "fava_orders_total",
      help: "Orders that reached a state at this server",
      labelNames: ["provider", "state"],
      registers,
    });
    this.#webhooks = new Counter({
      name: "fava_webhooks_total",
      help: "Webhooks of payment providers: accepted, refused as not genuine, or failed so that the provider retries",
      labelNames: ["provider", "result"],
      registers,
    });
    addQueriedGauge(metrics, {
      name: "fava_orders_hanging",
      help: "Orders in review, orders whose provider was not queried in time, and refunds without an answer for 3 days",
      label: "why",
      read: () => hangingOrders(db, clock.nowMs()),
      logger,
    });
    addQueriedGauge(metrics, {
      name: "fava_reconciliation_findings",
      help: "Differences that the reconciliation of the last 24 hours found, by kind",
      label: "kind",
      read: () => recentFindings(db, clock.nowMs()),
      logger,
    });
  }

  order(provider: string, state: string): void {
    this.#orders.inc({ provider, state });
  }

  webhook(provider: PaymentProviderId, result: WebhookResult): void {
    this.#webhooks.inc({ provider, result });
  }
}

async function hangingOrders(db: Db, nowMs: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ review: number; unchecked: number; refund: number }>`
    select
      (select count(*)::integer from payment_orders where state = 'review') as review,
      (select count(*)::integer from payment_orders where next_check_at < ${new Date(nowMs - uncheckedMs)}) as unchecked,
      (select count(*)::integer from payment_refunds
        where next_ask_at is not null and asked_at < ${new Date(nowMs - refundOpenMs)}) as refund`.execute(db);
  return rows[0] ? { ...rows[0] } : {};
}

async function recentFindings(db: Db, nowMs: number): Promise<Record<string, number>> {
  const since = new Date(nowMs - dayMs);
  const { rows } = await sql<{ kind: string; found: number }>`
    select kind, count(*)::integer as found from reconciliation_findings
    where day >= ${since.toISOString().slice(0, 10)} and at > ${since} group by kind`.execute(db);
  return Object.fromEntries(rows.map(({ kind, found }) => [kind, found]));
}
