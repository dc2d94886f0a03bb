import { type Kysely, sql, type Transaction } from "kysely";
import { recentMs } from "@fava/wire/limits.ts";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import { areFriends, isHidden } from "./directory-store.ts";
import { deleteExpiredInvitations, isInvited } from "./invitation-store.ts";
import { storeMissed } from "./message-sender.ts";
import type { StoredMessage } from "./message-store.ts";
import { lockPair } from "./relation-store.ts";
import { type Ring, type RingEvent, type RingStep, stepRing } from "./ring-machine.ts";

type Db = Kysely<Database>;

type Mails = Pick<MailOutbox, "add">;

export interface RingChange extends RingStep {
  readonly ring: Ring;
  readonly offer: string | null;
  readonly language: string;
  /** The line that the ring leaves in the conversation; null for none. */
  readonly line: StoredMessage | null;
}

export interface NewRing extends Omit<Ring, "state"> {
  readonly offer: string | null;
  /** Whether the callee may be matched and is either at a page and in no call, or can be notified. */
  readonly isFree: boolean;
}

export type RingBeginning =
  | { readonly kind: "stranger" }
  | { readonly kind: "unavailable" }
  /** A new ring. `before`: the caller's ring to another user, which it ended. */
  | { readonly kind: "begun"; readonly ring: Ring; readonly before: RingChange | null }
  /** The ring was ringing already. It has the new offer now. */
  | { readonly kind: "same"; readonly ring: Ring }
  /** The opposite ring was ringing, and is now accepted. */
  | { readonly kind: "accepted"; readonly change: RingChange };

interface RingRow {
  readonly id: string;
  readonly ringer_id: bigint;
  readonly rung_id: bigint;
  readonly at: Date;
  readonly until: Date;
  readonly state: Ring["state"];
  readonly away: boolean;
}

/** Begins a ring, unless one of the two has another one. Serialized across servers. */
export function beginRing(db: Db, ring: NewRing, mails: Mails): Promise<RingBeginning> {
  const { callerId, calleeId, atMs } = ring;
  return db.transaction().execute(async (trx) => {
    await lockPair(trx, callerId, calleeId);
    const facts = await factsOf(trx, ring);
    if (!facts.allowed || facts.hidden) return { kind: "stranger" };
    const live = await liveOf(trx, [callerId, calleeId], atMs);
    const between = live.find((one) => one.callerId === callerId && one.calleeId === calleeId);
    if (between) {
      // The caller's page was replaced, and the new page can use only an answer to its own offer.
      await trx.updateTable("rings").set({ offer: ring.offer }).where("id", "=", between.id).execute();
      return { kind: "same", ring: between };
    }
    const opposite = live.find((one) => one.callerId === calleeId && one.calleeId === callerId);
    if (opposite) {
      const change = await changed(trx, opposite, { event: { type: "accepted", byId: callerId }, nowMs: atMs, mails });
      if (change) return { kind: "accepted", change };
    }
    const own = live.find((one) => one.callerId === callerId);
    if (!ring.isFree || !facts.wants || live.some((one) => one !== own)) return { kind: "unavailable" };
    const before = own
      ? await changed(trx, own, { event: { type: "ended", byId: callerId }, nowMs: atMs, mails })
      : null;
    const { id, offer, untilMs, isAway } = ring;
    await trx
      .insertInto("rings")
      .values({
        id,
        offer,
        ringer_id: callerId,
        rung_id: calleeId,
        state: "ringing",
        away: isAway,
        at: new Date(atMs),
        until: new Date(untilMs),
      })
      .execute();
    return { kind: "begun", ring: { id, callerId, calleeId, atMs, untilMs, state: "ringing", isAway }, before };
  });
}

/** Applies an event once, from any server; null if it has no effect. */
export function changeRing(
  db: Db,
  id: string,
  happened: { event: RingEvent; nowMs: number; mails: Mails },
): Promise<RingChange | null> {
  return db.transaction().execute(async (trx) => {
    const row = await ringRows(trx).where("id", "=", id).forUpdate().executeTakeFirst();
    return row ? changed(trx, ringOf(row), happened) : null;
  });
}

export async function ringById(db: Db, id: string): Promise<Ring | null> {
  const row = await ringRows(db).where("id", "=", id).executeTakeFirst();
  return row ? ringOf(row) : null;
}

export async function isRinging(db: Db, id: string, at: Date): Promise<boolean> {
  const row = await ringRows(db)
    .where("id", "=", id)
    .where("state", "=", "ringing")
    .where("until", ">", at)
    .executeTakeFirst();
  return row !== undefined;
}

export async function ringOfPerson(db: Db, userId: bigint, nowMs: number): Promise<Ring | null> {
  const row = await ringRows(db)
    .where("state", "=", "ringing")
    .where("until", ">", new Date(nowMs))
    .where((where) => where.or([where("ringer_id", "=", userId), where("rung_id", "=", userId)]))
    .executeTakeFirst();
  return row ? ringOf(row) : null;
}

export async function ringBetween(db: Db, pair: { one: bigint; other: bigint; nowMs: number }): Promise<Ring | null> {
  const ring = await ringOfPerson(db, pair.one, pair.nowMs);
  return ring && (ring.callerId === pair.other || ring.calleeId === pair.other) ? ring : null;
}

/** Whether a user may ring another: a friend, or the user who opened their invitation. */
export async function mayRing(
  db: Db,
  { callerId, calleeId, now }: { callerId: bigint; calleeId: bigint; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`
    select (${areFriends(callerId, calleeId)} or ${isInvited(callerId, calleeId, now)})
      and not (${isHidden(callerId, calleeId)} or ${isHidden(calleeId, callerId)}) as allowed`.execute(db);
  return rows[0]?.allowed ?? false;
}

export async function isAcceptedBetween(
  db: Db,
  pair: { one: bigint; other: bigint; since: Date; now: Date },
): Promise<boolean> {
  const { one, other, since, now } = pair;
  const { rows } = await sql<{ accepted: boolean }>`
    select exists (
      select from rings
      where (ringer_id, rung_id) in ((${one}::bigint, ${other}::bigint), (${other}::bigint, ${one}::bigint))
        and state = 'accepted' and ended_at >= ${since}
    )
    and (${areFriends(one, other)} or ${isInvited(one, other, now)} or ${isInvited(other, one, now)})
    and not (${isHidden(one, other)} or ${isHidden(other, one)}) as accepted`.execute(db);
  return rows[0]?.accepted ?? false;
}

export async function overdueRings(db: Db, { nowMs, rows }: { nowMs: number; rows: number }): Promise<string[]> {
  const found = await db
    .selectFrom("rings")
    .select("id")
    .where("state", "=", "ringing")
    .where("until", "<=", new Date(nowMs))
    .orderBy("until")
    .limit(rows)
    .execute();
  return found.map(({ id }) => id);
}

export async function deleteOldRings(db: Db, { before, now }: { before: Date; now: Date }): Promise<void> {
  await db.deleteFrom("rings").where("until", "<", before).where("state", "<>", "ringing").execute();
  await db.deleteFrom("ring_mutes").where("until", "<=", now).execute();
  await deleteExpiredInvitations(db, now);
}

/** Until when a user mutes the other one's rings; null if not. */
export async function ringMutedUntil(
  db: Db,
  { userId, otherId, now }: { userId: bigint; otherId: bigint; now: Date },
): Promise<Date | null> {
  const row = await db
    .selectFrom("ring_mutes")
    .select("until")
    .where("user_id", "=", userId)
    .where("other_id", "=", otherId)
    .where("until", ">", now)
    .executeTakeFirst();
  return row?.until ?? null;
}

export async function setRingMute(
  db: Db,
  { userId, otherId, until }: { userId: bigint; otherId: bigint; until: Date | null },
): Promise<void> {
  if (until === null)
    await db.deleteFrom("ring_mutes").where("user_id", "=", userId).where("other_id", "=", otherId).execute();
  else
    await db
      .insertInto("ring_mutes")
      .values({ user_id: userId, other_id: otherId, until })
      .onConflict((conflict) => conflict.columns(["user_id", "other_id"]).doUpdateSet({ until }))
      .execute();
}

function ringRows(db: Db) {
  return db.selectFrom("rings").select(["id", "ringer_id", "rung_id", "at", "until", "state", "away"]);
}

function ringOf({ id, ringer_id: callerId, rung_id: calleeId, at, until, state, away }: RingRow): Ring {
  return { id, callerId, calleeId, atMs: at.getTime(), untilMs: until.getTime(), state, isAway: away };
}

async function factsOf(trx: Transaction<Database>, { callerId, calleeId, atMs }: NewRing) {
  const now = new Date(atMs);
  const { rows } = await sql<{ allowed: boolean; hidden: boolean; wants: boolean }>`
    select
      ${areFriends(callerId, calleeId)} or ${isInvited(callerId, calleeId, now)} as allowed,
      ${isHidden(callerId, calleeId)} as hidden,
      (
        coalesce((select ringable from users where id = ${calleeId}), false)
        or ${isInvited(callerId, calleeId, now)}
      )
        and not exists (
          select from ring_mutes where user_id = ${calleeId} and other_id = ${callerId} and until > ${now}
        )
        and not exists (
          select from aparts where user_id = ${calleeId} and other_id = ${callerId} and until > ${now}
        ) as wants`.execute(trx);
  return rows[0]!;
}

/** Locks the ringing rings of these users. No other ring can begin, since the caller has locked both users. */
async function liveOf(trx: Transaction<Database>, people: readonly bigint[], nowMs: number): Promise<Ring[]> {
  const rows = await ringRows(trx)
    .where("state", "=", "ringing")
    .where("until", ">", new Date(nowMs))
    .where((where) => where.or([where("ringer_id", "in", people), where("rung_id", "in", people)]))
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(ringOf);
}

/** The caller has locked the ring's row. */
async function changed(
  trx: Transaction<Database>,
  ring: Ring,
  { event, nowMs, mails }: { event: RingEvent; nowMs: number; mails: Mails },
): Promise<RingChange | null> {
  const step = stepRing(ring, event, nowMs);
  if (!step) return null;
  const { id, callerId, calleeId } = ring;
  const now = new Date(nowMs);
  const before = await trx
    .updateTable("rings")
    .from("rings as before")
    .innerJoin("users", "users.id", "before.ringer_id")
    .set({ state: step.state, offer: null, ended_at: now })
    .where("rings.id", "=", id)
    .whereRef("before.id", "=", "rings.id")
    .returning(["before.offer", "users.language"])
    .executeTakeFirstOrThrow();
  const missedRing = { id, from: callerId, to: calleeId, now, metSince: new Date(nowMs - recentMs) };
  const line = step.leavesLine ? await storeMissed(trx, missedRing) : null;
  if (line && ring.isAway)
    await mails.add(trx, {
      template: "missed_call",
      matter: `ring:${id}`,
      facts: { atMs: ring.atMs },
      userId: calleeId,
    });
  return { ...step, ...before, ring: { ...ring, state: step.state }, line };
}
