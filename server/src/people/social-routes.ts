import type { Kysely } from "kysely";
import type { PeoplePage } from "@fava/wire/endpoints/social.ts";
import { listPageRows, recentMs } from "@fava/wire/limits.ts";
import type { ReadReplica } from "#db/replica.ts";
import type { Database } from "#db/schema.ts";
import { avatarAddress } from "#lib/avatar-address.ts";
import { badInput } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import { homePeople } from "./home-people.ts";
import { readKindWords, sendKindWord } from "./kind-words.ts";
import {
  countListed,
  type Cursor,
  type PeopleList,
  readApart,
  readBlocked,
  readCursor,
  readListedIds,
  readRecent,
  writeCursor,
} from "./people-pages.ts";
import { findPeople, isBrowsing, readSearchCursor, stillMatching, writeSearchCursor } from "./people-search.ts";
import type { SocialService } from "./social-service.ts";
import { readWeek } from "./week.ts";

export interface SocialParts {
  db: Kysely<Database>;
  replica: Pick<ReadReplica, "isThere" | "read">;
  clock: Clock;
  social: SocialService;
}

type SocialCalls =
  | "follow"
  | "like"
  | "followList"
  | "fansList"
  | "friendList"
  | "likeList"
  | "block"
  | "unblock"
  | "blockList"
  | "recentList"
  | "meetAgain"
  | "apart"
  | "apartList"
  | "homePeople"
  | "kindSend"
  | "kindRead"
  | "myWeek"
  | "userSearch";

interface PageInput {
  user_id: number;
  cursor?: string | undefined;
}

interface RecentInput extends PageInput {
  other_id?: number | undefined;
}

export function socialHandlers(parts: SocialParts): Pick<Handlers, SocialCalls> {
  const { social } = parts;
  const list = (name: PeopleList) => (context: SignedInContext, input: PageInput) =>
    peoplePage(parts, { context, input, list: name });
  return {
    follow: async (context, input) => {
      const userId = selfId(context, input.userId, "userId");
      return { followStatus: await social.follow(userId, BigInt(input.followUserId), wanted(input.on)) };
    },
    like: async (context, input) => {
      const userId = selfId(context, input.userId, "userId");
      return { likeStatus: await social.like(userId, BigInt(input.likeUserId), wanted(input.on)) };
    },
    followList: list("follows"),
    fansList: list("fans"),
    friendList: list("friends"),
    likeList: list("likes"),
    block: async (context, input) => {
      await social.block(selfId(context, input.user_id), BigInt(input.other_id));
      return {};
    },
    unblock: async (context, input) => {
      await social.unblock(selfId(context, input.user_id), BigInt(input.other_id));
      return {};
    },
    blockList: async (context, input) => blockedPage(parts, selfId(context, input.user_id), readCursor(input.cursor)),
    recentList: async (context, input) => recentPage(parts, context, input),
    meetAgain: async (context, input) => {
      const userId = selfId(context, input.user_id);
      return { meet: await social.sendRematchRequest(userId, BigInt(input.other_id), input.on === 1) };
    },
    apart: async (context, input) => {
      const until = await social.keepApart(selfId(context, input.user_id), BigInt(input.other_id), input.on === 1);
      return { until: until && until.getTime() };
    },
    apartList: async (context, input) => apartPage(parts, selfId(context, input.user_id), readCursor(input.cursor)),
    homePeople: async (context, input) =>
      homePeople(parts, { userId: selfId(context, input.user_id), language: context.language }),
    kindSend: async (context, { user_id, other_id, call_id, word }) => {
      const userId = selfId(context, user_id);
      await sendKindWord(parts, { userId, otherId: BigInt(other_id), callId: call_id, word });
      return {};
    },
    kindRead: async (context, input) => {
      await readKindWords(parts.db, selfId(context, input.user_id), new Date(parts.clock.nowMs()));
      return {};
    },
    myWeek: async (context, input) => readWeek(parts, selfId(context, input.user_id)),
    userSearch: async (context, input) => {
      const userId = selfId(context, input.user_id);
      const { text, sex, minAge, maxAge, country, cursor } = input;
      const after = cursor === undefined ? null : readSearchCursor(cursor);
      const nowMs = parts.clock.nowMs();
      const order = { userId, text, sex, minAge, maxAge, country, after, nowMs };
      const { db, replica } = parts;
      const people = await replica.read(db, (reader) => findPeople(reader, order));
      // The replica may lack the latest bans and blocks, so the primary filters its result.
      const wanted = replica.isThere ? await stillMatching(db, people, order) : null;
      const shown = people.slice(0, listPageRows).filter(({ id }) => wanted?.has(id) ?? true);
      const rows = await cardsOf(parts, context, shown);
      // The cursor contains this user's name, so it must be a user whom the page shows.
      const last = shown.at(-1);
      const next = last && people.length > listPageRows ? writeSearchCursor(last) : null;
      const foundIds = rows.map((person) => BigInt(person.user_id));
      if (isBrowsing(order)) await social.found.countBrowsed(userId, foundIds);
      await social.found.remember(userId, foundIds);
      return { rows, next };
    },
  };
}

async function peoplePage(
  parts: SocialParts,
  { context, input, list }: { context: SignedInContext; input: PageInput; list: PeopleList },
): Promise<PeoplePage> {
  const { db } = parts;
  const userId = selfId(context, input.user_id);
  const after = readCursor(input.cursor);
  const [found, total] = await Promise.all([readListedIds(db, { list, userId, after }), countListed(db, list, userId)]);
  const { shown, next } = cut(found);
  return { rows: await cardsOf(parts, context, shown), total, next };
}

async function blockedPage({ db }: SocialParts, userId: bigint, after: Cursor) {
  const { shown, next } = cut(await readBlocked(db, userId, after));
  const rows = shown.map(({ id, nickname, avatar_key, atUs }) => ({
    user_id: Number(id),
    nickname,
    avatar: avatarAddress(avatar_key),
    at: milliseconds(atUs),
  }));
  return { rows, next };
}

async function apartPage({ db, clock }: SocialParts, userId: bigint, after: Cursor) {
  const { shown, next } = cut(await readApart(db, { userId, after, now: new Date(clock.nowMs()) }));
  const rows = shown.map(({ id, nickname, avatar_key, atUs }) => ({
    user_id: Number(id),
    nickname,
    avatar: avatarAddress(avatar_key),
    until: milliseconds(atUs),
  }));
  return { rows, next };
}

async function recentPage({ db, clock, social }: SocialParts, context: SignedInContext, input: RecentInput) {
  const userId = selfId(context, input.user_id);
  const nowMs = clock.nowMs();
  const times = { since: new Date(nowMs - recentMs), now: new Date(nowMs) };
  const onlyId = input.other_id === undefined ? null : BigInt(input.other_id);
  const unwritten = social.unwrittenHere(userId);
  const question = { userId, onlyId, after: readCursor(input.cursor), ...times, unwritten };
  const { shown, next } = cut(await readRecent(db, question));
  const cards = await social.cards(
    userId,
    shown.map(({ id }) => id),
    context.language,
  );
  const rows = shown.flatMap(({ id, callId, atUs, seconds, iAsked, otherAsked, apartUntilUs, word }) => {
    const person = cards.get(id);
    if (!person) return [];
    const met_at = milliseconds(atUs);
    const meet = !iAsked ? "none" : otherAsked ? "both" : "asked";
    const apart = apartUntilUs === null ? {} : { apart_until: milliseconds(apartUntilUs) };
    const kind = word === null ? {} : { kind_word: word };
    const about = { call_id: callId, met_at, seconds, until: met_at + recentMs };
    return [{ person, ...about, meet, ...apart, ...kind } as const];
  });
  return { rows, next };
}

async function cardsOf({ social }: SocialParts, context: SignedInContext, shown: readonly Pick<Cursor, "id">[]) {
  const ids = shown.map(({ id }) => id);
  const cards = await social.cards(context.session.userId, ids, context.language);
  return ids.flatMap((id) => cards.get(id) ?? []);
}

/** Removes the extra row, which only shows that another page follows. */
function cut<Row extends Cursor>(found: readonly Row[]): { shown: readonly Row[]; next: string | null } {
  const shown = found.slice(0, listPageRows);
  const last = shown.at(-1);
  return { shown, next: last && found.length > shown.length ? writeCursor(last) : null };
}

function milliseconds(atUs: bigint): number {
  return Number(atUs / 1_000n);
}

function wanted(on: 0 | 1 | undefined): boolean | null {
  return on === undefined ? null : on === 1;
}

/** @throws EndpointError 400 with the field if it is not the caller. */
export function selfId({ session }: SignedInContext, userId: number, field = "user_id"): bigint {
  if (BigInt(userId) !== session.userId) throw badInput(`${field} is not the caller`, field);
  return session.userId;
}
