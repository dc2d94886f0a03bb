import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { OtherUser, Person } from "@fava/wire/people.ts";
import type { Answers } from "#testing/fixture-world.ts";
import { countryOf, otherUserOf, personOf, portraitOf } from "#testing/fixtures.ts";

type PeoplePage = OutputOf<Endpoints["followList"]>;
export type RecentRow = OutputOf<Endpoints["recentList"]>["rows"][number];
type ApartRow = OutputOf<Endpoints["apartList"]>["rows"][number];
type BlockedRow = OutputOf<Endpoints["blockList"]>["rows"][number];

const dayMs = 86_400_000;

/** People of many countries; one name has the maximum length. */
export const everybody: readonly Person[] = [
  personOf("Bo", { followStatus: 2, likeStatus: 1, presence: "online" }),
  personOf("Kenji", { ...countryOf("JP"), sex: 1 }),
  personOf("Noor", { ...countryOf("TR"), followStatus: 2, presence: "away" }),
  personOf("Grace", { ...countryOf("US"), likeStatus: 1 }),
  personOf("Rafi", { ...countryOf("DE"), sex: 1, followStatus: 1 }),
  personOf("Leyla of the long name, who writes", countryOf("TR")),
  personOf("Oliver", { ...countryOf("FR"), sex: 1, likeStatus: 1 }),
];

/** A page of followers, friends or the like, without a next one. */
export function peoplePage(rows: readonly Person[], change: Partial<PeoplePage> = {}): PeoplePage {
  return { rows: [...rows], total: rows.length, next: null, ...change };
}

/** The partner of a four-minute call that ended about an hour ago. */
export function recentRow(person: Person, nowMs: number, change: Partial<RecentRow> = {}): RecentRow {
  const met_at = change.met_at ?? nowMs - 3_600_000;
  const call_id = `call-${person.user_id}`;
  return { person, call_id, met_at, seconds: 240, until: met_at + dayMs, meet: "none", ...change };
}

export function blockedRow({ user_id, nickname, avatar }: Person, at: number): BlockedRow {
  return { user_id, nickname, avatar, at };
}

export function apartRow({ user_id, nickname, avatar }: Person, until: number): ApartRow {
  return { user_id, nickname, avatar, until };
}

/** A profile in which every part has a value. */
export function wholeProfile(name: string, change: Partial<OtherUser> = {}): OtherUser {
  return otherUserOf(name, {
    about: "Architect by day, moqueca by night. Tell me about the best meal you ever had.",
    location: "Salvador",
    photos: ["one", "two", "three"].map((id) => ({ id, url: portraitOf(id), thumb: portraitOf(id) })),
    can_message: "request",
    ...change,
  });
}

/** The responses for a user who follows, likes, has met and has blocked people. */
export function peopleAnswers(nowMs: number): Answers {
  const meets = ["both", "asked"] as const;
  const recent = everybody.map((person, index) =>
    recentRow(person, nowMs, {
      met_at: nowMs - 1_080_000 - index * 7_000_000,
      seconds: index === 3 ? 20 : 240 * (index + 1),
      meet: meets[index] ?? "none",
      ...(index === 2 && { kind_word: 1 as const }),
      ...(index === 3 && { apart_until: nowMs + 90 * dayMs }),
    }),
  );
  return {
    followList: peoplePage(everybody, { total: 18, next: "more" }),
    fansList: peoplePage(everybody, { total: 1_042, next: "more" }),
    friendList: peoplePage(everybody.filter(({ followStatus }) => followStatus === 2)),
    likeList: peoplePage(everybody.filter(({ likeStatus }) => likeStatus === 1)),
    recentList: { rows: recent, next: null },
    blockList: {
      rows: ["Viktor", "Somebody rude", "Max"].map((name, index) =>
        blockedRow(personOf(name), nowMs - index * 10 * dayMs),
      ),
      next: null,
    },
    apartList: {
      rows: everybody.slice(3, 5).map((person, index) => apartRow(person, nowMs + (90 - index * 20) * dayMs)),
      next: null,
    },
    userSearch: { rows: everybody.slice(0, 3), next: null },
    userInfo: wholeProfile("Bo", { followStatus: 0 }),
  };
}

/** The responses for a user who has met nobody yet. */
export const nobodyAnswers: Answers = {
  followList: peoplePage([]),
  fansList: peoplePage([]),
  friendList: peoplePage([]),
  likeList: peoplePage([]),
  recentList: { rows: [], next: null },
  blockList: { rows: [], next: null },
  apartList: { rows: [], next: null },
  userSearch: { rows: [], next: null },
};

/**
 * Follow, like, block and not again as a server does them for one user: later responses contain the changes, and leave
 * out blocked people.
 */
export function relationAnswers(fans: readonly string[] = []): Answers {
  const isFan = (userId: number) => fans.some((name) => personOf(name).user_id === userId);
  return {
    follow: ({ followUserId, on }) => ({ followStatus: on === 0 ? 0 : isFan(followUserId) ? 2 : 1 }),
    like: ({ on }) => ({ likeStatus: on === 0 ? 0 : 1 }),
    block: {},
    unblock: {},
    apart: ({ on }) => ({ until: on === 1 ? Date.now() + 90 * dayMs : null }),
  };
}
