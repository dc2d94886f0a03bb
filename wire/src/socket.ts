import * as v from "valibot";
import { jsonText } from "./form.ts";
import { callTicketLengthMax, chatMessageLengthMax, identifierLengthMax } from "./limits.ts";
import { socialEventSchema, textCoverSchema, textFindingSchema, textSpanSchema } from "./messages.ts";
import { presenceSchema } from "./people.ts";
import { pushSchema } from "./pushes.ts";
import { signalSchema } from "./signals.ts";

/**
 * Messages of the one WebSocket at `/ws`, JSON texts. The client says hello within `socketHelloMs`, either anew with its
 * chat id and signature or as the continuation of a session whose socket was lost. Pushes, chat lines and social events carry
 * a sequence number and are replayed until acknowledged, so that each arrives exactly once; signals are not replayed
 * across sessions.
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

/** Why no frame of a side was checked in time. `weak`: none arrived; `busy`: the server has more frames than it can check. */
const unlookedReasons = ["weak", "busy"] as const;

/** What our checks make of the two pictures of a room, as one side is told. */
const shieldSchema = v.object({
  /** The remote picture: not looked at yet, shown, or hidden because the check is unsure. */
  other: v.picklist(["checking", "clear", "hidden"]),
  /** The own picture: shown to the other, not shown because of what is in it, too dark or covered, or not arriving. */
  own: v.picklist(["checking", "clear", "warned", "covered", "missing"]),
  /** Why the partner's picture is hidden although nothing in it is wrong. Left out: because of what is in it. */
  other_why: v.optional(v.picklist(unlookedReasons)),
  /** The same of the own picture. */
  own_why: v.optional(v.picklist(unlookedReasons)),
  /** The call ends for want of frames of this side in `in_ms` milliseconds, unless one arrives. Left out: it does not. */
  ends: v.optional(
    v.object({ whose: v.picklist(["own", "other"]), in_ms: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  ),
});
export type Shield = v.InferOutput<typeof shieldSchema>;

/** How well a side gets through: without a picture, weakly, fairly, well. */
const qualityLevel = v.picklist([0, 1, 2, 3]);
export type QualityLevel = v.InferOutput<typeof qualityLevel>;

/** What a browser tells the server about the media of its room. */
export const mediaStates = [
  /** The remote picture plays: the first frame was shown. */
  "playing",
  /** No media came for a while; the clock stops. */
  "stalled",
  /** The own camera was switched off, or its page was hidden on a phone. */
  "camera_off",
  "camera_on",
  "mic_off",
  "mic_on",
  "away",
  "back",
  /** The network is too weak for the own picture: nothing of it is sent, and sound goes on. */
  "picture_paused",
  "picture_back",
] as const;
export type MediaState = (typeof mediaStates)[number];

/** What a browser is told about the other side: besides its media, that its socket or page is gone, and is back. */
const peerStates = [...mediaStates, "lost", "returned"] as const;
export type PeerState = (typeof peerStates)[number];

/** What a browser tells of the own camera while it searches; another camera is `camera_off`, then `camera_on`. */
const searchMediaStates = ["camera_off", "camera_on", "away", "back"] as const;
export type SearchMediaState = (typeof searchMediaStates)[number];

/** Long enough for every header of a signed call; the shapes are judged where those of a POST are (rule SIGN-60). */
const signedPart = v.pipe(v.string(), v.maxLength(512));

/**
 * What has arrived, as an `ack` of its own would say it; on any message after the hello, whatever becomes of that message
 * (rule SOCKET-94).
 */
const riding = { ack: v.optional(sequence) };

export const clientMessageSchema = v.variant("type", [
  v.strictObject({
    type: v.literal("hello"),
    tencentId: identifier,
    tencentSign: jsonText(1, 1_024),
    resume: v.nullable(v.strictObject({ sessionId: identifier, lastSequence: sequence })),
    /** The ticket from 100_001 of the page's call. Any server finds the call by it, or takes it over from a dead server. */
    ticket: v.optional(jsonText(1, callTicketLengthMax)),
  }),
  v.strictObject({ type: v.literal("ack"), sequence }),
  v.strictObject({ type: v.literal("ping"), ...riding }),
  v.strictObject({ type: v.literal("signal"), ...room, ...riding, signal: signalSchema }),
  v.strictObject({
    type: v.literal("chat"),
    ...room,
    ...riding,
    /** Made by the client; a line that is sent again after a reconnect is stored and shown once. */
    clientId: identifier,
    text: jsonText(1, chatMessageLengthMax),
  }),
  v.strictObject({ type: v.literal("media"), ...room, ...riding, state: v.picklist(mediaStates) }),
  /** How much of the own picture is sent (`rungs` of the page), and how well this side gets through: 0 without a picture, 3 well. */
  v.strictObject({
    type: v.literal("quality"),
    ...room,
    ...riding,
    rung: v.picklist([0, 1, 2, 3, 4]),
    level: qualityLevel,
  }),
  /** The same while one searches, where there is no room yet. */
  v.strictObject({ type: v.literal("search-media"), ...riding, state: v.picklist(searchMediaStates) }),
  /** The camera preview is up, so that a search may begin soon. The server may answer `move`. */
  v.strictObject({ type: v.literal("preview"), ...riding }),
  /** The person writes to this friend, or to the other of their call; told again every `typingRepeatMs`. */
  v.strictObject({ type: v.literal("typing"), ...riding, externalId: identifier }),
  /**
   * A signed call, as a POST to `path` with these headers and this body would be; the signature says so too. Only calls
   * that are declared `overSocket` may come this way.
   */
  v.strictObject({
    type: v.literal("request"),
    ...riding,
    /** Made by the client: the response carries it. */
    id: sequence,
    path: signedPart,
    timestamp: signedPart,
    nonce: signedPart,
    signature: signedPart,
    /** Of the person whose chat session this is. */
    token: signedPart,
    contentType: signedPart,
    /** The text of the form, whose bytes in UTF-8 were signed. */
    body: v.string(),
  }),
]);
export type ClientMessage = v.InferOutput<typeof clientMessageSchema>;

/** Why a message was refused. The socket stays open, except after `flood` and `bad_hello`. */
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
    /** False: this is a new session, and what the old one did not deliver is gone. */
    resumed: v.boolean(),
    /** The sequence number after which this session begins. */
    sequence,
    /** The server that has the session: the client names it when it reconnects (`socketServerField`). Left out by a single server. */
    server: v.optional(v.string()),
  }),
  v.object({ type: v.literal("push"), sequence, push: pushSchema }),
  v.object({
    type: v.literal("chat"),
    sequence,
    roomId: v.string(),
    clientId: v.string(),
    text: v.string(),
    /** Stretches of the text (of the cover's, where there is one) whose letters were taken out; `coverMask` stands there. */
    hidden: v.optional(v.array(textSpanSchema)),
    cover: v.optional(textCoverSchema),
    sentAtMs: v.number(),
  }),
  v.object({ type: v.literal("social"), sequence, event: socialEventSchema }),
  /** Friends only, and only while the receiver's session lives: the lists say it anew. */
  v.object({ type: v.literal("presence"), externalId: v.string(), presence: presenceSchema }),
  v.object({ type: v.literal("typing"), externalId: v.string() }),
  /** `findings`: what was hidden or covered before the other read it, and `spans`: where in the sender's own text. */
  v.object({
    type: v.literal("chat-stored"),
    roomId: v.string(),
    clientId: v.string(),
    findings: v.optional(v.array(textFindingSchema)),
    spans: v.optional(v.array(textSpanSchema)),
  }),
  /** A picture is asked for, `dueInMs` from now; see `endpoints/inspection.ts`. */
  v.object({
    type: v.literal("inspect"),
    /** Empty while one searches: then it is the own picture. */
    roomId: v.string(),
    ticket: v.string(),
    view: v.picklist(["own", "received"]),
    dueInMs: v.number(),
  }),
  /** What of the pictures of a room is to be shown; told whole on every change, and again after a reconnect. */
  v.object({ type: v.literal("shield"), roomId: v.string(), ...shieldSchema.entries }),
  /** Nobody has come so far for whoever searches, and so many more people who asked for somebody like this were told of it. */
  v.object({ type: v.literal("told"), count: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
  v.object({ type: v.literal("signal"), roomId: v.string(), signal: signalSchema }),
  /** The other person's camera, microphone, presence or connection changed. */
  v.object({ type: v.literal("peer-media"), roomId: v.string(), state: v.picklist(peerStates) }),
  /** How well the other side gets through. */
  v.object({ type: v.literal("peer-quality"), roomId: v.string(), level: qualityLevel }),
  /** Of a request, whatever its code; on the socket on which it came, or not at all. */
  v.object({
    type: v.literal("response"),
    id: sequence,
    answer: v.object({ code: v.number(), data: v.optional(v.unknown()), msg: v.optional(v.string()) }),
  }),
  v.object({ type: v.literal("pong") }),
  /**
   * The client opens a second socket and resumes its chat session over it, at the server `to`. Without `to` this server
   * stops, and any other will do. Instead of a welcome, it means that `to` has the user's call: the client says hello there.
   * A client that does not follow keeps its socket; a server that stops closes it some seconds later.
   */
  v.object({ type: v.literal("move"), to: v.optional(v.string()) }),
  v.object({
    type: v.literal("error"),
    code: v.number(),
    reason: v.picklist(socketErrors),
    clientId: v.optional(v.string()),
    /** With `muted`: milliseconds since the epoch. */
    until: v.optional(v.number()),
  }),
]);
export type ServerMessage = v.InferOutput<typeof serverMessageSchema>;

/** Close codes of our own (RFC 6455 leaves 4000 to 4999 to applications). */
export const socketCloseCodes = {
  /** The account was signed in elsewhere: nothing may be retried. */
  kicked: 4001,
  signedOut: 4002,
  banned: 4003,
  badHello: 4004,
  flood: 4005,
  /** Another socket of the same chat session took over. */
  replaced: 4006,
  /** Of the client: its page goes, and may come back to its call. */
  pageGone: 4007,
  /** The chat session goes on over another socket that the client has opened. */
  moved: 4008,
  /** The server stops; the client comes back after a pause. */
  goingAway: 1001,
} as const;
