import { type Kysely, sql } from "kysely";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { homePeople as homePeopleEndpoint } from "@fava/wire/endpoints/social.ts";
import { homePeopleMax, listPageRows, recentMs } from "@fava/wire/limits.ts";
import { isCallSince } from "#db/call-days.ts";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import { unreadKindWords } from "./kind-words.ts";
import { firstCursor, readListedIds } from "./people-pages.ts";
import type { SocialService } from "./social-service.ts";

type Db = Kysely<Database>;

interface Viewer {
  readonly userId: bigint;
  readonly language: string;
}

/** The people on a user's home screen. Of the friends only the newest are looked up. */
export async function homePeople(
  { db, clock, social }: { db: Db; clock: Clock; social: Pick<SocialService, "cards"> },
  { userId, language }: Viewer,
): Promise<OutputOf<typeof homePeopleEndpoint>> {
  const nowMs = clock.nowMs();
  const since = new Date(nowMs - recentMs);
  const [wishes, missedIds, friendIds, words] = await Promise.all([
    readMutualRematches(db, userId, since),
    readMissedRings(db, userId, since),
    readListedIds(db, { list: "friends", userId, after: firstCursor }),
    unreadKindWords(db, userId, new Date(nowMs)),
  ]);
  const newest = friendIds.map(({ id }) => id).slice(0, listPageRows);
  const ids = new Set([...wishes.map(({ id }) => id), ...missedIds, ...newest, ...words.map(({ id }) => id)]);
  const cards = await social.cards(userId, [...ids], language);
  const kind_words = words.flatMap(({ id, word }) => {
    const person = cards.get(id);
    return person ? [{ person, word }] : [];
  });
  const cardsOf = (wanted: readonly bigint[]) => wanted.flatMap((id) => cards.get(id) ?? []);
  return {
    meets: wishes.flatMap(({ id, at }) => {
      const person = cards.get(id);
      return person ? [{ person, until: at.getTime() + recentMs }] : [];
    }),
    missed: cardsOf(missedIds).filter(({ followStatus }) => followStatus === 2),
    friends: cardsOf(newest)
      .filter(({ presence }) => presence === "online")
      .slice(0, homePeopleMax),
    ...(kind_words.length > 0 && { kind_words }),
  };
}

/** Users with whom the wish to meet again is mutual. `at`: when the older of the two requests was sent. */
async function readMutualRematches(db: Db, userId: bigint, since: Date): Promise<{ id: bigint; at: Date }[]> {
  const { rows } = await sql<{ id: bigint; at: Date }>`
    select mine.other_id as id, least(mine.at, theirs.at) as at
    from meet_wishes as mine
    join meet_wishes as theirs on theirs.user_id = mine.other_id and theirs.other_id = mine.user_id
    where mine.user_id = ${userId} and mine.at >= ${since} and theirs.at >= ${since}
    order by greatest(mine.at, theirs.at) desc, mine.other_id
    limit ${homePeopleMax}`.execute(db);
  return rows;
}

/** Users whose missed ring is the last message of the conversation, without a call of the two since. */
async function readMissedRings(db: Db, userId: bigint, since: Date): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select message.sender_id as id
    from (
      select last_message_id from conversation_sides
      where user_id = ${userId}
      order by last_message_id desc
      limit ${listPageRows}
    ) as side
    join messages as message on message.id = side.last_message_id
    where message.kind = 'missed' and message.sender_id <> ${userId} and message.sent_at >= ${since}
      and not exists (
        select from calls
        where (offerer_id, answerer_id) in ((${userId}::bigint, message.sender_id), (message.sender_id, ${userId}::bigint))
          and matched_at >= message.sent_at and ${isCallSince("id", since)}
      )
    order by message.id desc
    limit ${homePeopleMax}`.execute(db);
  return rows.map(({ id }) => id);
}
