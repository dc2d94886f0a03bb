import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formInteger, formText, formUserId } from "../form.ts";
import { identifierLengthMax } from "../limits.ts";
import { descriptionSchema } from "../signals.ts";
import { matchedPushSchema } from "../pushes.ts";
import { traceparentSchema } from "../traceparent.ts";

export const matchStart = endpoint({
  path: "/api/video/match/start",
  summary: "Start searching; from a call it is next. Pressing it again keeps the place",
  access: "complete",
  overSocket: true,
  input: {
    user_id: formUserId,
    /** 0 both, 1 men, 2 women. */
    sex: formChoice([0, 1, 2]),
    /** 0 global, -1 balanced, otherwise a country id. */
    country: formInteger(-1, 10_000),
    /** Session description prepared in advance; travels inside the match push of whoever is matched later. */
    offer: v.optional(descriptionSchema),
    /** 1: only renews a search that goes on, with a newer offer; never begins one and never leaves a call. */
    refresh: v.optional(formChoice([0, 1])),
    /** Waits for this one person, after both said that they want to meet again; the filters count for nothing. */
    with_user_id: v.optional(formUserId),
    /**
     * 1: this page has told the person that pictures are looked at while one searches; only then are they asked for. A
     * start with `refresh` says it of the search that goes on.
     */
    checks: v.optional(formChoice([0, 1])),
    /** Room of the newest match that the client has heard of, empty for none: one that was made since is not left. */
    room_id: v.optional(formText(0, identifierLengthMax)),
    /** Names the press of Start, so that what becomes of it can be found; a client that names none is served the same. */
    traceparent: v.optional(traceparentSchema),
  },
  output: v.object({
    /**
     * `no_profiles`: nobody of the chosen country is online; the search was not started. `not_searching`: nothing was
     * done, and the offer was not taken, because a match was made meanwhile or there was no search to renew.
     */
    state: v.picklist(["searching", "no_profiles", "not_searching"]),
    /** Beans a minute that these filters cost. */
    price: v.number(),
    /** When this search began, milliseconds since the epoch. */
    since: v.number(),
  }),
});

export const matchOutlook = endpoint({
  path: "/api/video/match/outlook",
  summary: "How long searches like this one take, from those of the last 15 minutes; never how many people there are",
  access: "complete",
  isRead: true,
  input: {
    user_id: formUserId,
    /** 0 both, 1 men, 2 women. */
    sex: formChoice([0, 1, 2]),
    /** 0 global, -1 balanced, otherwise a country id. */
    country: formInteger(-1, 10_000),
  },
  output: v.object({
    /** By when half of them have found somebody; null: later than the longest time that is told. */
    seconds: v.nullable(v.number()),
    /** Searches like this one, or of more people where these are few; none: too few to say, and `seconds` means nothing. */
    basis: v.picklist(["yours", "wider", "none"]),
  }),
});

export const matchStop = endpoint({
  path: "/api/video/match/stop",
  summary: "Stop searching, or leave the call",
  access: "user",
  overSocket: true,
  input: { user_id: formUserId },
  output: v.object({}),
});

export const matchInfo = endpoint({
  path: "/api/video/match/info",
  summary: "What the server knows of this person's match, prices and the online count",
  access: "user",
  isRead: true,
  input: { user_id: formUserId },
  output: v.object({
    /** 0 nothing, 1 searching, 2 connecting, 3 in call. */
    status: v.picklist([0, 1, 2, 3]),
    match: v.nullable(matchedPushSchema),
    /** This person's page is gone from the call, and may come back to it for so long by `/api/start/video`; else null. */
    return_ms: v.nullable(v.number()),
    prices: v.object({ gender: v.number(), country: v.number(), both: v.number() }),
  }),
});

export const matchInfoUpdate = endpoint({
  path: "/api/video/match/info/update",
  summary: "Whether the room of this match is still mine; goes out every 10 s in states 2 and 3",
  access: "user",
  overSocket: true,
  input: { user_id: formUserId, id: formText(1, identifierLengthMax) },
  output: v.boolean(),
});

export const startVideo = endpoint({
  path: "/api/start/video",
  summary: "The person joins the room of a match, or comes back to a call whose page was gone",
  access: "complete",
  overSocket: true,
  input: { user_id: formUserId, id: formText(1, identifierLengthMax) },
  output: v.object({ is_enough: v.picklist([0, 1]) }),
});

export const testRoomSign = endpoint({
  path: "/api/video/getTestRoomSign",
  summary: "Token and ice servers of a room of one's own, to test devices and to prepare an offer",
  access: "user",
  input: {
    /** 1: for a test of the network, of which there are only some in an hour. */
    network: v.optional(formChoice([0, 1]), 0),
  },
  output: v.object({
    token: v.string(),
    iceServers: v.array(
      v.object({ urls: v.array(v.string()), username: v.optional(v.string()), credential: v.optional(v.string()) }),
    ),
    policy: v.picklist(["all", "relay"]),
    /** Until when the credentials hold, milliseconds since the epoch. */
    expiresAt: v.number(),
  }),
});
