import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import type { ReportReason } from "@fava/wire/reasons.ts";
import { hasVisibleSign, limitMarks } from "@fava/wire/visible-text.ts";
import type { Database } from "#db/schema.ts";
import { badInput, forbidden } from "#lib/errors.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { Directory } from "#ports/directory.ts";
import type { EvidenceItem } from "#ports/moderation.ts";
import type { CallEvidence } from "./call-evidence.ts";
import type { EvidenceMessage, EvidenceNote } from "./evidence-store.ts";
import type { ModerationService } from "./moderation-service.ts";
import { markReported } from "./text-findings.ts";

type Db = Kysely<Database>;

export interface ReportServiceOptions {
  db: Db;
  clock: Clock;
  directory: Pick<Directory, "isAcquainted" | "unwrittenCalls">;
  moderation: Pick<ModerationService, "report" | "addEvidence">;
  callEvidence: Pick<CallEvidence, "local" | "requestRemote">;
  logger: Pick<Logger, "error">;
}

export interface Report {
  reporterId: bigint;
  reportedId: bigint;
  reasonId: ReportReason;
  callId: string | null;
  lineId: string | null;
  messageId: bigint | null;
  /** The reporter's own words, or empty. */
  note: string;
}

/** The same report within this time is a repetition, such as a double click. */
const repeatMs = 60_000;

/** Accepts reports about users whom the reporter met or knows. Each opens or joins a case, with evidence. */
export class ReportService implements AsyncDisposable {
  readonly #options: ReportServiceOptions;
  readonly #storing: Tasks;

  constructor(options: ReportServiceOptions) {
    this.#options = options;
    this.#storing = new Tasks(options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#storing[Symbol.asyncDispose]();
  }

  /**
   * Stores a report about a user (rule DATA-20).
   * @throws EndpointError 400 about oneself, or for a call that the two did not have; 403 `not_met`.
   */
  async reportPerson(report: Omit<Report, "messageId">): Promise<void> {
    const { db, directory } = this.#options;
    const { reporterId, reportedId, callId } = report;
    if (reporterId === reportedId) throw badInput("must be another user", "other_id");
    if (!(await directory.isAcquainted(reporterId, reportedId))) throw forbidden("not_met");
    const hadCall = async (id: string) =>
      (await isStoredCall(db, id, [reporterId, reportedId])) ||
      (await directory.unwrittenCalls(reporterId, reportedId)).some((call) => call.id === id);
    if (callId !== null && !(await hadCall(callId))) throw badInput("no such call", "call_id");
    await this.#keep({ ...report, messageId: null }, null);
  }

  /** Reports a received message (rule DATA-22). @throws EndpointError 400 for any other message, real or not. */
  async reportMessage(report: Omit<Report, "callId" | "lineId" | "messageId"> & { messageId: bigint }): Promise<void> {
    const message = await messageOf(this.#options.db, report);
    if (!message) throw badInput("no such message", "message_id");
    await this.#keep(
      { ...report, callId: null, lineId: null },
      { kind: "message", at: message.sent_at, text: message.text, cover: message.cover },
    );
  }

  async #keep(report: Report, message: EvidenceMessage | null): Promise<void> {
    const { moderation, callEvidence } = this.#options;
    const { reporterId, reportedId, reasonId, callId, lineId, messageId } = report;
    const query = { subjectId: reportedId, otherId: reporterId, callId, lineId };
    // Reads the evidence of the call before storing the report, since it disappears when the call ends.
    const found = callEvidence.local(query, (items) => this.#late(opened, items));
    const signal = { subjectId: reportedId, reasonId, callId: callId ?? found.callId };
    const opened = moderation.report({ ...signal, ...(messageId !== null && { messageId }) }, (trx) =>
      this.#insert(trx, report),
    );
    const isRepeated = (await opened) === null;
    const row = await sameReport(this.#options.db, report, this.#now());
    if (!row?.case_id) return;
    const note = noteOf(report, { reportId: row.id, at: this.#now() });
    // A repeated report may name another line or add a note, which the case needs too.
    const isNew = !isRepeated || lineId !== null;
    const items = isNew ? found.items : [];
    await moderation.addEvidence(row.case_id, [...items, ...(message ? [message] : []), ...(note ? [note] : [])]);
    if (isNew && found.items.length === 0) callEvidence.requestRemote({ caseId: row.case_id, query });
  }

  #late(opened: Promise<bigint | null>, items: readonly EvidenceItem[]): void {
    this.#storing.add("failed to store late evidence", async () => {
      const caseId = await opened;
      if (caseId !== null) await this.#options.moderation.addEvidence(caseId, items);
    });
  }

  /** Stores the report. Null for a repetition. */
  async #insert(trx: Transaction<Database>, report: Report): Promise<bigint | null> {
    const { reporterId, reportedId, reasonId, callId, messageId } = report;
    const at = this.#now();
    // The lock makes the second of two simultaneous equal reports see the first.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`reports:${reporterId}`}, 0))`.execute(trx);
    // Also for a repeated report, which may name a line that came after the first report.
    await markReported(trx, { writerId: reportedId, readerId: reporterId, at });
    if (await sameReport(trx, report, at)) return null;
    const pair = { reporter_id: reporterId, reported_id: reportedId };
    const about = { reason_id: reasonId, call_id: callId, message_id: messageId };
    const row = await trx
      .insertInto("reports")
      .values({ ...pair, ...about, at })
      .returning("id")
      .executeTakeFirstOrThrow();
    return row.id;
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

/** The note as evidence; null for a text without visible signs. The report counts in either case. */
function noteOf({ note }: Report, { reportId, at }: Pick<EvidenceNote, "reportId" | "at">): EvidenceNote | null {
  const text = limitMarks(note.trim());
  return hasVisibleSign(text) ? { kind: "note", at, text, reportId } : null;
}

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

async function messageOf(
  db: Db,
  { reporterId, reportedId, messageId }: { reporterId: bigint; reportedId: bigint; messageId: bigint },
): Promise<Pick<Selectable<Database["messages"]>, "text" | "sent_at" | "cover"> | undefined> {
  const [low, high] = reporterId < reportedId ? [reporterId, reportedId] : [reportedId, reporterId];
  return db
    .selectFrom("messages")
    .innerJoin("conversations", "conversations.id", "messages.conversation_id")
    .select(["messages.text", "messages.sent_at", "messages.cover"])
    .where("messages.id", "=", messageId)
    .where("sender_id", "=", reportedId)
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .executeTakeFirst();
}
