import assert from "node:assert";
import { qualityReportsMax } from "@fava/wire/limits.ts";
import { type MatchedPush, pushCodes, type UncheckedCause } from "@fava/wire/pushes.ts";
import { forbidden } from "#lib/errors.ts";
import { MachineRunner } from "#lib/machine.ts";
import type { Tracer } from "#lib/tracer.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { UnwrittenCall } from "#ports/directory.ts";
import type { Departure, RoomMessage } from "#ports/hub-listener.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { Random } from "#ports/random.ts";
import type { CallOwner, Epoch } from "#ports/room-claims.ts";
import type { ChatMessageFilter } from "#ports/text-rules.ts";
import type { CallLog, RoomPeople } from "./call-store.ts";
import type { CallTickets } from "./call-tickets.ts";
import {
  type AdoptedCall,
  adoptLiveRoom,
  ChatRelay,
  type LiveRoom,
  openLiveRoom,
  otherOf,
  type MatchedPair,
  type Participant,
  participantOf,
  refuseMessage,
  renewPushes,
  type Rung,
} from "./live-room.ts";
import type { MovedCalls } from "./moved-calls.ts";
import { relayOnlySignal } from "./relay-only.ts";
import type { RoomChanged, RoomEvents, ShownKind } from "./room-events.ts";
import {
  type CallEventKind,
  type EndReason,
  type LeaveReason,
  returnLeftMs,
  roomDueMs,
  type RoomEffect,
  type RoomInput,
  type Side,
  stepRoom,
} from "./room-machine.ts";
import type { RoomPlay } from "./room-play.ts";

export type { AdoptedCall, Matched, MatchedPair, MatchRestrictions, RoomChatMessage } from "./live-room.ts";
export type { RoomChanged, RoomEnded, RoomEvent, RoomEventConsumer, RoomMatched, ShownKind } from "./room-events.ts";
export { type CallEventKind, type LeaveReason, otherSide, type Side } from "./room-machine.ts";

interface CallServiceOptions {
  bus: Bus;
  tickets?: Pick<CallTickets, "of" | "tokenOf" | "isTokenOf">;
  /** Forwards messages to servers that have taken a call; undefined on a single server. */
  moved?: Pick<MovedCalls, "taken" | "forward">;
  media: MediaRelay;
  log: CallLog;
  chatFilter: ChatMessageFilter;
  events: Pick<RoomEvents, "publish">;
  clock: Clock;
  random: Random;
  tracer?: Tracer;
  roomsMax: number;
}

interface CurrentCall {
  readonly status: 2 | 3;
  readonly match: MatchedPush;
  readonly joined: boolean;
  readonly sinceMs: number;
  /** Milliseconds since the match was made. */
  readonly ageMs: number;
  /** Milliseconds in which the user's lost page may still return; null while it is connected. */
  readonly returnLeftMs: number | null;
}

/** Departures after which no other page of the user may return to the call. */
const departures: Record<Exclude<Departure, "page_gone" | "replaced" | "moved">, LeaveReason> = {
  closed: "left",
  timed_out: "lost",
  kicked: "kicked",
  banned: "banned",
};

const bothSides = ["offerer", "answerer"] as const;

/** The rooms of this server, and the messages between the two users of each. All methods are synchronous. */
export class CallService {
  readonly #options: CallServiceOptions;
  readonly #rooms = new Map<bigint, LiveRoom>();
  readonly #record: CallRecord;
  readonly #chat: ChatRelay;
  readonly #machine: MachineRunner<LiveRoom, RoomInput, RoomEffect>;
  #fenced = 0;
  readonly #rungMs: Record<Rung, number> = { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0 };

  constructor(options: CallServiceOptions) {
    this.#options = options;
    this.#machine = new MachineRunner({
      clock: options.clock,
      step: stepRoom,
      dueMs: roomDueMs,
      run: (room, effect) => this.#run(room, effect),
      due: (room) => this.#dispatch(room, { type: "tick", nowMs: options.clock.monotonicMs() }),
    });
    this.#record = new CallRecord(options);
    this.#chat = new ChatRelay({ ...options, taken: (line) => options.events.publish({ ...line, kind: "line" }) });
  }

  /** False while rooms or the call log have no capacity for another match. */
  get hasCapacity(): boolean {
    return this.roomCount < this.#options.roomsMax && !this.#options.log.isOverloaded();
  }

  get roomCount(): number {
    return this.#rooms.size / 2;
  }

  /** How many rooms this server ended because another server owned them or they were already over. */
  get fenced(): number {
    return this.#fenced;
  }

  /** How long pages sent each level of video quality, in milliseconds since the server started. */
  get rungMs(): Readonly<Record<Rung, number>> {
    return this.#rungMs;
  }

  /** How many users in calls send each level of video quality, by their last report. */
  get rungCounts(): Readonly<Record<Rung, number>> {
    const counts: Record<Rung, number> = { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0 };
    for (const [userId, room] of this.#rooms) {
      const { quality } = participantOf(room, userId);
      if (quality) counts[quality.rung] += 1;
    }
    return counts;
  }

  /** Makes the room of a pair and pushes 100_001 to both. Neither user may be in a room. */
  create(pair: MatchedPair): string {
    assert(!this.#rooms.has(pair.offerer.userId) && !this.#rooms.has(pair.answerer.userId), "already in a room");
    const { clock, tracer } = this.#options;
    const sinceMs = clock.monotonicMs();
    const room = openLiveRoom(pair, this.#options);
    this.#rooms.set(pair.offerer.userId, room);
    this.#rooms.set(pair.answerer.userId, room);
    const claim = this.#record.made(room);
    this.#machine.arm(room);
    this.#push(room.offerer);
    this.#push(room.answerer);
    for (const { traceparent } of [pair.offerer, pair.answerer])
      tracer?.record(traceparent, "match.room", { sinceMs, roomId: room.id });
    // Published after the pushes: consumers may send messages about the room, which both users must know by then.
    this.#record.event(room, "matched", null);
    this.#options.events.publish({ id: room.id, kind: "matched", side: null, people: peopleIn(room), claim });
    return room.id;
  }

  /** Continues a call, and pushes the match to its users again as they return. Neither user may be in a room. */
  adopt(call: AdoptedCall): void {
    const { offerer, answerer } = call.pair;
    assert(!this.#rooms.has(offerer.userId) && !this.#rooms.has(answerer.userId), "already in a room");
    const room = adoptLiveRoom(call, this.#options);
    this.#rooms.set(offerer.userId, room);
    this.#rooms.set(answerer.userId, room);
    this.#machine.arm(room);
    const people = peopleIn(room);
    const claim = Promise.resolve(call.epoch);
    this.#options.events.publish({ id: room.id, kind: "matched", side: null, people, claim, isAdopted: true });
    for (const side of bothSides) this.#happened(room, "lost", side);
    this.#publish(room, "live", null);
  }

  /** Call if the user's page was at this server when the call's server died. It counts as returned. */
  stayed(userId: bigint, roomId: string): void {
    const room = this.#rooms.get(userId);
    if (room?.id === roomId) this.#pageIsBack(room, participantOf(room, userId));
  }

  /**
   * The user joins the room, or returns to it with a new page.
   * @throws EndpointError 403 `not_in_room` for any other room; `no_socket` for a user without a chat session.
   */
  join(userId: bigint, roomId: string): { is_enough: 0 | 1 } {
    const room = this.#rooms.get(userId);
    if (room?.id !== roomId) throw forbidden("not_in_room");
    if (!this.#options.bus.isHere(userId)) throw forbidden("no_socket");
    const participant = participantOf(room, userId);
    this.#dispatch(room, { type: "joined", side: participant.side });
    this.#pageIsBack(room, participant);
    return { is_enough: participant.matched.isEnough };
  }

  #pageIsBack(room: LiveRoom, participant: Participant): void {
    this.#dispatch(room, { type: "page-back", side: participant.side, nowMs: this.#options.clock.monotonicMs() });
    this.#chat.pageIsBack(participant);
  }

  isIn(userId: bigint, roomId: string): boolean {
    return this.#rooms.get(userId)?.id === roomId;
  }

  /** The epoch of a call whose room is at this server; null if the user is not in it. */
  epochIn(userId: bigint, roomId: string): Epoch | null {
    const room = this.#rooms.get(userId);
    return room?.id === roomId ? room.epoch : null;
  }

  isLive(userId: bigint): boolean {
    return this.#rooms.get(userId)?.state.kind === "live";
  }

  otherIn(userId: bigint): bigint | null {
    const room = this.#rooms.get(userId);
    return room ? otherOf(room, participantOf(room, userId)).matched.userId : null;
  }

  /** The user's running call and calls that are not stored yet, because the database gets calls with a delay. */
  unwrittenOf(userId: bigint): readonly UnwrittenCall[] {
    const { clock, log } = this.#options;
    const room = this.#rooms.get(userId);
    const waiting = log.unwrittenOf(userId).filter(({ id }) => id !== room?.id);
    if (!room) return waiting;
    const liveMs = room.state.kind === "live" ? clock.monotonicMs() - room.state.sinceMs : null;
    const connectedAtMs = liveMs === null ? null : clock.nowMs() - liveMs;
    const otherId = otherOf(room, participantOf(room, userId)).matched.userId;
    return [{ id: room.id, otherId, connectedAtMs, endedAtMs: null }, ...waiting];
  }

  current(userId: bigint): CurrentCall | null {
    const room = this.#rooms.get(userId);
    if (!room || room.state.kind === "ended") return null;
    const { side, push, matched } = participantOf(room, userId);
    const nowMs = this.#options.clock.monotonicMs();
    return {
      status: room.state.kind === "live" ? 3 : 2,
      match: push,
      joined: room.state.kind === "live" || room.state.joined[side],
      sinceMs: matched.sinceMs,
      ageMs: nowMs - room.matchedAtMs,
      returnLeftMs: returnLeftMs(room.state, side, nowMs),
    };
  }

  /** Returns false if the user is in no room. */
  leave(userId: bigint, reason: LeaveReason): boolean {
    return this.#dispatchTo(userId, (side) => ({ type: "leave", side, reason }));
  }

  /** Ends the call for this user's violation. The partner is told `cut` and gets the beans back. False without call. */
  cut(userId: bigint): boolean {
    this.#cutRelay(userId);
    return this.#dispatchTo(userId, (side) => ({ type: "cut", side, cut: { reason: "violation" } }));
  }

  /** Ends the call because no frame of this user could be judged; both get the beans in `back`. False without call. */
  cutUnchecked(userId: bigint, { cause, back }: { cause: UncheckedCause; back: ReadonlyMap<bigint, bigint> }): boolean {
    const room = this.#rooms.get(userId);
    if (!room) return false;
    const returnedTo = (side: Side) => wireInteger(back.get(room[side].matched.userId) ?? 0n);
    const returned = { offerer: returnedTo("offerer"), answerer: returnedTo("answerer") };
    this.#cutRelay(userId);
    return this.#dispatchTo(userId, (side) => ({ type: "cut", side, cut: { reason: "unchecked", cause, returned } }));
  }

  /** The partner's sessions stay: the partner's page may have started the next search. */
  #cutRelay(userId: bigint): void {
    const room = this.#rooms.get(userId);
    if (room) this.#options.media.cut(participantOf(room, userId).matched.card.external_id);
  }

  /** Reports a judged frame of the user. If later frames are missing, the beans since this one are returned. */
  looked(userId: bigint, roomId: string): void {
    const room = this.#rooms.get(userId);
    if (room?.id === roomId) this.#publish(room, "looked", participantOf(room, userId).side);
  }

  /** Reports whether the partner sees this user's video. The partner does not pay while it is hidden. */
  setShown(userId: bigint, roomId: string, shown: ShownKind): void {
    const room = this.#rooms.get(userId);
    if (room?.id === roomId) this.#publish(room, shown, participantOf(room, userId).side);
  }

  dropped(userId: bigint): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#dispatchTo(userId, (side) => ({ type: "lost", side, nowMs }));
  }

  resumed(userId: bigint): void {
    this.#dispatchTo(userId, (side) => ({ type: "returned", side }));
  }

  gone(userId: bigint, how: Departure): void {
    // A user who moves to another server stays in the room.
    if (how === "moved") return;
    const nowMs = this.#options.clock.monotonicMs();
    if (how === "page_gone" || how === "replaced")
      return void this.#dispatchTo(userId, (side) => ({ type: "page-gone", side, nowMs }));
    this.leave(userId, departures[how]);
  }

  /** Passes a message to the partner, if it has the room's id and the sender's token. */
  roomMessage(userId: bigint, message: RoomMessage): void {
    const { bus, moved, tickets } = this.#options;
    const room = this.#rooms.get(userId);
    if (!room || room.id !== message.roomId) {
      const refuse = () => refuseMessage(bus, userId, { message, reason: "unknown_room" });
      return moved?.forward(userId, message, refuse) ? undefined : refuse();
    }
    const sender = participantOf(room, userId);
    const { roomToken } = message;
    const isAllowed = sender.token === roomToken || (tickets?.isTokenOf(room.id, userId, roomToken) ?? false);
    if (!isAllowed) return refuseMessage(bus, userId, { message, reason: "unknown_room" });
    switch (message.type) {
      case "signal":
        return this.#signal(room, sender, message);
      case "chat":
        this.#dispatch(room, { type: "joined", side: sender.side });
        return this.#chat.take(room, sender, message);
      case "media":
        return this.#dispatch(room, {
          type: "media",
          side: sender.side,
          state: message.state,
          nowMs: this.#options.clock.monotonicMs(),
        });
      case "quality":
        return this.#quality(room, sender, message);
      case "reaction":
      case "two-choice":
        return this.#play(room, sender, message);
    }
  }

  #play(room: LiveRoom, sender: Participant, message: Parameters<RoomPlay["take"]>[1]): void {
    if (room.state.kind !== "live") return;
    const sent = room.play.take(sender.side, message, this.#options.clock.monotonicMs());
    for (const { to, message: told } of sent) this.#options.bus.pass(room[to].matched.userId, told);
  }

  #quality(room: LiveRoom, sender: Participant, message: Extract<RoomMessage, { type: "quality" }>): void {
    const { bus } = this.#options;
    const words = (sender.quality?.words ?? 0) + 1;
    if (words > qualityReportsMax) return refuseMessage(bus, sender.matched.userId, { message, reason: "refused" });
    this.#countRung(sender);
    sender.quality = { words, rung: message.rung, sinceMs: this.#options.clock.monotonicMs() };
    bus.pass(otherOf(room, sender).matched.userId, { type: "peer-quality", roomId: room.id, level: message.level });
  }

  #countRung({ quality }: Participant): void {
    if (quality) this.#rungMs[quality.rung] += this.#options.clock.monotonicMs() - quality.sinceMs;
  }

  /**
   * Ends the room without telling its users, because another server has the call, or it is over (rules CALL-131,
   * START-70).
   * @param by the other server. A room with its epoch or a later one stays. Null: unknown.
   */
  takenOver(userId: bigint, roomId: string, by: CallOwner | null = null): void {
    const own = this.epochIn(userId, roomId);
    if (own === null || (by && own >= by.epoch)) return;
    this.#fenced += 1;
    if (by) this.#options.moved?.taken(roomId, by.server);
    this.#dispatchTo(userId, () => ({ type: "taken-over" }));
  }

  endAll(): void {
    for (const room of new Set(this.#rooms.values())) this.#dispatch(room, { type: "restart" });
  }

  #signal(room: LiveRoom, sender: Participant, message: Extract<RoomMessage, { type: "signal" }>): void {
    const { bus, clock, media } = this.#options;
    // Only the offerer makes offers, so that offers never collide (decision 002).
    const offererOnly = message.signal.type === "offer";
    const answererOnly = message.signal.type === "answer" || message.signal.type === "restart";
    const isWrongSide = sender.side === "offerer" ? answererOnly : offererOnly;
    if (isWrongSide || !sender.signalLimiter.take(message.signal, clock.monotonicMs()))
      return refuseMessage(bus, sender.matched.userId, { message, reason: "refused" });
    this.#dispatch(room, { type: "joined", side: sender.side });
    const signal = media.policy === "relay" ? relayOnlySignal(message.signal) : message.signal;
    if (!signal) return;
    bus.pass(otherOf(room, sender).matched.userId, { type: "signal", roomId: room.id, signal });
    if (signal.type === "answer") this.#publish(room, "answered", sender.side);
  }

  #dispatchTo(userId: bigint, inputOf: (side: Side) => RoomInput): boolean {
    const room = this.#rooms.get(userId);
    if (!room) return false;
    this.#dispatch(room, inputOf(participantOf(room, userId).side));
    return true;
  }

  #dispatch(room: LiveRoom, input: RoomInput): void {
    this.#machine.dispatch(room, input);
  }

  #run(room: LiveRoom, effect: RoomEffect): void {
    const { bus } = this.#options;
    switch (effect.type) {
      case "record":
        return this.#happened(room, effect.kind, effect.side);
      case "relay-media":
        bus.pass(room[effect.to].matched.userId, { type: "peer-media", roomId: room.id, state: effect.state });
        return;
      case "connected":
        return this.#record.connected(room);
      case "renew":
        renewPushes(room, this.#options);
        this.#push(room.offerer);
        this.#push(room.answerer);
        return this.#publish(room, "page_back", effect.side);
      case "tell-left":
        bus.push(room[effect.to].matched.userId, {
          code: pushCodes.otherLeft,
          roomId: room.id,
          reason: effect.reason,
          ...(effect.unchecked && { unchecked: { whose: "other", ...effect.unchecked } }),
        });
        return;
      case "tell-unchecked": {
        const { to, cause, returned } = effect;
        const about = { roomId: room.id, type: 2, is_enough: 1, why: "unchecked", meter: null } as const;
        const unchecked = { whose: "own", cause, returned } as const;
        bus.push(room[to].matched.userId, { code: pushCodes.callMessage, ...about, unchecked });
        return;
      }
      case "ended":
        for (const { matched } of [room.offerer, room.answerer]) this.#rooms.delete(matched.userId);
        return this.#ended(room, effect);
    }
  }

  #push({ matched, push }: Participant): void {
    this.#options.bus.push(matched.userId, push);
  }

  /** Stores and publishes an event, except the end: `#ended` publishes it after both users were told. */
  #happened(room: LiveRoom, kind: Exclude<CallEventKind, "matched">, side: Side | null): void {
    this.#record.event(room, kind, side);
    if (kind !== "ended") this.#publish(room, kind, side);
  }

  #publish(room: LiveRoom, kind: RoomChanged["kind"], side: Side | null): void {
    this.#options.events.publish({ id: room.id, kind, side, people: peopleIn(room) });
  }

  #ended(room: LiveRoom, { reason, wasLive, leaver, joined }: Extract<RoomEffect, { type: "ended" }>): void {
    this.#record.ended(room, reason);
    for (const side of bothSides) this.#countRung(room[side]);
    const about = { id: room.id, side: leaver, people: peopleIn(room) };
    this.#options.events.publish({ ...about, kind: "ended", reason, wasLive, joined });
  }
}

function peopleIn({ offerer, answerer }: LiveRoom): RoomChanged["people"] {
  return { offerer: offerer.matched, answerer: answerer.matched };
}

function peopleOf({ id, offerer, answerer }: LiveRoom): RoomPeople {
  return { id, offererId: offerer.matched.userId, answererId: answerer.matched.userId };
}

/** Limit of rows per call in `call_events`, because users could toggle a switch endlessly. */
const eventsPerCallMax = 500;

class CallRecord {
  readonly #ports: { log: CallLog; clock: Clock };

  constructor(ports: { log: CallLog; clock: Clock }) {
    this.#ports = ports;
  }

  /** Writes the call's row. Resolves when it is stored. The caller writes the first event. */
  made(room: LiveRoom): Promise<Epoch> {
    const { offerer, answerer } = room;
    const { clock, log } = this.#ports;
    return log.make({
      ...peopleOf(room),
      offererPrice: offerer.matched.price,
      answererPrice: answerer.matched.price,
      matchedAtMs: clock.nowMs(),
    });
  }

  /** Writes at most `eventsPerCallMax` events, and always the end. */
  event(room: LiveRoom, kind: CallEventKind, side: Side | null): void {
    const { clock, log } = this.#ports;
    room.eventsRecorded += 1;
    if (kind !== "ended" && room.eventsRecorded >= eventsPerCallMax) return;
    log.event({ callId: room.id, userId: side && room[side].matched.userId, kind, atMs: clock.nowMs() });
  }

  connected(room: LiveRoom): void {
    this.#ports.log.connected(peopleOf(room), this.#ports.clock.nowMs());
  }

  ended(room: LiveRoom, reason: EndReason): void {
    this.#ports.log.ended(room.id, { atMs: this.#ports.clock.nowMs(), reason });
  }
}
