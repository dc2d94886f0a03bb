import { type Kysely, sql, type Transaction } from "kysely";
import { ageChecksPerDayMax, ageChecksPerMonthMax } from "@fava/wire/limits.ts";
import type { AgeGateReason } from "@fava/wire/endpoints/age.ts";
import { isNotHeld } from "#db/holds.ts";
import type { Database } from "#db/schema.ts";
import type { AgeResult, BegunAgeCheck } from "#ports/age-check.ts";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;

const dayMs = 86_400_000;
const monthMs = 30 * dayMs;

/** A vendor that has not answered a begin by then is not expected to. */
export const beginningMs = 30_000;

export interface PendingCheck {
  readonly id: bigint;
  readonly userId: bigint;
  readonly vendorRef: string;
  readonly expiresAt: Date;
}

export type Beginning =
  /** The row of a new check, which the vendor has to begin. */
  | { readonly kind: "new"; readonly id: bigint }
  /** The page of the user's running check. */
  | { readonly kind: "running"; readonly url: string }
  /** Another request begins a check now. */
  | { readonly kind: "busy" }
  /** The user has had too many checks. */
  | { readonly kind: "limit"; readonly untilMs: number };

/** Reserves a check, at most one at a time for each user. Requests of one user wait for each other. */
export async function reserveCheck(
  trx: Trx,
  { userId, vendor, why, at }: { userId: bigint; vendor: string; why: AgeGateReason; at: Date },
): Promise<Beginning> {
  await trx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
  const pending = await trx
    .selectFrom("age_checks")
    .select(["id", "vendor", "url", "created_at", "expires_at"])
    .where("user_id", "=", userId)
    .where("state", "=", "pending")
    .executeTakeFirst();
  if (pending) {
    const { id, url, created_at, expires_at } = pending;
    if (url === null && created_at.getTime() > at.getTime() - beginningMs) return { kind: "busy" };
    if (url !== null && pending.vendor === vendor && expires_at && expires_at > at) return { kind: "running", url };
    // A check that the vendor never began is no attempt.
    if (url === null) await trx.deleteFrom("age_checks").where("id", "=", id).execute();
    else await decideCheck(trx, id, { result: { state: "expired", method: null }, at });
  }
  const untilMs = await nextCheckMs(trx, userId, at);
  if (untilMs !== null) return { kind: "limit", untilMs };
  const { id } = await trx
    .insertInto("age_checks")
    .values({ user_id: userId, vendor, why, created_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { kind: "new", id };
}

/** When the user can begin the next check, in milliseconds since the epoch; null: now. */
export async function nextCheckMs(db: Db, userId: bigint, at: Date): Promise<number | null> {
  const rows = await db
    .selectFrom("age_checks")
    .select("created_at")
    .where("user_id", "=", userId)
    .where("created_at", ">", new Date(at.getTime() - monthMs))
    .orderBy("created_at", "desc")
    .limit(ageChecksPerMonthMax)
    .execute();
  const begunMs = rows.map(({ created_at }) => created_at.getTime());
  const ofDay = begunMs[ageChecksPerDayMax - 1];
  const ofMonth = begunMs[ageChecksPerMonthMax - 1];
  const untilMs = Math.max(ofDay === undefined ? 0 : ofDay + dayMs, ofMonth === undefined ? 0 : ofMonth + monthMs);
  return untilMs > at.getTime() ? untilMs : null;
}

/** Stores what the vendor began. False if the check is no longer pending. */
export async function storeBegun(
  db: Db,
  id: bigint,
  { begun: { url, vendorRef, expiresAt }, nextAskAt }: { begun: BegunAgeCheck; nextAskAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("age_checks")
    .set({ url, vendor_ref: vendorRef, expires_at: expiresAt, next_ask_at: nextAskAt })
    .where("id", "=", id)
    .where("state", "=", "pending")
    .where("vendor_ref", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes a check that the vendor did not begin. */
export async function dropCheck(db: Db, id: bigint): Promise<void> {
  await db.deleteFrom("age_checks").where("id", "=", id).where("vendor_ref", "is", null).execute();
}

/** Stores a result once. False if the check was decided before. */
export async function decideCheck(
  db: Db,
  id: bigint,
  { result: { state, method }, at }: { result: DecidedAge; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("age_checks")
    .set({ state, method, decided_at: at, url: null, next_ask_at: null })
    .where("id", "=", id)
    .where("state", "=", "pending")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A result that ends a check. */
export type DecidedAge = Exclude<AgeResult, { readonly state: "pending" }>;

export async function pendingOfUser(db: Db, userId: bigint, vendor: string): Promise<PendingCheck | null> {
  const row = await pendingChecks(db, vendor).where("user_id", "=", userId).executeTakeFirst();
  return row ? pendingOf(row) : null;
}

export async function pendingByRef(db: Db, vendor: string, vendorRef: string): Promise<PendingCheck | null> {
  const row = await pendingChecks(db, vendor).where("vendor_ref", "=", vendorRef).executeTakeFirst();
  return row ? pendingOf(row) : null;
}

interface PendingRow {
  id: bigint;
  user_id: bigint;
  vendor_ref: string | null;
  expires_at: Date | null;
}

function pendingChecks(db: Db, vendor: string) {
  return db
    .selectFrom("age_checks")
    .select(["id", "user_id", "vendor_ref", "expires_at"])
    .where("vendor", "=", vendor)
    .where("state", "=", "pending");
}

function pendingOf({ id, user_id, vendor_ref, expires_at }: PendingRow): PendingCheck | null {
  if (vendor_ref === null || expires_at === null) return null;
  return { id, userId: user_id, vendorRef: vendor_ref, expiresAt: expires_at };
}

const askedAtOnce = 20;
const askAgainMinMs = 15_000;
const askAgainMaxMs = 3_600_000;

/** Takes checks whose vendor is to be asked. Each is due again when its age has doubled, within bounds. */
export async function takeDueChecks(db: Db, vendor: string, at: Date): Promise<PendingCheck[]> {
  const { rows } = await sql<PendingRow>`
    update age_checks set next_ask_at = ${at}::timestamptz + least(
      greatest(${at}::timestamptz - created_at, ${askAgainMinMs} * interval '1 millisecond'),
      ${askAgainMaxMs} * interval '1 millisecond'
    )
    where id in (
      select id from age_checks where state = 'pending' and vendor = ${vendor} and next_ask_at <= ${at}
      order by next_ask_at limit ${askedAtOnce} for update skip locked
    )
    returning id, user_id, vendor_ref, expires_at`.execute(db);
  return rows.flatMap((row) => pendingOf(row) ?? []);
}

export interface AgeFacts {
  readonly state: "none" | "pending" | "failed";
  /** The last method failed, and was an estimate. */
  readonly hasFailedEstimate: boolean;
  /** Deadline of a moderator's question; null without one. */
  readonly until: Date | null;
  /** A document said that the user is under 18, and no moderator has decided about it. */
  readonly awaitsModerator: boolean;
}

/** The user's newest check that was not left without a result, and a moderator's question. */
export async function readAgeFacts(db: Db, userId: bigint, at: Date): Promise<AgeFacts> {
  const asked = await db
    .selectFrom("restraints")
    .select(["rule", "from_at", "until"])
    .where("user_id", "=", userId)
    .where("what", "=", "age")
    .where("lifted_at", "is", null)
    .execute();
  const sinceMs = Math.max(0, ...asked.map(({ from_at }) => from_at.getTime()));
  const newest = await db
    .selectFrom("age_checks")
    .select(["state", "method", "decided_at"])
    .where("user_id", "=", userId)
    .where("state", "<>", "expired")
    .where((where) => where.or([where("decided_at", "is", null), where("decided_at", ">=", new Date(sinceMs))]))
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const hasFailed = newest?.state === "failed";
  const questions = asked.filter(({ rule, until }) => rule === askedRule && until !== null && until > at);
  return {
    state: hasFailed ? "failed" : newest?.state === "pending" ? "pending" : "none",
    hasFailedEstimate: hasFailed && newest.method === "estimate",
    until: questions.map(({ until }) => until).find((until) => until !== null) ?? null,
    awaitsModerator: asked.some(({ rule }) => rule === documentRule),
  };
}

/** Rules of restraints that keep a user from meeting others before an age check. */
export const askedRule = "age_asked";
export const documentRule = "age_document";

/** Stores the day alone, since it outlasts the check's time of day. */
export async function storePass(trx: Trx, userId: bigint, at: Date): Promise<void> {
  const day = new Date(Math.floor(at.getTime() / dayMs) * dayMs);
  await trx.updateTable("users").set({ age_checked_at: day }).where("id", "=", userId).execute();
}

/** Stores the country of the session's latest address. False if it was stored before. */
export async function storeAddressCountry(db: Db, sessionId: string, countryId: number | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ address_country_id: countryId })
    .where("id", "=", sessionId)
    .where("address_country_id", "is distinct from", countryId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface KeptReference {
  readonly id: bigint;
  readonly vendor: string;
  readonly vendorRef: string;
  readonly decidedAt: Date | null;
}

/** Not those that an authority's hold keeps (rule PRIV-7). */
export async function oldReferences(db: Db, { before, at }: { before: Date; at: Date }): Promise<KeptReference[]> {
  const rows = await keptReferences(db)
    .where("decided_at", "<", before)
    .where(isNotHeld("age_checks.user_id", at))
    .orderBy("decided_at")
    .limit(100)
    .execute();
  return rows.flatMap(keptOf);
}

export async function referencesOf(db: Db, userId: bigint): Promise<KeptReference[]> {
  const rows = await keptReferences(db).where("user_id", "=", userId).execute();
  return rows.flatMap(keptOf);
}

function keptReferences(db: Db) {
  return db
    .selectFrom("age_checks")
    .select(["id", "vendor", "vendor_ref", "decided_at"])
    .where("vendor_ref", "is not", null);
}

function keptOf(row: {
  id: bigint;
  vendor: string;
  vendor_ref: string | null;
  decided_at: Date | null;
}): KeptReference[] {
  const { id, vendor, vendor_ref: vendorRef, decided_at: decidedAt } = row;
  return vendorRef === null ? [] : [{ id, vendor, vendorRef, decidedAt }];
}

/** Erases the vendor's number and the time of day. */
export async function eraseReference(db: Db, id: bigint): Promise<void> {
  await sql`
    update age_checks set vendor_ref = null, created_at = date_trunc('day', created_at, 'UTC'),
      decided_at = date_trunc('day', decided_at, 'UTC'), expires_at = null
    where id = ${id}`.execute(db);
}
