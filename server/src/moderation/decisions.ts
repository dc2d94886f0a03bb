import { type Kysely, sql, type Transaction } from "kysely";
import type { ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { evidenceKeptMs, banWithoutSecondOpinionMs } from "@fava/wire/limits.ts";
import { type BanHours, operations } from "@fava/wire/moderation.ts";
import {
  type BanReason,
  banReasonOf,
  knownReportReason,
  queueOf,
  reasons,
  type ReportReason,
  reportReasonOf,
} from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";
import { badInput, forbidden, refused } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import { judgeReporters } from "./reporter-records.ts";
import { type AuditKind, logRestricted, writeAudit } from "./audit.ts";
import { decide, hourMs, requireCaseAccess, type Viewer } from "./ban-policy.ts";
import {
  type CaseFacts,
  caseFacts,
  closeCase,
  claimToDecide,
  releaseClaim,
  hasDecidedBefore,
  historyOf,
  liftPauses,
  lockSubject,
  openOrJoin,
  requireClaim,
  waitingCase,
} from "./case-store.ts";
import { flagsSince, type ModerationService, weighReports } from "./moderation-service.ts";
import { enqueueNotices, enqueueOutcomes } from "./outbox-service.ts";
import { liftSuspensions, reopenedCalls, replaceSuspensions } from "./sanctions.ts";

interface DecisionOptions {
  db: Kysely<Database>;
  clock: Clock;
  moderation: Pick<ModerationService, "changed" | "sanctions" | "pendingCredits">;
}

type Trx = Transaction<Database>;
type Operate = Pick<ParsedInputOf<Endpoints["adminReportOperate"]>, "operation" | "hours" | "reason_id" | "note">;
type Second = Pick<ParsedInputOf<Endpoints["adminSecondOperate"]>, "operation" | "note">;

interface DecisionContext {
  trx: Trx;
  viewer: Viewer;
  about: CaseFacts;
}

interface Decided {
  state: "decided" | "second";
  /** What to do after the commit; null for a repeated decision. */
  after: (() => Promise<void>) | null;
}

/** A repeated quick ban within this time is a double click. */
const repeatMs = 60_000;
const auditKinds: Record<1 | 2 | 3, AuditKind> = { 1: "clear", 2: "reject", 3: "warn" };

/** Moderators' decisions about cases, each exactly once (rules CASE-41, CASE-46, CASE-48). */
export class Decisions {
  readonly #options: DecisionOptions;

  constructor(options: DecisionOptions) {
    this.#options = options;
  }

  /**
   * Decides a claimed case: 1 clears the user and judges no report, 2 finds the reports wrong, 3 warns, 4 bans.
   * Idempotent for the same moderator.
   * @throws EndpointError 400 for an unknown case, or a ban without length; 403 `own_case`, `colleague`, `role`,
   * `claimed` or `not_claimed`; 406 `already_decided`.
   * @returns `second` if a permanent ban now waits for the second opinion.
   */
  async operate(viewer: Viewer, caseId: bigint, operate: Operate): Promise<"decided" | "second"> {
    const at = this.#now();
    const { state, after } = await this.#options.db.transaction().execute(async (trx) => {
      const about = await this.#locked(trx, viewer, caseId);
      if (about.state !== "open") return this.#again({ trx, viewer, about }, operate);
      await requireClaim(trx, `case:${caseId}`, { moderatorId: viewer.userId, at });
      return this.#decide({ trx, viewer, about }, operate);
    });
    await after?.();
    return state;
  }

  /**
   * Bans a user and decides the user's waiting case, or a new one. With `isAgain` also while a moderator's ban is in
   * force.
   * @throws EndpointError as `operate`; 406 `already_banned` with the end of that ban, null for a permanent one.
   */
  async quickForbid(
    viewer: Viewer,
    subjectId: bigint,
    { isAgain = false, ...forbid }: Forbid & { isAgain?: boolean },
  ): Promise<Decided["state"]> {
    const { db } = this.#options;
    const at = this.#now();
    const { state, after } = await db.transaction().execute(async (trx): Promise<Decided> => {
      const subject = await trx.selectFrom("users").select("role").where("id", "=", subjectId).executeTakeFirst();
      if (!subject) throw badInput("no such person", "other_id");
      const reasonId = reportReasonOf(forbid.reason_id);
      const queue = queueOf(reasonId);
      requireCaseAccess(viewer, { subjectId, subjectRole: subject.role, queue });
      await lockSubject(trx, subjectId);
      const same = await sameForbid(trx, subjectId, {
        ...forbid,
        byId: viewer.userId,
        since: new Date(at.getTime() - repeatMs),
      });
      if (same) return { state: forbid.hours === 0 ? "second" : "decided", after: null };
      const opening = { subjectId, rule: "report", reasonId, callId: null, evidence: [] } as const;
      const caseId = (await waitingCase(trx, subjectId, queue)) ?? (await openOrJoin(trx, opening, at)).caseId;
      const about = await this.#locked(trx, viewer, caseId);
      if (about.state !== "open") throw refused("already_decided");
      const before = isAgain ? null : await banByModerator(trx, subjectId, at);
      if (before) throw refused("already_banned", { until: before.until && before.until.getTime() });
      await claimToDecide(trx, `case:${caseId}`, { moderatorId: viewer.userId, at });
      return this.#decide({ trx, viewer, about }, { operation: operations.forbid, ...forbid });
    });
    await after?.();
    return state;
  }

  /**
   * The second opinion on a permanent ban: 1 lifts the ban, 2 shortens it to 30 days, 4 agrees.
   * @throws EndpointError as `operate`; 403 `own_case` for the moderator who gave the first opinion, and for the one
   * who answered an appeal.
   */
  async second(viewer: Viewer, caseId: bigint, { operation, note }: Second): Promise<void> {
    const at = this.#now();
    const subjectId = await this.#options.db.transaction().execute(async (trx) => {
      const about = await this.#locked(trx, viewer, caseId);
      if (about.state !== "second") throw refused("already_decided");
      if (hasDecidedBefore(about, viewer.userId)) throw forbidden("own_case");
      await requireClaim(trx, `case:${caseId}`, { moderatorId: viewer.userId, at });
      await storeSecond(trx, about, { operation, note, byId: viewer.userId, at });
      await releaseClaim(trx, `case:${caseId}`, viewer.userId);
      return about.subjectId;
    });
    this.#options.moderation.changed(subjectId);
  }

  async #locked(trx: Trx, viewer: Viewer, caseId: bigint): Promise<CaseFacts> {
    const found = await caseFacts(trx, caseId);
    if (!found) throw badInput("no such case", "id");
    requireCaseAccess(viewer, found);
    if (found.queue === "restricted")
      await logRestricted(trx, viewer.userId, { at: this.#now(), caseId, act: "decide" });
    await lockSubject(trx, found.subjectId);
    // Another moderator may have decided while this transaction waited for the lock.
    return (await caseFacts(trx, caseId)) ?? found;
  }

  /** Accepts the same decision of the same moderator, who may have lost the response. Rejects any other. */
  async #again({ trx, viewer, about }: DecisionContext, { operation, hours }: Operate): Promise<Decided> {
    if (about.decidedBy !== viewer.userId || about.operation !== operation) throw refused("already_decided");
    if (operation === operations.forbid) {
      if (hours === 0 ? about.state !== "second" : !(await wasForbiddenFor(trx, about.id, hours ?? 0))) {
        throw refused("already_decided");
      }
    }
    return { state: about.state === "second" ? "second" : "decided", after: null };
  }

  async #decide(context: DecisionContext, operate: Operate): Promise<Decided> {
    const { trx, viewer, about } = context;
    const { sanctions, pendingCredits } = this.#options.moderation;
    const at = this.#now();
    const { operation, note } = operate;
    const { id: caseId, subjectId, reasonId } = about;
    const wasRight = { 1: null, 2: false, 3: true, 4: true }[operation];
    await judgeReporters(trx, caseId, wasRight);
    if (await liftPauses(trx, caseId, at)) {
      await writeAudit(trx, { at, actorId: viewer.userId, kind: "unpause", subjectId, caseId });
    }
    await releaseClaim(trx, `case:${caseId}`, viewer.userId);
    await enqueueOutcomes(trx, caseId, { at });
    if (operation === operations.forbid) {
      const state = await this.#forbid(context, readForbid(operate, about.reasonId), at);
      const applySanctions = () => sanctions.applySanctions(subjectId, { callId: null });
      return { state, after: () => this.#after(subjectId, applySanctions) };
    }
    if (operation === operations.warn)
      await enqueueNotices(trx, [{ userId: subjectId, kind: "warning", about: caseId }], at);
    const cut = await liftSuspensions(trx, caseId, at);
    await closeCase(trx, about, { operation, byId: viewer.userId, at });
    const entry = { at, actorId: viewer.userId, kind: auditKinds[operation], subjectId, caseId, reasonId, note };
    await writeAudit(trx, { ...entry, detail: { liftedCalls: cut } });
    // A warned user gets no refund, because the suspension was right.
    const wrongCalls = operation === operations.warn ? [] : [...cut, ...(await reopenedCalls(trx, caseId))];
    for (const callId of wrongCalls) await pendingCredits.add(trx, { callId, userId: subjectId });
    const applySanctions = async () => {
      for (const callId of wrongCalls) await pendingCredits.pay({ callId, userId: subjectId });
    };
    return { state: "decided", after: () => this.#after(subjectId, applySanctions) };
  }

  async #forbid({ trx, viewer, about }: DecisionContext, forbid: Forbid, at: Date): Promise<"decided" | "second"> {
    const { id: caseId, subjectId: userId, callId } = about;
    const { hours, reason_id: reasonId, note } = forbid;
    const history = await historyOf(trx, userId, at.getTime());
    const actions = decide({ kind: "forbidden", hours, reasonId }, history, at.getTime());
    await replaceSuspensions(trx, userId, at);
    const ban = { userId, reasonId, at, caseId, callId, decidedBy: viewer.userId, rule: null };
    const banId = await this.#options.moderation.sanctions.storeBan(trx, ban, actions);
    const secondAsked = actions.find((action) => action.kind === "ask_second");
    await closeCase(trx, about, { operation: operations.forbid, byId: viewer.userId, at });
    if (secondAsked) {
      const lapses_at = new Date(secondAsked.lapsesAtMs);
      const asking = { state: "second" as const, asked_reason_id: reasonId, asked_note: note, lapses_at };
      await trx.updateTable("cases").set(asking).where("id", "=", caseId).execute();
    }
    const entry = { at, actorId: viewer.userId, subjectId: userId, caseId, reasonId };
    const detail = { banId, hours, actions };
    await writeAudit(trx, { ...entry, kind: secondAsked ? "ask_second" : "forbid", note, detail });
    if (actions.some((action) => action.kind === "strike")) await writeAudit(trx, { ...entry, kind: "strike" });
    return secondAsked ? "second" : "decided";
  }

  async #after(subjectId: bigint, applySanctions: () => Promise<void>): Promise<void> {
    this.#options.moderation.changed(subjectId);
    await applySanctions();
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

/** `hours` 0: permanent. */
interface Forbid {
  readonly hours: BanHours;
  readonly reason_id: BanReason;
  readonly note: string;
}

/** @throws EndpointError 400 without a length, and for a permanent ban because of a wrong gender. */
function readForbid(
  asked: { hours?: BanHours | undefined; reason_id?: BanReason | undefined; note: string },
  reasonOfCase: ReportReason,
): Forbid {
  const { hours, reason_id = banReasonOf(reasonOfCase), note } = asked;
  if (hours === undefined) throw badInput("missing length of the ban", "hours");
  if (hours === 0 && reason_id === reasons.wrongGender.banReason)
    throw badInput("not a permanent ban for this reason", "hours");
  return { hours, reason_id, note };
}

async function wasForbiddenFor(trx: Trx, caseId: bigint, hours: number): Promise<boolean> {
  const ban = await trx
    .selectFrom("bans")
    .select(["created_at", "until"])
    .where("case_id", "=", caseId)
    .where("decided_by", "is not", null)
    .where("ended_because", "is distinct from", "reopened")
    .executeTakeFirst();
  return ban?.until?.getTime() === (ban?.created_at.getTime() ?? 0) + hours * hourMs;
}

async function sameForbid(
  trx: Trx,
  subjectId: bigint,
  { hours, reason_id, byId, since }: Forbid & { byId: bigint; since: Date },
): Promise<boolean> {
  const lengthMs = hours === 0 ? banWithoutSecondOpinionMs : hours * hourMs;
  const bans = await trx
    .selectFrom("bans")
    .select(["created_at", "until"])
    .where("user_id", "=", subjectId)
    .where("reason_id", "=", reason_id)
    .where("decided_by", "=", byId)
    .where("created_at", ">", since)
    .where("ended_early_at", "is", null)
    .execute();
  return bans.some(({ created_at, until }) => until?.getTime() === created_at.getTime() + lengthMs);
}

async function banByModerator(trx: Trx, subjectId: bigint, at: Date): Promise<{ until: Date | null } | undefined> {
  return trx
    .selectFrom("bans")
    .select("until")
    .where("user_id", "=", subjectId)
    .where("decided_by", "is not", null)
    .where("ended_early_at", "is", null)
    .where((where) => where.or([where("until", "is", null), where("until", ">", at)]))
    .orderBy("until", (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
}

interface SecondOpinion {
  readonly operation: 1 | 2 | 4;
  readonly note: string;
  readonly byId: bigint;
  readonly at: Date;
}

const secondAuditKinds: Record<SecondOpinion["operation"], AuditKind> = {
  1: "second_lift",
  2: "second_shorten",
  4: "second_agree",
};
const batchRows = 100;

async function storeSecond(trx: Trx, about: CaseFacts, second: SecondOpinion): Promise<void> {
  const { id: caseId, subjectId, decidedAt } = about;
  const { operation, at, byId, note } = second;
  if (!decidedAt) throw new Error("a second opinion without a first decision");
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
  }
  // A second opinion that shortens or agrees confirms the reports. Lifting leaves them unjudged.
  const wasRight = operation === operations.approve ? null : true;
  await decideJoined(trx, { caseId, subjectId, wasRight, byId, at });
  await trx.updateTable("cases").set({ state: "decided", changed_at: at }).where("id", "=", caseId).execute();
  const entry = { at, actorId: byId, subjectId, caseId, reasonId: ban.reason_id };
  await writeAudit(trx, { ...entry, kind: secondAuditKinds[operation], note, detail: { banId: ban.id } });
  if (operation === operations.approve) await writeAudit(trx, { ...entry, kind: "strike_revoked" });
}

interface Joined {
  readonly caseId: bigint;
  readonly subjectId: bigint;
  readonly wasRight: boolean | null;
  readonly byId: bigint;
  readonly at: Date;
}

/** Judges reports and ends pauses that joined the case while it waited for its second opinion. */
async function decideJoined(trx: Trx, { caseId, subjectId, wasRight, byId, at }: Joined): Promise<void> {
  // The first decision notified the reporters whose reports it judged.
  await enqueueOutcomes(trx, caseId, { at, of: "unjudged" });
  await judgeReporters(trx, caseId, wasRight);
  if (await liftPauses(trx, caseId, at)) {
    await writeAudit(trx, { at, actorId: byId, kind: "unpause", subjectId, caseId });
  }
}

/** Closes the second opinion after an appeal shortened or lifted the ban. Returns whether one was waiting. */
export async function closeSecondOpinion(trx: Trx, joined: Joined): Promise<boolean> {
  const closed = await trx
    .updateTable("cases")
    .set({ state: "decided", changed_at: joined.at })
    .where("id", "=", joined.caseId)
    .where("state", "=", "second")
    .returning("id")
    .executeTakeFirst();
  if (closed) await decideJoined(trx, joined);
  return closed !== undefined;
}

/**
 * Closes cases whose second opinion did not come within 72 hours. Their ban ends by itself, seven days after the first
 * decision. Reports that joined meanwhile move to a new case.
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
  const nextCaseId = await passOn(trx, found, at);
  const entry = { at, actorId: null, subjectId: found.subjectId, caseId, reasonId: ban.reason_id };
  await writeAudit(trx, { ...entry, kind: "lapse", detail: { banId: ban.id, nextCaseId } });
}

/** Moves unjudged reports, findings and frames, with pauses and evidence, to a new case; null if there are none. */
async function passOn(trx: Trx, from: CaseFacts, at: Date): Promise<bigint | null> {
  const { id: fromId, subjectId, decidedAt } = from;
  if (!decidedAt) return null;
  const joined = await trx
    .selectFrom("reports")
    .select(["id", "reason_id", "call_id", "message_id"])
    .where("case_id", "=", fromId)
    .where("was_right", "is", null)
    .orderBy("id")
    .execute();
  let nextId: bigint | null = null;
  for (const { id, reason_id, call_id: callId, message_id } of joined) {
    const messageId = message_id === null ? {} : { messageId: message_id };
    const reasonId = knownReportReason(reason_id);
    const signal = { subjectId, rule: "report", reasonId, callId, evidence: [], ...messageId } as const;
    ({ caseId: nextId } = await openOrJoin(trx, signal, at));
    await trx.updateTable("reports").set({ case_id: nextId }).where("id", "=", id).execute();
  }
  for (const flag of await flagsSince(trx, from, decidedAt)) ({ caseId: nextId } = await openOrJoin(trx, flag, at));
  const next = nextId === null ? null : await caseFacts(trx, nextId);
  if (!next) return null;
  await trx
    .updateTable("restraints")
    .set({ case_id: next.id })
    .where("case_id", "=", fromId)
    .where("what", "in", ["matching", "age"])
    .where("lifted_at", "is", null)
    .execute();
  await trx
    .updateTable("sent_views")
    .set({ case_id: next.id })
    .where("case_id", "=", fromId)
    .where("was_right", "is", null)
    .execute();
  await trx
    .updateTable("evidence")
    .set({ case_id: next.id })
    .where("case_id", "=", fromId)
    .where("erase_at", ">", new Date(decidedAt.getTime() + evidenceKeptMs))
    .execute();
  const last = joined.at(-1);
  if (last) await weighReports(trx, { caseId: next.id, subjectId, reasonId: next.reasonId, reportId: last.id }, at);
  return next.id;
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
