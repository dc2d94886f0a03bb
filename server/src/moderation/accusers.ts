import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { ReporterRecord } from "./ban-policy.ts";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;

/** Somebody's browser sent pictures of the other that speak against them. */
export interface SentView {
  readonly senderId: bigint;
  readonly subjectId: bigint;
  readonly callId: string;
}

const accusersCountedMax = 100;

/** Columns `judged` and `right` of a person: cases that came about by their reports or pictures. */
export function recordColumns(person: RawBuilder<unknown>): RawBuilder<unknown> {
  const said = sql`
    select case_id, was_right from reports where reporter_id = ${person} and was_right is not null
    union all
    select case_id, was_right from sent_views where sender_id = ${person} and was_right is not null`;
  return sql`
    (select count(distinct case_id) from (${said}) as said) as judged,
    (select count(distinct case_id) from (${said}) as said where was_right) as right`;
}

/** Whether what people said by which a case came about was right; null: nobody knows. */
export async function judgeAccusers(trx: Trx, caseId: bigint, wasRight: boolean | null): Promise<void> {
  await trx.updateTable("reports").set({ was_right: wasRight }).where("case_id", "=", caseId).execute();
  await trx.updateTable("sent_views").set({ was_right: wasRight }).where("case_id", "=", caseId).execute();
}

/**
 * The different reporters of a case since then, with how what they said before was judged. Accounts of one device are
 * one reporter (rule CASE-8).
 */
export function reportersOf(db: Db, caseId: bigint, since: Date): Promise<ReporterRecord[]> {
  return recordsOf(
    db,
    sql`
      select reporter_id as id from reports where case_id = ${caseId} and at > ${since}`,
  );
}

/** The same of those whose pictures of somebody no case came of yet. */
export function sendersOf(db: Db, subjectId: bigint, since: Date): Promise<ReporterRecord[]> {
  return recordsOf(
    db,
    sql`
      select sender_id as id from sent_views where subject_id = ${subjectId} and at > ${since} and case_id is null`,
  );
}

async function recordsOf(db: Db, accusers: RawBuilder<unknown>): Promise<ReporterRecord[]> {
  const { rows } = await sql<{ judged: bigint; right: bigint }>`
    select ${recordColumns(sql.ref("one.id"))} from (
      select distinct on (coalesce(nullif(users.device_id, ''), users.id::text)) users.id
      from (${accusers}) as accuser join users on users.id = accuser.id limit ${accusersCountedMax}
    ) as one`.execute(db);
  return rows.map(({ judged, right }) => ({ judged: Number(judged), right: Number(right) }));
}

/** Writes a view down, once for a call; answers the case that came of it, where it was written before. */
export async function keepView(trx: Trx, { senderId, subjectId, callId }: SentView, at: Date): Promise<bigint | null> {
  const row = await trx
    .insertInto("sent_views")
    .values({ sender_id: senderId, subject_id: subjectId, call_id: callId, at, case_id: null, was_right: null })
    .onConflict((conflict) => conflict.columns(["call_id", "subject_id"]).doUpdateSet({ sender_id: senderId }))
    .returning("case_id")
    .executeTakeFirstOrThrow();
  return row.case_id;
}

/** A case came of what they sent. */
export async function tieViews(trx: Trx, subjectId: bigint, to: { caseId: bigint; since: Date }): Promise<void> {
  await trx
    .updateTable("sent_views")
    .set({ case_id: to.caseId })
    .where("subject_id", "=", subjectId)
    .where("at", ">", to.since)
    .where("case_id", "is", null)
    .execute();
}
