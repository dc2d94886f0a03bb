import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { listPageRows } from "@fava/wire/limits.ts";
import type { CaseRow } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { avatarAddress } from "#features/session/service.ts";
import { badInput } from "#http/call-error.ts";
import { type CaseState, reasonOf, ruleOf } from "./case-store.ts";
import { claimSeen, claimsOn } from "./claims.ts";
import type { Box, Harm, Viewer } from "./enforcement.ts";

type Db = Kysely<Database>;
type ListInput = Pick<ParsedInputOf<Endpoints["adminReportList"]>, "box" | "order" | "cursor">;

interface Row {
  id: bigint;
  reason_id: number;
  rule: string;
  harm: number;
  opened_at: Date;
  state: string;
  user_id: bigint;
  user_no: string;
  nickname: string;
  avatar_key: string;
  reporters: bigint;
  is_paused: boolean;
}

/** Where a page ends. */
interface Cursor {
  readonly harm: number;
  readonly id: bigint;
}

const columns = (at: Date) => sql`
  cases.id, cases.reason_id, cases.rule, cases.harm, cases.opened_at, cases.state,
  users.id as user_id, users.user_no, users.nickname, users.avatar_key,
  (select count(distinct reporter_id) from reports where case_id = cases.id) as reporters,
  exists (
    select from restraints
    where user_id = cases.subject_id and what = 'matching' and lifted_at is null and (until is null or until > ${at})
  ) as is_paused`;

/** Cases that this viewer may see: not about themself, and for a moderator about nobody of the desk. */
function visibleTo({ userId, role }: Viewer): RawBuilder<unknown> {
  const roleBelow = role >= roles.administrator ? roles.administrator + 1 : roles.moderator;
  return sql`cases.subject_id <> ${userId} and users.role < ${roleBelow}`;
}

/** A page of cases that wait, and how many do (rule CASE-42). The caller has seen to it that the box is the viewer's. */
export async function casePage(
  db: Db,
  viewer: Viewer,
  { box, order, cursor, at }: ListInput & { at: Date },
): Promise<OutputOf<Endpoints["adminReportList"]>> {
  const after = readCursor(cursor);
  const waiting = sql`cases.state = 'open' and cases.box = ${box} and ${visibleTo(viewer)}`;
  const beyond =
    order === "harm" ? sql`(cases.harm, cases.id) > (${after.harm}, ${after.id})` : sql`cases.id > ${after.id}`;
  const mine =
    order === "mine"
      ? sql`exists (
          select from claims
          where item = 'case:' || cases.id and moderator_id = ${viewer.userId} and until > ${at}
        )`
      : sql`true`;
  const sorted = order === "harm" ? sql`cases.harm, cases.id` : sql`cases.id`;
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
    rows: await seen(db, viewer, { rows: shown, at }),
    next: last ? writeCursor(last) : null,
    waiting: Number(totals[0]?.waiting ?? 0n),
    oldest_at: totals[0]?.oldest_at?.getTime() ?? null,
  };
}

/** One case as the lists show it, whatever its state and box; the caller sees to who may see it. */
export async function caseRow(db: Db, viewer: Viewer, { id, at }: { id: bigint; at: Date }): Promise<CaseRow | null> {
  const { rows } = await sql<Row>`
    select ${columns(at)} from cases join users on users.id = cases.subject_id where cases.id = ${id}`.execute(db);
  return (await seen(db, viewer, { rows, at }))[0] ?? null;
}

/** How many cases of a box wait that this viewer may see. */
export async function waitingCount(db: Db, viewer: Viewer, box: Box): Promise<number> {
  const { rows } = await sql<{ waiting: bigint }>`
    select count(*) as waiting from cases join users on users.id = cases.subject_id
    where cases.state = 'open' and cases.box = ${box} and ${visibleTo(viewer)}`.execute(db);
  return Number(rows[0]?.waiting ?? 0n);
}

async function seen(db: Db, viewer: Viewer, { rows, at }: { rows: readonly Row[]; at: Date }): Promise<CaseRow[]> {
  const claims = await claimsOn(
    db,
    rows.map(({ id }) => `case:${id}`),
    at,
  );
  return rows.map((row) => ({
    id: String(row.id),
    no: `R-${row.id}`,
    reason_id: reasonOf(row.reason_id),
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
    state: row.state as CaseState,
    claim: claimSeen(claims.get(`case:${row.id}`), viewer.userId),
  }));
}

function writeCursor({ harm, id }: Cursor): string {
  return `${harm}.${id}`;
}

/** @throws CallError 400 for anything that `writeCursor` did not make. */
function readCursor(text: string | undefined): Cursor {
  if (text === undefined) return { harm: 0, id: 0n };
  const [, harm, id] = /^([1-4])\.(\d{1,18})$/.exec(text) ?? [];
  if (harm === undefined || id === undefined) throw badInput("cursor is none of ours", "cursor");
  return { harm: Number(harm), id: BigInt(id) };
}
