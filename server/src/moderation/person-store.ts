import { type Kysely, type RawBuilder, sql } from "kysely";
import type { DeskPerson } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { isCallSince } from "#db/call-days.ts";
import type { Database } from "#db/schema.ts";
import { isDistinctive, mirroredHash } from "@fava/wire/picture-hash.ts";
import type { Viewer } from "./ban-policy.ts";

type Db = Kysely<Database>;
type Same = DeskPerson["same"][number];

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** A call that the partner left within this time counts as skipped. */
const skippedMs = 10_000;
const sameRowsMax = 20;
const earlierRowsMax = 30;
/** An address with more users belongs to a network operator and links no accounts. */
const addressPeopleMax = 20;
const silentKinds = ["look", "claim"];

export function personById(db: Db, userId: bigint) {
  return db.selectFrom("users").selectAll().where("id", "=", userId).where("official", "=", false).executeTakeFirst();
}

export async function callsOf(db: Db, userId: bigint, nowMs: number): Promise<{ calls: number; skipped: number }> {
  const since = new Date(nowMs - weekMs);
  const { rows } = await sql<{ calls: bigint; skipped: bigint }>`
    with mine as (
      select id, connected_at, ended_at from calls
      where offerer_id = ${userId} and matched_at > ${since} and connected_at is not null and ${isCallSince("id", since)}
      union all
      select id, connected_at, ended_at from calls
      where answerer_id = ${userId} and matched_at > ${since} and connected_at is not null and ${isCallSince("id", since)}
    )
    select count(*) as calls, count(*) filter (
      where ended_at - connected_at < make_interval(secs => ${skippedMs / 1_000}) and exists (
        select from call_events
        where call_id = mine.id and ${isCallSince("call_id", since)} and kind = 'ended' and user_id is not null and user_id <> ${userId}
      )
    ) as skipped
    from mine`.execute(db);
  return { calls: Number(rows[0]?.calls ?? 0n), skipped: Number(rows[0]?.skipped ?? 0n) };
}

export function strikesOf(db: Db, userId: bigint, now: Date) {
  return db
    .selectFrom("strikes")
    .select(["at", "expires_at", "reason_id"])
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("at")
    .execute();
}

export function banOf(db: Db, userId: bigint, now: Date) {
  return db
    .selectFrom("bans")
    .select(["until", "reason_id", "is_provisional"])
    .where("user_id", "=", userId)
    .where("ended_early_at", "is", null)
    .where((where) => where.or([where("until", "is", null), where("until", ">", now)]))
    .orderBy("until", (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
}

export async function labelsOf(db: Db, userId: bigint): Promise<number[]> {
  const rows = await db
    .selectFrom("person_labels")
    .select("label_id")
    .where("user_id", "=", userId)
    .orderBy("label_id")
    .execute();
  return rows.map(({ label_id }) => label_id);
}

export function imagesOf(db: Db, userId: bigint) {
  return db
    .selectFrom("images")
    .select(["public_id", "kind", "status", "phash"])
    .where("user_id", "=", userId)
    .where("kind", "in", ["avatar", "photo"])
    .where("removed_at", "is", null)
    .orderBy("id")
    .execute();
}

/** The newest entries about a user. Moderators see none of restricted cases. */
export function earlierDecisionsOf(db: Db, userId: bigint, viewer: Viewer) {
  return db
    .selectFrom("audit_log")
    .leftJoin("users", "users.id", "audit_log.actor_id")
    .leftJoin("cases", "cases.id", "audit_log.case_id")
    .select(["audit_log.at", "audit_log.kind", "audit_log.reason_id", "audit_log.note", "users.nickname"])
    .where("audit_log.subject_id", "=", userId)
    .where("audit_log.kind", "not in", silentKinds)
    .$if(viewer.role < roles.administrator, (entries) => entries.where("queue", "is distinct from", "restricted"))
    .orderBy("audit_log.id", "desc")
    .limit(earlierRowsMax)
    .execute();
}

export interface LinkedAccountRow {
  id: bigint;
  user_no: string;
  nickname: string;
  avatar_key: string;
  what: Same["what"];
  is_banned: boolean;
  seen_at: Date;
  open_case: bigint | null;
}

const accountColumns = (now: Date) => sql`
  users.id, users.user_no, users.nickname, users.avatar_key, linked.what,
  exists (
    select from bans where bans.user_id = users.id and ended_early_at is null and (until is null or until > ${now})
  ) as is_banned,
  (select max(cases.id) from cases where subject_id = users.id and queue = 'reports' and state <> 'decided') as open_case`;

/** Leaves out erased accounts, those of the desk, and those that a moderator called unrelated. */
const isLinkable = (userId: bigint) => sql`
  users.erased_at is null and users.role < ${roles.moderator} and not exists (
    select from unrelated_accounts
    where low_id = least(users.id, ${userId}) and high_id = greatest(users.id, ${userId})
  )`;

/** Accounts of the same device, then of rarely shared addresses; none marked as unrelated and none of the desk. */
export async function linkedAccounts(db: Db, userId: bigint, now: Date): Promise<LinkedAccountRow[]> {
  const { rows } = await sql<LinkedAccountRow>`
    with own as (select distinct ip, device_id from login_events where user_id = ${userId}),
    shared as (
      select other.user_id, 'device' as what, max(other.at) as seen_at
      from own join login_events other on other.device_id = own.device_id and own.device_id <> ''
      where other.user_id <> ${userId} group by other.user_id
      union all
      select other.user_id, 'address', max(other.at)
      from (select distinct ip from own where ip <> '') as own join login_events other on other.ip = own.ip
      where other.user_id <> ${userId} and (
        select count(*) from (select distinct user_id from login_events at_ip where at_ip.ip = own.ip) as people
      ) <= ${addressPeopleMax}
      group by other.user_id
    ), linked as (
      select distinct on (user_id) user_id, what, seen_at from shared order by user_id, what desc
    )
    select ${accountColumns(now)}, linked.seen_at
    from linked join users on users.id = linked.user_id
    where ${isLinkable(userId)}
    order by linked.what desc, is_banned desc, linked.seen_at desc limit ${sameRowsMax}`.execute(db);
  return rows;
}

/** Letters that a text about oneself needs at least, so that accounts with the same text are worth a look. */
const similarLettersMin = 12;
/** Bits in which hashes of similar pictures differ at most. */
const similarBits = 8;

/**
 * Accounts with a similar picture, also if mirrored, or with the same letters in their text about themselves; none
 * marked as unrelated and none of the desk. Reads every hash and text: only on request.
 */
export async function similarAccounts(db: Db, userId: bigint, now: Date): Promise<LinkedAccountRow[]> {
  const own = (await imagesOf(db, userId)).flatMap(({ phash }) =>
    phash !== null && isDistinctive(phash) ? [phash, mirroredHash(phash)] : [],
  );
  const letters = (text: RawBuilder<unknown>) => sql`regexp_replace(lower(${text}), '[^[:alpha:]]+', '', 'g')`;
  const { rows } = await sql<LinkedAccountRow>`
    with own as (select ${letters(sql.ref("about"))} as letters from users where id = ${userId}),
    alike as (
      select images.user_id, 'picture' as what
      from images join unnest(${own}::text[]) as one on
        bit_count(('x' || images.phash)::bit(64) # ('x' || one)::bit(64)) <= ${similarBits}
      where images.phash is not null and images.kind in ('avatar', 'photo') and images.removed_at is null
      union all
      select users.id, 'text' from users join own on ${letters(sql.ref("users.about"))} = own.letters
      where users.about <> '' and length(own.letters) >= ${similarLettersMin}
    ), linked as (
      select distinct on (user_id) user_id, what from alike where user_id <> ${userId} order by user_id, what
    )
    select ${accountColumns(now)}, users.last_login_at as seen_at
    from linked join users on users.id = linked.user_id
    where ${isLinkable(userId)}
    order by linked.what, is_banned desc, users.last_login_at desc limit ${sameRowsMax}`.execute(db);
  return rows;
}

export function findUsers(db: Db, text: string) {
  const digits = text.replaceAll(/[\s\u2066-\u2069]/g, "");
  const people = db
    .selectFrom("users")
    .select(["id", "user_no", "nickname", "avatar_key"])
    .where("official", "=", false)
    .where("erased_at", "is", null);
  if (/^\d{8}$/.test(digits)) return people.where("user_no", "=", digits).execute();
  return people
    .where(sql<boolean>`starts_with(search_name, fold_name(${text.trim()}))`)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .limit(10)
    .execute();
}
