import { codes } from "@fava/wire/codes.ts";
import {
  callReturnsMax,
  returnGenerationStep,
  signalBatchesMax,
  signalBytesMax,
  signalDescriptionsMax,
  signalWindowMs,
} from "@fava/wire/limits.ts";
import type { TextSpan } from "@fava/wire/messages.ts";
import type { RemoteUser } from "@fava/wire/people.ts";
import { type MatchedPush, pushCodes } from "@fava/wire/pushes.ts";
import type { Signal } from "@fava/wire/signals.ts";
import type { SocketError } from "@fava/wire/socket.ts";
import { hasVisibleSign, limitMarks } from "@fava/wire/visible-text.ts";
import { newCallId } from "#db/call-days.ts";
import type { Running } from "#lib/machine.ts";
import type { Bus, ChatMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { RoomMessage } from "#ports/hub-listener.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { AccountRestrictions } from "#ports/moderation.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Epoch } from "#ports/room-claims.ts";
import type { ChatMessageFilter, ChatVerdict, DeliveredText, UserLocale } from "#ports/text-rules.ts";
import type { CallTickets } from "./call-tickets.ts";
import { relayOnlyDescription } from "./relay-only.ts";
import { adoptedRoom, isAwaited, isPageGone, openRoom, otherSide, type Room, type Side } from "./room-machine.ts";
import { RoomPlay } from "./room-play.ts";

export interface Matched {
  readonly userId: bigint;
  /** What the partner sees of this user, in the partner's language. */
  readonly card: Omit<RemoteUser, "price">;
  /** Beans a minute that this call costs this user; fixed at the match. */
  readonly price: number;
  /** 0 if the user can pay for the first minute only. */
  readonly isEnough: 0 | 1;
  /** Start of this user's search, in milliseconds since the epoch: the place in the queue after a failed match. */
  readonly sinceMs: number;
  /** The user's restrictions at the time of this match. */
  readonly restrictions: MatchRestrictions;
  readonly locale: UserLocale;
  readonly traceparent?: string | undefined;
}

export type MatchRestrictions = Pick<
  AccountRestrictions,
  "pausedUntil" | "isNew" | "isWatched" | "ageGate" | "startsCovered" | "isReceivedOnly" | "hintsAge"
>;

export interface MatchedPair {
  /** The user who waited longer. */
  readonly offerer: Matched;
  readonly answerer: Matched;
  /** An offer that the offerer's page prepared before the match. It is sent once. */
  readonly preparedOffer: string | null;
}

export interface Participant {
  readonly side: Side;
  readonly matched: Matched;
  /** Opens this room, for this user only. */
  readonly token: string;
  push: MatchedPush;
  readonly chatLimiter: ChatLimiter;
  readonly signalLimiter: SignalLimiter;
  quality: { readonly words: number; readonly rung: Rung; readonly sinceMs: number } | null;
  /** Lines that wait until the user's page comes to this server, oldest first. */
  readonly awaitedLines: ChatMessage[];
}

export type Rung = Extract<RoomMessage, { type: "quality" }>["rung"];

export interface LiveRoom extends Running<Room> {
  readonly id: string;
  readonly offerer: Participant;
  readonly answerer: Participant;
  readonly matchedAtMs: number;
  /** Grows each time another server takes the call. */
  readonly epoch: Epoch;
  readonly play: RoomPlay;
  eventsRecorded: number;
  /** How often the two pages have started a new connection. */
  renewals: number;
}

/** A call of a dead server that this server continues. */
export interface AdoptedCall {
  readonly id: string;
  readonly pair: MatchedPair;
  /** How long the call has been live, by the database. */
  readonly liveMs: number;
  readonly epoch: Epoch;
}

/** Limit per server: one for each return of each user, and one for the failover from the previous server. */
const renewalsMax = 2 * callReturnsMax + 1;

interface LiveRoomPorts {
  clock: Clock;
  media: MediaRelay;
  random: Random;
  tickets?: Pick<CallTickets, "of" | "tokenOf">;
}

export function openLiveRoom(pair: MatchedPair, ports: LiveRoomPorts): LiveRoom {
  const nowMs = ports.clock.monotonicMs();
  const id = newCallId(ports.random, ports.clock.nowMs());
  return liveRoom({ id, pair, matchedAtMs: nowMs, state: openRoom(nowMs), renewals: 0, epoch: 1 }, ports);
}

/** Opens the room of an adopted call. The previous server's count of renewals is unknown, so its maximum is assumed. */
export function adoptLiveRoom({ id, pair, liveMs, epoch }: AdoptedCall, ports: LiveRoomPorts): LiveRoom {
  const nowMs = ports.clock.monotonicMs();
  const liveSinceMs = nowMs - liveMs;
  const state = adoptedRoom({ liveSinceMs, nowMs });
  const renewals = (epoch - 1) * renewalsMax;
  return liveRoom({ id, pair, matchedAtMs: liveSinceMs, state, renewals, epoch }, ports);
}

function liveRoom(
  {
    id,
    pair,
    matchedAtMs,
    state,
    renewals,
    epoch,
  }: Pick<LiveRoom, "id" | "matchedAtMs" | "state" | "renewals" | "epoch"> & { pair: MatchedPair },
  ports: LiveRoomPorts,
): LiveRoom {
  const participant = (side: Side): Participant => ({
    side,
    matched: pair[side],
    ...invitation({ id, side, pair }, ports),
    chatLimiter: new ChatLimiter(ports.clock.monotonicMs()),
    signalLimiter: new SignalLimiter(ports.clock.monotonicMs()),
    quality: null,
    awaitedLines: [],
  });
  return {
    id,
    epoch,
    offerer: participant("offerer"),
    answerer: participant("answerer"),
    play: new RoomPlay(ports.clock.monotonicMs()),
    matchedAtMs,
    state,
    timer: null,
    dueMs: null,
    eventsRecorded: 0,
    renewals,
  };
}

/** Pushes the match again: both pages start a new connection with new credentials and a new generation of offers. */
export function renewPushes(room: LiveRoom, { clock, media }: { clock: Clock; media: MediaRelay }): void {
  room.renewals += 1;
  const liveMs = room.state.kind === "live" ? Math.round(clock.monotonicMs() - room.state.sinceMs) : 0;
  for (const side of [room.offerer, room.answerer]) {
    const { iceServers } = media.credentialsFor(side.matched.card.external_id);
    side.push = {
      ...side.push,
      media: { ...side.push.media, iceServers, peerOffer: null },
      returned: { generation: room.renewals * returnGenerationStep, live_ms: liveMs },
    };
  }
}

function invitation(
  { id, side, pair }: { id: string; side: Side; pair: MatchedPair },
  { media, random, tickets }: Omit<LiveRoomPorts, "clock">,
): { token: string; push: MatchedPush } {
  const token = tickets?.tokenOf(id, pair[side].userId) ?? randomId(random);
  const self = pair[side];
  const other = side === "offerer" ? pair.answerer : pair.offerer;
  const prepared = side === "answerer" ? pair.preparedOffer : null;
  const push: MatchedPush = {
    code: pushCodes.matched,
    roomId: id,
    token,
    user_Id: Number(other.userId),
    id,
    externalId: other.card.external_id,
    is_enough: self.isEnough,
    remote: { ...other.card, price: self.price },
    media: {
      kind: "p2p",
      role: side,
      iceServers: media.credentialsFor(self.card.external_id).iceServers,
      policy: media.policy,
      peerOffer: prepared !== null && media.policy === "relay" ? relayOnlyDescription(prepared) : prepared,
    },
    returned: null,
    ...(self.traceparent !== undefined && { traceparent: self.traceparent }),
    ...(tickets && { ticket: tickets.of(id, self.userId) }),
  };
  return { token, push };
}

export function participantOf(room: LiveRoom, userId: bigint): Participant {
  return room.offerer.matched.userId === userId ? room.offerer : room.answerer;
}

export function otherOf(room: LiveRoom, sender: Participant): Participant {
  return room[otherSide(sender.side)];
}

/** Limits the signals of one user in one room to what WebRTC needs, so that they cannot carry other data. */
export class SignalLimiter {
  #sinceMs: number;
  #descriptions = 0;
  #batches = 0;
  #bytes = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** Whether the signal is within the limits. Each limit applies per window of `signalWindowMs`. */
  take(signal: Signal, nowMs: number): boolean {
    if (nowMs - this.#sinceMs >= signalWindowMs) {
      this.#sinceMs = nowMs;
      this.#descriptions = this.#batches = this.#bytes = 0;
    }
    if (signal.type === "candidates") this.#batches += 1;
    else this.#descriptions += 1;
    this.#bytes += bytesOf(signal);
    return (
      this.#descriptions <= signalDescriptionsMax && this.#batches <= signalBatchesMax && this.#bytes <= signalBytesMax
    );
  }
}

function bytesOf(signal: Signal): number {
  switch (signal.type) {
    case "offer":
    case "answer":
      return signal.sdp.length;
    case "candidates":
      return signal.candidates.reduce((sum, { candidate }) => sum + candidate.length, 0);
    case "restart":
      return 0;
  }
}

type ChatLine = Extract<RoomMessage, { type: "chat" }>;

export interface RoomChatMessage {
  readonly id: string;
  readonly clientId: string;
  readonly fromId: bigint;
  readonly text: string;
  /** Ranges of `text` in which the text rules found something. */
  readonly spans: readonly TextSpan[];
  /** What the partner received; null if the line was refused. */
  readonly delivered: DeliveredText | null;
  readonly atMs: number;
}

interface ChatRelayPorts {
  bus: Bus;
  chatFilter: ChatMessageFilter;
  clock: Clock;
  /** Receives each line that was delivered or refused. */
  taken: (line: RoomChatMessage) => void;
}

/** How many lines may wait for a page after its server has crashed or stopped. */
const awaitedLinesMax = 20;

/** Delivers the chat lines of rooms to the partner, as far as the text rules allow (rule CHAT-61). */
export class ChatRelay {
  readonly #ports: ChatRelayPorts;

  constructor(ports: ChatRelayPorts) {
    this.#ports = ports;
  }

  take(room: LiveRoom, sender: Participant, message: ChatLine): void {
    const { bus, clock, chatFilter } = this.#ports;
    const { userId } = sender.matched;
    const { clientId } = message;
    const text = limitMarks(message.text);
    // A lost page cannot receive lines. The sender may send this one again later.
    const partner = otherOf(room, sender);
    const isUnread = !hasVisibleSign(text) || isPageGone(room.state, partner.side);
    if (isUnread || partner.awaitedLines.length === awaitedLinesMax)
      return refuseMessage(bus, userId, { message, reason: "refused" });
    const taken = sender.chatLimiter.take(clientId, clock.monotonicMs());
    if (taken === "too-many") return refuseMessage(bus, userId, { message, reason: "refused" });
    if (taken !== "taken") return this.#answer(userId, message, taken);
    const reader = partner.matched;
    const people = { userId, readerId: reader.userId, writer: sender.matched.locale, reader: reader.locale };
    const verdict = chatFilter.evaluate({ ...people, callId: room.id, clientId }, text);
    const answer = answerTo(verdict);
    sender.chatLimiter.answer(clientId, answer);
    if (verdict.kind !== "muted") this.#deliver(room, sender, { line: { ...message, text }, verdict });
    this.#answer(userId, message, answer);
  }

  /** The user's page has come to this server. */
  pageIsBack({ matched, awaitedLines }: Participant): void {
    for (const line of awaitedLines.splice(0)) this.#ports.bus.chat(matched.userId, line);
  }

  #deliver(room: LiveRoom, sender: Participant, { line, verdict }: { line: ChatLine; verdict: ChatVerdict }): void {
    const { bus, clock, taken } = this.#ports;
    const { clientId, text } = line;
    const atMs = clock.nowMs();
    const delivered = deliveredAfter(verdict, text);
    if (delivered) {
      const message: ChatMessage = {
        type: "chat",
        roomId: room.id,
        clientId,
        text: delivered.text,
        ...(delivered.hidden.length > 0 && { hidden: [...delivered.hidden] }),
        ...(delivered.cover && { cover: delivered.cover }),
        sentAtMs: atMs,
      };
      const partner = otherOf(room, sender);
      if (isAwaited(room.state, partner.side)) partner.awaitedLines.push(message);
      else bus.chat(partner.matched.userId, message);
    }
    const spans = verdict.kind === "changed" ? verdict.spans : [];
    taken({ id: room.id, clientId, fromId: sender.matched.userId, text, spans, delivered, atMs });
  }

  #answer(userId: bigint, message: ChatLine, answer: LineAnswer): void {
    const { bus } = this.#ports;
    if (answer.kind === "abusive") return refuseMessage(bus, userId, { message, reason: "abusive" });
    if (answer.kind === "muted") return refuseMessage(bus, userId, { message, reason: "muted", until: answer.untilMs });
    const stored = { type: "chat-stored", roomId: message.roomId, clientId: message.clientId } as const;
    if (answer.kind === "stored") return bus.pass(userId, stored);
    bus.pass(userId, { ...stored, findings: [...answer.findings], spans: [...answer.spans] });
  }
}

interface MessageRefusal {
  readonly message: RoomMessage;
  readonly reason: Extract<SocketError, "unknown_room" | "refused" | "abusive" | "muted">;
  /** For reason `muted`: the end of the mute, in milliseconds since the epoch. */
  readonly until?: number;
}

export function refuseMessage(bus: Bus, userId: bigint, { message, ...why }: MessageRefusal): void {
  const code = why.reason === "unknown_room" ? codes.forbidden : codes.refused;
  const error = { type: "error", code, ...why } as const;
  bus.pass(userId, message.type === "chat" ? { ...error, clientId: message.clientId } : error);
}

/** The response to the sender. A repeated line gets the same one. */
type LineAnswer =
  | { readonly kind: "stored" }
  | Omit<Extract<ChatVerdict, { kind: "changed" }>, "delivered">
  | Exclude<ChatVerdict, { kind: "pass" | "changed" }>;

const stored: LineAnswer = { kind: "stored" };

function answerTo(verdict: ChatVerdict): LineAnswer {
  if (verdict.kind === "pass") return stored;
  if (verdict.kind !== "changed") return verdict;
  const { findings, spans } = verdict;
  return { kind: "changed", findings, spans };
}

/** What the partner reads; null: nothing. */
function deliveredAfter(verdict: ChatVerdict, text: string): DeliveredText | null {
  if (verdict.kind === "pass") return { text, hidden: [], cover: null };
  return verdict.kind === "changed" ? verdict.delivered : null;
}

/** Limits per user and call: lines at once, and lines per second. They bound the backlog of a disconnected receiver. */
const linesBurstMax = 20;
const linesPerSecondMax = 2;
const clientIdsKept = 256;

export class ChatLimiter {
  /** By client id, oldest first, in the order in which a Map keeps its keys. */
  readonly #answers = new Map<string, LineAnswer>();
  #tokens = linesBurstMax;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /** Counts a new line against the limits. A repeated line gets its first answer. */
  take(clientId: string, nowMs: number): "taken" | "too-many" | LineAnswer {
    const answered = this.#answers.get(clientId);
    if (answered) return answered;
    const refilled = this.#tokens + (Math.max(0, nowMs - this.#atMs) * linesPerSecondMax) / 1_000;
    this.#tokens = Math.min(linesBurstMax, refilled);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return "too-many";
    this.#tokens -= 1;
    this.#answers.set(clientId, stored);
    if (this.#answers.size > clientIdsKept) {
      const [oldest] = this.#answers.keys();
      if (oldest !== undefined) this.#answers.delete(oldest);
    }
    return "taken";
  }

  answer(clientId: string, answer: LineAnswer): void {
    this.#answers.set(clientId, answer);
  }
}
