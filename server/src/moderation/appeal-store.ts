import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";

type Db = Kysely<Database>;

const rowsMax = 200;

export function appealOfBan(db: Db, banId: bigint) {
  return db.selectFrom("appeals").selectAll().where("ban_id", "=", banId).executeTakeFirst();
}

export function appealById(db: Db, appealId: bigint) {
  return waiting(db).select(["appeals.state"]).where("appeals.id", "=", appealId).executeTakeFirst();
}

export type AppealWithBan = NonNullable<Awaited<ReturnType<typeof appealById>>>;

/** Unanswered appeals by deadline, so that late ones come first. Leaves out erased accounts. */
export function waitingAppeals(db: Db) {
  return waiting(db)
    .where("appeals.state", "=", "received")
    .where("users.erased_at", "is", null)
    .orderBy("appeals.answer_by")
    .limit(rowsMax)
    .execute();
}

function waiting(db: Db) {
  return db
    .selectFrom("appeals")
    .innerJoin("bans", "bans.id", "appeals.ban_id")
    .innerJoin("users", "users.id", "appeals.user_id")
    .select([
      "appeals.id as appeal_id",
      "appeals.answer_by",
      "appeals.language as written_in",
      "appeals.ban_id",
      "appeals.email",
    ])
    .select(["users.id", "users.user_no", "users.nickname", "users.avatar_key", "users.role"])
    .select(["bans.created_at", "bans.until", "bans.reason_id", "bans.decided_by", "bans.seconded_by"])
    .select(["bans.case_id", "bans.call_id"]);
}

/** Permanent bans that wait for a second opinion, each with the moderator who answered an appeal against it. */
export function waitingSeconds(db: Db) {
  return db
    .selectFrom("cases")
    .innerJoin("users", "users.id", "cases.subject_id")
    .select(["cases.id as case_id", "cases.queue", "cases.asked_reason_id", "cases.lapses_at", "cases.decided_by"])
    .select(["users.id", "users.user_no", "users.nickname", "users.avatar_key", "users.role"])
    .select((row) =>
      row
        .selectFrom("appeals")
        .innerJoin("bans", "bans.id", "appeals.ban_id")
        .select("appeals.decided_by")
        .whereRef("bans.case_id", "=", "cases.id")
        .where("bans.decided_by", "is not", null)
        .limit(1)
        .as("answered_by"),
    )
    .where("cases.state", "=", "second")
    .orderBy("cases.lapses_at")
    .limit(rowsMax)
    .execute();
}

export async function nicknameOf(db: Db, userId: bigint): Promise<string | null> {
  const row = await db.selectFrom("users").select("nickname").where("id", "=", userId).executeTakeFirst();
  return row?.nickname ?? null;
}
