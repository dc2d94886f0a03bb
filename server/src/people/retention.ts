import { type Kysely, sql } from "kysely";
import { addressesKeptMs, reportOutcomeDeliveryMs, reportsKeptMs, textFindingsKeptMs } from "@fava/wire/limits.ts";
import { isNotHeld } from "#db/holds.ts";
import type { Database } from "#db/schema.ts";
import { deleteUnconfirmedAddresses } from "./mail-addresses.ts";
import { deleteExpiredMatchSubscriptions } from "./match-subscription-store.ts";
import { deleteExpiredSubscriptions } from "./notification-store.ts";
import { endExpired } from "./session-store.ts";
import { eraseAnsweredTexts } from "./text-question-store.ts";

/**
 * Deletes data at the end of its retention period (rules PRIV-3, PRIV-4, PRIV-6, NOTIFY-6); idempotent:
 * - after 90 days: sign-in addresses, also those of live sessions, and ended sessions;
 * - after 180 days: reports and records of received frames, unless their case is undecided;
 * - after 30 days: findings in texts, texts of answered questions, outcomes of reports that nobody read;
 * - once expired: refusals for age, aparts, unused push subscriptions, unconfirmed mail addresses, match subscriptions.
 *
 * A hold keeps what concerns its account of the first two groups, and its texts and findings (rule PRIV-7).
 */
export async function deleteExpiredData(db: Kysely<Database>, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  const before = new Date(nowMs - addressesKeptMs);
  await deleteAddresses(db, before, now);
  const recordsBefore = new Date(nowMs - reportsKeptMs);
  // A report stays while its case is undecided.
  await sql`
    delete from reports where at < ${recordsBefore}
      and not exists (select from cases where cases.id = reports.case_id and cases.state <> 'decided')
      and ${isNotHeld("reports.reporter_id", now)} and ${isNotHeld("reports.reported_id", now)}`.execute(db);
  await sql`
    delete from sent_views where at < ${recordsBefore}
      and not exists (select from cases where cases.id = sent_views.case_id and cases.state <> 'decided')
      and ${isNotHeld("sent_views.sender_id", now)} and ${isNotHeld("sent_views.subject_id", now)}`.execute(db);
  await db.deleteFrom("aparts").where("until", "<=", now).execute();
  await sql`
    delete from text_findings where at < ${new Date(nowMs - textFindingsKeptMs)}
      and ${isNotHeld("text_findings.writer_id", now)} and ${isNotHeld("text_findings.reader_id", now)}`.execute(db);
  await db
    .deleteFrom("outbox")
    .where("kind", "=", "report")
    .where("created_at", "<", new Date(nowMs - reportOutcomeDeliveryMs))
    .execute();
  await eraseAnsweredTexts(db, now);
  await deleteExpiredSubscriptions(db, nowMs);
  await deleteUnconfirmedAddresses(db, now);
  await deleteExpiredMatchSubscriptions(db, now);
  await sql`delete from age_refusals where try_again_on <= ${now.toISOString().slice(0, 10)}::date`.execute(db);
}

/** Sign-ins, ended sessions, and the addresses of live sessions and accounts. */
async function deleteAddresses(db: Kysely<Database>, before: Date, now: Date): Promise<void> {
  const isFree = (column: string) => isNotHeld(column, now);
  await db.deleteFrom("login_events").where("at", "<", before).where(isFree("login_events.user_id")).execute();
  await endExpired(db, now);
  await db.deleteFrom("sessions").where("ended_at", "<", before).where(isFree("sessions.user_id")).execute();
  await db
    .updateTable("sessions")
    .set({ ip: "", user_agent: "" })
    .where("created_at", "<", before)
    .where((where) => where.or([where("ip", "<>", ""), where("user_agent", "<>", "")]))
    .where(isFree("sessions.user_id"))
    .execute();
  await db
    .updateTable("users")
    .set({ last_login_ip: "", device_id: "" })
    .where("last_login_at", "<", before)
    .where((where) => where.or([where("last_login_ip", "<>", ""), where("device_id", "<>", "")]))
    .where(isFree("users.id"))
    .execute();
}
