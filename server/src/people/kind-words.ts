import { type Kysely, type RawBuilder, sql } from "kysely";
import { kindWordCallMs, kindWordKeptMs, kindWordsShownMax } from "@fava/wire/limits.ts";
import type { KindWord } from "@fava/wire/people.ts";
import { isCallSince } from "#db/call-days.ts";
import type { Database } from "#db/schema.ts";
import { badInput, forbidden } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import { notBlocked } from "./directory-store.ts";
import type { SocialService } from "./social-service.ts";

type Db = Kysely<Database>;

/**
 * Stores one word for a call and direction; the first one counts, and a word for an earlier call or none replaces
 * nothing. Whether it is delivered is decided when it is read, so that the sender never learns it.
 * @throws EndpointError 400 for oneself; 403 `not_met`.
 */
export async function sendKindWord(
  { db, clock, social }: { db: Db; clock: Clock; social: Pick<SocialService, "haveMet"> },
  { userId, otherId, callId, word }: { userId: bigint; otherId: bigint; callId: string; word: KindWord },
): Promise<void> {
  if (userId === otherId) throw badInput("must be another user", "other_id");
  if (!(await social.haveMet(userId, otherId))) throw forbidden("not_met");
  const now = new Date(clock.nowMs());
  await sql`
    insert into kind_words (user_id, other_id, call_id, word, at)
    values (${userId}, ${otherId}, ${callId}, ${word}, ${now})
    on conflict (user_id, other_id) do update set
      call_id = excluded.call_id, word = excluded.word, at = excluded.at, read_at = null
    where kind_words.at < (
      select matched_at from calls where id = excluded.call_id and ${isCallSince("id", keptSince(now))}
    )`.execute(db);
}

/** Delivered words that the user has not read, newest first. */
export async function unreadKindWords(db: Db, userId: bigint, now: Date): Promise<{ id: bigint; word: KindWord }[]> {
  const { rows } = await sql<{ id: bigint; word: KindWord }>`
    select user_id as id, word from kind_words
    where other_id = ${userId} and read_at is null and ${isDelivered(now)}
    order by at desc limit ${kindWordsShownMax}`.execute(db);
  return rows;
}

/** The user has seen all delivered words. */
export async function readKindWords(db: Db, userId: bigint, now: Date): Promise<void> {
  await sql`
    update kind_words set read_at = ${now}
    where other_id = ${userId} and read_at is null and ${isDelivered(now)}`.execute(db);
}

export async function deleteOldKindWords(db: Db, nowMs: number): Promise<void> {
  await sql`delete from kind_words where ${keptUntil} < ${new Date(nowMs)}`.execute(db);
}

/** Words for calls before this moment are gone. */
function keptSince(now: Date): Date {
  return new Date(now.getTime() - 2 * kindWordKeptMs);
}

const keptUntil = sql`coalesce(kind_words.read_at, kind_words.at) + ${kindWordKeptMs} * interval '1 millisecond'`;

/** Ends of calls that neither checks nor a ban caused. */
const plainEnds = sql`('next', 'stop', 'left', 'lost', 'restart')`;

/**
 * SQL: a row of `kind_words` reaches its receiver. The call was long enough and had a plain end, and neither of the two
 * has since blocked or reported the other, is banned, or is restricted.
 */
export function isDelivered(now: Date): RawBuilder<boolean> {
  const since = keptSince(now);
  const either = sql`(kind_words.user_id, kind_words.other_id)`;
  return sql<boolean>`(
    ${keptUntil} >= ${now}
    and ${notBlocked(sql`kind_words.user_id`, sql`kind_words.other_id`)}
    and exists (
      select from calls
      where calls.id = kind_words.call_id and ${isCallSince("calls.id", since)}
        and calls.offerer_id in ${either} and calls.answerer_id in ${either}
        and calls.end_reason in ${plainEnds}
        and calls.ended_at - calls.connected_at >= ${kindWordCallMs} * interval '1 millisecond'
    )
    and not exists (
      select from reports
      where reports.reporter_id in ${either} and reports.reported_id in ${either} and reports.at >= ${since}
    )
    and not exists (
      select from standing
      where standing.user_id in ${either} and greatest(paused_until, muted_until, banned_until) > ${now}
    )
  )`;
}
