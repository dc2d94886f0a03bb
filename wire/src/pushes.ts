import * as v from "valibot";
import { meterSchema } from "./meter.ts";
import { banFactsSchema } from "./moderation.ts";
import { remoteUserSchema } from "./people.ts";
import { traceparentSchema } from "./traceparent.ts";

/** Server pushes through the chat service, distinguished by `code`. */
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

/** Media parameters of one match for one browser. */
const mediaGrantSchema = v.object({
  kind: v.literal("p2p"),
  /** The offerer made its offer during the search; the answerer receives it in `peerOffer`. */
  role: v.picklist(["offerer", "answerer"]),
  iceServers: v.array(iceServerSchema),
  policy: v.picklist(["all", "relay"]),
  /** For the answerer: the offerer's prepared description with the ICE candidates gathered so far. */
  peerOffer: v.nullable(v.string()),
});

const isEnough = v.picklist([0, 1]);

const reportOutcomes = ["acted", "nothing_found", "warned", "picture_removed"] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];
/** A moderator's answers to a question. `name_replaced`: the account number replaced a name from a sign-in provider. */
export const askOutcomes = ["text_accepted", "text_refused", "mute_ended", "mute_kept", "name_replaced"] as const;
export type AskOutcome = (typeof askOutcomes)[number];

export const matchedPushSchema = v.object({
  code: v.literal(pushCodes.matched),
  roomId: v.string(),
  /** Room token: opens this room for this user only. */
  token: v.string(),
  /** The partner's user id; the specification spells it so. */
  user_Id: v.number(),
  /** Id of the match. */
  id: v.string(),
  /** The partner's chat id. */
  externalId: v.string(),
  is_enough: isEnough,
  remote: remoteUserSchema,
  media: mediaGrantSchema,
  /**
   * Null at the match. Otherwise one user's page has returned, and both receive the same room again. Both start a new
   * connection whose first offer has this generation; the call has been live for `live_ms`.
   */
  returned: v.nullable(v.object({ generation: v.number(), live_ms: v.number() })),
  /** Trace of the start that led to this match, if any. */
  traceparent: v.optional(traceparentSchema),
  /** Names this call in the page's next hello. A single server leaves it out. */
  ticket: v.optional(v.string()),
});
export type MatchedPush = v.InferOutput<typeof matchedPushSchema>;

/** Why the frames of one side could not be checked, as far as the receiver may know. `ours`: a fault of the server. */
export const uncheckedCauses = ["late", "none", "black", "covered", "nobody", "still", "ours"] as const;
export type UncheckedCause = (typeof uncheckedCauses)[number];

/** Data of a call that the server ended for lack of frames that could be checked. */
const uncheckedSchema = v.object({
  /** Whose frames were missing, from the receiver's view. */
  whose: v.picklist(["own", "other"]),
  cause: v.picklist(uncheckedCauses),
  /** Beans of this call that are returned to the receiver. */
  returned: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

const otherLeftPushSchema = v.object({
  code: v.literal(pushCodes.otherLeft),
  roomId: v.string(),
  /** `not_joined`: the connection timed out; the receiver keeps its place. `cut`: inspection ended the call. */
  reason: v.picklist(["left", "not_joined", "restart", "cut"]),
  /** Only with `cut`, if the server ended the call for lack of frames. */
  unchecked: v.optional(uncheckedSchema),
});

export const pushSchema = v.variant("code", [
  matchedPushSchema,
  otherLeftPushSchema,
  v.object({ code: v.literal(pushCodes.systemNotice) }),
  /**
   * `acted`, `nothing_found`: outcome of a report, for its reporter. `warned`: for the reported user. `picture_removed`:
   * for the owner of a picture, after a notice. The others answer a question about a text or a mute. `reason_id` is 0
   * except for the first three.
   */
  v.object({
    code: v.literal(pushCodes.reportNotice),
    /** In the receiver's language. */
    text: v.string(),
    outcome: v.picklist([...reportOutcomes, ...askOutcomes]),
    reason_id: v.number(),
    /** The answered question. */
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
  /**
   * Type 1: the call continues. Type 2: the user cannot chat, for lack of beans or checked frames, or during a pause.
   */
  v.object({
    code: v.literal(pushCodes.callMessage),
    roomId: v.string(),
    type: v.picklist([1, 2]),
    is_enough: isEnough,
    /**
     * Why the user cannot chat; left out for lack of beans. `paused`: matching is paused because of reports.
     * `age_check`: the user needs an age check first.
     */
    why: v.optional(v.picklist(["unchecked", "paused", "age_check"])),
    /** Only where `why` is `unchecked`. */
    unchecked: v.optional(uncheckedSchema),
    /** With `paused`: latest end of the pause, milliseconds since the epoch; null: until a moderator decides. */
    until: v.optional(v.nullable(v.number())),
    /** Null where this user pays nothing for the call. */
    meter: v.nullable(meterSchema),
  }),
  v.object({ code: v.literal(pushCodes.dataReport) }),
]);
export type Push = v.InferOutput<typeof pushSchema>;
