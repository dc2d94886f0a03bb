import type { Transaction } from "kysely";
import { operations } from "@fava/wire/moderation.ts";
import { type Queue, reasons } from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";
import type { AgeHint } from "#ports/moderation.ts";
import { writeAudit } from "./audit.ts";
import {
  caseFacts,
  closeCase,
  lockSubject,
  openOrJoin,
  storeEstimate,
  storePauses,
  waitingCase,
} from "./case-store.ts";
import { lastPause } from "./reporter-records.ts";

type Trx = Transaction<Database>;

const rule = "minor_in_picture";
const reasonId = reasons.minor.id;

/**
 * Puts an estimate of an age before the administrators. Alone it pauses matching for a short time; in a case that has a
 * report it counts as a further report. Only the case gets the number.
 * @returns the case; null if the hint changes nothing.
 */
export async function storeAgeHint(
  trx: Trx,
  hint: AgeHint,
  at: Date,
): Promise<{ caseId: bigint; queue: Queue } | null> {
  const { subjectId, callId, years, isMinor } = hint;
  await lockSubject(trx, subjectId);
  if (await isAgeSeen(trx, subjectId)) return null;
  const waiting = await waitingCase(trx, subjectId, "restricted");
  const isReported = waiting !== null && (await hasReports(trx, waiting));
  if (!isMinor && !isReported) return null;
  const opened = await openOrJoin(trx, { subjectId, rule, reasonId, callId, evidence: [] }, at);
  const { caseId } = opened;
  if (!(await storeEstimate(trx, caseId, years))) return null;
  await writeAudit(trx, { at, actorId: null, kind: "flag", subjectId, caseId, reasonId, detail: { rule, callId } });
  const signal = isReported
    ? ({ ...likeReport, pause: await lastPause(trx, caseId) } as const)
    : ({ kind: "minor_hinted" } as const);
  await storePauses(trx, { subjectId, caseId, reasonId, isUnproven: !isReported }, { signal, at });
  return opened;
}

const likeReport = {
  kind: "minor_reported",
  isUnproven: false,
  isFurther: true,
  isPausedLately: false,
  pausesUndecided: 0,
} as const;

/**
 * Call after an age check passed. Lifts the pause that an estimate caused, and empties the number. Closes the case if
 * nothing but the estimate led to it.
 */
export async function hintsEnded(trx: Trx, subjectId: bigint, at: Date): Promise<void> {
  await lockSubject(trx, subjectId);
  const caseId = await waitingCase(trx, subjectId, "restricted");
  if (caseId === null) return;
  await trx
    .updateTable("restraints")
    .set({ lifted_at: at })
    .where("case_id", "=", caseId)
    .where("rule", "=", rule)
    .where("lifted_at", "is", null)
    .execute();
  await trx.updateTable("cases").set({ estimated_age: null }).where("id", "=", caseId).execute();
  const about = await caseFacts(trx, caseId);
  if (about?.state !== "open" || about.rule !== rule || (await hasReports(trx, caseId))) return;
  await closeCase(trx, about, { operation: operations.approve, byId: null, at });
  await writeAudit(trx, { at, actorId: null, kind: "clear", subjectId, caseId, reasonId, detail: { rule } });
}

/** Whether an administrator or an age check has settled the age. */
async function isAgeSeen(trx: Trx, userId: bigint): Promise<boolean> {
  const row = await trx
    .selectFrom("users")
    .leftJoin("standing", "standing.user_id", "users.id")
    .select(["age_seen_at", "age_checked_at"])
    .where("users.id", "=", userId)
    .executeTakeFirst();
  return row !== undefined && (row.age_seen_at !== null || row.age_checked_at !== null);
}

async function hasReports(trx: Trx, caseId: bigint): Promise<boolean> {
  const row = await trx.selectFrom("reports").select("id").where("case_id", "=", caseId).limit(1).executeTakeFirst();
  return row !== undefined;
}
