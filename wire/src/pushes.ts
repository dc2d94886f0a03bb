import * as v from "valibot";
import { meterSchema } from "./meter.ts";
import { banFactsSchema } from "./moderation.ts";
import { remoteUserSchema } from "./people.ts";
import { traceparentSchema } from "./traceparent.ts";

/** Server pushes through the chat service, told apart by `code`. */
export const pushCodes = {
  matched: 100_001,
  otherLeft: 100_002,
  systemNotice: 100_003,
  reportNotice: 100_004,
  banned: 100_005,
  callMessage: 100_006,
  dataReport: 100_007,
} as const;

const iceServerSchema = v.object({
  urls: v.array(v.string()),
  username: v.optional(v.string()),
  credential: v.optional(v.string()),
});
export type IceServer = v.InferOutput<typeof iceServerSchema>;

/** What a browser needs to set up the media of one match. */
const mediaGrantSchema = v.object({
  kind: v.literal("p2p"),
  /** The offerer made its offer while searching; the answerer finds it in `peerOffer`. */
  role: v.picklist(["offerer", "answerer"]),
  iceServers: v.array(iceServerSchema),
  policy: v.picklist(["all", "relay"]),
  /** The offerer's prepared description with the candidates it has so far, for the answerer. */
  peerOffer: v.nullable(v.string()),
});

const isEnough = v.picklist([0, 1]);

const reportOutcomes = ["acted", "nothing_found", "warned"] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];
/** Answers of a moderator to a question; `name_replaced`: a name of a provider became the account's number. */
export const askOutcomes = ["text_accepted", "text_refused", "mute_ended", "mute_kept", "name_replaced"] as const;
export type AskOutcome = (typeof askOutcomes)[number];

export const matchedPushSchema = v.object({
  code: v.literal(pushCodes.matched),
  roomId: v.string(),
  /** Room token: opens this room for this person only. */
  token: v.string(),
  /** The other person's user id; spelt as the specification spells it. */
  user_Id: v.number(),
  /** Id of the match. */
  id: v.string(),
  /** The other person's chat id. */
  externalId: v.string(),
  is_enough: isEnough,
  remote: remoteUserSchema,
  media: mediaGrantSchema,
  /**
   * Null at the match. Otherwise both are told of the same room once more, because the page of one was gone and is back:
   * both begin a new connection, whose first offer has this generation. The call has gone on for `live_ms`.
   */
  returned: v.nullable(v.object({ generation: v.number(), live_ms: v.number() })),
  /** Of the start that this match came of, where it had one. */
  traceparent: v.optional(traceparentSchema),
  /** Names this call in the page's next hello. Left out by a single server. */
  ticket: v.optional(v.string()),
});
export type MatchedPush = v.InferOutput<typeof matchedPushSchema>;

/** Why frames of a side could not be checked; a page names only what is true for its reader. `ours`: the fault was on the server. */
export const uncheckedCauses = ["late", "none", "black", "covered", "ours"] as const;
export type UncheckedCause = (typeof uncheckedCauses)[number];

/** A call that the server ended for want of frames that could be checked. */
const uncheckedSchema = v.object({
  /** Whose frames were missing, as the receiver sees it. */
  whose: v.picklist(["own", "other"]),
  cause: v.picklist(uncheckedCauses),
  /** Beans of this call that the receiver gets back. */
  returned: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

const otherLeftPushSchema = v.object({
  code: v.literal(pushCodes.otherLeft),
  roomId: v.string(),
  /** `not_joined`: the connection did not come about in time; the receiver keeps its place. `cut`: our checks ended it. */
  reason: v.picklist(["left", "not_joined", "restart", "cut"]),
  /** With `cut`, where it was for want of frames. */
  unchecked: v.optional(uncheckedSchema),
});

export const pushSchema = v.variant("code", [
  matchedPushSchema,
  otherLeftPushSchema,
  v.object({ code: v.literal(pushCodes.systemNotice) }),
  /**
   * `acted`, `nothing_found`: the outcome of a report, to its reporter. `warned`: to the reported user. The others are
   * answers to a question about a text or a mute, and have `reason_id` 0.
   */
  v.object({
    code: v.literal(pushCodes.reportNotice),
    /** In the language of whoever gets it. */
    text: v.string(),
    outcome: v.picklist([...reportOutcomes, ...askOutcomes]),
    reason_id: v.number(),
    /** Which question is answered. */
    question_id: v.optional(v.string()),
  }),
  v.object({
    code: v.literal(pushCodes.banned),
    isBan: v.literal(true),
    id: v.string(),
    reason_id: v.number(),
    reason: v.string(),
    time: v.nullable(v.string()),
    appeal_token: v.string(),
    facts: banFactsSchema,
  }),
  /** Type 1: keep chatting; type 2: chatting is no longer possible, for want of beans or of pictures that could be checked, or during a pause. */
  v.object({
    code: v.literal(pushCodes.callMessage),
    roomId: v.string(),
    type: v.picklist([1, 2]),
    is_enough: isEnough,
    /** Left out: for want of beans. `paused`: nobody is met before a person has looked. */
    why: v.optional(v.picklist(["unchecked", "paused"])),
    /** With `unchecked`. */
    unchecked: v.optional(uncheckedSchema),
    /** Of a pause: its latest end, milliseconds since the epoch; null: until somebody decides. */
    until: v.optional(v.nullable(v.number())),
    /** Null where this person pays nothing for the call. */
    meter: v.nullable(meterSchema),
  }),
  v.object({ code: v.literal(pushCodes.dataReport) }),
]);
export type Push = v.InferOutput<typeof pushSchema>;
