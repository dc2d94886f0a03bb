import { claimMs } from "@fava/wire/limits.ts";
import type { Claim } from "@fava/wire/moderation.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import { type CallError, forbidden } from "#http/call-error.ts";

type Db = Kysely<Database>;

/** Whoever had an item last may still decide it for so long, unless somebody else took it. */
const keptMs = 86_400_000;

/** Who works on an item, as it is stored. */
export interface ClaimRow {
  readonly moderatorId: bigint;
  readonly name: string;
  readonly until: Date;
}

/**
 * Takes an item or renews the claim on it, unless it is another's: one statement, so that of two moderators who ask at
 * once one has it (rule CASE-40).
 *
 * @returns the claim in force afterwards, the other's where there is one.
 */
export async function takeClaim(
  db: Db,
  item: string,
  { moderatorId, at }: { moderatorId: bigint; at: Date },
): Promise<ClaimRow> {
  const until = new Date(at.getTime() + claimMs);
  const { rows } = await sql<{ moderator_id: bigint; until: Date; nickname: string }>`
    with taken as (
      insert into claims (item, moderator_id, until) values (${item}, ${moderatorId}, ${until})
      on conflict (item) do update set moderator_id = excluded.moderator_id, until = excluded.until
      where claims.moderator_id = excluded.moderator_id or claims.until <= ${at}
      returning moderator_id, until
    )
    select moderator_id, until, nickname from taken join users on users.id = moderator_id`.execute(db);
  const [own] = rows;
  if (own) return { moderatorId: own.moderator_id, name: own.nickname, until: own.until };
  const [other] = (await claimsOn(db, [item], at)).values();
  // Given back or run out in this moment: the next try gets it.
  return other ?? takeClaim(db, item, { moderatorId, at });
}

export async function giveBack(db: Db, item: string, moderatorId: bigint): Promise<void> {
  await db.deleteFrom("claims").where("item", "=", item).where("moderator_id", "=", moderatorId).execute();
}

/** Claims in force on these items. */
export async function claimsOn(db: Db, items: readonly string[], at: Date): Promise<ReadonlyMap<string, ClaimRow>> {
  if (items.length === 0) return new Map();
  const rows = await db
    .selectFrom("claims")
    .innerJoin("users", "users.id", "claims.moderator_id")
    .select(["item", "moderator_id", "until", "nickname"])
    .where("item", "in", items)
    .where("until", ">", at)
    .execute();
  return new Map(
    rows.map((row) => [row.item, { moderatorId: row.moderator_id, name: row.nickname, until: row.until }]),
  );
}

/** A claim as its reader sees it. */
export function claimSeen(claim: ClaimRow | undefined, readerId: bigint): Claim | null {
  return claim ? { mine: claim.moderatorId === readerId, name: claim.name, until: claim.until.getTime() } : null;
}

/**
 * Lets a decision go on only with the claim (rule CASE-47). One that ran out still counts as long as nobody else took it:
 * whoever read for long decides about what they have read.
 *
 * @throws CallError 403 `not_claimed`, or `claimed` with `name` and `until`.
 */
export async function requireClaim(
  db: Db,
  item: string,
  { moderatorId, at }: { moderatorId: bigint; at: Date },
): Promise<void> {
  const renewed = await db
    .updateTable("claims")
    .set({ until: new Date(at.getTime() + claimMs) })
    .where("item", "=", item)
    .where("moderator_id", "=", moderatorId)
    .returning("item")
    .executeTakeFirst();
  if (renewed) return;
  const [other] = (await claimsOn(db, [item], at)).values();
  throw other ? claimedBy(other) : forbidden("not_claimed");
}

/**
 * Takes an item to decide it in the same breath.
 *
 * @throws CallError 403 `claimed` with `name` and `until`.
 */
export async function claimToDecide(
  db: Db,
  item: string,
  { moderatorId, at }: { moderatorId: bigint; at: Date },
): Promise<void> {
  const claim = await takeClaim(db, item, { moderatorId, at });
  if (claim.moderatorId !== moderatorId) throw claimedBy(claim);
}

function claimedBy({ name, until }: ClaimRow): CallError {
  return forbidden("claimed", { name, until: until.getTime() });
}

/** Claims that ran out long ago are of no use to anybody. */
export async function forgetClaims(db: Db, at: Date): Promise<void> {
  await db
    .deleteFrom("claims")
    .where("until", "<=", new Date(at.getTime() - keptMs))
    .execute();
}
