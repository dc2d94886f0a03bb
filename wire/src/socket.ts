import * as v from "valibot";
import { jsonText } from "./form.ts";
import { callTicketLengthMax, chatMessageLengthMax, identifierLengthMax, twoChoiceQuestions } from "./limits.ts";
import { socialEventSchema, textCoverSchema, textFindingSchema, textSpanSchema } from "./messages.ts";
import { presenceSchema } from "./people.ts";
import { pushSchema } from "./pushes.ts";
import { reactions } from "./reactions.ts";
import { signalSchema } from "./signals.ts";

/**
 * JSON messages of the one WebSocket at `/ws`. The client sends `hello` within `socketHelloMs`: with its chat id and
 * signature, or to resume a session whose socket was lost. Pushes, chat lines and social events have a sequence number.
 * The server replays them until they are acknowledged, so each arrives exactly once. Signals are not replayed across
 * sessions.
 */
export const socketPath = "/ws";
/**
 * Query field of the socket's URL: the server for the chat session, or empty for any. Any server passes the socket on to
 * that one. A client without this field does not follow `move`, so its socket is passed on to where such clients meet.
 */
export const socketServerField = "to";

const identifier = jsonText(1, identifierLengthMax);
const sequence = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const room = { roomId: identifier, roomToken: identifier };

/** Why no frame of a side was checked in time. `weak`: none arrived; `busy`: the server could not check it. */
const unjudgedReasons = ["weak", "busy"] as const;

/** Result of the inspection of both pictures of a room, from one side's view. */
const shieldSchema = v.object({
  /**
   * The remote picture. `checking`: not checked yet, or its camera is off. `hidden`: for its content, or too dark, or
   * no frame was checked in time.
   */
  other: v.picklist(["checking", "clear", "hidden"]),
  /**
   * The user's own picture. `clear`: the partner sees it. `warned`: hidden for its content. `covered`: too dark.
   * `missing`: no frame was checked in time. `nobody`: no person is in it. `still`: it does not move.
   */
  own: v.picklist(["checking", "clear", "warned", "covered", "missing", "nobody", "still"]),
  /** The remote picture does not move, so the receiver's meter stands; left out otherwise. */
  other_still: v.optional(v.literal(true)),
  /** Why the partner does not appear although nothing in the picture is wrong; left out in every other case. */
  other_why: v.optional(v.picklist(unjudgedReasons)),
  /** The same for the user's own picture. */
  own_why: v.optional(v.picklist(unjudgedReasons)),
  /**
   * The server ends the call in `in_ms` milliseconds unless the side `whose` sends a frame that can be checked. Left
   * out: no such end is near.
   */
  ends: v.optional(
    v.object({ whose: v.picklist(["own", "other"]), in_ms: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  ),
});
export type Shield = v.InferOutput<typeof shieldSchema>;

/** Connection quality of a side: 0 no picture, 1 weak, 2 fair, 3 good. */
const qualityLevel = v.picklist([0, 1, 2, 3]);
export type QualityLevel = v.InferOutput<typeof qualityLevel>;

/** Media states that a browser reports for its room. */
export const mediaStates = [
  /** The remote picture plays: the first frame was shown. */
  "playing",
  /** No media arrived for a while; the meter stops. */
  "stalled",
  /** The user's own camera was switched off, or the system took it away. */
  "camera_off",
  "camera_on",
  "mic_off",
  "mic_on",
  /**
   * The user's own camera or microphone ended or was replaced, and another one is opening. It follows `camera_off` or
   * `mic_off`, which earlier versions know; `camera_on` or `mic_on` ends it, and so does a repeated `*_off`.
   */
  "camera_switching",
  "mic_switching",
  "away",
  "back",
  /** The network is too weak for the user's own picture: only sound is sent. */
  "picture_paused",
  "picture_back",
] as const;
export type MediaState = (typeof mediaStates)[number];

/** The partner's media states, and whether the partner's socket or page was lost or has returned. */
const peerStates = [...mediaStates, "lost", "returned"] as const;
export type PeerState = (typeof peerStates)[number];

/** States of the user's own camera during a search; another camera is `camera_off`, then `camera_on`. */
const searchMediaStates = ["camera_off", "camera_on", "away", "back"] as const;
export type SearchMediaState = (typeof searchMediaStates)[number];

/** An answer to a two-choice question: the first or the second. */
const choice = v.picklist([0, 1]);
export type Choice = v.InferOutput<typeof choice>;

/** Long enough for every header of a signed request; the handler of POSTs checks the format (rule SIGN-60). */
const signedPart = v.pipe(v.string(), v.maxLength(512));

/** Any message after the hello may acknowledge, even one that is rejected. */
const withAck = { ack: v.optional(sequence) };

export const clientMessageSchema = v.variant("type", [
  v.strictObject({
    type: v.literal("hello"),
    tencentId: identifier,
    tencentSign: jsonText(1, 1_024),
    resume: v.nullable(v.strictObject({ sessionId: identifier, lastSequence: sequence })),
    /**
     * Ticket of the page's call, from push 100_001. Any server finds the call by it, or takes it over after a crash.
     */
    ticket: v.optional(jsonText(1, callTicketLengthMax)),
  }),
  v.strictObject({ type: v.literal("ack"), sequence }),
  v.strictObject({ type: v.literal("ping"), ...withAck }),
  v.strictObject({ type: v.literal("signal"), ...room, ...withAck, signal: signalSchema }),
  v.strictObject({
    type: v.literal("chat"),
    ...room,
    ...withAck,
    /** Generated by the client; a line that is retried after a reconnect is stored and shown once. */
    clientId: identifier,
    text: jsonText(1, chatMessageLengthMax),
  }),
  v.strictObject({ type: v.literal("media"), ...room, ...withAck, state: v.picklist(mediaStates) }),
  /**
   * The rung of the quality ladder (`rungs` of the page) at which the user's own picture is sent, and the quality of
   * the user's connection.
   */
  v.strictObject({
    type: v.literal("quality"),
    ...room,
    ...withAck,
    rung: v.picklist([0, 1, 2, 3, 4]),
    level: qualityLevel,
  }),
  /** Shown over the user's picture for `reactionShownMs`; never stored. */
  v.strictObject({ type: v.literal("reaction"), ...room, ...withAck, reaction: v.picklist(reactions) }),
  /** Asks both users a two-choice question, or, with `choice`, answers the question that both see; never stored. */
  v.strictObject({
    type: v.literal("two-choice"),
    ...room,
    ...withAck,
    question: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(twoChoiceQuestions)),
    choice: v.optional(choice),
  }),
  /**
   * What the page received through the relay, in bytes, over a connection of this room that has ended. Counted for the
   * operator; the room may be over.
   */
  v.strictObject({ type: v.literal("relayed"), ...withAck, roomId: identifier, bytes: sequence }),
  /** Camera states during a search, when there is no room. */
  v.strictObject({ type: v.literal("search-media"), ...withAck, state: v.picklist(searchMediaStates) }),
  /** The camera preview is visible, so a search may begin soon. The server may answer `move`. */
  v.strictObject({ type: v.literal("preview"), ...withAck }),
  /** The user types to this friend or call partner; repeated every `typingRepeatMs`. */
  v.strictObject({ type: v.literal("typing"), ...withAck, externalId: identifier }),
  /**
   * A signed request, equal to a POST to `path` with these headers and this body; the signature covers the same text.
   * Only endpoints declared `overSocket` accept it.
   */
  v.strictObject({
    type: v.literal("request"),
    ...withAck,
    /** Generated by the client; the response carries it. */
    id: sequence,
    path: signedPart,
    timestamp: signedPart,
    nonce: signedPart,
    signature: signedPart,
    /** Session token of the user of this chat session. */
    token: signedPart,
    contentType: signedPart,
    /** The form; its UTF-8 bytes are signed. */
    body: v.string(),
  }),
]);
export type ClientMessage = v.InferOutput<typeof clientMessageSchema>;

/** Why a message was rejected. The socket stays open, except after `flood` and `bad_hello`. */
const socketErrors = [
  "bad_frame",
  "bad_hello",
  "unknown_room",
  "too_long",
  "flood",
  "refused",
  "muted",
  "abusive",
] as const;
export type SocketError = (typeof socketErrors)[number];

export const serverMessageSchema = v.variant("type", [
  v.object({
    type: v.literal("welcome"),
    sessionId: v.string(),
    /** False: a new session. The undelivered messages of the old one are lost. */
    resumed: v.boolean(),
    /** Sequence number before the first message of this session. */
    sequence,
    /** The session's server, which the client names to reconnect (`socketServerField`); a single server omits it. */
    server: v.optional(v.string()),
  }),
  v.object({ type: v.literal("push"), sequence, push: pushSchema }),
  v.object({
    type: v.literal("chat"),
    sequence,
    roomId: v.string(),
    clientId: v.string(),
    text: v.string(),
    /** Parts removed from the text (or from the covered text); `coverMask` replaces them. */
    hidden: v.optional(v.array(textSpanSchema)),
    cover: v.optional(textCoverSchema),
    sentAtMs: v.number(),
  }),
  v.object({ type: v.literal("social"), sequence, event: socialEventSchema }),
  /** Presence of a friend, pushed while the receiver's session lives; lists also contain the presence. */
  v.object({ type: v.literal("presence"), externalId: v.string(), presence: presenceSchema }),
  v.object({ type: v.literal("typing"), externalId: v.string() }),
  /** `findings`: what was hidden or covered for the partner. `spans`: their places in the sender's own text. */
  v.object({
    type: v.literal("chat-stored"),
    roomId: v.string(),
    clientId: v.string(),
    findings: v.optional(v.array(textFindingSchema)),
    spans: v.optional(v.array(textSpanSchema)),
  }),
  /** Requests a frame in `dueInMs` milliseconds; see `endpoints/inspection.ts`. */
  v.object({
    type: v.literal("inspect"),
    /** Empty during a search, for the user's own picture. */
    roomId: v.string(),
    ticket: v.string(),
    view: v.picklist(["own", "received"]),
    dueInMs: v.number(),
  }),
  /** Visibility of the pictures in a room; complete on every change, and again after a reconnect. */
  v.object({ type: v.literal("shield"), roomId: v.string(), ...shieldSchema.entries }),
  /** The search has no match yet. The server notified `count` more users who subscribed to such searches. */
  v.object({ type: v.literal("told"), count: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
  v.object({ type: v.literal("signal"), roomId: v.string(), signal: signalSchema }),
  /** The partner's camera, microphone, presence or connection changed. */
  v.object({ type: v.literal("peer-media"), roomId: v.string(), state: v.picklist(peerStates) }),
  /** The partner's connection quality. */
  v.object({ type: v.literal("peer-quality"), roomId: v.string(), level: qualityLevel }),
  /** A reaction of the partner. */
  v.object({ type: v.literal("reaction"), roomId: v.string(), reaction: v.picklist(reactions) }),
  /**
   * The two-choice question that both users can answer for `left_ms` milliseconds. `choices`: both have answered; until
   * then neither receives the other's choice.
   */
  v.object({
    type: v.literal("two-choice"),
    roomId: v.string(),
    question: v.number(),
    left_ms: v.number(),
    choices: v.optional(v.object({ own: choice, other: choice })),
  }),
  /** Response to a request, whatever its code. It goes to the socket of the request or is dropped. */
  v.object({
    type: v.literal("response"),
    id: sequence,
    answer: v.object({ code: v.number(), data: v.optional(v.unknown()), msg: v.optional(v.string()) }),
  }),
  v.object({ type: v.literal("pong") }),
  /**
   * The client opens a second socket to the server `to` and resumes its chat session there. Without `to` this server is
   * shutting down, and any other server will do. Sent instead of a welcome, it means that `to` hosts the user's call:
   * the client sends its hello there. A client that does not follow keeps its socket; a server that shuts down closes
   * it some seconds later.
   */
  v.object({ type: v.literal("move"), to: v.optional(v.string()) }),
  v.object({
    type: v.literal("error"),
    code: v.number(),
    reason: v.picklist(socketErrors),
    clientId: v.optional(v.string()),
    /** End of the mute, milliseconds since the epoch; only with `muted`. */
    until: v.optional(v.number()),
  }),
]);
export type ServerMessage = v.InferOutput<typeof serverMessageSchema>;

/** Our own close codes (RFC 6455 leaves 4000 to 4999 to applications). */
export const socketCloseCodes = {
  /** The account signed in on another device: the client must not retry. */
  kicked: 4001,
  signedOut: 4002,
  banned: 4003,
  badHello: 4004,
  flood: 4005,
  /** Another socket of the same chat session replaced this one. */
  replaced: 4006,
  /** Sent by the client: its page closes, and may return to its call. */
  pageGone: 4007,
  /** The chat session continues over another socket that the client has opened. */
  moved: 4008,
  /** The server shuts down; the client reconnects after a random delay. */
  goingAway: 1001,
} as const;
