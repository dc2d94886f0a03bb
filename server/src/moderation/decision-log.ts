import { type Kysely, sql } from "kysely";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { listPageRows, reopenMs } from "@fava/wire/limits.ts";
import { type DecisionKind, decisionKinds } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import type { Database } from "#db/schema.ts";
import { avatarAddress } from "#lib/avatar-address.ts";
import { badInput, forbidden } from "#lib/errors.ts";
import { logRestricted } from "./audit.ts";
import type { Viewer } from "./ban-policy.ts";

type Db = Kysely<Database>;
type Input = Omit<ParsedInputOf<Endpoints["adminDecisionList"]>, "user_id">;
type Output = OutputOf<Endpoints["adminDecisionList"]>;

const dayMs = 86_400_000;
/** Moderators whose nickname begins with the text of the filter. */
const namedMax = 20;
const reopenableKinds: readonly DecisionKind[] = ["clear", "reject", "warn", "forbid", "ask_second"];

interface Row {
  id: bigint;
  at: Date;
  kind: DecisionKind;
  reason_id: number | null;
  note: string;
  by: string;
  case_id: bigint | null;
  queue: string | null;
  user_id: bigint | null;
  user_no: string;
  nickname: string;
  avatar_key: string;
  appeal: Output["rows"][number]["appeal"];
  is_reopenable: boolean;
}

/** The queue of the case; a notice about a suspected minor counts as restricted. */
const queueOf = sql`case
  when log.kind <> 'notice' then cases.queue
  when exists (
    select from notices where id = (log.detail::jsonb ->> 'notice')::bigint and notices.kind = 'minor'
  ) then 'restricted'
end`;

/**
 * A page of decisions, newest first: the viewer's own of today (UTC) and those whose appeal was answered today, or the
 * log of all. Leaves out decisions about the viewer and, for moderators, about colleagues and in the restricted queue.
 * @throws EndpointError 400 for an invalid cursor; 403 `role` for the log of all, unless an administrator asks.
 */
export async function decisionPage(db: Db, viewer: Viewer, { at, ...input }: Input & { at: Date }): Promise<Output> {
  const isAdmin = viewer.role >= roles.administrator;
  if (input.scope === "all" && !isAdmin) throw forbidden("role");
  const { cursor = null } = input;
  if (cursor !== null && !/^\d{1,18}$/.test(cursor)) throw badInput("invalid cursor", "cursor");
  const wanted = input.scope === "mine" ? ownOfToday(viewer, at) : await logged(db, input, at);
  const visible = isAdmin
    ? sql`true`
    : sql`coalesce(users.role, 0) < ${roles.moderator} and ${queueOf} is distinct from 'restricted'`;
  const before = cursor === null ? sql`true` : sql`log.id < ${BigInt(cursor)}`;
  const { rows } = await sql<Row>`
    select log.id, log.at, log.kind, log.reason_id, log.note, actor.nickname as by, log.case_id, ${queueOf} as queue,
      users.id as user_id, users.user_no, users.nickname, users.avatar_key, ban.appeal,
      coalesce(
        log.actor_id = ${viewer.userId} and log.kind = any(${reopenableKinds}) and cases.decided_by = log.actor_id
          and cases.decided_at = log.at and cases.decided_at > ${new Date(at.getTime() - reopenMs)}
          and ban.appeal is null and not coalesce(ban.is_seconded, false), false
      ) as is_reopenable
    from audit_log log
    join users actor on actor.id = log.actor_id
    left join users on users.id = log.subject_id
    left join cases on cases.id = log.case_id
    left join lateral (
      select appeals.state as appeal, bans.seconded_by is not null as is_seconded
      from bans left join appeals on appeals.ban_id = bans.id
      where log.kind in ('forbid', 'ask_second') and bans.case_id = log.case_id and bans.created_at = log.at
      limit 1
    ) as ban on true
    where ${wanted} and log.subject_id is distinct from ${viewer.userId} and ${visible} and ${before}
    order by log.id desc limit ${listPageRows + 1}`.execute(db);
  const shown = rows.slice(0, listPageRows);
  if (shown.some(({ queue }) => queue === "restricted"))
    await logRestricted(db, viewer.userId, { at, caseId: null, act: "list" });
  return {
    rows: shown.map(rowView),
    next: rows.length > shown.length ? String(shown.at(-1)?.id) : null,
  };
}

function ownOfToday({ userId }: Viewer, at: Date) {
  const today = startOfDay(at);
  return sql`log.actor_id = ${userId} and log.kind = any(${decisionKinds}) and (log.at >= ${today} or log.id in (
    select earlier.id from appeals
    join bans on bans.id = appeals.ban_id
    join audit_log earlier on earlier.actor_id = ${userId} and earlier.at = bans.created_at and earlier.case_id = bans.case_id
    where appeals.decided_at >= ${today} and bans.decided_by = ${userId} and earlier.kind in ('forbid', 'ask_second')
  ))`;
}

async function logged(db: Db, { kind, by, days }: Input, at: Date) {
  const since = sql`log.kind = any(${kind === undefined ? decisionKinds : [kind]}) and log.at >= ${new Date(at.getTime() - days * dayMs)}`;
  return by === undefined ? since : sql`${since} and log.actor_id = any(${await moderatorsNamed(db, by)}::bigint[])`;
}

/** The user of a number, who may have lost the role; or moderators whose nickname begins with the text. */
async function moderatorsNamed(db: Db, by: string): Promise<bigint[]> {
  const digits = by.replaceAll(/[\s\u2066-\u2069]/g, "");
  const people = db.selectFrom("users").select("id");
  const found = /^\d{8}$/.test(digits)
    ? people.where("user_no", "=", digits)
    : people
        .where("role", ">=", roles.moderator)
        .where(sql<boolean>`starts_with(search_name, fold_name(${by.trim()}))`)
        .limit(namedMax);
  return (await found.execute()).map(({ id }) => id);
}

/** Midnight UTC. */
export function startOfDay(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
}

function rowView(row: Row): Output["rows"][number] {
  return {
    id: String(row.id),
    at: row.at.getTime(),
    kind: row.kind,
    reason_id: row.reason_id,
    by: row.by,
    note: row.note,
    person:
      row.user_id === null
        ? null
        : {
            user_id: Number(row.user_id),
            user_no: row.user_no,
            nickname: row.nickname,
            avatar: avatarAddress(row.avatar_key),
          },
    case_id: row.case_id === null ? null : String(row.case_id),
    appeal: row.appeal,
    reopen_until: row.is_reopenable ? row.at.getTime() + reopenMs : null,
  };
}
