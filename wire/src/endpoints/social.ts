import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formInteger, formText, formUserId } from "../form.ts";
import { identifierLengthMax, searchAge, searchCursorLengthMax, searchTextLengthMax } from "../limits.ts";
import { followStatusSchema, kindWords, kindWordSchema, likeStatusSchema, personSchema } from "../people.ts";

const onOrOff = v.optional(formChoice([0, 1]));
const pageInput = {
  user_id: formUserId,
  /** `next` of the previous page. */
  cursor: v.optional(formText(1, identifierLengthMax)),
};
/** Null on the last page. */
const next = v.nullable(v.string());
const peoplePage = v.object({ rows: v.array(personSchema), total: v.number(), next });
export type PeoplePage = v.InferOutput<typeof peoplePage>;

export const follow = endpoint({
  path: "/api/user/follow",
  summary: "Follow or unfollow a user: toggles, unless `on` is given",
  access: "complete",
  input: { userId: formUserId, followUserId: formUserId, on: onOrOff },
  output: v.object({ followStatus: followStatusSchema }),
});

export const like = endpoint({
  path: "/api/user/like",
  summary: "Like a user, or remove the like: toggles, unless `on` is given",
  access: "complete",
  input: { userId: formUserId, likeUserId: formUserId, on: onOrOff },
  output: v.object({ likeStatus: likeStatusSchema }),
});

export const followList = endpoint({
  path: "/api/user/follow/list",
  summary: "Users whom this user follows, newest first",
  access: "user",
  isRead: true,
  input: pageInput,
  output: peoplePage,
});

export const fansList = endpoint({
  path: "/api/user/fans/list",
  summary: "Followers of this user, newest first",
  access: "user",
  isRead: true,
  input: pageInput,
  output: peoplePage,
});

export const friendList = endpoint({
  path: "/api/user/friend/list",
  summary: "Friends, who follow each other, newest first",
  access: "user",
  isRead: true,
  input: pageInput,
  output: peoplePage,
});

export const likeList = endpoint({
  path: "/api/user/like/list",
  summary: "Users whom this user likes, newest first",
  access: "user",
  isRead: true,
  input: pageInput,
  output: peoplePage,
});

export const block = endpoint({
  path: "/api/user/block",
  summary: "Block a user: at once, in both directions, without a notification",
  access: "user",
  input: { user_id: formUserId, other_id: formUserId },
  output: v.object({}),
});

export const unblock = endpoint({
  path: "/api/user/unblock",
  summary: "Remove a block; it does not restore follows",
  access: "user",
  input: { user_id: formUserId, other_id: formUserId },
  output: v.object({}),
});

export const blockList = endpoint({
  path: "/api/user/block/list",
  summary: "Users whom this user has blocked, newest first",
  access: "user",
  isRead: true,
  input: pageInput,
  output: v.object({
    rows: v.array(
      v.object({
        user_id: v.number(),
        nickname: v.string(),
        avatar: v.string(),
        /** Milliseconds since the epoch. */
        at: v.number(),
      }),
    ),
    next,
  }),
});

/** Whether the two want to meet again. `asked`: only this user does, which the other does not learn. */
const meetStateSchema = v.picklist(["none", "asked", "both"]);
export type MeetState = v.InferOutput<typeof meetStateSchema>;

export const recentList = endpoint({
  path: "/api/recent/list",
  summary: "Users met in calls of the last 24 hours, each once, newest first; or one of them",
  access: "user",
  isRead: true,
  input: {
    ...pageInput,
    /** Only the row of this user, if any. */
    other_id: v.optional(formUserId),
  },
  output: v.object({
    rows: v.array(
      v.object({
        person: personSchema,
        /** The latest call with this user. */
        call_id: v.string(),
        /** Milliseconds since the epoch. */
        met_at: v.number(),
        /** Seconds of that call in which the two saw each other. */
        seconds: v.number(),
        /** When the row expires, milliseconds since the epoch. */
        until: v.number(),
        meet: meetStateSchema,
        /** Until when the caller does not want to meet this user, milliseconds since the epoch; else left out. */
        apart_until: v.optional(v.number()),
        /** The kind word that this user left for the caller; else left out. */
        kind_word: v.optional(kindWordSchema),
      }),
    ),
    next,
  }),
});

export const kindSend = endpoint({
  path: "/api/recent/kind",
  summary: "Leave the partner of a call one kind word, which they read later; the first word for a call counts",
  access: "complete",
  input: {
    user_id: formUserId,
    other_id: formUserId,
    call_id: formText(1, identifierLengthMax),
    word: formChoice(kindWords),
  },
  output: v.object({}),
});

export const kindRead = endpoint({
  path: "/api/recent/kind/read",
  summary: "Mark all kind words for this user as read",
  access: "user",
  input: { user_id: formUserId },
  output: v.object({}),
});

export const apart = endpoint({
  path: "/api/recent/apart",
  summary: "Not be matched with a recently met user for 90 days, or undo it; the other is not notified",
  access: "complete",
  input: { user_id: formUserId, other_id: formUserId, on: formChoice([0, 1]) },
  /** Until when the two are not matched, milliseconds since the epoch; null: they may be matched. */
  output: v.object({ until: v.nullable(v.number()) }),
});

export const apartList = endpoint({
  path: "/api/recent/apart/list",
  summary: "Users with whom this user does not want to be matched for now, newest first",
  access: "user",
  isRead: true,
  input: pageInput,
  output: v.object({
    rows: v.array(
      v.object({
        user_id: v.number(),
        nickname: v.string(),
        avatar: v.string(),
        /** Milliseconds since the epoch. */
        until: v.number(),
      }),
    ),
    next,
  }),
});

export const meetAgain = endpoint({
  path: "/api/recent/meet",
  summary: "Ask, or stop asking, to meet a recently met user again; secret until both ask",
  access: "complete",
  input: { user_id: formUserId, other_id: formUserId, on: formChoice([0, 1]) },
  output: v.object({ meet: meetStateSchema }),
});

export const homePeople = endpoint({
  path: "/api/home/people",
  summary:
    "People for the home screen, newest first: who wants to meet again too, missed calls, friends online, kind words",
  access: "user",
  isRead: true,
  input: { user_id: formUserId },
  output: v.object({
    meets: v.array(
      v.object({
        person: personSchema,
        /** When the wish of either user expires, milliseconds since the epoch. */
        until: v.number(),
      }),
    ),
    /** Friends whose ring of the last 24 hours was missed and is still the last word between the two. */
    missed: v.array(personSchema),
    friends: v.array(personSchema),
    /** Kind words that the caller has not read; left out where there are none. */
    kind_words: v.optional(v.array(v.object({ person: personSchema, word: kindWordSchema }))),
  }),
});

export const myWeek = endpoint({
  path: "/api/user/week",
  summary:
    "Calls of this user that connected in the last 7 days: people, their countries, and time; for this user only",
  access: "user",
  isRead: true,
  input: { user_id: formUserId },
  output: v.object({
    people: v.number(),
    countries: v.number(),
    /** Seconds in which the two saw each other, of all calls together. */
    seconds: v.number(),
  }),
});

export const userSearch = endpoint({
  path: "/api/user/search",
  summary: "Find users by exact number; those who allow it also by the start of their nickname, or by filters alone",
  access: "complete",
  input: {
    user_id: formUserId,
    /** `next` of the previous page. */
    cursor: v.optional(formText(1, searchCursorLengthMax)),
    /** Left out or empty: everyone who fits the filters. */
    text: v.optional(formText(0, searchTextLengthMax), ""),
    /** 0 both, 1 men, 2 women. */
    sex: v.optional(formChoice([0, 1, 2]), 0),
    minAge: v.optional(formInteger(searchAge.min, searchAge.max), searchAge.min),
    /** The maximum means that age and over. */
    maxAge: v.optional(formInteger(searchAge.min, searchAge.max), searchAge.max),
    /** Country id; 0: any country. */
    country: v.optional(formInteger(0, 10_000), 0),
  },
  output: v.object({ rows: v.array(personSchema), next }),
});
