import { accountRestoreMs } from "@fava/wire/limits.ts";
import type { Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { badInput, forbidden } from "#http/call-error.ts";
import type { UserRow } from "./account-store.ts";
import type { SessionKeys } from "./session-keys.ts";

type Trx = Transaction<Database>;

/** Until when an account that was deleted at that time can come back (rule DATA-5). */
function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + accountRestoreMs);
}

/** Marks the account as deleted and answers since when it is; deleting it again changes nothing. */
export async function markDeleted(trx: Trx, userId: bigint, at: Date): Promise<Date> {
  const user = await lockedUser(trx, userId);
  if (!user) throw new Error("a session of nobody");
  if (user.deleted_at !== null) return user.deleted_at;
  await trx.updateTable("users").set({ deleted_at: at }).where("id", "=", userId).execute();
  return at;
}

/**
 * What a sign-in to a known account comes to: the account, or null where it was deleted for good, so that the identity
 * is free for a new one.
 *
 * @throws CallError 403 `account_deleted` while it can come back.
 */
export async function notDeleted(
  trx: Trx,
  user: UserRow,
  { keys, at }: { keys: SessionKeys; at: Date },
): Promise<UserRow | null> {
  if (user.deleted_at === null) return user;
  const until = restorableUntil(user.deleted_at);
  if (user.erased_at === null && until > at) {
    const restore_token = keys.restoreToken({ userId: user.id, deletedAtMs: user.deleted_at.getTime() }, at.getTime());
    throw forbidden("account_deleted", { until: until.getTime(), restore_token });
  }
  await trx.deleteFrom("identities").where("user_id", "=", user.id).execute();
  return null;
}

/**
 * Takes the deletion back that this token was made for; the account stays locked until the transaction ends.
 *
 * @throws CallError 400 for a token that is not ours, too old, or of a deletion that is over.
 */
export async function takeBackDeletion(
  trx: Trx,
  restoreToken: string,
  { keys, at }: { keys: SessionKeys; at: Date },
): Promise<bigint> {
  const deletion = keys.deletionOfRestoreToken(restoreToken, at.getTime());
  const user = deletion && (await lockedUser(trx, deletion.userId));
  const isThisDeletion = user?.deleted_at?.getTime() === deletion?.deletedAtMs;
  if (!user?.deleted_at || !isThisDeletion || user.erased_at !== null || restorableUntil(user.deleted_at) <= at) {
    throw badInput("not restorable", "restore_token");
  }
  await trx.updateTable("users").set({ deleted_at: null }).where("id", "=", user.id).execute();
  return user.id;
}

function lockedUser(trx: Trx, userId: bigint): Promise<UserRow | undefined> {
  return trx.selectFrom("users").selectAll().where("id", "=", userId).forUpdate().executeTakeFirst();
}
