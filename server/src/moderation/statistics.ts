import { type Kysely, sql } from "kysely";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { auditedFramesMin, publishedCountMin } from "@fava/wire/limits.ts";
import { type CaseRule, caseRules } from "@fava/wire/moderation.ts";
import { authorityKinds, noticeKinds } from "@fava/wire/notices.ts";
import { banReasonIds, reasons, reportReasonIds } from "@fava/wire/reasons.ts";
import { inspectionSettingsDefault } from "#calls/inspection-settings.ts";
import type { Database } from "#db/schema.ts";
import { totalByTwoLookers } from "#lib/proportions.ts";
import { waitsForAge } from "./case-store.ts";
import { auditFigures } from "./frame-audit.ts";
import { queueStates } from "./queue-states.ts";

type Db = Kysely<Database>;
type Figures = OutputOf<Endpoints["adminFigures"]>;
type Transparency = OutputOf<Endpoints["transparency"]>;
type Share = Figures["overturned"];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const transparencyDays = 90;
/** Rules that stand for what people found, not for a judgement by software. */
const foundByPeople: readonly string[] = ["report", "reports_many", "notice", "random_frame"] satisfies CaseRule[];

/** Figures of the desk, from cases, bans and appeals. No figure is about one moderator. */
export async function moderationStatistics(db: Db, days: number, nowMs: number): Promise<Figures> {
  const span = { from: new Date(nowMs - days * dayMs), to: new Date(nowMs) };
  const before = { from: new Date(span.from.getTime() - days * dayMs), to: span.from };
  const stepMs = days === 1 ? hourMs : dayMs;
  const [waiting, minutes, minutesBefore, rules, bans, waitingOverTime, reviewOverTime, audit] = await Promise.all([
    waitingNow(db, span.to),
    reviewMinutes(db, span),
    reviewMinutes(db, before),
    rulesRight(db, span),
    overturned(db, span),
    waitingAt(db, span, stepMs),
    reviewAt(db, span, stepMs),
    auditFigures(db, nowMs),
  ]);
  const machine = rules.filter(({ rule }) => !foundByPeople.includes(rule));
  return {
    ...waiting,
    review_minutes: minutes,
    review_minutes_before: minutesBefore,
    overturned: together(bans),
    machine_right: together(machine),
    audit,
    waiting_over_time: waitingOverTime,
    review_over_time: reviewOverTime,
    rules: caseRules.flatMap((rule) => {
      const row = rules.find((one) => one.rule === rule);
      return row ? [{ rule, ...shareOf(row) }] : [];
    }),
    overturned_by_reason: banReasonIds.flatMap((reason_id) => {
      const row = bans.find((one) => one.reason_id === reason_id);
      return row ? [{ reason_id, ...shareOf(row) }] : [];
    }),
  };
}

export async function transparencyReport(db: Db, nowMs: number): Promise<Transparency> {
  const span = { from: new Date(nowMs - transparencyDays * dayMs), to: new Date(nowMs) };
  const [reports, bans, pictures, appeals, minutes, notices, authorities, audit, recall] = await Promise.all([
    reportsByReason(db, span),
    bansByWhom(db, span),
    picturesDecided(db, span),
    appealsDecided(db, span),
    reviewMinutes(db, span),
    noticesByKind(db, span),
    requestsByKind(db, span),
    auditFigures(db, nowMs),
    recallAtMost(db, span),
  ]);
  return {
    from: span.from.getTime(),
    to: span.to.getTime(),
    reports,
    bans,
    pictures,
    appeals: appeals.counts,
    review_minutes: minutes,
    appeal_hours: appeals.hours,
    notices,
    authorities,
    audit,
    recall,
  };
}

interface Span {
  from: Date;
  to: Date;
}

interface Counted {
  hits: bigint;
  of: bigint;
}

function shareOf({ hits, of }: Counted): Share {
  return { share: of === 0n ? null : Number(hits) / Number(of), of: Number(of) };
}

function together(rows: readonly Counted[]): Share {
  const sum = (value: (row: Counted) => bigint) => rows.reduce((total, row) => total + value(row), 0n);
  return shareOf({ hits: sum(({ hits }) => hits), of: sum(({ of }) => of) });
}

/** Everything that waits for a moderator. */
async function waitingNow(db: Db, at: Date): Promise<{ waiting: number; oldest_at: number | null }> {
  const states = (await queueStates(db, at)).filter(({ queue }) => queue !== "authorities" && queue !== "orders");
  const oldest = states.map(({ oldest_at }) => oldest_at).filter((one) => one !== null);
  return {
    waiting: states.reduce((sum, { waiting }) => sum + waiting, 0),
    oldest_at: oldest.length === 0 ? null : Math.min(...oldest),
  };
}

/** Median minutes from a case's opening to its decision; null without decisions. */
async function reviewMinutes(db: Db, { from, to }: Span): Promise<number | null> {
  const { rows } = await sql<{ minutes: number | null }>`
    select percentile_cont(0.5) within group (order by extract(epoch from decided_at - opened_at) / 60)::float8 as minutes
    from cases where state = 'decided' and decided_by is not null and decided_at > ${from} and decided_at <= ${to}
  `.execute(db);
  return rows[0]?.minutes ?? null;
}

async function rulesRight(db: Db, { from, to }: Span): Promise<(Counted & { rule: string })[]> {
  const { rows } = await sql<Counted & { rule: string }>`
    select rule, count(*) filter (where operation in (3, 4)) as hits, count(*) as of
    from cases where state = 'decided' and decided_by is not null and decided_at > ${from} and decided_at <= ${to}
    group by rule`.execute(db);
  return rows;
}

async function overturned(db: Db, { from, to }: Span): Promise<(Counted & { reason_id: number })[]> {
  const { rows } = await sql<Counted & { reason_id: number }>`
    select bans.reason_id, count(*) filter (where appeals.state in ('lifted', 'shortened')) as hits, count(*) as of
    from bans left join appeals on appeals.ban_id = bans.id
    where bans.decided_by is not null and bans.ended_because is distinct from 'reopened' and bans.created_at > ${from} and bans.created_at <= ${to}
    group by bans.reason_id`.execute(db);
  return rows;
}

async function waitingAt(db: Db, { from, to }: Span, stepMs: number): Promise<Figures["waiting_over_time"]> {
  const { rows } = await sql<{ at: Date; waiting: bigint }>`
    select moment as at, (
      select count(*) from cases
      where opened_at <= moment and (decided_at is null or decided_at > moment) and not ${waitsForAge(sql`moment`)}
    ) as waiting
    from generate_series(${from}::timestamptz, ${to}::timestamptz, make_interval(secs => ${stepMs / 1_000})) as moment
    order by moment`.execute(db);
  return rows.map(({ at, waiting }) => ({ at: at.getTime(), waiting: Number(waiting) }));
}

async function reviewAt(db: Db, { from, to }: Span, stepMs: number): Promise<Figures["review_over_time"]> {
  const step = sql`make_interval(secs => ${stepMs / 1_000})`;
  const { rows } = await sql<{ at: Date; minutes: number | null }>`
    select moment as at, (
      select percentile_cont(0.5) within group (order by extract(epoch from decided_at - opened_at) / 60)::float8
      from cases where decided_by is not null and decided_at > moment - ${step} and decided_at <= moment
    ) as minutes
    from generate_series(${from}::timestamptz + ${step}, ${to}::timestamptz, ${step}) as moment
    order by moment`.execute(db);
  return rows.map(({ at, minutes }) => ({ at: at.getTime(), minutes }));
}

/**
 * Of confirmed cases of nudity in calls, the share that the nsfwjs models find, estimated with open_nsfw as a second
 * looker (Chapman). An upper bound, since both may miss the same; null with fewer than 20 cases.
 */
async function recallAtMost(db: Db, { from, to }: Span): Promise<Share> {
  const { unsureScore, openNsfwHidesScore } = inspectionSettingsDefault;
  const { rows } = await sql<Record<"first" | "second" | "both", bigint>>`
    with judged as (
      select max((facts::jsonb ->> 'explicit')::float8) as nsfwjs, max((facts::jsonb ->> 'openNsfw')::float8) as open_nsfw
      from cases join evidence on evidence.case_id = cases.id
      where cases.state = 'decided' and cases.decided_at > ${from} and cases.decided_at <= ${to}
        and cases.reason_id = ${reasons.pornography.id} and cases.operation in (3, 4)
        and evidence.kind = 'frame' and evidence.erased_at is null
        and jsonb_exists(facts::jsonb, 'openNsfw') and jsonb_exists(facts::jsonb, 'explicit')
      group by cases.id
    )
    select
      count(*) filter (where nsfwjs >= ${unsureScore}) as first,
      count(*) filter (where open_nsfw >= ${openNsfwHidesScore}) as second,
      count(*) filter (where nsfwjs >= ${unsureScore} and open_nsfw >= ${openNsfwHidesScore}) as both
    from judged`.execute(db);
  const count = (name: "first" | "second" | "both") => Number(rows[0]?.[name] ?? 0n);
  const [first, second, both] = [count("first"), count("second"), count("both")];
  const of = first + second - both;
  if (of < auditedFramesMin) return { share: null, of };
  return { share: Math.min(1, first / totalByTwoLookers({ first, second, both })), of };
}

async function reportsByReason(db: Db, { from, to }: Span): Promise<Transparency["reports"]> {
  const { rows } = await sql<{ reason_id: number; reports: bigint; acted_on: bigint }>`
    select reports.reason_id, count(*) as reports, count(*) filter (where cases.operation in (3, 4)) as acted_on
    from reports left join cases on cases.id = reports.case_id
    where reports.at > ${from} and reports.at <= ${to} group by reports.reason_id`.execute(db);
  return reportReasonIds.map((reason_id) => {
    const row = rows.find((one) => one.reason_id === reason_id);
    return { reason_id, reports: Number(row?.reports ?? 0n), acted_on: Number(row?.acted_on ?? 0n) };
  });
}

async function bansByWhom(db: Db, { from, to }: Span): Promise<Transparency["bans"]> {
  const { rows } = await sql<{ software: bigint; person: bigint; for_good: bigint }>`
    select
      count(*) filter (where decided_by is null and rule is not null) as software,
      count(*) filter (where decided_by is not null) as person,
      count(*) filter (where decided_by is not null and until is null) as for_good
    from bans where ended_because is distinct from 'reopened' and created_at > ${from} and created_at <= ${to}`.execute(
    db,
  );
  const [row] = rows;
  return {
    software: Number(row?.software ?? 0n),
    person: Number(row?.person ?? 0n),
    for_good: Number(row?.for_good ?? 0n),
  };
}

async function picturesDecided(db: Db, { from, to }: Span): Promise<Transparency["pictures"]> {
  const { rows } = await sql<{ approved: bigint; rejected: bigint }>`
    select
      count(*) filter (where status = 'approved') as approved, count(*) filter (where status = 'refused') as rejected
    from images where decided_at > ${from} and decided_at <= ${to}`.execute(db);
  return { approved: Number(rows[0]?.approved ?? 0n), rejected: Number(rows[0]?.rejected ?? 0n) };
}

async function noticesByKind(db: Db, { from, to }: Span): Promise<Transparency["notices"]> {
  const { rows } = await sql<{ kind: string; received: bigint; upheld: bigint; hours: number | null }>`
    select
      kind, count(*) as received, count(*) filter (where state = 'upheld') as upheld,
      (percentile_cont(0.5) within group (order by extract(epoch from decided_at - at) / 3600))::float8 as hours
    from notices where at > ${from} and at <= ${to} group by kind`.execute(db);
  return noticeKinds.map((kind) => {
    const row = rows.find((one) => one.kind === kind);
    return {
      kind,
      received: Number(row?.received ?? 0n),
      upheld: Number(row?.upheld ?? 0n),
      hours: row?.hours ?? null,
    };
  });
}

/** Small counts are not published, since they could identify a request. */
async function requestsByKind(db: Db, { from, to }: Span): Promise<Transparency["authorities"]> {
  const { rows } = await sql<{ kind: string; requests: bigint }>`
    select kind, count(*) as requests from authority_requests
    where received_at > ${from} and received_at <= ${to} group by kind`.execute(db);
  return authorityKinds.map((kind) => {
    const requests = Number(rows.find((one) => one.kind === kind)?.requests ?? 0n);
    return { kind, requests: requests < publishedCountMin ? null : requests };
  });
}

async function appealsDecided(
  db: Db,
  { from, to }: Span,
): Promise<{ counts: Transparency["appeals"]; hours: number | null }> {
  const { rows } = await sql<Record<keyof Transparency["appeals"], bigint> & { hours: number | null }>`
    select
      count(*) as received,
      count(*) filter (where state = 'upheld') as upheld,
      count(*) filter (where state = 'shortened') as shortened,
      count(*) filter (where state = 'lifted') as lifted,
      (percentile_cont(0.5) within group (order by extract(epoch from decided_at - at) / 3600))::float8 as hours
    from appeals where at > ${from} and at <= ${to}`.execute(db);
  const count = (name: keyof Transparency["appeals"]) => Number(rows[0]?.[name] ?? 0n);
  return {
    counts: {
      received: count("received"),
      upheld: count("upheld"),
      shortened: count("shortened"),
      lifted: count("lifted"),
    },
    hours: rows[0]?.hours ?? null,
  };
}
