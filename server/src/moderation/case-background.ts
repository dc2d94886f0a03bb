import { type Kysely, sql } from "kysely";
import { type CaseDetail, operationIds } from "@fava/wire/moderation.ts";
import { knownReportReason } from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";

type Db = Kysely<Database>;
type Background = NonNullable<CaseDetail["background"]>;

const callsShown = 5;
const earlierReportsShown = 20;

/**
 * The last calls and the earlier reports of the person of a case without pictures of a call, for a moderator to judge by
 * (rule CASE-584): never who the others were.
 */
export async function readBackground(
  db: Db,
  { caseId, subjectId }: { caseId: bigint; subjectId: bigint },
): Promise<Omit<Background, "photos">> {
  const [calls, reports] = await Promise.all([lastCalls(db, subjectId), earlierReports(db, { caseId, subjectId })]);
  return { calls, reports };
}

interface CallRow {
  matched_at: Date;
  connected_at: Date | null;
  ended_at: Date | null;
  ended_by: bigint | null;
}

async function lastCalls(db: Db, userId: bigint): Promise<Background["calls"]> {
  const side = (column: "offerer_id" | "answerer_id") => sql`
    (select id, matched_at, connected_at, ended_at from calls where ${sql.ref(column)} = ${userId}
      order by matched_at desc limit ${callsShown})`;
  const { rows } = await sql<CallRow>`
    select matched_at, connected_at, ended_at, (
      select user_id from call_events where call_id = last.id and kind = 'ended' and user_id is not null limit 1
    ) as ended_by
    from (${side("offerer_id")} union all ${side("answerer_id")}) as last
    order by matched_at desc limit ${callsShown}`.execute(db);
  return rows.map(({ matched_at, connected_at, ended_at, ended_by }) => ({
    at: matched_at.getTime(),
    seconds: ended_at && secondsBetween(connected_at ?? ended_at, ended_at),
    ended_by: ended_at && (ended_by === null ? "nobody" : ended_by === userId ? "person" : "other"),
  }));
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 1_000));
}

async function earlierReports(
  db: Db,
  { caseId, subjectId }: { caseId: bigint; subjectId: bigint },
): Promise<Background["reports"]> {
  const rows = await db
    .selectFrom("reports")
    .innerJoin("cases", "cases.id", "reports.case_id")
    .select(["reports.at", "reports.reason_id", "cases.operation"])
    .where("reported_id", "=", subjectId)
    .where("cases.id", "<>", caseId)
    // Cases of suspected minors are for administrators alone.
    .where("cases.box", "=", "reports")
    .orderBy("reports.id", "desc")
    .limit(earlierReportsShown)
    .execute();
  return rows.map(({ at, reason_id, operation }) => ({
    at: at.getTime(),
    reason_id: knownReportReason(reason_id),
    operation: operationIds.find((known) => known === operation) ?? null,
  }));
}
