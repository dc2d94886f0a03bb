import { operations } from "@fava/wire/moderation.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { judgeAccusers } from "./accusers.ts";
import { type AuditKind, writeAudit } from "./audit.ts";
import { type CaseFacts, caseFacts, lockSubject } from "./case-store.ts";
import { decide } from "./enforcement.ts";

type Trx = Transaction<Database>;

export interface SecondOpinion {
  readonly operation: 1 | 2 | 4;
  readonly note: string;
  readonly byId: bigint;
  readonly at: Date;
}

const auditKinds: Record<SecondOpinion["operation"], AuditKind> = {
  1: "second_lift",
  2: "second_shorten",
  4: "second_agree",
};
const batchRows = 100;

/** Keeps what a second person decided about the ban for good of a case, and closes the case (rules CASE-33, CASE-34). */
export async function keepSecond(trx: Trx, about: CaseFacts, second: SecondOpinion): Promise<void> {
  const { id: caseId, subjectId, decidedAt } = about;
  const { operation, at, byId, note } = second;
  if (!decidedAt) throw new Error("a second opinion on what nobody decided");
  const signal = { kind: "seconded", operation, decidedAtMs: decidedAt.getTime() } as const;
  const ban = await askedBan(trx, caseId);
  for (const action of decide(signal, { strikes: [], suspendedAtMs: [] }, at.getTime())) {
    if (action.kind === "lift") {
      await setBan(trx, ban.id, { seconded_by: byId, ended_early_at: at, ended_because: "lifted" });
    } else if (action.kind === "ban") {
      const until = action.untilMs === null ? null : new Date(action.untilMs);
      await setBan(trx, ban.id, { seconded_by: byId, until, is_provisional: action.isProvisional });
    }
  }
  if (operation === operations.approve) {
    await trx
      .updateTable("strikes")
      .set({ revoked_at: at })
      .where("ban_id", "=", ban.id)
      .where("revoked_at", "is", null)
      .execute();
    // The first decision was that the reports were right; nobody knows now.
    await judgeAccusers(trx, caseId, null);
  }
  await trx.updateTable("cases").set({ state: "decided", changed_at: at }).where("id", "=", caseId).execute();
  const entry = { at, actorId: byId, subjectId, caseId, reasonId: ban.reason_id };
  await writeAudit(trx, { ...entry, kind: auditKinds[operation], note, detail: { banId: ban.id } });
  if (operation === operations.approve) await writeAudit(trx, { ...entry, kind: "strike_revoked" });
}

/**
 * Closes cases whose second opinion did not come within 72 hours (rule CASE-35). Their ban stays provisional: it ends
 * seven days after the first decision, which is as long as one person may decide without saying how long, and the strike
 * stays. The case does not open again, since it was decided; the person can appeal, and new reports open a new case.
 */
export async function lapseSeconds(db: Kysely<Database>, at: Date): Promise<void> {
  for (;;) {
    const due = await db
      .selectFrom("cases")
      .select("id")
      .where("state", "=", "second")
      .where("lapses_at", "<=", at)
      .orderBy("id")
      .limit(batchRows)
      .execute();
    for (const { id } of due) await db.transaction().execute((trx) => lapseOne(trx, id, at));
    if (due.length < batchRows) return;
  }
}

async function lapseOne(trx: Trx, caseId: bigint, at: Date): Promise<void> {
  const found = await caseFacts(trx, caseId);
  if (!found) return;
  await lockSubject(trx, found.subjectId);
  const { rows } = await sql`
    update cases set state = 'decided', changed_at = ${at} where id = ${caseId} and state = 'second' returning id
  `.execute(trx);
  if (rows.length === 0) return;
  const ban = await askedBan(trx, caseId);
  const entry = { at, actorId: null, subjectId: found.subjectId, caseId, reasonId: ban.reason_id };
  await writeAudit(trx, { ...entry, kind: "lapse", detail: { banId: ban.id } });
}

function askedBan(trx: Trx, caseId: bigint) {
  return trx
    .selectFrom("bans")
    .select(["id", "reason_id"])
    .where("case_id", "=", caseId)
    .where("decided_by", "is not", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
}

async function setBan(
  trx: Trx,
  banId: bigint,
  change: {
    seconded_by: bigint;
    until?: Date | null;
    is_provisional?: boolean;
    ended_early_at?: Date;
    ended_because?: string;
  },
): Promise<void> {
  await trx.updateTable("bans").set(change).where("id", "=", banId).execute();
}
