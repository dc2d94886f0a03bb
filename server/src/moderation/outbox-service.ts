import { type Kysely, sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import { appealNotificationRetryMs, pushFailuresMax, reportOutcomeDeliveryMs } from "@fava/wire/limits.ts";
import { operations } from "@fava/wire/moderation.ts";
import type { NoticeKind } from "@fava/wire/notices.ts";
import { type AskOutcome, type Push, pushCodes, type ReportOutcome } from "@fava/wire/pushes.ts";
import { runJobSoon } from "#db/job-engine.ts";
import type { Database } from "#db/schema.ts";
import { catalogText } from "#lib/catalog-text.ts";
import { Tasks } from "#lib/tasks.ts";
import type { NotificationService } from "#people/notification-service.ts";
import type { Bus, KeptMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { AppealAnswers } from "./appeal-answers.ts";

export const outboxJob = "outbox";

type Notice = Extract<Push, { code: typeof pushCodes.reportNotice }>;

type Kind = Database["outbox"]["kind"];

/** `about`: the id of the case, question, appeal or notice. */
interface NewNotice {
  readonly userId: bigint;
  readonly kind: Kind;
  readonly about: bigint;
}

/** Stores notices in the caller's transaction and queues their job. A user gets one notice per kind and `about`. */
export async function enqueueNotices(
  trx: Transaction<Database>,
  notices: readonly NewNotice[],
  at: Date,
): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map(({ userId, ...rest }) => ({ user_id: userId, ...rest, created_at: at, due_at: at }));
  await trx
    .insertInto("outbox")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["user_id", "kind", "about"]).doNothing())
    .execute();
  await runJobSoon(trx, outboxJob);
}

/** Enqueues the outcome of a case for its reporters. `unjudged`: only for those whose reports have no verdict yet. */
export async function enqueueOutcomes(
  trx: Transaction<Database>,
  caseId: bigint,
  { at, of = "all" }: { at: Date; of?: "all" | "unjudged" },
): Promise<void> {
  const reporters = await trx
    .selectFrom("reports")
    .select("reporter_id")
    .distinct()
    .where("case_id", "=", caseId)
    .$if(of === "unjudged", (reports) => reports.where("was_right", "is", null))
    .execute();
  const notices = reporters.map(({ reporter_id }) => ({ userId: reporter_id, kind: "report" as const, about: caseId }));
  await enqueueNotices(trx, notices, at);
}

interface OutboxOptions {
  db: Kysely<Database>;
  clock: Clock;
  bus: Pick<Bus, "confirm" | "isPresent">;
  notifications: Pick<NotificationService, "notifyOfDecision">;
  answers: Pick<AppealAnswers, "notify">;
  logger: Pick<Logger, "error">;
}

interface DueRow {
  readonly id: bigint;
  readonly user_id: bigint;
  readonly kind: Kind;
  readonly about: bigint | null;
  readonly tries: number;
}

interface TakenRow extends DueRow {
  /** JSON of the push that a page did not acknowledge. */
  readonly notice: string | null;
  readonly created_at: Date;
  readonly language: string;
  readonly reason_id: number;
  readonly is_acted: boolean;
  readonly place: string;
  readonly source: string;
  readonly state: string;
  readonly notice_kind: NoticeKind | null;
}

const notSent = "failed to notify a user from the outbox";

/**
 * Sends each row once, from any server. The answer to an appeal is a web push, retried with back-off. Any other row is
 * a push over the user's chat session, and waits until the user connects; a web push may announce it.
 */
export class Outbox implements AsyncDisposable {
  readonly #options: OutboxOptions;
  readonly #tasks: Tasks;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
  }

  arrived(userId: bigint): void {
    this.#tasks.add(notSent, () => this.#sendTo(userId, { announces: true }));
  }

  /** Stores notices that the user's page did not acknowledge, and sends them again with the same text. */
  unheard(userId: bigint, messages: readonly KeptMessage[]): void {
    const pushes = messages.flatMap((message) => (message.type === "push" ? [message.push] : []));
    const notices = pushes.filter((push) => push.code === pushCodes.reportNotice);
    if (notices.length === 0) return;
    this.#tasks.add(notSent, async () => {
      const at = this.#now();
      const rows = notices.map((push) => ({ user_id: userId, kind: kindOf(push), notice: JSON.stringify(push) }));
      await this.#options.db
        .insertInto("outbox")
        .values(rows.map((row) => ({ ...row, created_at: at })))
        .execute();
      await this.#sendTo(userId, { announces: rows.some(({ kind }) => kind !== "warning") });
    });
  }

  async sendDue(): Promise<void> {
    for (let due = await this.#nextDue(); due; due = await this.#nextDue()) {
      const { user_id: userId, kind } = due;
      if (kind === "appeal") await this.#sendAppealAnswer(due);
      else await this.#sendTo(userId, { announces: kind !== "warning" });
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#tasks[Symbol.asyncDispose]();
  }

  /** Claims a due row. An appeal stays due, in case this server crashes. Other rows then wait for their user. */
  async #nextDue(): Promise<DueRow | undefined> {
    const at = this.#now();
    const { rows } = await sql<DueRow>`
      update outbox set due_at = case when kind = 'appeal'
        then ${at}::timestamptz + ${appealNotificationRetryMs} * power(2, tries) * interval '1 millisecond' end
      where id = (
        select id from outbox where due_at <= ${at} order by due_at, id limit 1 for update skip locked
      )
      returning id, user_id, kind, about, tries`.execute(this.#options.db);
    return rows[0];
  }

  /** Never rejects: unsent rows wait for the user's next session. */
  async #sendTo(userId: bigint, { announces }: { announces: boolean }): Promise<void> {
    const { bus, notifications, logger } = this.#options;
    try {
      if (!(await bus.isPresent(userId))) {
        const isDue = async () => !(await bus.isPresent(userId)) && this.#hasPending(userId);
        if (announces) notifications.notifyOfDecision(userId, isDue);
        return;
      }
      for (const row of await this.#take(userId)) {
        const isConfirmed = await bus.confirm(userId, noticeOf(row)).catch(() => false);
        if (!isConfirmed) await this.#restore(row);
      }
    } catch (error) {
      logger.error({ err: error, userId: String(userId) }, notSent);
    }
  }

  /** Deletes and returns the user's rows, so that no other server sends them. Leaves out old outcomes of reports. */
  async #take(userId: bigint): Promise<TakenRow[]> {
    const { db, clock } = this.#options;
    const { rows } = await sql<TakenRow>`
      with taken as (
        delete from outbox where user_id = ${userId} and kind <> 'appeal'
          and (kind <> 'report' or created_at > ${new Date(clock.nowMs() - reportOutcomeDeliveryMs)})
        returning *
      )
      select taken.*, users.language, cases.reason_id, text_questions.place, text_questions.source, text_questions.state,
        coalesce(
          cases.operation = ${operations.warn}
          or cases.operation = ${operations.forbid} and not exists (
            select from bans where bans.case_id = cases.id and bans.decided_by is not null and bans.ended_because = 'lifted'
          ), false
        ) as is_acted, notices.kind as notice_kind
      from taken
      join users on users.id = taken.user_id
      left join cases on cases.id = taken.about and taken.kind in ('warning', 'report')
      left join notices on notices.id = taken.about and taken.kind = 'notice'
      left join text_questions on text_questions.id = taken.about and taken.kind = 'question'
      order by taken.id`.execute(db);
    return rows;
  }

  async #restore({ user_id, kind, about, notice, created_at }: TakenRow): Promise<void> {
    await this.#options.db
      .insertInto("outbox")
      .values({ user_id, kind, about, notice, created_at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async #hasPending(userId: bigint): Promise<boolean> {
    const pending = await this.#options.db
      .selectFrom("outbox")
      .select("id")
      .where("user_id", "=", userId)
      .where("kind", "in", ["report", "question", "notice"])
      .executeTakeFirst();
    return pending !== undefined;
  }

  async #sendAppealAnswer({ id, about, tries }: DueRow): Promise<void> {
    const { db, answers } = this.#options;
    const outcome = about === null ? "done" : await answers.notify(about, { isLast: tries + 1 >= pushFailuresMax });
    if (outcome === "done") await db.deleteFrom("outbox").where("id", "=", id).execute();
    else
      await db
        .updateTable("outbox")
        .set(outcome === "failed" ? { tries: tries + 1 } : { due_at: outcome.dueAt })
        .where("id", "=", id)
        .execute();
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

function kindOf({ outcome, question_id }: Notice): Kind {
  if (question_id !== undefined) return "question";
  if (outcome === "picture_removed") return "notice";
  return outcome === "warned" ? "warning" : "report";
}

function noticeOf(row: TakenRow): Notice {
  const { kind, notice, about, language, is_acted, reason_id: reasonId } = row;
  if (notice !== null) return JSON.parse(notice) as Notice;
  if (kind === "notice") return pictureNotice(row.notice_kind ?? "illegal", language);
  if (kind === "question") return answerNotice(String(about), outcomeOf(row), language);
  return reportNotice(kind === "warning" ? "warned" : is_acted ? "acted" : "nothing_found", { reasonId, language });
}

/** Push 100_004 in the receiver's language (rule CASE-41). */
function reportNotice(
  outcome: Exclude<ReportOutcome, "picture_removed">,
  { reasonId, language }: { reasonId: number; language: string },
): Notice {
  const reason = catalogText(language, `reason.report.${reasonId}`);
  const text = catalogText(language, `report.outcome.${outcome}`, { reason });
  return { code: pushCodes.reportNotice, text, outcome, reason_id: reasonId };
}

/** Tells the owner of removed pictures why they were removed (rule NOTICE-4). */
function pictureNotice(noticeKind: NoticeKind, language: string): Notice {
  const outcome = "picture_removed";
  const text = catalogText(language, `report.outcome.${outcome}`, {
    reason: catalogText(language, `notice.kind.${noticeKind}`),
  });
  return { code: pushCodes.reportNotice, text, outcome, reason_id: 0 };
}

function answerNotice(questionId: string, outcome: AskOutcome, language: string): Notice {
  const text = catalogText(language, `asked.answer.${outcome}`);
  return { code: pushCodes.reportNotice, text, outcome, reason_id: 0, question_id: questionId };
}

function outcomeOf({ place, source, state }: Pick<TakenRow, "place" | "source" | "state">): AskOutcome {
  const isAccepted = state === "accepted";
  if (place === "mute") return isAccepted ? "mute_ended" : "mute_kept";
  if (isAccepted) return "text_accepted";
  return source === "provider" ? "name_replaced" : "text_refused";
}
