import { type Kysely, sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import { contradictions, reviewPromisedMs } from "@fava/wire/limits.ts";
import { banReasonOf, knownReportReason, type Queue, queueOf } from "@fava/wire/reasons.ts";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import { newAccountCalls, type StandingService } from "#people/standing-service.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { AccountRestrictions, AgeHint, CaseSignal, EvidenceItem, Moderation } from "#ports/moderation.ts";
import type { Random } from "#ports/random.ts";
import {
  attachViews,
  isContradictedInCase,
  minorReport,
  recordView,
  reportersOf,
  sendersOf,
} from "./reporter-records.ts";
import { writeAudit } from "./audit.ts";
import { decide, isCaseBy, reportsTogetherMs } from "./ban-policy.ts";
import { storeAgeHint } from "./age-hints.ts";
import { type CaseFacts, caseFacts, historyOf, lockSubject, openOrJoin, storePauses } from "./case-store.ts";
import { type EvidenceMessage, type EvidenceNote, EvidenceStore } from "./evidence-store.ts";
import { endedCall, type Sanctions, SanctionsExecutor, PendingCredits } from "./sanctions.ts";

interface ModerationServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  blobs: Blobs;
  serverSecret: ServerSecret;
  bus: Pick<Bus, "push" | "confirm" | "isPresent">;
  logger: Pick<Logger, "error">;
  sanctions: Sanctions;
  standings: StandingService;
  mails: Pick<MailOutbox, "add">;
}

type Trx = Transaction<Database>;

export class ModerationService implements Moderation {
  readonly evidence: EvidenceStore;
  readonly pendingCredits: PendingCredits;
  readonly sanctions: SanctionsExecutor;
  readonly #options: ModerationServiceOptions;
  #reportCount = 0;

  constructor(options: ModerationServiceOptions) {
    this.#options = options;
    this.evidence = new EvidenceStore(options);
    this.pendingCredits = new PendingCredits(options);
    this.sanctions = new SanctionsExecutor({ ...options, pendingCredits: this.pendingCredits });
  }

  async open(signal: CaseSignal): Promise<bigint> {
    const at = this.#now();
    const { caseId, queue } = await this.#options.db.transaction().execute((trx) => openFlagged(trx, signal, at));
    this.changed(signal.subjectId);
    await this.evidence.add({ caseId, queue }, signal.evidence);
    return caseId;
  }

  async openByView(signal: CaseSignal & { callId: string }, senderId: bigint): Promise<bigint | null> {
    const at = this.#now();
    const since = new Date(at.getTime() - contradictions.togetherMs);
    const { subjectId, callId } = signal;
    const opened = await this.#options.db.transaction().execute(async (trx) => {
      await lockSubject(trx, subjectId);
      if ((await recordView(trx, { senderId, subjectId, callId }, at)) !== null) return null;
      const isKnown = await isContradictedInCase(trx, subjectId);
      if (!isKnown && !isCaseBy(await sendersOf(trx, subjectId, at))) return null;
      const flagged = await openFlagged(trx, signal, at);
      await attachViews(trx, subjectId, { caseId: flagged.caseId, since });
      return flagged;
    });
    if (!opened) return null;
    this.changed(subjectId);
    await this.evidence.add(opened, signal.evidence);
    return opened.caseId;
  }

  /** Reports that this server has accepted since it started, without repetitions. */
  get reportCount(): number {
    return this.#reportCount;
  }

  /**
   * Opens a case or joins the waiting one (rule CASE-64). `keep` stores the report and returns its id, or null for a
   * repetition, which changes nothing.
   * @returns the case; null for a repetition.
   */
  async report(
    signal: Omit<CaseSignal, "rule" | "evidence" | "judgement">,
    keep: (trx: Trx) => Promise<bigint | null>,
  ): Promise<bigint | null> {
    const at = this.#now();
    const caseId = await this.#options.db.transaction().execute(async (trx) => {
      const reportId = await keep(trx);
      if (reportId === null) return null;
      await lockSubject(trx, signal.subjectId);
      const opened = await openOrJoin(trx, { ...signal, rule: "report", evidence: [] }, at);
      await trx.updateTable("reports").set({ case_id: opened.caseId }).where("id", "=", reportId).execute();
      const about = { at, actorId: null, subjectId: signal.subjectId, caseId: opened.caseId };
      await writeAudit(trx, { ...about, kind: "report", reasonId: signal.reasonId, detail: { callId: signal.callId } });
      await weighReports(trx, { ...signal, caseId: opened.caseId, reportId }, at);
      return opened.caseId;
    });
    if (caseId === null) return null;
    this.#reportCount += 1;
    this.changed(signal.subjectId);
    return caseId;
  }

  async addEvidence(
    caseId: bigint,
    evidence: readonly (EvidenceItem | EvidenceMessage | EvidenceNote)[],
  ): Promise<void> {
    const about = await caseFacts(this.#options.db, caseId);
    if (about) await this.evidence.add({ caseId, queue: about.queue }, evidence);
  }

  /** Suspends the user for a sure judgement. In shadow mode it only opens a case. */
  async suspend(signal: CaseSignal): Promise<void> {
    if (signal.judgement?.shadow) return void (await this.open(signal));
    const at = this.#now();
    const { caseId, queue, isNew } = await this.#options.db.transaction().execute(async (trx) => {
      const opened = await openFlagged(trx, signal, at);
      return { ...opened, isNew: await this.#storeSuspension(trx, { ...signal, caseId: opened.caseId }, at) };
    });
    this.changed(signal.subjectId);
    if (isNew) await this.sanctions.applySanctions(signal.subjectId, { callId: signal.callId });
    await this.evidence.add({ caseId, queue }, signal.evidence);
  }

  async hintAge(hint: AgeHint): Promise<void> {
    const opened = await this.#options.db.transaction().execute((trx) => storeAgeHint(trx, hint, this.#now()));
    if (!opened) return;
    this.changed(hint.subjectId);
    await this.evidence.add(opened, hint.evidence);
  }

  async note(signal: Parameters<Moderation["note"]>[0]): Promise<number> {
    const { db } = this.#options;
    const { userId, rule, dryRun, withinMs } = signal;
    const at = this.#now();
    const detail = JSON.stringify(signal.detail ?? {});
    // One statement instead of two, since thousands of signals arrive.
    const { rows } = await sql<{ times: bigint }>`
      with noted as (
        insert into signals (user_id, rule, dry_run, detail, at) values (${userId}, ${rule}, ${dryRun}, ${detail}, ${at})
        returning 1
      )
      select (select count(*) from noted) + (
        select count(*) from signals
        where user_id = ${userId} and rule = ${rule} and dry_run = ${dryRun}
          and at > ${new Date(at.getTime() - withinMs)}
      ) as times`.execute(db);
    if (!dryRun) this.changed(userId);
    return Number(rows[0]?.times);
  }

  async muteChat(userId: bigint, { rule, untilMs }: Parameters<Moderation["muteChat"]>[1]): Promise<void> {
    const at = this.#now();
    const until = new Date(untilMs);
    await this.#options.db.transaction().execute(async (trx) => {
      await trx.insertInto("restraints").values({ user_id: userId, what: "chat", rule, from_at: at, until }).execute();
      await writeAudit(trx, { at, actorId: null, kind: "mute", subjectId: userId, detail: { rule, untilMs } });
    });
    this.changed(userId);
  }

  async callPassed(userId: bigint): Promise<void> {
    const counted = await this.#options.db
      .updateTable("users")
      .set((user) => ({ passed_calls: user("passed_calls", "+", 1) }))
      .where("id", "=", userId)
      .where("passed_calls", "<", newAccountCalls)
      .returning("passed_calls")
      .executeTakeFirst();
    if (counted?.passed_calls === newAccountCalls) this.changed(userId);
  }

  /**
   * A paused user asks for a review, which moves the case before others of its harm.
   * @returns the deadline; null if matching is not paused.
   */
  async requestReview(userId: bigint): Promise<Date | null> {
    const at = this.#now();
    return this.#options.db.transaction().execute(async (trx) => {
      await lockSubject(trx, userId);
      const paused = await trx
        .selectFrom("restraints")
        .select(["id", "case_id", "look_asked_at"])
        .where("user_id", "=", userId)
        .where("what", "=", "matching")
        .where("lifted_at", "is", null)
        .where((where) => where.or([where("until", "is", null), where("until", ">", at)]))
        .execute();
      if (paused.length === 0) return null;
      const asked = paused.find(({ look_asked_at }) => look_asked_at !== null)?.look_asked_at ?? at;
      for (const { id, case_id: caseId, look_asked_at } of paused) {
        if (look_asked_at !== null) continue;
        await trx.updateTable("restraints").set({ look_asked_at: asked }).where("id", "=", id).execute();
        await writeAudit(trx, { at, actorId: userId, kind: "ask_look", subjectId: userId, caseId });
      }
      return new Date(asked.getTime() + reviewPromisedMs);
    });
  }

  restrictionsOf(userId: bigint): Promise<AccountRestrictions> {
    return this.#options.standings.restrictionsOf(userId);
  }

  /** Calls the listener with a user whose restrictions changed on any server. */
  onRestrictionsChanged(listener: (userId: bigint) => void): Disposable {
    return this.#options.standings.cache.onDropped(listener);
  }

  /** Call after committing a change of what `restrictionsOf` returns. */
  changed(userId: bigint): void {
    this.#options.standings.forget(userId);
  }

  async #storeSuspension(trx: Trx, signal: CaseSignal & { caseId: bigint }, at: Date): Promise<boolean> {
    const { subjectId: userId, reasonId, rule, callId, caseId, judgement } = signal;
    const banned = await trx
      .selectFrom("bans")
      .select("id")
      .where("user_id", "=", userId)
      .where("ended_early_at", "is", null)
      .where((where) => where.or([where("until", "is", null), where("until", ">", at)]))
      .executeTakeFirst();
    if (banned) return false;
    const actions = decide({ kind: "sure" }, await historyOf(trx, userId, at.getTime()), at.getTime());
    const ban = { userId, reasonId: banReasonOf(reasonId), at, caseId, callId, decidedBy: null, rule };
    const banId = await this.sanctions.storeBan(trx, ban, actions);
    const call = await endedCall(trx, userId, callId);
    if (call) await this.pendingCredits.add(trx, { callId: call.callId, userId: call.otherId });
    const detail = { rule, callId, banId, ...judgement, actions };
    await writeAudit(trx, { at, actorId: null, kind: "suspend", subjectId: userId, caseId, reasonId, detail });
    return true;
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

export async function weighReports(
  trx: Trx,
  about: Pick<CaseSignal, "subjectId" | "reasonId"> & { caseId: bigint; reportId: bigint },
  at: Date,
): Promise<void> {
  const { caseId, subjectId, reasonId } = about;
  const isRestricted = queueOf(reasonId) === "restricted";
  const minor = isRestricted ? await minorReport(trx, about, at) : null;
  const signal = minor?.signal ?? (await reportedSignal(trx, caseId, at));
  const reporter = minor
    ? { reporterId: minor.reporterId, isUnproven: minor.signal.isUnproven }
    : { isUnproven: false };
  await storePauses(trx, { caseId, subjectId, reasonId, ...reporter }, { signal, at });
}

async function reportedSignal(trx: Trx, caseId: bigint, at: Date) {
  const reporters = await reportersOf(trx, caseId, new Date(at.getTime() - reportsTogetherMs));
  const before = await trx
    .selectFrom("restraints")
    .select("id")
    .where("case_id", "=", caseId)
    .where("what", "=", "matching")
    .executeTakeFirst();
  return { kind: "reported", reporters, wasPaused: before !== undefined } as const;
}

async function openFlagged(trx: Trx, signal: CaseSignal, at: Date): Promise<{ caseId: bigint; queue: Queue }> {
  await lockSubject(trx, signal.subjectId);
  const { caseId } = await openOrJoin(trx, signal, at);
  const { subjectId, reasonId, rule, callId, judgement } = signal;
  const scores = signal.evidence.flatMap((item) => (item.kind === "frame" ? [item.facts] : []));
  const detail = { rule, callId, ...judgement, scores };
  await writeAudit(trx, { at, actorId: null, kind: "flag", subjectId, caseId, reasonId, detail });
  return { caseId, queue: queueOf(reasonId) };
}

type Flag = Pick<CaseSignal, "rule" | "callId"> & (NonNullable<CaseSignal["judgement"]> | { model?: undefined });

export async function flagsSince(
  trx: Trx,
  { id, subjectId }: Pick<CaseFacts, "id" | "subjectId">,
  since: Date,
): Promise<CaseSignal[]> {
  const rows = await trx
    .selectFrom("audit_log")
    .select(["reason_id", "detail"])
    .where("subject_id", "=", subjectId)
    .where("case_id", "=", id)
    .where("kind", "in", ["flag", "age_failed"])
    .where("at", ">", since)
    .orderBy("id")
    .execute();
  return rows.map(({ reason_id, detail }) => {
    const flag = JSON.parse(detail) as Flag;
    const { rule, callId } = flag;
    const about = { subjectId, rule, reasonId: knownReportReason(reason_id ?? 0), callId, evidence: [] };
    return flag.model === undefined ? about : { ...about, judgement: flag };
  });
}
