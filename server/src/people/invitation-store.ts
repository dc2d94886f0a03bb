import { type Kysely, type RawBuilder, sql } from "kysely";
import { invitationsMax } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { isHidden } from "./directory-store.ts";

type Db = Kysely<Database>;

interface NewInvitation {
  readonly id: string;
  readonly userId: bigint;
  readonly at: Date;
  readonly until: Date;
}

/** @returns false if the user has `invitationsMax` valid ones. */
export async function addInvitation(db: Db, { id, userId, at, until }: NewInvitation): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
    if ((await invitationsOf(trx, userId, at)).length >= invitationsMax) return false;
    await trx.insertInto("invitations").values({ id, user_id: userId, at, until }).execute();
    return true;
  });
}

/** The user's valid invitations, newest first. */
export function invitationsOf(db: Db, userId: bigint, now: Date) {
  return db
    .selectFrom("invitations")
    .select(["id", "until", "other_id as openerId"])
    .where("user_id", "=", userId)
    .where("until", ">", now)
    .orderBy("at", "desc")
    .orderBy("id")
    .execute();
}

/** The user who made a valid invitation, also if another user has opened it. */
export async function makerOf(db: Db, id: string, now: Date): Promise<bigint | null> {
  const row = await db
    .selectFrom("invitations")
    .select("user_id")
    .where("id", "=", id)
    .where("until", ">", now)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

interface OpenedInvitation {
  readonly until: Date;
  /** The user had not opened it before. */
  readonly isFirst: boolean;
}

/** Opens an invitation, unless another user has; null if the user cannot. */
export async function openInvitation(
  db: Db,
  { id, userId, now }: { id: string; userId: bigint; now: Date },
): Promise<OpenedInvitation | null> {
  const { rows } = await sql<OpenedInvitation>`
    with before as (
      select id, other_id from invitations
      where id = ${id} and until > ${now} and coalesce(other_id, ${userId}) = ${userId}
        and not ${isHidden(userId, sql`invitations.user_id`)}
      for update
    )
    update invitations set other_id = ${userId} from before where invitations.id = before.id
    returning until, before.other_id is null as "isFirst"`.execute(db);
  return rows[0] ?? null;
}

/** @returns the user who had opened it; null if nobody had, undefined if the user has no such invitation. */
export async function removeInvitation(db: Db, userId: bigint, id: string): Promise<bigint | null | undefined> {
  const row = await db
    .deleteFrom("invitations")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("other_id")
    .executeTakeFirst();
  return row?.other_id;
}

/** Deletes the invitations by which the two could call each other, and returns their ids. */
export async function removeInvitationsBetween(db: Db, one: bigint, other: bigint): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from invitations
    where (user_id, other_id) in ((${one}::bigint, ${other}::bigint), (${other}::bigint, ${one}::bigint))
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function deleteExpiredInvitations(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("invitations").where("until", "<=", now).execute();
}

/** SQL: the opener has opened a valid invitation of the maker. */
export function isInvited(makerId: bigint, openerId: bigint, now: Date): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from invitations where user_id = ${makerId} and other_id = ${openerId} and until > ${now}
  )`;
}
