import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { accountRestoreMs } from "@fava/wire/limits.ts";
import type { LoginType } from "@fava/wire/people.ts";
import type { Database } from "#db/schema.ts";
import { badInput, forbidden } from "#lib/errors.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { SessionKeys } from "./session-keys.ts";

export type AccountRow = Selectable<Database["users"]>;

export interface Identity {
  loginType: LoginType;
  thirdPartyId: string;
}

const userNumberTriesMax = 8;

/** Whether to import the provider's picture: the user has none, and no moderator removed one before. */
export async function hasNoAvatar(db: Kysely<Database>, userId: bigint): Promise<boolean> {
  const { rows } = await sql`
    select from users
    where id = ${userId} and avatar_key = '' and not exists (
      select from audit_log
      where subject_id = users.id and (
        kind in ('image_delete', 'images_delete') or (kind = 'reset' and detail::jsonb ->> 'field' = 'avatar')
      )
    )`.execute(db);
  return rows.length > 0;
}

/** Locks the account of an identity. The advisory lock keeps two first sign-ins from creating two accounts. */
export async function lockedAccount(trx: Transaction<Database>, identity: Identity): Promise<AccountRow | undefined> {
  const name = `identity:${identity.loginType}:${identity.thirdPartyId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
  return trx
    .selectFrom("users")
    .innerJoin("identities", "identities.user_id", "users.id")
    .selectAll("users")
    .where("login_type", "=", identity.loginType)
    .where("third_party_id", "=", identity.thirdPartyId)
    .forUpdate("users")
    .executeTakeFirst();
}

/** Creates an account. Its public number is random, so that it does not reveal how many accounts exist. */
export async function createAccount(
  trx: Transaction<Database>,
  random: Random,
  account: { identity: Identity; nickname: string; countryId: number; at: Date },
): Promise<AccountRow> {
  for (let tries = 0; tries < userNumberTriesMax; tries += 1) {
    const number = String(random.integer(10_000_000, 99_999_999));
    const user = await trx
      .insertInto("users")
      .values({
        user_no: number,
        external_id: randomId(random),
        nickname: account.nickname === "" ? number : account.nickname,
        avatar_key: "",
        sex: 0,
        birthday: null,
        country_id: account.countryId,
        role: 0,
        language: "en",
        created_at: account.at,
        last_login_ip: "",
        device_id: "",
      })
      .onConflict((conflict) => conflict.column("user_no").doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!user) continue;
    await trx
      .insertInto("identities")
      .values({
        login_type: account.identity.loginType,
        third_party_id: account.identity.thirdPartyId,
        user_id: user.id,
      })
      .execute();
    return user;
  }
  throw new Error(`no free account number in ${userNumberTriesMax} tries`);
}

/** Whether the user signed in with this device before. */
export async function isKnownDevice(trx: Transaction<Database>, userId: bigint, deviceId: string): Promise<boolean> {
  const before = await trx
    .selectFrom("login_events")
    .select("id")
    .where("user_id", "=", userId)
    .where("device_id", "=", deviceId)
    .where("device_id", "<>", "")
    .limit(1)
    .executeTakeFirst();
  return before !== undefined;
}

export async function recordLogin(
  trx: Transaction<Database>,
  userId: bigint,
  login: {
    at: Date;
    ip: string;
    deviceId: string;
    userAgent: string;
    language: string;
    countryId: number | undefined;
    role: number | undefined;
  },
): Promise<AccountRow> {
  await trx
    .insertInto("login_events")
    .values({ user_id: userId, ip: login.ip, device_id: login.deviceId, user_agent: login.userAgent, at: login.at })
    .execute();
  return trx
    .updateTable("users")
    .set({
      last_login_at: login.at,
      last_login_ip: login.ip,
      device_id: login.deviceId,
      language: login.language,
      ...(login.countryId === undefined ? {} : { country_id: login.countryId }),
      ...(login.role === undefined ? {} : { role: login.role }),
    })
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

type Trx = Transaction<Database>;

function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + accountRestoreMs);
}

/** Whether erasure has begun, perhaps on a server whose clock is ahead of this one (rule DATA-203). */
function isErasureBegun({ erasure_began_at, erased_at }: AccountRow): boolean {
  return erasure_began_at !== null || erased_at !== null;
}

/** Marks the account as deleted; idempotent. Returns the time of the first deletion. */
export async function markDeleted(trx: Trx, userId: bigint, at: Date): Promise<Date> {
  const user = await lockedUser(trx, userId);
  if (!user) throw new Error("a session without an account");
  if (user.deleted_at !== null) return user.deleted_at;
  await trx.updateTable("users").set({ deleted_at: at }).where("id", "=", userId).execute();
  return at;
}

/**
 * The account; null if it was deleted for good, after which the identity is free for a new one.
 * @throws EndpointError 403 `account_deleted` while the user can restore the account.
 */
export async function unlessDeleted(
  trx: Trx,
  user: AccountRow,
  { keys, at }: { keys: SessionKeys; at: Date },
): Promise<AccountRow | null> {
  if (user.deleted_at === null) return user;
  const until = restorableUntil(user.deleted_at);
  if (!isErasureBegun(user) && until > at) {
    const restore_token = keys.restoreToken({ userId: user.id, deletedAtMs: user.deleted_at.getTime() }, at.getTime());
    throw forbidden("account_deleted", { until: until.getTime(), restore_token });
  }
  await trx.deleteFrom("identities").where("user_id", "=", user.id).execute();
  return null;
}

/**
 * Restores a deleted account and locks it until the transaction ends.
 * @throws EndpointError 400 for a forged or expired token, or if the deletion can no longer be reverted.
 */
export async function cancelDeletion(
  trx: Trx,
  restoreToken: string,
  { keys, at }: { keys: SessionKeys; at: Date },
): Promise<{ userId: bigint; deletedAt: Date }> {
  const deletion = keys.deletionOfRestoreToken(restoreToken, at.getTime());
  const user = deletion && (await lockedUser(trx, deletion.userId));
  const isThisDeletion = user?.deleted_at?.getTime() === deletion?.deletedAtMs;
  if (!user?.deleted_at || !isThisDeletion || isErasureBegun(user) || restorableUntil(user.deleted_at) <= at) {
    throw badInput("not restorable", "restore_token");
  }
  await trx.updateTable("users").set({ deleted_at: null }).where("id", "=", user.id).execute();
  return { userId: user.id, deletedAt: user.deleted_at };
}

export function lockedUser(trx: Trx, userId: bigint): Promise<AccountRow | undefined> {
  return trx.selectFrom("users").selectAll().where("id", "=", userId).forUpdate().executeTakeFirst();
}
