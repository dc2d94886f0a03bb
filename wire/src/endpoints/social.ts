import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formInteger, formText, formUserId } from "../form.ts";
import { identifierLengthMax, searchAge, searchCursorLengthMax, searchTextLengthMax } from "../limits.ts";
import { followStatusSchema, likeStatusSchema, personSchema } from "../people.ts";

const onOrOff = v.optional(formChoice([0, 1]));
const pageInput = {
  user_id: formUserId,
  /** `next` of the page before. */
  cursor: v.optional(formText(1, identifierLengthMax)),
};
/** Null on the last page. */
const next = v.nullable(v.string());
const peoplePage = v.object({ rows: v.array(personSchema), total: v.number(), next });
export type PeoplePage = v.InferOutput<typeof peoplePage>;

export const follow = endpoint({
  path: "/api/user/follow",
  summary: "Follow or unfollow somebody: turns it round, unless `on` says which",
  access: "complete",
  input: { userId: formUserId, followUserId: formUserId, on: onOrOff },
  output: v.object({ followStatus: followStatusSchema }),
});

export const like = endpoint({
  path: "/api/user/like",
  summary: "Like somebody, or take it back: turns it round, unless `on` says which",
  access: "complete",
  input: { userId: formUserId, likeUserId: formUserId, on: onOrOff },
  output: v.object({ likeStatus: likeStatusSchema }),
});

export const followList = endpoint({
  path: "/api/user/follow/list",
  summary: "Whom the person follows, newest first",
  access: "user",
  isRead: true,
  input: pageInput,
  output: peoplePage,
});

export const fansList = endpoint({
  path: "/api/user/fans/list",
  summary: "Who follows the person, newest first",
  access: "user",
  isRead: true,
  input: pageInput,
  output: peoplePage,
});

export const friendList = endpoint({
  path: "/api/user/friend/list",
  summary: "Who follows the person and is followed, newest first",
  access: "user",
  isRead: true,
  input: pageInput,
  output: peoplePage,
});

export const likeList = endpoint({
  path: "/api/user/like/list",
  summary: "Whom the person likes, newest first",
  access: "user",
  isRead: true,
  input: pageInput,
  output: peoplePage,
});

export const block = endpoint({
  path: "/api/user/block",
  summary: "Block somebody: at once, in both directions, and nobody is told",
  access: "user",
  input: { user_id: formUserId, other_id: formUserId },
  output: v.object({}),
});

export const unblock = endpoint({
  path: "/api/user/unblock",
  summary: "Take a block back; nobody is followed again by it",
  access: "user",
  input: { user_id: formUserId, other_id: formUserId },
  output: v.object({}),
});

export const blockList = endpoint({
  path: "/api/user/block/list",
  summary: "Whom the person has blocked, newest first",
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

/** Whether the two want to meet again: `asked` by this person alone, which the other does not learn. */
const meetStateSchema = v.picklist(["none", "asked", "both"]);
export type MeetState = v.InferOutput<typeof meetStateSchema>;

export const recentList = endpoint({
  path: "/api/recent/list",
  summary: "People of the calls of the last 24 hours, each once, newest first; or one of them",
  access: "user",
  isRead: true,
  input: {
    ...pageInput,
    /** Only the row of this person, where there is one. */
    other_id: v.optional(formUserId),
  },
  output: v.object({
    rows: v.array(
      v.object({
        person: personSchema,
        /** The latest call with this person. */
        call_id: v.string(),
        /** Milliseconds since the epoch. */
        met_at: v.number(),
        /** Time in which the two saw each other in that call. */
        seconds: v.number(),
        /** When the row disappears, milliseconds since the epoch. */
        until: v.number(),
        meet: meetStateSchema,
        /** Until when the person asked does not want to meet this one, milliseconds since the epoch; left out where they may. */
        apart_until: v.optional(v.number()),
      }),
    ),
    next,
  }),
});

export const apart = endpoint({
  path: "/api/recent/apart",
  summary: "Not be matched with a recent person for 90 days, or take it back at any time; nobody is told",
  access: "complete",
  input: { user_id: formUserId, other_id: formUserId, on: formChoice([0, 1]) },
  /** When it ends by itself, milliseconds since the epoch; null: the two may meet. */
  output: v.object({ until: v.nullable(v.number()) }),
});

export const apartList = endpoint({
  path: "/api/recent/apart/list",
  summary: "With whom the person does not want to be matched for a while, newest first",
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
  summary: "Say, or take back, that one would like to meet a recent person again; secret until both did",
  access: "complete",
  input: { user_id: formUserId, other_id: formUserId, on: formChoice([0, 1]) },
  output: v.object({ meet: meetStateSchema }),
});

export const userSearch = endpoint({
  path: "/api/user/search",
  summary:
    "Find people by exact number; where they allow it also by the beginning of a nickname, or by the filters alone",
  access: "complete",
  input: {
    user_id: formUserId,
    /** `next` of the page before. */
    cursor: v.optional(formText(1, searchCursorLengthMax)),
    /** Left out or empty: whoever fits the filters. */
    text: v.optional(formText(0, searchTextLengthMax), ""),
    /** 0 both, 1 men, 2 women. */
    sex: v.optional(formChoice([0, 1, 2]), 0),
    minAge: v.optional(formInteger(searchAge.min, searchAge.max), searchAge.min),
    /** The highest value means that age and over. */
    maxAge: v.optional(formInteger(searchAge.min, searchAge.max), searchAge.max),
    /** 0: any. */
    country: v.optional(formInteger(0, 10_000), 0),
  },
  output: v.object({ rows: v.array(personSchema), next }),
});
