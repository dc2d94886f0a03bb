import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { badInput, forbidden } from "#http/call-error.ts";
import type { Clock } from "#ports/clock.ts";
import type { Directory } from "#ports/directory.ts";

type Db = Kysely<Database>;

export interface ReportServiceOptions {
  db: Db;
  clock: Clock;
  directory: Pick<Directory, "isKnown" | "haveMet">;
}

/** What somebody reports: a person, and maybe the call or the message that it is about. */
export interface Report {
  reporterId: bigint;
  reportedId: bigint;
  reasonId: number;
  callId: string | null;
  messageId: bigint | null;
}

/** The same report within this time is a double press. */
const repeatMs = 60_000;

/** Reports of people about people they met or know; a moderator reads them. */
export class ReportService {
  readonly #options: ReportServiceOptions;

  constructor(options: ReportServiceOptions) {
    this.#options = options;
  }

  /**
   * Keeps a report about a person (rules DATA-20, DATA-21).
   *
   * @throws CallError 400 about oneself, or for a call that the two did not have; 403 `not_met`.
   */
  async reportPerson(report: Omit<Report, "messageId">): Promise<void> {
    const { db, directory } = this.#options;
    const { reporterId, reportedId, callId } = report;
    if (reporterId === reportedId) throw badInput("oneself", "other_id");
    // Whoever was blocked since, by either side, was met all the same.
    const isKnown =
      (await directory.haveMet(reporterId, reportedId)) || (await directory.isKnown(reporterId, reportedId));
    if (!isKnown) throw forbidden("not_met");
    if (callId !== null && !(await hadCall(db, callId, [reporterId, reportedId])))
      throw badInput("no such call", "call_id");
    await this.#keep({ ...report, messageId: null });
  }

  /**
   * Keeps a report about a message that the other wrote to the reporter (rule DATA-22).
   *
   * @throws CallError 400 for any other message, whether it exists or not.
   */
  async reportMessage(report: Omit<Report, "callId" | "messageId"> & { messageId: bigint }): Promise<void> {
    if (!(await wrote(this.#options.db, report))) throw badInput("no such message", "message_id");
    await this.#keep({ ...report, callId: null });
  }

  async #keep({ reporterId, reportedId, reasonId, callId, messageId }: Report): Promise<void> {
    const { db, clock } = this.#options;
    const at = new Date(clock.nowMs());
    await db.transaction().execute(async (trx) => {
      // One after the other: the second of two equal ones has to see the first.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`reports:${reporterId}`}, 0))`.execute(trx);
      const same = await trx
        .selectFrom("reports")
        .select("id")
        .where("reporter_id", "=", reporterId)
        .where("reported_id", "=", reportedId)
        .where("reason_id", "=", reasonId)
        .where(sql<boolean>`call_id is not distinct from ${callId}::text`)
        .where(sql<boolean>`message_id is not distinct from ${messageId}::bigint`)
        .where("at", ">", new Date(at.getTime() - repeatMs))
        .executeTakeFirst();
      if (same) return;
      await trx
        .insertInto("reports")
        .values({
          reporter_id: reporterId,
          reported_id: reportedId,
          reason_id: reasonId,
          call_id: callId,
          message_id: messageId,
          at,
        })
        .execute();
    });
  }
}

async function hadCall(db: Db, callId: string, pair: readonly [bigint, bigint]): Promise<boolean> {
  const call = await db
    .selectFrom("calls")
    .select("id")
    .where("id", "=", callId)
    .where("offerer_id", "in", pair)
    .where("answerer_id", "in", pair)
    .executeTakeFirst();
  return call !== undefined;
}

async function wrote(
  db: Db,
  { reporterId, reportedId, messageId }: { reporterId: bigint; reportedId: bigint; messageId: bigint },
): Promise<boolean> {
  const [low, high] = reporterId < reportedId ? [reporterId, reportedId] : [reportedId, reporterId];
  const message = await db
    .selectFrom("messages")
    .innerJoin("conversations", "conversations.id", "messages.conversation_id")
    .select("messages.id")
    .where("messages.id", "=", messageId)
    .where("sender_id", "=", reportedId)
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .executeTakeFirst();
  return message !== undefined;
}
