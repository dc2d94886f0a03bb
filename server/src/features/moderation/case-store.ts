import { caseRules, type CaseRule } from "@fava/wire/moderation.ts";
import { reportReasonIds } from "@fava/wire/reasons.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { CaseSignal, ReportReason } from "#ports/moderation.ts";
import { type Box, boxOf, dayMs, type Harm, harmOf, type History } from "./enforcement.ts";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;

export type CaseState = "open" | "second" | "decided";

/** A case with what decisions about it depend on. */
export interface CaseFacts {
  id: bigint;
  subjectId: bigint;
  subjectRole: number;
  box: Box;
  reasonId: ReportReason;
  rule: CaseRule;
  harm: Harm;
  callId: string | null;
  state: CaseState;
  decidedAt: Date | null;
  decidedBy: bigint | null;
  operation: number | null;
}

/** Everything about one person happens one after the other, until the transaction ends. */
export async function lockSubject(trx: Trx, subjectId: bigint): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`moderation:${subjectId}`}, 0))`.execute(trx);
}

/** Opens a case, or adds to the one of its kind that waits: the worst that was said of it counts (rule CASE-21). */
export async function openOrJoin(trx: Trx, signal: CaseSignal, at: Date): Promise<{ caseId: bigint; box: Box }> {
  const box = boxOf(signal.reasonId);
  const { judgement } = signal;
  const { rows } = await sql<{ id: bigint }>`
    insert into cases (
      subject_id, box, reason_id, rule, harm, call_id, message_id, opened_at, changed_at, explicit, model, shadow
    )
    values (
      ${signal.subjectId}, ${box}, ${signal.reasonId}, ${signal.rule}, ${harmOf(signal.reasonId)}, ${signal.callId},
      ${signal.messageId ?? null}, ${at}, ${at},
      ${judgement?.explicit ?? null}, ${judgement?.model ?? null}, ${judgement?.shadow ?? false}
    )
    on conflict (subject_id, box) where state <> 'decided' do update set
      changed_at = excluded.changed_at,
      reason_id = case when excluded.harm < cases.harm then excluded.reason_id else cases.reason_id end,
      rule = case
        when excluded.rule = 'report' then cases.rule
        when cases.rule in ('report', 'reports_many') or excluded.harm <= cases.harm then excluded.rule
        else cases.rule
      end,
      harm = least(cases.harm, excluded.harm),
      call_id = coalesce(cases.call_id, excluded.call_id),
      message_id = coalesce(cases.message_id, excluded.message_id),
      shadow = case when excluded.model is null then cases.shadow else excluded.shadow end,
      explicit = greatest(cases.explicit, excluded.explicit),
      model = coalesce(excluded.model, cases.model)
    returning id`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error("a case that was neither opened nor joined");
  return { caseId: row.id, box };
}

/** The case that waits about somebody, for a box. */
export async function waitingCase(db: Db, subjectId: bigint, box: Box): Promise<bigint | null> {
  const row = await db
    .selectFrom("cases")
    .select("id")
    .where("subject_id", "=", subjectId)
    .where("box", "=", box)
    .where("state", "<>", "decided")
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function caseFacts(db: Db, caseId: bigint): Promise<CaseFacts | null> {
  const row = await db
    .selectFrom("cases")
    .innerJoin("users", "users.id", "cases.subject_id")
    .select(["cases.id", "subject_id", "users.role", "box", "reason_id", "rule", "harm", "call_id", "state"])
    .select(["decided_at", "decided_by", "operation"])
    .where("cases.id", "=", caseId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    subjectId: row.subject_id,
    subjectRole: row.role,
    box: row.box as Box,
    reasonId: reasonOf(row.reason_id),
    rule: ruleOf(row.rule),
    harm: row.harm as Harm,
    callId: row.call_id,
    state: row.state as CaseState,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
    operation: row.operation,
  };
}

/** The column allows what the list has, and the list may shrink one day. */
export function reasonOf(reasonId: number): ReportReason {
  return reportReasonIds.find((id) => id === reasonId) ?? 7;
}

export function ruleOf(rule: string): CaseRule {
  return caseRules.find((known) => known === rule) ?? "report";
}

/** What the ladder depends on. */
export async function historyOf(db: Db, userId: bigint, nowMs: number): Promise<History> {
  const strikes = await db
    .selectFrom("strikes")
    .select(["expires_at", "revoked_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", new Date(nowMs))
    .execute();
  const suspensions = await db
    .selectFrom("bans")
    .select("created_at")
    .where("user_id", "=", userId)
    .where("decided_by", "is", null)
    .where("rule", "is not", null)
    .where("created_at", ">", new Date(nowMs - dayMs))
    .where((where) => where.or([where("ended_because", "is", null), where("ended_because", "<>", "lifted")]))
    .execute();
  return {
    strikes: strikes.map((row) => ({ expiresAtMs: row.expires_at.getTime(), isRevoked: row.revoked_at !== null })),
    suspendedAtMs: suspensions.map((row) => row.created_at.getTime()),
  };
}

/** What keeps somebody from matching because of a case ends: a person has decided. Answers whether something did. */
export async function liftPauses(db: Db, caseId: bigint, at: Date): Promise<boolean> {
  const lifted = await db
    .updateTable("restraints")
    .set({ lifted_at: at })
    .where("case_id", "=", caseId)
    .where("what", "=", "matching")
    .where("lifted_at", "is", null)
    .where((where) => where.or([where("until", "is", null), where("until", ">", at)]))
    .returning("id")
    .execute();
  return lifted.length > 0;
}
