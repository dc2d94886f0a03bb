import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { ProviderPaymentEvent } from "#ports/payments.ts";

type Db = Kysely<Database>;

export type EventResult = "applied" | "ignored" | "parked" | "review" | "unknown_order" | "foreign_provider";

export type EventOrigin = { source: "webhook"; rawSha256: string } | { source: "query" };

export interface ParkedEvent {
  id: bigint;
  event: ProviderPaymentEvent;
}

const parkedMax = 100;
const refusalsMax = 10_000n;

/** Stores an event; null if the provider sent it before. A repetition waits until the first one's transaction ends. */
export async function insertEvent(
  trx: Db,
  event: ProviderPaymentEvent,
  from: { provider: string; origin: EventOrigin; at: Date },
): Promise<bigint | null> {
  const row = await trx
    .insertInto("payment_events")
    .values({
      provider: from.provider,
      event_id: event.eventId,
      order_no: event.orderNo,
      kind: event.kind,
      event: eventText(event),
      source: from.origin.source,
      raw_sha256: from.origin.source === "webhook" ? from.origin.rawSha256 : null,
      received_at: from.at,
    })
    .onConflict((conflict) => conflict.columns(["provider", "event_id"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function insertResult(
  trx: Db,
  eventId: bigint,
  outcome: { result: EventResult; at: Date },
): Promise<void> {
  await trx
    .insertInto("payment_event_results")
    .values({ event_id: eventId, ...outcome })
    .execute();
}

/** Events that wait until their order is paid or decided, in order of arrival. */
export async function parkedEvents(trx: Db, order: { provider: string; orderNo: string }): Promise<ParkedEvent[]> {
  const { rows } = await sql<{ id: bigint; event: string }>`
    select event.id, event.event from payment_events as event
    where event.provider = ${order.provider} and event.order_no = ${order.orderNo} and (
      select result from payment_event_results as latest where latest.event_id = event.id order by latest.id desc limit 1
    ) = 'parked'
    order by event.id limit ${parkedMax}`.execute(trx);
  return rows.map(({ id, event }) => ({ id, event: eventFromText(event) }));
}

export async function recordRefusal(
  db: Db,
  refusal: { provider: string; reason: string; rawSha256: string; at: Date },
): Promise<void> {
  const { id } = await db
    .insertInto("webhook_refusals")
    .values({ provider: refusal.provider, reason: refusal.reason, raw_sha256: refusal.rawSha256, at: refusal.at })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .deleteFrom("webhook_refusals")
    .where("id", "<=", id - refusalsMax)
    .execute();
}

function eventText(event: ProviderPaymentEvent): string {
  return JSON.stringify(event, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

function eventFromText(text: string): ProviderPaymentEvent {
  // Only `eventText` writes this column, so the text is an event.
  return JSON.parse(text, (name, value: unknown) => {
    if (name === "amountMinor") return BigInt(value as string);
    return name === "at" ? new Date(value as string) : value;
  }) as ProviderPaymentEvent;
}
