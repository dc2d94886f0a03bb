import { type Kysely, sql } from "kysely";
import { isNotHeld } from "#db/holds.ts";
import type { Database } from "#db/schema.ts";

type Db = Kysely<Database>;

const sessionsShownMax = 50;

export interface SessionDataRow {
  id: string;
  source: 1 | 2;
  ip: string;
  user_agent: string;
  created_at: Date;
  ended_at: Date | null;
  end_reason: "expired" | "kicked" | "deleted" | "signed_out" | "banned" | null;
}

/** Sessions that are live or were created after `since`, newest first. */
export async function sessionsSince(db: Db, userId: bigint, since: Date): Promise<SessionDataRow[]> {
  const rows = await db
    .selectFrom("sessions")
    .select(["id", "source", "ip", "user_agent", "created_at", "ended_at", "end_reason"])
    .where("user_id", "=", userId)
    .where((where) => where.or([where("created_at", ">=", since), where("ended_at", "is", null)]))
    .orderBy("created_at", "desc")
    .limit(sessionsShownMax)
    .execute();
  return rows as SessionDataRow[];
}

export function userNoAndLoginType(
  db: Db,
  userId: bigint,
): Promise<{ userNo: string; loginType: number | null } | undefined> {
  return db
    .selectFrom("users")
    .leftJoin("identities", "identities.user_id", "users.id")
    .select(["users.user_no as userNo", "identities.login_type as loginType"])
    .where("users.id", "=", userId)
    .orderBy("login_type")
    .limit(1)
    .executeTakeFirst();
}

/** Accounts deleted at or before `before`, not yet erased and not held, in id order after `page.after`. */
export async function dueErasures(
  db: Db,
  before: Date,
  page: { after: bigint; rows: number; at: Date },
): Promise<bigint[]> {
  const rows = await db
    .selectFrom("users")
    .select("id")
    .where("deleted_at", "<=", before)
    .where("erased_at", "is", null)
    .where("id", ">", page.after)
    .where(isNotHeld("users.id", page.at))
    .orderBy("id")
    .limit(page.rows)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Decides to erase the account, after which its user can no longer restore it (rule DATA-203).
 * @returns false if the user has restored the account, another server has erased it, or a hold keeps it.
 */
export async function beginErasure(
  db: Db,
  userId: bigint,
  { deletedBefore, at }: { deletedBefore: Date; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ erasure_began_at: at })
    .where("id", "=", userId)
    .where("deleted_at", "<=", deletedBefore)
    .where("erased_at", "is", null)
    .where(isNotHeld("users.id", at))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const owned = [
  "conversation_sides",
  "match_filters",
  "talk",
  "push_subscriptions",
  "appeal_subscriptions",
  "outbox",
  "mail_addresses",
  "mails",
  "match_subscriptions",
  "topic_hour_reminders",
  "passkeys",
  "recovery_codes",
  "login_events",
  "sessions",
  "age_checks",
  "text_questions",
  "desk_shifts",
  "desk_texts",
] as const;

const related = [
  "follows",
  "likes",
  "blocks",
  "meet_wishes",
  "kind_words",
  "aparts",
  "ring_mutes",
  "invitations",
  "message_notifications",
] as const;

/**
 * Erases the user's data except pictures, message texts and exports. Keeps beans, orders, calls, reports, and cases
 * until their evidence is due.
 * @returns false if another server has erased the account or the user has restored it.
 */
export async function erasePerson(db: Db, userId: bigint, at: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select(["deleted_at", "erased_at"])
      .where("id", "=", userId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (user.deleted_at === null || user.erased_at !== null) return false;
    for (const table of related) {
      await trx
        .deleteFrom(table)
        .where((where) => where.or([where("user_id", "=", userId), where("other_id", "=", userId)]))
        .execute();
    }
    await trx
      .deleteFrom("rings")
      .where((where) => where.or([where("ringer_id", "=", userId), where("rung_id", "=", userId)]))
      .execute();
    await trx
      .deleteFrom("text_findings")
      .where((where) => where.or([where("writer_id", "=", userId), where("reader_id", "=", userId)]))
      .execute();
    for (const table of owned) {
      await trx.deleteFrom(table).where("user_id", "=", userId).execute();
    }
    await trx.updateTable("cases").set({ estimated_age: null }).where("subject_id", "=", userId).execute();
    await trx
      .updateTable("users")
      .set({
        nickname: "Deleted",
        avatar_key: "",
        sex: 0,
        birthday: null,
        age_checked_at: null,
        about: "",
        location: "",
        nickname_changed_at: null,
        searchable: false,
        passed_calls: 0,
        first_search_on: null,
        last_login_ip: "",
        device_id: "",
        erased_at: at,
      })
      .where("id", "=", userId)
      .execute();
    return true;
  });
}

/** Empties the texts of erased users' appeals. Their existence and outcome stay for statistics. */
export async function emptyAppeals(db: Db): Promise<void> {
  await sql`
    update appeals set text = '', email = '' from users
    where users.id = appeals.user_id and users.erased_at is not null and (appeals.text <> '' or appeals.email <> '')
  `.execute(db);
}

/** Lets erased users register again. A ban in force keeps the identity, so that an erasure does not evade the ban. */
export async function releaseIdentities(db: Db, at: Date): Promise<void> {
  await sql`
    delete from identities using users
    where users.id = identities.user_id and users.erased_at is not null
      and not exists (
        select from bans
        where bans.user_id = users.id and bans.ended_early_at is null and (bans.until is null or bans.until > ${at})
      )`.execute(db);
}
