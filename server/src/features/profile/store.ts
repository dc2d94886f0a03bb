import type { MatchWish } from "@fava/wire/beans.ts";
import type { Kysely, Selectable, Updateable } from "kysely";
import type { UsersTable } from "#db/account-tables.ts";
import type { Database } from "#db/schema.ts";
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

/** What a person signs in with; a seeded person of the sandbox has three. */
export function identitiesOf(db: Db, userId: bigint): Promise<IdentityKey[]> {
  return db
    .selectFrom("identities")
    .select(["login_type", "third_party_id"])
    .where("user_id", "=", userId)
    .orderBy("login_type")
    .execute();
}

export async function setColumns(db: Db, userId: bigint, columns: Updateable<UsersTable>): Promise<void> {
  await db.updateTable("users").set(columns).where("id", "=", userId).execute();
}

export async function saveWish(db: Db, userId: bigint, wish: MatchWish & { at: Date }): Promise<void> {
  const row = { sex: wish.sex, country: wish.country, updated_at: wish.at };
  await db
    .insertInto("match_wishes")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
}
