import type { Kysely, Selectable, Transaction } from "kysely";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { appealAnswerMs, appealOpenMs } from "@fava/wire/limits.ts";
import { type Appeal, appealGrounds, type BanHours, banHours, type CaseDetail } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { knownBanReason, queueOf, reportReasonOf } from "@fava/wire/reasons.ts";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import { avatarAddress } from "#lib/avatar-address.ts";
import { badInput, type EndpointError, forbidden, refused } from "#lib/errors.ts";
import { visibleText } from "#lib/visible-text.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import { banById, banFacts, type SessionService } from "#people/session-service.ts";
import type { Clock } from "#ports/clock.ts";
import type { MailFacts } from "#ports/mails.ts";
import { judgeReporters } from "./reporter-records.ts";
import type { AppealAnswers } from "./appeal-answers.ts";
import * as store from "./appeal-store.ts";
import type { AppealWithBan } from "./appeal-store.ts";
import { writeAudit } from "./audit.ts";
import { accessDenialOf, type Viewer } from "./ban-policy.ts";
import { claimView, claimsOn, releaseClaim, lockSubject, requireClaim } from "./case-store.ts";
import { closeSecondOpinion } from "./decisions.ts";
import { enqueueNotices } from "./outbox-service.ts";
import type { PendingCredits } from "./sanctions.ts";

export interface AppealServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  sessions: Pick<SessionService, "banOfAppealToken">;
  balances: { account(userId: bigint): Promise<{ balance: bigint }> };
  /** What a call has cost this user, less refunds. */
  callCost: (callId: string, userId: bigint) => Promise<bigint>;
  pendingCredits: Pick<PendingCredits, "add" | "pay">;
  changed: (userId: bigint) => void;
  answers: Pick<AppealAnswers, "forget">;
  mails: Pick<MailOutbox, "isOn" | "add">;
  caseDetail: (viewer: Viewer & { language: string }, caseId: bigint) => Promise<CaseDetail>;
}

type Operate = Pick<ParsedInputOf<Endpoints["adminAppealOperate"]>, "outcome" | "hours" | "answer">;
type Status = OutputOf<Endpoints["appealStatus"]>;

const hourMs = 3_600_000;

/** Second opinions and appeals that this viewer may see. The desk's list and its count both use this. */
export async function waitingFor(db: Kysely<Database>, viewer: Viewer) {
  const [seconds, appeals] = await Promise.all([store.waitingSeconds(db), store.waitingAppeals(db)]);
  return {
    seconds: seconds.filter(
      ({ id, role, queue }) => accessDenialOf(viewer, { subjectId: id, subjectRole: role, queue }) === null,
    ),
    appeals: appeals.filter(({ id }) => id !== viewer.userId),
  };
}

/**
 * Appeals against bans: one per ban, within six months. A moderator without part in the decision answers within 72
 * hours (rules APPEAL-1, APPEAL-3, APPEAL-5, APPEAL-6, APPEAL-8).
 */
export class AppealService {
  readonly #options: AppealServiceOptions;

  constructor(options: AppealServiceOptions) {
    this.#options = options;
  }

  /** @throws EndpointError 400 for an invalid token, or a ban whose case was reopened. */
  async status(token: string): Promise<Status> {
    const { db, balances, answers, mails } = this.#options;
    const { userId, ban } = await this.#banOf(token);
    const [appeal, { balance }] = await Promise.all([store.appealOfBan(db, ban.id), balances.account(userId)]);
    // This request shows the answer to the user, so no notification is needed.
    if (appeal && appeal.state !== "received") await answers.forget(appeal);
    return {
      user_id: Number(userId),
      user_no: ban.user_no,
      ban: banFacts(ban),
      in_force: ban.ended_early_at === null && (ban.until === null || ban.until > this.#now()),
      appeal: appeal ? appealView(appeal) : null,
      beans: wireInteger(balance > 0n ? balance : 0n),
      mails: mails.isOn,
    };
  }

  /** @throws EndpointError 400 as `status`; 406 `appealed_before`, `appeal_too_late`, `invisible_text`. */
  async add(
    token: string,
    written: { ground: number; text: string; email: string; language: string },
  ): Promise<Status> {
    const { db } = this.#options;
    const { userId, ban } = await this.#banOf(token);
    const at = this.#now();
    if (at.getTime() > ban.created_at.getTime() + appealOpenMs) throw refused("appeal_too_late");
    const text = visibleText(written.text.trim(), "text");
    await db.transaction().execute(async (trx) => {
      await lockSubject(trx, userId);
      // Its moderator may have reopened the case while this transaction waited for the lock.
      if (wasReopened(await banById(trx, ban.id))) throw noSuchBan();
      if (await store.appealOfBan(trx, ban.id)) throw refused("appealed_before");
      const answer_by = new Date(at.getTime() + appealAnswerMs);
      await trx
        .insertInto("appeals")
        .values({ ban_id: ban.id, user_id: userId, ...written, text, at, answer_by })
        .execute();
      await writeAudit(trx, { at, actorId: null, kind: "appeal", subjectId: userId, detail: { banId: ban.id } });
    });
    return this.status(token);
  }

  /**
   * The appeal that was sent with this token, or undefined.
   * @throws EndpointError 400 as `status`.
   */
  async sentWith(token: string): Promise<Selectable<Database["appeals"]> | undefined> {
    const { ban } = await this.#banOf(token);
    return store.appealOfBan(this.#options.db, ban.id);
  }

  /** Waiting second opinions and appeals. Those in which the viewer decided before are marked `is_own`. */
  async list(viewer: Viewer): Promise<OutputOf<Endpoints["adminAppealList"]>> {
    const { db } = this.#options;
    const at = this.#now();
    const { seconds, appeals } = await waitingFor(db, viewer);
    const items = [
      ...seconds.map(({ case_id }) => `case:${case_id}`),
      ...appeals.map(({ appeal_id }) => `appeal:${appeal_id}`),
    ];
    const claims = await claimsOn(db, items, at);
    const claimed = (item: string) => claimView(claims.get(item), viewer.userId);
    return {
      seconds: seconds.map((row) => ({
        id: String(row.case_id),
        kind: "second" as const,
        person: face(row),
        hours: 0 as const,
        reason_id: knownBanReason(row.asked_reason_id),
        due_at: row.lapses_at?.getTime() ?? at.getTime(),
        is_late: false,
        is_own: row.decided_by === viewer.userId || row.answered_by === viewer.userId,
        claim: claimed(`case:${row.case_id}`),
      })),
      appeals: appeals.map((row) => ({
        id: String(row.appeal_id),
        kind: "appeal" as const,
        person: face(row),
        hours: banLength(row),
        reason_id: knownBanReason(row.reason_id),
        due_at: row.answer_by.getTime(),
        is_late: row.answer_by <= at,
        is_own: hadPart(row, viewer.userId),
        claim: claimed(`appeal:${row.appeal_id}`),
      })),
    };
  }

  /** @throws EndpointError 400 for an unknown appeal; 403 `own_case`. */
  async info(viewer: Viewer & { language: string }, id: string): Promise<OutputOf<Endpoints["adminAppeal"]>> {
    const { db, callCost, caseDetail } = this.#options;
    const at = this.#now();
    const waiting = await knownAppeal(this.#options.db, id);
    if (waiting.id === viewer.userId) throw forbidden("own_case");
    const [appeal, ban, claims] = await Promise.all([
      store.appealOfBan(db, waiting.ban_id),
      banById(db, waiting.ban_id),
      claimsOn(db, [`appeal:${id}`], at),
    ]);
    if (!appeal || !ban) throw badInput("no such appeal", "id");
    const claim = claims.get(`appeal:${id}`);
    const closed = closedBecause(viewer, waiting, at);
    const cost = waiting.call_id === null ? 0n : await callCost(waiting.call_id, waiting.id);
    return {
      appeal: appealView(appeal),
      language: appeal.language,
      ban: banFacts(ban),
      decided_by: waiting.decided_by === null ? null : await store.nicknameOf(db, waiting.decided_by),
      cut_beans: wireInteger(cost),
      case: waiting.case_id === null || closed === "administrators" ? null : await caseDetail(viewer, waiting.case_id),
      person: face(waiting),
      closed_because: closed ?? (claim && claim.moderatorId !== viewer.userId ? "claimed" : null),
    };
  }

  /**
   * Answers an appeal. Lifting ends the ban, revokes its strike, marks the reports as wrong and refunds the call that
   * the ban cut. Lifting or shortening also closes a waiting second opinion.
   * @throws EndpointError 400 for an unknown appeal, or a length that does not shorten the ban; 403 `own_case`,
   * `colleague`, `role` for a late appeal, `claimed` or `not_claimed`; 406 `already_decided`.
   */
  async operate(viewer: Viewer, id: string, { outcome, hours, answer }: Operate): Promise<void> {
    const { db, pendingCredits, changed, callCost } = this.#options;
    const at = this.#now();
    const waiting = await knownAppeal(this.#options.db, id);
    refuseClosed(viewer, waiting, at);
    const { call_id: callId, id: userId } = waiting;
    const wrongCall = outcome === "lifted" && callId !== null ? { callId, userId } : null;
    const cost = wrongCall ? await callCost(wrongCall.callId, userId) : 0n;
    await db.transaction().execute(async (trx) => {
      await lockSubject(trx, waiting.id);
      const fresh = await knownAppeal(trx, id);
      if (fresh.state !== "received") throw refused("already_decided");
      await requireClaim(trx, `appeal:${id}`, { moderatorId: viewer.userId, at });
      const newUntil = outcome === "shortened" ? shortened(fresh, hours, at) : null;
      const closesSecond = await this.#closeSecondOpinion(trx, fresh, { outcome, byId: viewer.userId, at });
      if (newUntil) {
        const change = { until: newUntil, ...(closesSecond && { is_provisional: false }) };
        await trx.updateTable("bans").set(change).where("id", "=", fresh.ban_id).execute();
      }
      if (outcome === "lifted") await lift(trx, fresh, at);
      if (wrongCall) await pendingCredits.add(trx, wrongCall);
      await trx
        .updateTable("appeals")
        .set({
          state: outcome,
          decided_at: at,
          decided_by: viewer.userId,
          answer,
          new_until: newUntil,
          beans_returned: cost,
        })
        .where("id", "=", fresh.appeal_id)
        .execute();
      const about = { at, actorId: viewer.userId, subjectId: fresh.id, caseId: fresh.case_id, note: answer };
      const detail = { banId: fresh.ban_id, before: fresh.until, after: newUntil, closesSecond };
      await writeAudit(trx, { ...about, kind: `appeal_${outcome}`, detail });
      await releaseClaim(trx, `appeal:${id}`, viewer.userId);
      await enqueueNotices(trx, [{ userId: fresh.id, kind: "appeal", about: fresh.appeal_id }], at);
      await this.#mailAnswer(trx, fresh, { outcome, answer, untilMs: newUntil?.getTime() ?? null });
    });
    changed(waiting.id);
    if (wrongCall) await pendingCredits.pay(wrongCall);
  }

  async #mailAnswer(
    trx: Transaction<Database>,
    { appeal_id, id: userId, email: to, written_in: language }: AppealWithBan,
    facts: MailFacts["appeal"],
  ): Promise<void> {
    const mail = { template: "appeal", matter: `appeal:${appeal_id}`, facts, userId, language } as const;
    await this.#options.mails.add(trx, to === "" ? mail : { ...mail, to });
  }

  /** Closes the second opinion on a moderator's ban. Software's bans have none. Returns whether one was waiting. */
  async #closeSecondOpinion(
    trx: Transaction<Database>,
    { case_id: caseId, decided_by, id: subjectId }: AppealWithBan,
    { outcome, byId, at }: { outcome: Operate["outcome"]; byId: bigint; at: Date },
  ): Promise<boolean> {
    if (outcome === "upheld" || caseId === null || decided_by === null) return false;
    return closeSecondOpinion(trx, { caseId, subjectId, wasRight: outcome === "shortened", byId, at });
  }

  async #banOf(token: string) {
    const found = await this.#options.sessions.banOfAppealToken(token);
    if (!found || wasReopened(found.ban)) throw noSuchBan();
    return found;
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

/** The moderator took the decision back, so there is no ban to appeal against (rule CASE-47). */
function wasReopened(ban: { ended_because: string | null } | undefined): boolean {
  return ban?.ended_because === "reopened";
}

function noSuchBan(): EndpointError {
  return badInput("no such ban", "appeal_token");
}

/** @throws EndpointError as `operate`, if the viewer may not answer this appeal. */
export async function requireOpenAppeal(
  db: Kysely<Database>,
  viewer: Viewer,
  { id, at }: { id: string; at: Date },
): Promise<void> {
  refuseClosed(viewer, await knownAppeal(db, id), at);
}

async function knownAppeal(db: Kysely<Database>, id: string): Promise<AppealWithBan> {
  const found = /^\d{1,18}$/.test(id) ? await store.appealById(db, BigInt(id)) : undefined;
  if (!found) throw badInput("no such appeal", "id");
  return found;
}

async function lift(trx: Transaction<Database>, appeal: store.AppealWithBan, at: Date): Promise<void> {
  await trx
    .updateTable("bans")
    .set({ ended_early_at: at, ended_because: "lifted" })
    .where("id", "=", appeal.ban_id)
    .where("ended_early_at", "is", null)
    .execute();
  const revoked = await trx
    .updateTable("strikes")
    .set({ revoked_at: at })
    .where("ban_id", "=", appeal.ban_id)
    .where("revoked_at", "is", null)
    .returning("reason_id")
    .execute();
  for (const { reason_id } of revoked) {
    await writeAudit(trx, { at, actorId: null, kind: "strike_revoked", subjectId: appeal.id, reasonId: reason_id });
  }
  if (appeal.case_id === null) return;
  await judgeReporters(trx, appeal.case_id, false);
}

function shortened({ until }: store.AppealWithBan, hours: number | undefined, at: Date): Date {
  if (hours === undefined) throw badInput("missing length of the shorter ban", "hours");
  const newUntil = new Date(at.getTime() + hours * hourMs);
  if (until !== null && newUntil >= until) throw badInput("not shorter than the ban", "hours");
  return newUntil;
}

function face(row: { id: bigint; user_no: string; nickname: string; avatar_key: string }) {
  return {
    user_id: Number(row.id),
    user_no: row.user_no,
    nickname: row.nickname,
    avatar: avatarAddress(row.avatar_key),
  };
}

function appealView(row: Selectable<Database["appeals"]>): Appeal {
  return {
    id: String(row.id),
    state: row.state,
    ground: appealGrounds.find((ground) => ground === row.ground) ?? 1,
    text: row.text,
    at: row.at.getTime(),
    answer_by: row.answer_by.getTime(),
    decided_at: row.decided_at?.getTime() ?? null,
    answer: row.answer,
    until: row.new_until?.getTime() ?? null,
    beans_returned: wireInteger(row.beans_returned),
  };
}

/** The shortest length of the ladder that covers the ban, in hours; 0 for a permanent ban. */
function banLength({ created_at, until }: { created_at: Date; until: Date | null }): BanHours {
  if (until === null) return 0;
  const hours = (until.getTime() - created_at.getTime()) / hourMs;
  return banHours.find((length) => length > 0 && hours <= length) ?? 720;
}

type Closed = OutputOf<Endpoints["adminAppeal"]>["closed_because"];

/** Why this moderator may not decide the appeal, or null. Late and restricted appeals are for administrators. */
function closedBecause(viewer: Viewer, appeal: AppealWithBan, at: Date): Closed {
  if (appeal.state !== "received") return "decided";
  if (hadPart(appeal, viewer.userId)) return "first_decider";
  if (viewer.role >= roles.administrator) return null;
  const isLate = appeal.answer_by <= at;
  const isRestricted = queueOf(reportReasonOf(knownBanReason(appeal.reason_id))) === "restricted";
  return isLate || isRestricted || appeal.role >= roles.moderator ? "administrators" : null;
}

/** @throws EndpointError 403 `own_case`, `colleague`, `role`; 406 `already_decided`. */
function refuseClosed(viewer: Viewer, appeal: AppealWithBan, at: Date): void {
  if (appeal.id === viewer.userId) throw forbidden("own_case");
  const closed = closedBecause(viewer, appeal, at);
  if (closed === "decided") throw refused("already_decided");
  if (closed === "first_decider") throw forbidden("own_case");
  if (closed === "administrators") throw forbidden(appeal.role >= roles.moderator ? "colleague" : "role");
}

function hadPart(ban: { decided_by: bigint | null; seconded_by: bigint | null }, userId: bigint): boolean {
  return ban.decided_by === userId || ban.seconded_by === userId;
}
