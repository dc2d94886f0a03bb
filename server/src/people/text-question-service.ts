import type { Kysely, Transaction } from "kysely";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { AskedTextPlace, TextQuestion } from "@fava/wire/endpoints/text-questions.ts";
import { reviewPromisedMs } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { avatarAddress } from "#lib/avatar-address.ts";
import { badInput, refused } from "#lib/errors.ts";
import { isReservedName } from "#lib/reserved-names.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import { writeAudit } from "#moderation/audit.ts";
import { requireCaseAccess, type Viewer } from "#moderation/ban-policy.ts";
import {
  claimView,
  claimsOn,
  releaseClaim,
  liftMutes,
  lockSubject,
  muteOf,
  requireClaim,
} from "#moderation/case-store.ts";
import type { ModerationService } from "#moderation/moderation-service.ts";
import { enqueueNotices } from "#moderation/outbox-service.ts";
import { type RuledSpan, ruledSpans, type TextRulesService } from "#moderation/text-service.ts";
import type { Clock } from "#ports/clock.ts";
import { changedColumns, nicknameNext, readEdits } from "./profile-edits.ts";
import { lockedUser, type ProfileRow, setColumns } from "./profile-store.ts";
import {
  answerTo,
  insertTextQuestion,
  openQuestion,
  questionPage,
  type QuestionRow,
  hashedText,
  waitingQuestions,
} from "./text-question-store.ts";

export { waitingQuestions } from "./text-question-store.ts";

export interface TextQuestionOptions {
  db: Kysely<Database>;
  clock: Clock;
  serverSecret: ServerSecret;
  texts: Pick<TextRulesService, "sureFindings">;
  moderation: Pick<ModerationService, "changed">;
  profileChanged: (userId: bigint) => void;
}

/** Questions to moderators about a refused name or text, or a mute (rule TEXT-765). Until the answer, both stay. */
export class TextQuestionService {
  readonly #options: TextQuestionOptions;

  constructor(options: TextQuestionOptions) {
    this.#options = options;
  }

  /**
   * Asks about a text, in place of the user's open question about the same field.
   * @returns the deadline of the answer.
   * @throws EndpointError 400 for a stored text or one without findings; 406 `answered_before`, `name_reserved`,
   * `invisible_text`, `nickname_too_soon`, and `abusive_text` for a finding about a minor.
   */
  async askAboutText(userId: bigint, place: AskedTextPlace, written: string): Promise<Date> {
    const { db, texts, serverSecret } = this.#options;
    const text = readEdits({ user_id: Number(userId), [place]: written })[place] ?? "";
    if (place === "nickname" && isReservedName(text)) throw refused("name_reserved", { field: place });
    const found = await texts.sureFindings(userId, text);
    // Only administrators may see texts about a minor, and moderators answer questions.
    if (found.some(({ kind }) => kind === "minor")) throw refused("abusive_text", { field: place });
    const findings = ruledSpans(found);
    if (findings.length === 0) throw badInput("no findings in the text", "text");
    const at = this.#now();
    return db.transaction().execute(async (trx) => {
      const user = await lockedUser(trx, userId);
      if (user[place] === text) throw badInput("the text is stored already", "text");
      requireFreeName(user, place, at);
      const open = await openQuestion(trx, userId, place);
      if (open?.text === text) return open.due_at;
      const answer = await answerTo(trx, serverSecret, { userId, place, text });
      if (answer === "refused") throw refused("answered_before", { field: place });
      if (open) await trx.deleteFrom("text_questions").where("id", "=", open.id).execute();
      const due = await insertTextQuestion(trx, {
        userId,
        place,
        text,
        findings,
        at,
        source: "person",
        before: user[place],
      });
      await writeAudit(trx, { at, actorId: userId, kind: "ask_text", subjectId: userId, detail: { place } });
      return due;
    });
  }

  /**
   * Asks about the user's mute. Returns the deadline of the answer; null without a mute.
   * @throws EndpointError 406 `answered_before`.
   */
  async askAboutMute(userId: bigint): Promise<Date | null> {
    const at = this.#now();
    return this.#options.db.transaction().execute(async (trx) => {
      await lockSubject(trx, userId);
      const mute = await muteOf(trx, userId, at);
      if (!mute) return null;
      const before = await trx
        .selectFrom("text_questions")
        .select(["state", "due_at"])
        .where("user_id", "=", userId)
        .where((where) => where.or([where("state", "=", "open"), where("restraint_id", "=", mute.id)]))
        .where("place", "=", "mute")
        .orderBy("id", "desc")
        .executeTakeFirst();
      if (before?.state === "open") return before.due_at;
      if (before) throw refused("answered_before");
      const due_at = new Date(at.getTime() + reviewPromisedMs);
      await trx
        .insertInto("text_questions")
        .values({
          user_id: userId,
          place: "mute",
          source: "person",
          text: "",
          before: "",
          findings: "[]",
          restraint_id: mute.id,
          asked_at: at,
          due_at,
        })
        .execute();
      await writeAudit(trx, { at, actorId: userId, kind: "ask_text", subjectId: userId, detail: { place: "mute" } });
      return due_at;
    });
  }

  async list(viewer: Viewer, cursor: string | undefined): Promise<OutputOf<Endpoints["adminTextList"]>> {
    const { db } = this.#options;
    const [{ rows, next }, { waiting, oldest }] = await Promise.all([
      questionPage(db, viewer, cursor),
      waitingQuestions(db, viewer),
    ]);
    const items = rows.map(({ id }) => itemOf(id));
    const claims = await claimsOn(db, items, this.#now());
    return {
      rows: rows.map((row) => ({ ...seen(row), claim: claimView(claims.get(itemOf(row.id)), viewer.userId) })),
      next,
      waiting,
      oldest_at: oldest?.getTime() ?? null,
    };
  }

  /**
   * Answers a question once: 1 accepts the text or ends the mute, 2 refuses the text or keeps the mute. On 2, the
   * account's number replaces a name that came from a provider.
   * @throws EndpointError 400 for an unknown question; 403 `own_case`, `colleague`, `claimed`, `not_claimed`; 406
   * `already_decided`.
   */
  async operate(viewer: Viewer, id: string, operation: 1 | 2): Promise<void> {
    const { db, moderation, profileChanged } = this.#options;
    const at = this.#now();
    const userId = (await requireQuestion(db, viewer, id)).user_id;
    const done = await db.transaction().execute(async (trx) => {
      await lockSubject(trx, userId);
      const user = await lockedUser(trx, userId);
      const question = await requireQuestion(trx, viewer, id);
      if (question.state !== "open") throw refused("already_decided");
      await requireClaim(trx, itemOf(question.id), { moderatorId: viewer.userId, at });
      await this.#close(trx, question, { operation, byId: viewer.userId, at });
      const hasProfileChanged = await carryOut(trx, { user, question, operation, at });
      await releaseClaim(trx, itemOf(question.id), viewer.userId);
      return { place: question.place, hasProfileChanged };
    });
    if (done.place === "mute" && operation === 1) moderation.changed(userId);
    if (done.hasProfileChanged) profileChanged(userId);
  }

  async #close(
    trx: Transaction<Database>,
    question: QuestionRow,
    { operation, byId, at }: { operation: 1 | 2; byId: bigint; at: Date },
  ): Promise<void> {
    const { id, user_id: subjectId, place, text, source } = question;
    const hash = place === "mute" ? null : this.#options.serverSecret.mac(hashedText({ place, text }));
    // The user did not ask about a name from a provider, and sees no change if it is kept.
    const isSilent = source === "provider" && operation === 1;
    const state = operation === 1 ? ("accepted" as const) : ("refused" as const);
    const answered = { state, text_hash: hash, answered_at: at, answered_by: byId };
    await trx.updateTable("text_questions").set(answered).where("id", "=", id).execute();
    if (!isSilent) await enqueueNotices(trx, [{ userId: subjectId, kind: "question", about: id }], at);
    const kind = operation === 1 ? ("text_accept" as const) : ("text_refuse" as const);
    await writeAudit(trx, { at, actorId: byId, kind, subjectId, detail: { place, source, question: id } });
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

/**
 * @throws EndpointError 400 for an unknown question; 403 if the viewer may not answer it, since a claim would only
 * block others.
 */
export async function requireQuestion(db: Kysely<Database>, viewer: Viewer, id: string): Promise<QuestionRow> {
  const row = /^\d{1,18}$/.test(id)
    ? await db
        .selectFrom("text_questions")
        .innerJoin("users", "users.id", "text_questions.user_id")
        .selectAll("text_questions")
        .select("users.role")
        .where("text_questions.id", "=", BigInt(id))
        .executeTakeFirst()
    : undefined;
  if (!row) throw badInput("no such question", "id");
  requireCaseAccess(viewer, { subjectId: row.user_id, subjectRole: row.role, queue: "reports" });
  return row;
}

function itemOf(id: bigint): string {
  return `text:${id}`;
}

/** @throws EndpointError 406 `nickname_too_soon`. */
function requireFreeName(user: ProfileRow, place: AskedTextPlace, at: Date): void {
  const until = place === "nickname" ? nicknameNext(user, at.getTime()) : null;
  if (until !== null) throw refused("nickname_too_soon", { until });
}

/** Applies an answer, except to a field that its user changed meanwhile. Returns whether the profile changed. */
async function carryOut(
  trx: Transaction<Database>,
  { user, question, operation, at }: { user: ProfileRow; question: QuestionRow; operation: 1 | 2; at: Date },
): Promise<boolean> {
  const { place, source, text, before } = question;
  if (place === "mute") {
    if (operation === 1) await liftMutes(trx, user.id, at);
    return false;
  }
  if (source === "provider") {
    if (operation === 1 || user.nickname !== text) return false;
    await setColumns(trx, user.id, { nickname: user.user_no, nickname_changed_at: null });
    return true;
  }
  if (operation === 2 || user[place] !== before || user[place] === text) return false;
  await setColumns(trx, user.id, changedColumns(user, { [place]: text }, at.getTime()));
  return true;
}

type Waiting = Awaited<ReturnType<typeof questionPage>>["rows"][number];

function seen(row: Waiting): Omit<TextQuestion, "claim"> {
  const { place, mute_rule, mute_until, case_id } = row;
  return {
    id: String(row.id),
    person: {
      user_id: Number(row.user_id),
      user_no: row.user_no,
      nickname: row.nickname,
      avatar: avatarAddress(row.avatar_key),
    },
    place,
    source: row.source,
    text: row.text,
    spans: JSON.parse(row.findings) as RuledSpan[],
    current: place === "mute" ? "" : row[place],
    mute:
      mute_rule === null
        ? null
        : { rule: mute_rule, until: mute_until?.getTime() ?? null, case_id: case_id === null ? null : String(case_id) },
    at: row.asked_at.getTime(),
    due_at: row.due_at.getTime(),
  };
}
