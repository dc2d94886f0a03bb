import { type Kysely, sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import type { ReportReason } from "@fava/wire/reasons.ts";
import { hasVisibleSign, limitMarks } from "@fava/wire/visible-text.ts";
import type { Database } from "#db/schema.ts";
import { badInput, forbidden } from "#lib/errors.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { Directory } from "#ports/directory.ts";
import type { LiveEvidence, EvidenceItem } from "#ports/moderation.ts";
import type { EvidenceMessage, EvidenceNote, ModerationService } from "./moderation-service.ts";
import { markReported } from "./text-findings.ts";

type Db = Kysely<Database>;

export interface ReportServiceOptions {
  db: Db;
  clock: Clock;
  directory: Pick<Directory, "isAcquainted" | "unwrittenCalls">;
  moderation: Pick<ModerationService, "report" | "addEvidence">;
  /** Left out where nothing looks at calls: then a report has no pictures. */
  live?: LiveEvidence;
  logger: Pick<Logger, "error">;
}

/** What somebody reports: a person, and maybe the call or the message that it is about. */
export interface Report {
  reporterId: bigint;
  reportedId: bigint;
  reasonId: ReportReason;
  callId: string | null;
  messageId: bigint | null;
  /** What happened, in the reporter's words; empty for none. */
  note: string;
}

/** The same report within this time is a double press. */
const repeatMs = 60_000;

/** Reports of people about people they met or know: each opens a case or joins one, with evidence of the call. */
export class ReportService implements AsyncDisposable {
  readonly #options: ReportServiceOptions;
  /** Evidence that came after its report and is being stored. */
  readonly #storing: Tasks;

  constructor(options: ReportServiceOptions) {
    this.#options = options;
    this.#storing = new Tasks(options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#storing[Symbol.asyncDispose]();
  }

  /**
   * Keeps a report about a person (rules DATA-20, DATA-21, CASE-60).
   *
   * @throws EndpointError 400 about oneself, or for a call that the two did not have; 403 `not_met`.
   */
  async reportPerson(report: Omit<Report, "messageId">): Promise<void> {
    const { db, directory } = this.#options;
    const { reporterId, reportedId, callId } = report;
    if (reporterId === reportedId) throw badInput("oneself", "other_id");
    if (!(await directory.isAcquainted(reporterId, reportedId))) throw forbidden("not_met");
    const hadCall = async (id: string) =>
      (await isStoredCall(db, id, [reporterId, reportedId])) ||
      (await directory.unwrittenCalls(reporterId, reportedId)).some((call) => call.id === id);
    if (callId !== null && !(await hadCall(callId))) throw badInput("no such call", "call_id");
    await this.#keep({ ...report, messageId: null }, null);
  }

  /**
   * Keeps a report about a message that the other wrote to the reporter (rules DATA-22, CASE-63).
   *
   * @throws EndpointError 400 for any other message, whether it exists or not.
   */
  async reportMessage(report: Omit<Report, "callId" | "messageId"> & { messageId: bigint }): Promise<void> {
    const message = await messageOf(this.#options.db, report);
    if (!message) throw badInput("no such message", "message_id");
    await this.#keep({ ...report, callId: null }, { kind: "message", at: message.sent_at, text: message.text });
  }

  async #keep(report: Report, message: EvidenceMessage | null): Promise<void> {
    const { moderation, live } = this.#options;
    const { reporterId, reportedId, reasonId, callId, messageId } = report;
    const pair = { subjectId: reportedId, otherId: reporterId, callId };
    // What the call still remembers is asked for first: it is gone with the call.
    const found = live?.of(pair, (items) => this.#late(opened, items));
    const signal = { subjectId: reportedId, reasonId, callId: callId ?? found?.callId ?? null };
    const opened = moderation.report({ ...signal, ...(messageId !== null && { messageId }) }, (trx) =>
      this.#insert(trx, report),
    );
    const caseId = await opened;
    const written = await this.#written(report);
    if (caseId === null) return void (written && (await moderation.addEvidence(written.caseId, [written.note])));
    const items = [...(found?.items ?? []), ...(message ? [message] : []), ...(written ? [written.note] : [])];
    await moderation.addEvidence(caseId, items);
  }

  /** The note with the report that it belongs to: the words may come after it, in a repetition. */
  async #written(report: Report): Promise<{ caseId: bigint; note: EvidenceNote } | null> {
    const text = limitMarks(report.note.trim());
    // A note that nobody can see is none: the report itself counts.
    if (!hasVisibleSign(text)) return null;
    const { db, clock } = this.#options;
    const at = new Date(clock.nowMs());
    const row = await sameReport(db, report, at);
    if (!row?.case_id) return null;
    return { caseId: row.case_id, note: { kind: "note", at, text, reportId: row.id } };
  }

  #late(opened: Promise<bigint | null>, items: readonly EvidenceItem[]): void {
    this.#storing.add("late evidence was not stored", async () => {
      const caseId = await opened;
      if (caseId !== null) await this.#options.moderation.addEvidence(caseId, items);
    });
  }

  /** Null for the repetition of a report. */
  async #insert(trx: Transaction<Database>, report: Report): Promise<bigint | null> {
    const { reporterId, reportedId, reasonId, callId, messageId } = report;
    const at = new Date(this.#options.clock.nowMs());
    // One after the other: the second of two equal ones has to see the first.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`reports:${reporterId}`}, 0))`.execute(trx);
    if (await sameReport(trx, report, at)) return null;
    const pair = { reporter_id: reporterId, reported_id: reportedId };
    const about = { reason_id: reasonId, call_id: callId, message_id: messageId };
    const row = await trx
      .insertInto("reports")
      .values({ ...pair, ...about, at })
      .returning("id")
      .executeTakeFirstOrThrow();
    await markReported(trx, { writerId: reportedId, readerId: reporterId, at });
    return row.id;
  }
}

/** The same report within a minute. */
function sameReport(db: Db, report: Report, at: Date): Promise<{ id: bigint; case_id: bigint | null } | undefined> {
  const { reporterId, reportedId, reasonId, callId, messageId } = report;
  return db
    .selectFrom("reports")
    .select(["id", "case_id"])
    .where("reporter_id", "=", reporterId)
    .where("reported_id", "=", reportedId)
    .where("reason_id", "=", reasonId)
    .where(sql<boolean>`call_id is not distinct from ${callId}::text`)
    .where(sql<boolean>`message_id is not distinct from ${messageId}::bigint`)
    .where("at", ">", new Date(at.getTime() - repeatMs))
    .orderBy("id", "desc")
    .executeTakeFirst();
}

async function isStoredCall(db: Db, callId: string, pair: readonly [bigint, bigint]): Promise<boolean> {
  const call = await db
    .selectFrom("calls")
    .select("id")
    .where("id", "=", callId)
    .where("offerer_id", "in", pair)
    .where("answerer_id", "in", pair)
    .executeTakeFirst();
  return call !== undefined;
}

/** A message of the reported person to the reporter. */
async function messageOf(
  db: Db,
  { reporterId, reportedId, messageId }: { reporterId: bigint; reportedId: bigint; messageId: bigint },
): Promise<{ text: string; sent_at: Date } | undefined> {
  const [low, high] = reporterId < reportedId ? [reporterId, reportedId] : [reportedId, reporterId];
  return db
    .selectFrom("messages")
    .innerJoin("conversations", "conversations.id", "messages.conversation_id")
    .select(["messages.text", "messages.sent_at"])
    .where("messages.id", "=", messageId)
    .where("sender_id", "=", reportedId)
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .executeTakeFirst();
}
