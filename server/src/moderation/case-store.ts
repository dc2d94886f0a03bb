import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { claimMs, listPageRows, reviewPromisedMs } from "@fava/wire/limits.ts";
import {
  type CaseDetail,
  type CaseRow,
  type CaseRule,
  caseRules,
  type Claim,
  operationIds,
} from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { type Harm, harmOf, knownReportReason, type Queue, queueOf, type ReportReason } from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";
import { avatarAddress } from "#lib/avatar-address.ts";
import { badInput, type EndpointError, forbidden } from "#lib/errors.ts";
import type { CaseSignal } from "#ports/moderation.ts";
import { writeAudit } from "./audit.ts";
import { dayMs, decide, type History, type PolicySignal, type Viewer } from "./ban-policy.ts";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;

type CaseState = "open" | "second" | "decided";

export interface CaseFacts {
  id: bigint;
  subjectId: bigint;
  subjectRole: number;
  queue: Queue;
  reasonId: ReportReason;
  rule: CaseRule;
  harm: Harm;
  callId: string | null;
  state: CaseState;
  decidedAt: Date | null;
  decidedBy: bigint | null;
  operation: number | null;
  /** The answered appeal against the ban, and who answered it. Null unless the case waits for a second opinion. */
  appeal: { answeredBy: bigint | null } | null;
}

/** A moderator who gave the first opinion or answered the appeal may not give the second. */
export function hasDecidedBefore({ decidedBy, appeal }: CaseFacts, userId: bigint): boolean {
  return decidedBy === userId || appeal?.answeredBy === userId;
}

export async function lockSubject(trx: Trx, subjectId: bigint): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`moderation:${subjectId}`}, 0))`.execute(trx);
}

/** Opens a case, or joins the undecided case of the same user and queue. The case keeps the more harmful reason. */
export async function openOrJoin(trx: Trx, signal: CaseSignal, at: Date): Promise<{ caseId: bigint; queue: Queue }> {
  const queue = queueOf(signal.reasonId);
  const { judgement } = signal;
  const { rows } = await sql<{ id: bigint }>`
    insert into cases (
      subject_id, queue, reason_id, rule, harm, call_id, message_id, opened_at, changed_at, explicit, model, shadow
    )
    values (
      ${signal.subjectId}, ${queue}, ${signal.reasonId}, ${signal.rule}, ${harmOf(signal.reasonId)}, ${signal.callId},
      ${signal.messageId ?? null}, ${at}, ${at},
      ${judgement?.explicit ?? null}, ${judgement?.model ?? null}, ${judgement?.shadow ?? false}
    )
    on conflict (subject_id, queue) where state <> 'decided' do update set
      changed_at = excluded.changed_at,
      reason_id = case when excluded.harm < cases.harm then excluded.reason_id else cases.reason_id end,
      rule = case
        when excluded.rule = 'report' then cases.rule
        when cases.rule in ('report', 'reports_many') then excluded.rule
        when excluded.rule <> 'minor_in_picture' and excluded.harm <= cases.harm then excluded.rule
        else cases.rule
      end,
      harm = least(cases.harm, excluded.harm),
      call_id = coalesce(cases.call_id, excluded.call_id),
      message_id = coalesce(cases.message_id, excluded.message_id),
      shadow = case when excluded.model is null then cases.shadow else excluded.shadow end,
      explicit = greatest(cases.explicit, excluded.explicit),
      model = coalesce(excluded.model, cases.model)
    returning id`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error("a case was neither opened nor joined");
  return { caseId: row.id, queue };
}

export async function waitingCase(db: Db, subjectId: bigint, queue: Queue): Promise<bigint | null> {
  const row = await db
    .selectFrom("cases")
    .select("id")
    .where("subject_id", "=", subjectId)
    .where("queue", "=", queue)
    .where("state", "<>", "decided")
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function caseFacts(db: Db, caseId: bigint): Promise<CaseFacts | null> {
  const row = await db
    .selectFrom("cases")
    .innerJoin("users", "users.id", "cases.subject_id")
    .select(["cases.id", "subject_id", "users.role", "queue", "reason_id", "rule", "harm", "call_id", "state"])
    .select(["decided_at", "decided_by", "operation"])
    .where("cases.id", "=", caseId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    subjectId: row.subject_id,
    subjectRole: row.role,
    queue: row.queue,
    reasonId: knownReportReason(row.reason_id),
    rule: ruleOf(row.rule),
    harm: row.harm as Harm,
    callId: row.call_id,
    state: row.state,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
    operation: row.operation,
    appeal: row.state === "second" ? await answeredAppeal(db, caseId) : null,
  };
}

async function answeredAppeal(db: Db, caseId: bigint): Promise<CaseFacts["appeal"]> {
  const appeal = await db
    .selectFrom("appeals")
    .innerJoin("bans", "bans.id", "appeals.ban_id")
    .select("appeals.decided_by")
    .where("bans.case_id", "=", caseId)
    .where("bans.decided_by", "is not", null)
    .where("appeals.state", "<>", "received")
    .executeTakeFirst();
  return appeal ? { answeredBy: appeal.decided_by } : null;
}

function ruleOf(rule: string): CaseRule {
  return caseRules.find((known) => known === rule) ?? "report";
}

export async function historyOf(db: Db, userId: bigint, nowMs: number): Promise<History> {
  const strikes = await db
    .selectFrom("strikes")
    .select(["expires_at", "revoked_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", new Date(nowMs))
    .execute();
  const suspensions = await db
    .selectFrom("bans")
    .select("created_at")
    .where("user_id", "=", userId)
    .where("decided_by", "is", null)
    .where("rule", "is not", null)
    .where("created_at", ">", new Date(nowMs - dayMs))
    .where((where) => where.or([where("ended_because", "is", null), where("ended_because", "<>", "lifted")]))
    .execute();
  return {
    strikes: strikes.map((row) => ({ expiresAtMs: row.expires_at.getTime(), isRevoked: row.revoked_at !== null })),
    suspendedAtMs: suspensions.map((row) => row.created_at.getTime()),
  };
}

/**
 * Stores the first estimate of an age in an undecided case.
 * @returns false if the case has one already.
 */
export async function storeEstimate(db: Db, caseId: bigint, years: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("cases")
    .set({ estimated_age: Math.round(years) })
    .where("id", "=", caseId)
    .where("estimated_age", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface Paused {
  readonly subjectId: bigint;
  readonly caseId: bigint;
  readonly reasonId: ReportReason;
  /** Who reported the user as a minor. */
  readonly reporterId?: bigint;
  readonly isUnproven: boolean;
}

/** Pauses matching as the policy decides. */
export async function storePauses(
  trx: Trx,
  { subjectId, caseId, reasonId, reporterId, isUnproven }: Paused,
  { signal, at }: { signal: PolicySignal; at: Date },
): Promise<void> {
  for (const action of decide(signal, { strikes: [], suspendedAtMs: [] }, at.getTime())) {
    if (action.kind !== "pause") continue;
    const { rule, untilMs } = action;
    const until = untilMs === null ? null : new Date(untilMs);
    const about = { user_id: subjectId, case_id: caseId, reporter_id: reporterId ?? null, is_unproven: isUnproven };
    await trx
      .insertInto("restraints")
      .values({ ...about, what: "matching", rule, from_at: at, until })
      .execute();
    await trx.updateTable("cases").set({ rule }).where("id", "=", caseId).where("rule", "=", "report").execute();
    const detail = { rule, untilMs, signal };
    await writeAudit(trx, { at, actorId: null, kind: "pause", subjectId, caseId, reasonId, detail });
  }
}

/** `byId` null: software decided. */
export async function closeCase(
  trx: Trx,
  about: CaseFacts,
  { operation, byId, at }: { operation: 1 | 2 | 3 | 4; byId: bigint | null; at: Date },
): Promise<void> {
  await trx
    .updateTable("cases")
    .set({ state: "decided", operation, decided_by: byId, decided_at: at, changed_at: at, estimated_age: null })
    .where("id", "=", about.id)
    .execute();
}

/**
 * Ends the pauses of a case, and the wait for an age check, after a moderator's decision. Returns whether any was in
 * force.
 */
export async function liftPauses(db: Db, caseId: bigint, at: Date): Promise<boolean> {
  const lifted = await db
    .updateTable("restraints")
    .set({ lifted_at: at })
    .where("case_id", "=", caseId)
    .where("what", "in", ["matching", "age"])
    .where("lifted_at", "is", null)
    .where((where) => where.or([where("what", "=", "age"), where("until", "is", null), where("until", ">", at)]))
    .returning("id")
    .execute();
  return lifted.length > 0;
}

export function muteOf(db: Db, userId: bigint, at: Date) {
  return db
    .selectFrom("restraints")
    .select(["id", "rule", "until"])
    .where("user_id", "=", userId)
    .where("what", "=", "chat")
    .where("lifted_at", "is", null)
    .where((where) => where.or([where("until", "is", null), where("until", ">", at)]))
    .orderBy(sql`until desc nulls first`)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

export async function liftMutes(db: Db, userId: bigint, at: Date): Promise<void> {
  await db
    .updateTable("restraints")
    .set({ lifted_at: at })
    .where("user_id", "=", userId)
    .where("what", "=", "chat")
    .where("lifted_at", "is", null)
    .where((where) => where.or([where("until", "is", null), where("until", ">", at)]))
    .execute();
}

type ListInput = Pick<ParsedInputOf<Endpoints["adminReportList"]>, "box" | "order" | "cursor">;

interface Row {
  id: bigint;
  reason_id: number;
  rule: string;
  harm: number;
  opened_at: Date;
  state: CaseState;
  user_id: bigint;
  user_no: string;
  nickname: string;
  avatar_key: string;
  reporters: bigint;
  is_paused: boolean;
  due_since: Date | null;
  rank: number;
}

interface Cursor {
  readonly harm: number;
  /** 0 if a review is due, or software estimated the age of a minor, so that the case comes first; otherwise 1. */
  readonly rank: number;
  readonly id: bigint;
}

const columns = (at: Date) => sql`
  cases.id, cases.reason_id, cases.rule, cases.harm, cases.opened_at, cases.state,
  users.id as user_id, users.user_no, users.nickname, users.avatar_key,
  (select count(distinct reporter_id) from reports where case_id = cases.id) as reporters,
  exists (
    select from restraints
    where user_id = cases.subject_id and lifted_at is null
      and (what = 'age' or what = 'matching' and (until is null or until > ${at}))
  ) as is_paused,
  ${dueSince(at)} as due_since, ${rankOf(at)} as rank`;

/**
 * When a review became due: the paused user asked for one, or a pause or the time for an age check ended without a
 * decision. Null: not due.
 */
function dueSince(at: Date): RawBuilder<Date | null> {
  return sql`(
    select min(least(look_asked_at, case when until <= ${at} then until end)) from restraints
    where case_id = cases.id and what in ('matching', 'age') and lifted_at is null
  )`;
}

function rankOf(at: Date): RawBuilder<number> {
  return sql`(case when cases.estimated_age is null and ${dueSince(at)} is null then 1 else 0 end)`;
}

/** Cases that the viewer may see: none about the viewer, and for a moderator none about a colleague. */
export function visibleTo({ userId, role }: Viewer): RawBuilder<unknown> {
  const roleBelow = role >= roles.administrator ? roles.administrator + 1 : roles.moderator;
  return sql`cases.subject_id <> ${userId} and users.role < ${roleBelow}`;
}

/**
 * Open cases of a queue that the viewer may see, without those that wait for an age check. The list and each count use
 * this.
 */
const waitingIn = (queue: Queue, viewer: Viewer, at: Date) => sql`
  cases.state = 'open' and cases.queue = ${queue} and ${visibleTo(viewer)} and not exists (
    select from restraints where case_id = cases.id and what = 'age' and lifted_at is null and until > ${at}
  )`;

/** A page of a queue. The caller checks that the viewer may see the queue. */
export async function casePage(
  db: Db,
  viewer: Viewer,
  { box: queue, order, cursor, at }: ListInput & { at: Date },
): Promise<OutputOf<Endpoints["adminReportList"]>> {
  const after = readCursor(cursor);
  const waiting = waitingIn(queue, viewer, at);
  const rank = rankOf(at);
  const beyond =
    order === "harm"
      ? sql`(cases.harm, ${rank}, cases.id) > (${after.harm}, ${after.rank}, ${after.id})`
      : sql`cases.id > ${after.id}`;
  const mine =
    order === "mine"
      ? sql`exists (
          select from claims
          where item = 'case:' || cases.id and moderator_id = ${viewer.userId} and until > ${at}
        )`
      : sql`true`;
  const sorted = order === "harm" ? sql`cases.harm, ${rank}, cases.id` : sql`cases.id`;
  const { rows } = await sql<Row>`
    select ${columns(at)} from cases join users on users.id = cases.subject_id
    where ${waiting} and ${beyond} and ${mine}
    order by ${sorted} limit ${listPageRows + 1}`.execute(db);
  const { rows: totals } = await sql<{ waiting: bigint; oldest_at: Date | null }>`
    select count(*) as waiting, min(opened_at) as oldest_at
    from cases join users on users.id = cases.subject_id where ${waiting}`.execute(db);
  const shown = rows.slice(0, listPageRows);
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  return {
    rows: await caseViews(db, viewer, { rows: shown, at }),
    next: last ? writeCursor(last) : null,
    waiting: Number(totals[0]?.waiting ?? 0n),
    oldest_at: totals[0]?.oldest_at?.getTime() ?? null,
  };
}

/** One case as a row of the list. The caller checks that the viewer may see it. */
export async function caseRow(db: Db, viewer: Viewer, { id, at }: { id: bigint; at: Date }): Promise<CaseRow | null> {
  const { rows } = await sql<Row>`
    select ${columns(at)} from cases join users on users.id = cases.subject_id where cases.id = ${id}`.execute(db);
  return (await caseViews(db, viewer, { rows, at }))[0] ?? null;
}

export async function waitingCount(db: Db, viewer: Viewer, { queue, at }: { queue: Queue; at: Date }): Promise<number> {
  const { rows } = await sql<{ waiting: bigint }>`
    select count(*) as waiting from cases join users on users.id = cases.subject_id
    where ${waitingIn(queue, viewer, at)}`.execute(db);
  return Number(rows[0]?.waiting ?? 0n);
}

async function caseViews(db: Db, viewer: Viewer, { rows, at }: { rows: readonly Row[]; at: Date }): Promise<CaseRow[]> {
  const claims = await claimsOn(
    db,
    rows.map(({ id }) => `case:${id}`),
    at,
  );
  return rows.map((row) => ({
    id: String(row.id),
    no: `R-${row.id}`,
    reason_id: knownReportReason(row.reason_id),
    rule: ruleOf(row.rule),
    harm: row.harm as Harm,
    opened_at: row.opened_at.getTime(),
    reporters: Number(row.reporters),
    person: {
      user_id: Number(row.user_id),
      user_no: row.user_no,
      nickname: row.nickname,
      avatar: avatarAddress(row.avatar_key),
    },
    is_paused: row.is_paused,
    due_at: row.due_since && row.due_since.getTime() + reviewPromisedMs,
    state: row.state,
    claim: claimView(claims.get(`case:${row.id}`), viewer.userId),
  }));
}

function writeCursor({ harm, rank, id }: Row): string {
  return `${harm}.${rank}.${id}`;
}

/** @throws EndpointError 400 for anything that `writeCursor` did not make. */
function readCursor(text: string | undefined): Cursor {
  if (text === undefined) return { harm: 0, rank: 0, id: 0n };
  const [, harm, rank, id] = /^([1-4])\.([01])\.(\d{1,18})$/.exec(text) ?? [];
  if (harm === undefined || rank === undefined || id === undefined) throw badInput("invalid cursor", "cursor");
  return { harm: Number(harm), rank: Number(rank), id: BigInt(id) };
}

/** How long an expired claim still allows its moderator to decide, if no other moderator claims the item. */
const keptMs = 86_400_000;

export interface ClaimRow {
  readonly moderatorId: bigint;
  readonly name: string;
  readonly until: Date;
}

/**
 * Takes or renews a claim in one statement, so that only one of two simultaneous moderators gets it (rule CASE-40).
 * @returns the claim in force afterwards, which may be another moderator's.
 */
export async function takeClaim(
  db: Db,
  item: string,
  { moderatorId, at }: { moderatorId: bigint; at: Date },
): Promise<ClaimRow> {
  const until = new Date(at.getTime() + claimMs);
  const { rows } = await sql<{ moderator_id: bigint; until: Date; nickname: string }>`
    with taken as (
      insert into claims (item, moderator_id, until) values (${item}, ${moderatorId}, ${until})
      on conflict (item) do update set moderator_id = excluded.moderator_id, until = excluded.until
      where claims.moderator_id = excluded.moderator_id or claims.until <= ${at}
      returning moderator_id, until
    )
    select moderator_id, until, nickname from taken join users on users.id = moderator_id`.execute(db);
  const [own] = rows;
  if (own) return { moderatorId: own.moderator_id, name: own.nickname, until: own.until };
  const [other] = (await claimsOn(db, [item], at)).values();
  // The other moderator's claim has ended since the insert, so the next try succeeds.
  return other ?? takeClaim(db, item, { moderatorId, at });
}

export async function releaseClaim(db: Db, item: string, moderatorId: bigint): Promise<void> {
  await db.deleteFrom("claims").where("item", "=", item).where("moderator_id", "=", moderatorId).execute();
}

export async function claimsOn(db: Db, items: readonly string[], at: Date): Promise<ReadonlyMap<string, ClaimRow>> {
  if (items.length === 0) return new Map();
  const rows = await db
    .selectFrom("claims")
    .innerJoin("users", "users.id", "claims.moderator_id")
    .select(["item", "moderator_id", "until", "nickname"])
    .where("item", "in", items)
    .where("until", ">", at)
    .execute();
  return new Map(
    rows.map((row) => [row.item, { moderatorId: row.moderator_id, name: row.nickname, until: row.until }]),
  );
}

export function claimView(claim: ClaimRow | undefined, readerId: bigint): Claim | null {
  return claim ? { mine: claim.moderatorId === readerId, name: claim.name, until: claim.until.getTime() } : null;
}

/**
 * Requires that the moderator holds the claim, and renews it. An expired claim still counts until another moderator
 * takes the item, so that a slow reader can decide.
 * @throws EndpointError 403 `not_claimed`, or `claimed` with `name` and `until`.
 */
export async function requireClaim(
  db: Db,
  item: string,
  { moderatorId, at }: { moderatorId: bigint; at: Date },
): Promise<void> {
  const renewed = await db
    .updateTable("claims")
    .set({ until: new Date(at.getTime() + claimMs) })
    .where("item", "=", item)
    .where("moderator_id", "=", moderatorId)
    .returning("item")
    .executeTakeFirst();
  if (renewed) return;
  const [other] = (await claimsOn(db, [item], at)).values();
  throw other ? claimedBy(other) : forbidden("not_claimed");
}

/** @throws EndpointError 403 `claimed` with `name` and `until`. */
export async function claimToDecide(
  db: Db,
  item: string,
  { moderatorId, at }: { moderatorId: bigint; at: Date },
): Promise<void> {
  const claim = await takeClaim(db, item, { moderatorId, at });
  if (claim.moderatorId !== moderatorId) throw claimedBy(claim);
}

function claimedBy({ name, until }: ClaimRow): EndpointError {
  return forbidden("claimed", { name, until: until.getTime() });
}

export async function deleteExpiredClaims(db: Db, at: Date): Promise<void> {
  await db
    .deleteFrom("claims")
    .where("until", "<=", new Date(at.getTime() - keptMs))
    .execute();
}

type Background = NonNullable<CaseDetail["background"]>;

const callsShown = 5;
const earlierReportsShown = 20;

/** The last calls and earlier reports of a user whose case has no frames. The users they met are left out. */
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
    // The other queue has cases of suspected minors, which only administrators may see.
    .where("cases.queue", "=", "reports")
    .orderBy("reports.id", "desc")
    .limit(earlierReportsShown)
    .execute();
  return rows.map(({ at, reason_id, operation }) => ({
    at: at.getTime(),
    reason_id: knownReportReason(reason_id),
    operation: operationIds.find((known) => known === operation) ?? null,
  }));
}
