import { sql, type Kysely, type Transaction } from "kysely";
import { reopenMs } from "@fava/wire/limits.ts";
import { operations } from "@fava/wire/moderation.ts";
import type { Database } from "#db/schema.ts";
import { badInput, refused } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import { logRestricted, writeAudit } from "./audit.ts";
import { requireCaseAccess, type Viewer } from "./ban-policy.ts";
import { type CaseFacts, caseFacts, lockSubject, takeClaim, waitingCase } from "./case-store.ts";
import type { ModerationService } from "./moderation-service.ts";
import { judgeReporters } from "./reporter-records.ts";

type Trx = Transaction<Database>;

/** Takes a moderator's own decision on a case back for a while (rule CASE-47). */
export class Reopening {
  readonly #options: { db: Kysely<Database>; clock: Clock; moderation: Pick<ModerationService, "changed"> };

  constructor(options: { db: Kysely<Database>; clock: Clock; moderation: Pick<ModerationService, "changed"> }) {
    this.#options = options;
  }

  /**
   * Opens the case again and claims it for the moderator. Ends the ban and its strike, restores pauses, and withdraws
   * notices that were not sent. Suspensions that the decision lifted stay lifted. Idempotent.
   * @throws EndpointError 400 for an unknown case; 403 `own_case`, `colleague` or `role`; 406 `reopen_over` for another
   * moderator's decision, a late request, a second opinion or an appeal; 406 `case_open` if a newer case waits.
   */
  async reopen(viewer: Viewer, caseId: bigint): Promise<void> {
    const { db, clock, moderation } = this.#options;
    const at = new Date(clock.nowMs());
    const subjectId = await db.transaction().execute(async (trx) => {
      const found = await caseFacts(trx, caseId);
      if (!found) throw badInput("no such case", "id");
      requireCaseAccess(viewer, found);
      if (found.queue === "restricted") await logRestricted(trx, viewer.userId, { at, caseId, act: "decide" });
      await lockSubject(trx, found.subjectId);
      // Another request may have changed the case while this one waited for the lock.
      const about = (await caseFacts(trx, caseId)) ?? found;
      if (about.state === "open" && (await wasReopenedBy(trx, caseId, viewer.userId))) return about.subjectId;
      const decidedAt = await requireReopenable(trx, about, { viewer, at });
      await reopenCase(trx, about, { byId: viewer.userId, at, decidedAt });
      return about.subjectId;
    });
    moderation.changed(subjectId);
  }
}

async function wasReopenedBy(trx: Trx, caseId: bigint, userId: bigint): Promise<boolean> {
  const row = await trx
    .selectFrom("audit_log")
    .select("id")
    .where("actor_id", "=", userId)
    .where("case_id", "=", caseId)
    .where("kind", "=", "reopen")
    .executeTakeFirst();
  return row !== undefined;
}

/** @throws EndpointError 406. @returns when the case was decided. */
async function requireReopenable(
  trx: Trx,
  { id, subjectId, queue, state, decidedBy, decidedAt }: CaseFacts,
  { viewer, at }: { viewer: Viewer; at: Date },
): Promise<Date> {
  const isOwn = decidedBy === viewer.userId && decidedAt !== null;
  if (!isOwn || decidedAt.getTime() <= at.getTime() - reopenMs) throw refused("reopen_over");
  const contested = await trx
    .selectFrom("bans")
    .leftJoin("appeals", "appeals.ban_id", "bans.id")
    .select("bans.id")
    .where("bans.case_id", "=", id)
    .where("bans.created_at", "=", decidedAt)
    .where((where) => where.or([where("seconded_by", "is not", null), where("appeals.id", "is not", null)]))
    .executeTakeFirst();
  if (contested) throw refused("reopen_over");
  if (state === "decided" && (await waitingCase(trx, subjectId, queue)) !== null) throw refused("case_open");
  return decidedAt;
}

async function reopenCase(
  trx: Trx,
  about: CaseFacts,
  { byId, at, decidedAt }: { byId: bigint; at: Date; decidedAt: Date },
): Promise<void> {
  const { id: caseId, subjectId, reasonId, operation } = about;
  const entry = { at, actorId: byId, subjectId, caseId, reasonId };
  if (operation === operations.forbid) await endBan(trx, { subjectId, caseId, byId, at, decidedAt });
  const restored = await trx
    .updateTable("restraints")
    .set({ lifted_at: null })
    .where("case_id", "=", caseId)
    .where("what", "in", ["matching", "age"])
    .where("lifted_at", "=", decidedAt)
    .where((where) => where.or([where("what", "=", "age"), where("until", "is", null), where("until", ">", at)]))
    .returning("id")
    .execute();
  if (restored.length > 0) await writeAudit(trx, { ...entry, kind: "pause", detail: { restored: restored.length } });
  await judgeReporters(trx, caseId, null);
  await trx.deleteFrom("outbox").where("about", "=", caseId).where("kind", "in", ["warning", "report"]).execute();
  await sql`
    update cases set state = 'open', operation = null, decided_by = null, decided_at = null, changed_at = ${at},
      asked_reason_id = null, asked_note = '', lapses_at = null
    where id = ${caseId}`.execute(trx);
  await takeClaim(trx, `case:${caseId}`, { moderatorId: byId, at });
  await writeAudit(trx, { ...entry, kind: "reopen", detail: { operation, decidedAt } });
}

async function endBan(
  trx: Trx,
  {
    subjectId,
    caseId,
    byId,
    at,
    decidedAt,
  }: { subjectId: bigint; caseId: bigint; byId: bigint; at: Date; decidedAt: Date },
): Promise<void> {
  const bans = await trx
    .updateTable("bans")
    .set({ ended_early_at: at, ended_because: "reopened" })
    .where("case_id", "=", caseId)
    .where("decided_by", "=", byId)
    .where("created_at", "=", decidedAt)
    .where("ended_early_at", "is", null)
    .returning("id")
    .execute();
  for (const { id } of bans) {
    const revoked = await trx
      .updateTable("strikes")
      .set({ revoked_at: at })
      .where("ban_id", "=", id)
      .where("revoked_at", "is", null)
      .returning("reason_id")
      .execute();
    for (const { reason_id: reasonId } of revoked)
      await writeAudit(trx, { at, actorId: byId, kind: "strike_revoked", subjectId, caseId, reasonId });
  }
}
