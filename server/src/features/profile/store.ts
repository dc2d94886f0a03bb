import type { MatchWish } from "@fava/wire/beans.ts";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Database, UsersTable } from "#db/schema.ts";
import type { IdentityKey } from "./age-refusals.ts";

export type UserRow = Selectable<UsersTable>;
type Db = Kysely<Database>;

export function userById(db: Db, userId: bigint): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirst();
}

/** The user, locked until the transaction ends: two updates of one person come one after the other. */
export function lockedUser(db: Db, userId: bigint): Promise<UserRow> {
  return db.selectFrom("users").selectAll().where("id", "=", userId).forUpdate().executeTakeFirstOrThrow();
}

export async function userIdByExternalId(db: Db, externalId: string): Promise<bigint | null> {
  const user = await db.selectFrom("users").select("id").where("external_id", "=", externalId).executeTakeFirst();
  return user?.id ?? null;
}

/** What a person signs in with; a seeded person of the sandbox has three. */
export function identitiesOf(db: Db, userId: bigint): Promise<IdentityKey[]> {
  return db
    .selectFrom("identities")
    .select(["login_type", "third_party_id"])
    .where("user_id", "=", userId)
    .orderBy("login_type")
    .execute();
}

export async function setBirthdayAndSex(
  db: Db,
  userId: bigint,
  given: { birthday?: string; sex?: 1 | 2 },
): Promise<void> {
  await db.updateTable("users").set(given).where("id", "=", userId).execute();
}

export async function saveWish(db: Db, userId: bigint, wish: MatchWish & { at: Date }): Promise<void> {
  const row = { sex: wish.sex, country: wish.country, updated_at: wish.at };
  await db
    .insertInto("match_wishes")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
}

/** Whether the two were in a call that was matched at `since` or later. */
export async function haveMet(db: Db, pair: { one: bigint; other: bigint; since: Date }): Promise<boolean> {
  const { one, other, since } = pair;
  const met = await sql<{ met: boolean }>`
    select exists (select from calls where offerer_id = ${one} and answerer_id = ${other} and matched_at >= ${since})
        or exists (select from calls where offerer_id = ${other} and answerer_id = ${one} and matched_at >= ${since}) as met
  `.execute(db);
  return met.rows[0]?.met ?? false;
}
