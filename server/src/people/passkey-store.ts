import type { Kysely, Selectable, Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

type Db = Kysely<Database>;
export type PasskeyRow = Selectable<Database["passkeys"]>;

/** A user's passkeys, the oldest first. */
export function passkeysOf(db: Db, userId: bigint): Promise<PasskeyRow[]> {
  return db
    .selectFrom("passkeys")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** The passkey with its user's chat id, which is the passkey's user handle. */
export function passkeyById(db: Db, id: string): Promise<(PasskeyRow & { external_id: string }) | undefined> {
  return db
    .selectFrom("passkeys")
    .innerJoin("users", "users.id", "passkeys.user_id")
    .selectAll("passkeys")
    .select("users.external_id")
    .where("passkeys.id", "=", id)
    .executeTakeFirst();
}

/** False if a passkey with this id is stored. */
export async function insertPasskey(trx: Transaction<Database>, passkey: PasskeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("passkeys")
    .values(passkey)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Stores a use. False if the passkey is gone, or another sign-in has stored this counter or a higher one. */
export async function passkeyUsed(db: Db, id: string, use: { count: bigint; at: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("passkeys")
    .set({ sign_count: use.count, used_at: use.at })
    .where("id", "=", id)
    .where("sign_count", use.count === 0n ? "=" : "<", use.count)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deletePasskey(db: Db, userId: bigint, id: string): Promise<void> {
  await db.deleteFrom("passkeys").where("user_id", "=", userId).where("id", "=", id).execute();
}

export async function codesLeft(db: Db, userId: bigint): Promise<number> {
  const { count } = await db
    .selectFrom("recovery_codes")
    .select((row) => row.fn.countAll<bigint>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function replaceCodes(
  trx: Transaction<Database>,
  userId: bigint,
  { hashes, at }: { hashes: readonly Buffer[]; at: Date },
): Promise<void> {
  await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash, created_at: at }));
  await trx.insertInto("recovery_codes").values(rows).execute();
}

/** Deletes a code. Of two concurrent calls one gets true. */
export async function takeCode(db: Db, userId: bigint, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
