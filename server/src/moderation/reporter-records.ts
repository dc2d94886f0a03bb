import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { contradictions, unprovenPauseEveryMs } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { isNewAccount } from "#people/standing-service.ts";
import { dayMs, type PolicySignal, type ReporterRecord } from "./ban-policy.ts";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;

/** A frame that a user's browser received in a call and that incriminates the partner. */
export interface SentView {
  readonly senderId: bigint;
  readonly subjectId: bigint;
  readonly callId: string;
}

const reportersCountedMax = 100;

/** SQL columns of a user: how many cases from their reports or frames were `judged`, and how many of these `right`. */
export function recordColumns(person: RawBuilder<unknown>): RawBuilder<unknown> {
  const judgedReports = sql`
    select case_id, was_right from reports where reporter_id = ${person} and was_right is not null
    union all
    select case_id, was_right from sent_views where sender_id = ${person} and was_right is not null`;
  return sql`
    (select count(distinct case_id) from (${judgedReports}) as said) as judged,
    (select count(distinct case_id) from (${judgedReports}) as said where was_right) as right`;
}

/** Stores whether the reports and frames of a case were right; null for unknown. */
export async function judgeReporters(trx: Trx, caseId: bigint, wasRight: boolean | null): Promise<void> {
  await trx.updateTable("reports").set({ was_right: wasRight }).where("case_id", "=", caseId).execute();
  await trx.updateTable("sent_views").set({ was_right: wasRight }).where("case_id", "=", caseId).execute();
}

/** The distinct reporters of a case. Accounts of one device count as one, and so do new accounts of one address. */
export async function reportersOf(db: Db, caseId: bigint, since: Date): Promise<ReporterRecord[]> {
  const ids = await idsOf(db, sql`select reporter_id as id from reports where case_id = ${caseId} and at > ${since}`);
  return recordsOf(await accountsOf(db, ids, since));
}

/**
 * As `reportersOf`, for users who sent frames that have not led to a case. Leaves out a sender whose frames alone
 * contradict many users: then the sender's page is the likelier forger (rule SAFE-512).
 */
export async function sendersOf(db: Db, subjectId: bigint, at: Date): Promise<ReporterRecord[]> {
  const since = new Date(at.getTime() - contradictions.togetherMs);
  const ids = await idsOf(
    db,
    sql`
      select sender_id as id from sent_views as view
      where subject_id = ${subjectId} and at > ${since} and case_id is null and (
        select count(distinct lone.subject_id) from sent_views as lone
        where lone.sender_id = view.sender_id and lone.at > ${since} and not exists (
          select from sent_views as other
          where other.subject_id = lone.subject_id and other.sender_id <> lone.sender_id and other.at > ${since}
        )
      ) < ${contradictions.lone}`,
  );
  return recordsOf(await accountsOf(db, ids, new Date(at.getTime() - dayMs)));
}

/** Whether frames of partners have led to a case of this user that is undecided. */
export async function isContradictedInCase(db: Db, subjectId: bigint): Promise<boolean> {
  const { rows } = await sql`
    select from sent_views join cases on cases.id = sent_views.case_id
    where sent_views.subject_id = ${subjectId} and cases.state <> 'decided' limit 1`.execute(db);
  return rows.length > 0;
}

/** An account that reported a user, with what links it to other accounts. */
export interface ReporterAccount extends ReporterRecord {
  readonly id: bigint;
  /** Created within a day, or with fewer than ten calls. */
  readonly isNew: boolean;
  readonly devices: readonly string[];
  readonly addresses: readonly string[];
}

/** Groups accounts by person: linked by a device, or by an address if both are new. */
export function groupByPerson(accounts: readonly ReporterAccount[]): ReporterAccount[][] {
  let people: ReporterAccount[][] = [];
  for (const account of accounts) {
    const own = people.filter((person) => person.some((one) => isSamePerson(one, account)));
    people = [...people.filter((person) => !own.includes(person)), [...own.flat(), account]];
  }
  return people;
}

function isSamePerson(one: ReporterAccount, other: ReporterAccount): boolean {
  return sharesDevice(one, other) || (one.isNew && other.isNew && sharesAddress(one, other));
}

type Linked = Pick<ReporterAccount, "devices" | "addresses">;

function sharesDevice(one: Linked, other: Linked): boolean {
  return one.devices.some((device) => other.devices.includes(device));
}

function sharesAddress(one: Linked, other: Linked): boolean {
  return one.addresses.some((address) => other.addresses.includes(address));
}

function recordsOf(accounts: readonly ReporterAccount[]): ReporterRecord[] {
  return groupByPerson(accounts).map((person) => ({
    judged: person.reduce((sum, { judged }) => sum + judged, 0),
    right: person.reduce((sum, { right }) => sum + right, 0),
  }));
}

interface AccountRow {
  id: bigint;
  created_at: Date;
  passed_calls: number;
  judged: bigint;
  right: bigint;
  devices: string[];
  addresses: string[];
}

/** Two SQL columns: the devices and the addresses of a user's sign-ins, without empty values. */
function linkColumns(person: RawBuilder<unknown>): RawBuilder<unknown> {
  const of = (column: "device_id" | "ip", last: "device_id" | "last_login_ip") => sql`array(
    select ${sql.ref(column)} from login_events where user_id = ${person} and ${sql.ref(column)} <> ''
    union select ${sql.ref(last)} from users as own where own.id = ${person} and ${sql.ref(last)} <> ''
  )`;
  return sql`${of("device_id", "device_id")} as devices, ${of("ip", "last_login_ip")} as addresses`;
}

async function idsOf(db: Db, reporters: RawBuilder<unknown>): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select distinct id from (${reporters}) as reporter limit ${reportersCountedMax}`.execute(db);
  return rows.map(({ id }) => id);
}

async function accountsOf(db: Db, ids: readonly bigint[], dayAgo: Date): Promise<ReporterAccount[]> {
  const { rows } = await sql<AccountRow>`
    select users.id, users.created_at, users.passed_calls,
      ${recordColumns(sql.ref("users.id"))}, ${linkColumns(sql.ref("users.id"))}
    from users where users.id = any(${ids}::bigint[])`.execute(db);
  const accounts: ReporterAccount[] = [];
  for (const row of rows) {
    const { id, devices, addresses } = row;
    accounts.push({
      id,
      devices,
      addresses,
      isNew: await isNewAccount(db, { ...row, userId: id }, dayAgo),
      judged: Number(row.judged),
      right: Number(row.right),
    });
  }
  return accounts;
}

/** A report "may be under 18": its reporter, and the signal for `decide` (rule CASE-580). */
interface MinorReport {
  readonly reporterId: bigint;
  readonly signal: Extract<PolicySignal, { kind: "minor_reported" }>;
}

/** The caller holds the lock of the reported user. */
export async function minorReport(
  trx: Trx,
  { caseId, subjectId, reportId }: { caseId: bigint; subjectId: bigint; reportId: bigint },
  at: Date,
): Promise<MinorReport> {
  const { reporter_id: reporterId } = await trx
    .selectFrom("reports")
    .select("reporter_id")
    .where("id", "=", reportId)
    .executeTakeFirstOrThrow();
  // Serializes the counting of pauses, because one reporter may pause several users at once.
  await sql`select pg_advisory_xact_lock(hashtextextended('pauses by reporters', 0))`.execute(trx);
  const dayAgo = new Date(at.getTime() - dayMs);
  const earlier = await idsOf(
    trx,
    sql`
      select reporter_id as id from reports where case_id = ${caseId} and id <> ${reportId}
      union select reporter_id from restraints where case_id = ${caseId} and reporter_id is not null`,
  );
  const linked = await linkedReporters(trx, reporterId, dayAgo);
  const accounts = await accountsOf(trx, [reporterId, ...earlier, ...linked], dayAgo);
  const reporter = accounts.find(({ id }) => id === reporterId);
  if (!reporter) throw new Error("no reporter of a report");
  const isLinked = accounts.some(
    (other) =>
      other !== reporter &&
      earlier.includes(other.id) &&
      (sharesDevice(other, reporter) || sharesAddress(other, reporter)),
  );
  const own = groupByPerson(accounts).find((person) => person.includes(reporter)) ?? [];
  const signal = {
    kind: "minor_reported",
    isUnproven: (reporter.isNew || isLinked || reporter.right < reporter.judged) && !(await isHinted(trx, caseId)),
    isFurther: !isLinked && !earlier.includes(reporterId),
    pause: await lastPause(trx, caseId),
    isPausedLately: await isPausedByUnproven(trx, subjectId, new Date(at.getTime() - unprovenPauseEveryMs)),
    pausesUndecided: await pausesUndecided(
      trx,
      own.map(({ id }) => id),
      dayAgo,
    ),
  } as const;
  return { reporterId, signal };
}

/** Whether software estimated an age in this case, which supports a report. */
async function isHinted(trx: Trx, caseId: bigint): Promise<boolean> {
  const { estimated_age: age } = await trx
    .selectFrom("cases")
    .select("estimated_age")
    .where("id", "=", caseId)
    .executeTakeFirstOrThrow();
  return age !== null;
}

function linkedReporters(trx: Trx, reporterId: bigint, since: Date): Promise<bigint[]> {
  return idsOf(
    trx,
    sql`
      select reporter_id as id from restraints
      cross join lateral (select ${linkColumns(sql.ref("restraints.reporter_id"))}) as theirs
      cross join (select ${linkColumns(sql`${reporterId}::bigint`)}) as own
      where from_at > ${since} and reporter_id is not null
        and (theirs.devices && own.devices or theirs.addresses && own.addresses)`,
  );
}

export async function lastPause(trx: Trx, caseId: bigint): Promise<MinorReport["signal"]["pause"]> {
  const row = await trx
    .selectFrom("restraints")
    .select(["until", "lifted_at", "is_unproven"])
    .where("case_id", "=", caseId)
    .where("what", "=", "matching")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  return { untilMs: row.until?.getTime() ?? null, isUnproven: row.is_unproven, isLifted: row.lifted_at !== null };
}

/** Whether an unproven reporter paused the user after `since`, and no moderator found that report right. */
async function isPausedByUnproven(trx: Trx, subjectId: bigint, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select from restraints
    where user_id = ${subjectId} and what = 'matching' and is_unproven and rule <> 'minor_in_picture'
      and from_at > ${since} and not exists (
      select from reports
      where reports.case_id = restraints.case_id and reports.reporter_id = restraints.reporter_id and was_right
    ) limit 1`.execute(trx);
  return rows.length > 0;
}

/** Counts pauses by these accounts after `since` that are undecided or were found wrong. */
async function pausesUndecided(trx: Trx, accounts: readonly bigint[], since: Date): Promise<number> {
  const { rows } = await sql<{ pauses: bigint }>`
    select count(*) as pauses from restraints join cases on cases.id = restraints.case_id
    where restraints.reporter_id = any(${accounts}::bigint[]) and from_at > ${since} and (cases.state = 'open' or exists (
      select from reports
      where reports.case_id = cases.id and reports.reporter_id = restraints.reporter_id and not was_right
    ))`.execute(trx);
  return Number(rows[0]?.pauses ?? 0n);
}

/** Records a frame from a sender, once per call. Returns the case of the previous record, if it had one. */
export async function recordView(
  trx: Trx,
  { senderId, subjectId, callId }: SentView,
  at: Date,
): Promise<bigint | null> {
  const row = await trx
    .insertInto("sent_views")
    .values({ sender_id: senderId, subject_id: subjectId, call_id: callId, at, case_id: null, was_right: null })
    .onConflict((conflict) => conflict.columns(["call_id", "subject_id"]).doUpdateSet({ sender_id: senderId }))
    .returning("case_id")
    .executeTakeFirstOrThrow();
  return row.case_id;
}

export async function attachViews(trx: Trx, subjectId: bigint, to: { caseId: bigint; since: Date }): Promise<void> {
  await trx
    .updateTable("sent_views")
    .set({ case_id: to.caseId })
    .where("subject_id", "=", subjectId)
    .where("at", ">", to.since)
    .where("case_id", "is", null)
    .execute();
}
