import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formInteger, formText, formUserId } from "../form.ts";
import { identifierLengthMax } from "../limits.ts";
import { descriptionSchema } from "../signals.ts";
import { matchedPushSchema } from "../pushes.ts";
import { traceparentSchema } from "../traceparent.ts";

export const matchStart = endpoint({
  path: "/api/video/match/start",
  summary: "Start searching; in a call it means Next. Repeating it keeps the place in the queue",
  access: "complete",
  overSocket: true,
  input: {
    user_id: formUserId,
    /** 0 both, 1 men, 2 women. */
    sex: formChoice([0, 1, 2]),
    /** 0 global, -1 balanced, otherwise a country id. */
    country: formInteger(-1, 10_000),
    /** Session description that the page has prepared; the match push of the user who is found later carries it. */
    offer: v.optional(descriptionSchema),
    /** 1: only renews a running search with a newer offer; never starts one and never leaves a call. */
    refresh: v.optional(formChoice([0, 1])),
    /** Searches for this one user, after both chose to meet again; the filters are ignored. */
    with_user_id: v.optional(formUserId),
    /**
     * 1: the page has told the user that frames are inspected during the search; the server requests frames only then.
     * With `refresh` it applies to the running search.
     */
    checks: v.optional(formChoice([0, 1])),
    /** Room of the newest match that the client knows, empty for none. The server does not leave a newer match. */
    room_id: v.optional(formText(0, identifierLengthMax)),
    /** Trace of this press of Start; optional. */
    traceparent: v.optional(traceparentSchema),
  },
  output: v.object({
    /**
     * `no_profiles`: no user of the chosen country is online, and the search was not started. `not_searching`: the
     * server did nothing and ignored the offer, because it made a match or received a Stop meanwhile, or there was no
     * search to renew.
     */
    state: v.picklist(["searching", "no_profiles", "not_searching"]),
    /** Price of these filters in beans a minute. */
    price: v.number(),
    /** Start of this search, milliseconds since the epoch. */
    since: v.number(),
  }),
});

export const matchWaitEstimate = endpoint({
  path: "/api/video/match/outlook",
  summary: "Waiting time of similar searches of the last 15 minutes; never a number of users",
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
    /** Shortest time within which half of the searches found a partner; null: longer than the longest reported time. */
    seconds: v.nullable(v.number()),
    /** `yours`: similar searches; `wider`: a larger group; `none`: too few searches, `seconds` is meaningless. */
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
  summary: "State of this user's match, prices and the online count",
  access: "user",
  isRead: true,
  input: { user_id: formUserId },
  output: v.object({
    /** 0 nothing, 1 searching, 2 connecting, 3 in call. */
    status: v.picklist([0, 1, 2, 3]),
    match: v.nullable(matchedPushSchema),
    /**
     * How much longer a user whose page has left the call may return to it by `/api/start/video`, in milliseconds; null
     * where there is no such call.
     */
    return_ms: v.nullable(v.number()),
    prices: v.object({ gender: v.number(), country: v.number(), both: v.number() }),
  }),
});

export const matchInfoUpdate = endpoint({
  path: "/api/video/match/info/update",
  summary: "Whether the caller is still in the room of this match; sent every 10 s in states 2 and 3",
  access: "user",
  overSocket: true,
  input: { user_id: formUserId, id: formText(1, identifierLengthMax) },
  output: v.boolean(),
});

export const startVideo = endpoint({
  path: "/api/start/video",
  summary: "Join the room of a match, or return to a call whose page was closed",
  access: "complete",
  overSocket: true,
  input: { user_id: formUserId, id: formText(1, identifierLengthMax) },
  output: v.object({ is_enough: v.picklist([0, 1]) }),
});

export const testRoomSign = endpoint({
  path: "/api/video/getTestRoomSign",
  summary: "Token and ICE servers of a test room, to test devices and to prepare an offer",
  access: "user",
  input: {
    /** 1: for a network test, which has an hourly limit. */
    network: v.optional(formChoice([0, 1]), 0),
  },
  output: v.object({
    token: v.string(),
    iceServers: v.array(
      v.object({ urls: v.array(v.string()), username: v.optional(v.string()), credential: v.optional(v.string()) }),
    ),
    policy: v.picklist(["all", "relay"]),
    /** Expiry of the credentials, milliseconds since the epoch. */
    expiresAt: v.number(),
  }),
});
