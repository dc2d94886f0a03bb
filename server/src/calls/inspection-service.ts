import { callRememberedMs } from "@fava/wire/limits.ts";
import { type UncheckedCause, uncheckedCauses } from "@fava/wire/pushes.ts";
import type { Shield } from "@fava/wire/socket.ts";
import { Emitter } from "#lib/emitter.ts";
import { forbidden } from "#lib/errors.ts";
import type { FrameVerdict } from "#ports/frame-classifier.ts";
import type { EvidenceItem, EvidenceQuery, FrameSampler, LiveEvidence, Moderation } from "#ports/moderation.ts";
import {
  evidenceOf,
  frameItem,
  InspectedRoom,
  type InspectedSide,
  linesOf,
  type StoredFrame,
  FrameMemory,
  type Opening,
  otherSideOf,
  sidesOf,
  withLine,
} from "./inspected-room.ts";
import { isUnflagged, passes } from "./frame-facts.ts";
import { endsInMs } from "./inspection-clocks.ts";
import { inspectionDueMs, stepInspection } from "./inspection-machine.ts";
import {
  type AskEffect,
  type InspectionEffect,
  isReceivedOnly,
  shownKindOf,
  shownToOther,
  toldToOwner,
  unjudgedWhy,
  type View,
} from "./inspection-state.ts";
import {
  type AskedFrame,
  cameraChanges,
  isCameraOn,
  type JudgedFrame,
  VideoInspections,
  type VideoInspectionsOptions,
} from "./video-inspections.ts";
import type { MeterService } from "./meter-service.ts";
import { ModerationNotifier } from "./moderation-notifier.ts";
import type { CallService, Matched, RoomChanged, RoomEvent, RoomEventConsumer, RoomMatched } from "./room-service.ts";
import { SearchInspection } from "./search-inspection.ts";
import { SenderMemory } from "./sender-memory.ts";

export interface InspectionServiceOptions extends VideoInspectionsOptions {
  readonly calls: Pick<CallService, "cut" | "cutUnchecked" | "looked" | "setShown">;
  readonly meters: Pick<MeterService, "endUnchecked">;
  readonly moderation: Moderation;
  readonly sampler: FrameSampler;
  /** Maximum bytes of all stored frames. */
  readonly memoryBytesMax: number;
  /** Whether video that repeats opens a case. False: it is only noted. */
  readonly loopsAct: boolean;
}

/** How long a report waits for the frames that it requested, in milliseconds, and how many reports a user can have. */
const lateMs = 10_000;
const lateListenersMax = 4;

/**
 * Inspects the video of running calls. Runs the effects of `stepInspection`, tells both pages what to show, and reports
 * to moderation (rules SAFE-1 to SAFE-82). `search` inspects users who search.
 */
export class InspectionService implements LiveEvidence, RoomEventConsumer, AsyncDisposable {
  readonly #options: InspectionServiceOptions;
  readonly #rooms = new Map<string, InspectedRoom>();
  readonly #memory: FrameMemory;
  readonly #notifier: ModerationNotifier;
  readonly #inspections: VideoInspections<InspectedSide>;
  readonly #senders: SenderMemory;
  readonly #counts = { openedClear: 0, openedCovered: 0, missed: 0, putOff: 0, empty: 0 };
  readonly #endedUnchecked = Object.fromEntries(uncheckedCauses.map((cause) => [cause, 0])) as Record<
    UncheckedCause,
    number
  >;
  readonly #exposed = new Emitter<[exposedMs: number]>();
  readonly search: SearchInspection;

  constructor(options: InspectionServiceOptions) {
    this.#options = options;
    this.#senders = new SenderMemory(options);
    this.search = new SearchInspection(options, (userId, verdict) => this.#remember({ userId }, verdict));
    this.#memory = new FrameMemory(options.memoryBytesMax);
    this.#notifier = new ModerationNotifier(options);
    this.#inspections = new VideoInspections<InspectedSide>(options, {
      step: stepInspection,
      dueMs: inspectionDueMs,
      judgesLate: true,
      senderOf: (side, view) => (view === "own" ? side : otherSideOf(side)).userId,
      restrictionsOf: ({ userId }) => options.moderation.restrictionsOf(userId),
      run: (side, effect) => this.#run(side, effect),
      judged: (side, frame) => this.#judged(side, frame),
      changed: (side) => this.#tell(side),
    });
  }

  /** Whether video is inspected now, or inspection is switched off. While false, the video of calls stays covered. */
  isChecking(): boolean {
    return this.#options.classifier?.isReady() ?? true;
  }

  /** Counts since the server started, and current values. */
  get figures() {
    const hidden = [...this.#rooms.values()].filter(({ isOver, sides }) => !isOver && sides.some(isHidden));
    return {
      ...this.#inspections.counts,
      ...this.#counts,
      unjudged: sumOf(this.#inspections.unjudged, this.search.unjudged),
      endedUnchecked: this.#endedUnchecked,
      families: sumOf(this.#inspections.families, this.search.families),
      ages: this.#senders.ages,
      searchJudged: this.search.figures.judged,
      hiddenRooms: hidden.length,
      memoryBytes: this.#memory.bytes,
    };
  }

  /** Calls the listener when video is hidden, with the milliseconds for which the partner may have seen it. */
  onExposed(hear: (exposedMs: number) => void): void {
    this.#exposed.on(hear);
  }

  /**
   * Takes the frame that a ticket requested from this user; resolves when it is judged, or a newer one overtook it.
   * Without a room the ticket is one of the user's search.
   *
   * @throws EndpointError 403 `not_in_room`; 400 `ticket` for a ticket that is used, expired or another user's; 400
   * `frame` for bytes that are no JPEG image: the ticket then accepts another frame.
   */
  async take(userId: bigint, input: { roomId: string; ticket: string; bytes: Buffer }): Promise<void> {
    if (input.roomId === "") return this.search.take(userId, input);
    await this.#inspections.take(this.#asked(userId, input), input.bytes);
  }

  /**
   * Call if the server failed on a frame before it knew the user. For a while, every missing frame then counts as lost
   * by us, so that an outage of the database ends no call (rule SAFE-509).
   */
  frameFailed(): void {
    this.#inspections.failed();
  }

  of(
    { subjectId, otherId, callId, lineId = null }: EvidenceQuery,
    late: (items: readonly EvidenceItem[]) => void,
  ): { callId: string | null; items: readonly EvidenceItem[] } {
    const rooms = callId === null ? [...this.#rooms.values()] : [this.#rooms.get(callId)];
    const room = rooms.findLast((each) => each && sidesOf(each, subjectId)?.[1].userId === otherId);
    const [side] = (room && sidesOf(room, subjectId)) ?? [];
    if (!room || !side) return { callId, items: [] };
    if (!room.isOver && this.#options.classifier) this.#wantMore(side, late);
    return { callId: room.id, items: evidenceOf(side, { nowMs: this.#options.clock.nowMs(), lineId }) };
  }

  /** The chat of a call as evidence about one of its users, without frames; empty once the call is forgotten. */
  linesOf({ subjectId, callId }: { subjectId: bigint; callId: string }): readonly EvidenceItem[] {
    const room = this.#rooms.get(callId);
    const [side] = (room && sidesOf(room, subjectId)) ?? [];
    return side ? linesOf(side, { nowMs: this.#options.clock.nowMs() }) : [];
  }

  /** Resolves when moderation has received everything found so far. */
  settled(): Promise<void> {
    return this.#notifier.settled();
  }

  /** Sends moderation the remaining findings. Calls should have ended before. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.search[Symbol.dispose]();
    for (const room of this.#rooms.values()) {
      this.#ended(room.id);
      this.#forget(room);
    }
    await this.#notifier[Symbol.asyncDispose]();
  }

  onRoomEvent(event: RoomEvent): void {
    if (event.kind === "matched") return this.#matched(event);
    if (event.kind === "ended") return this.#ended(event.id);
    const room = this.#rooms.get(event.id);
    if (event.kind !== "line") return this.#changed(room, event);
    if (room) withLine(room, event);
  }

  /** @throws EndpointError 403 `not_in_room`; 400 `ticket`. */
  #asked(userId: bigint, { roomId, ticket }: { roomId: string; ticket: string }): AskedFrame<InspectedSide> {
    const room = this.#rooms.get(roomId);
    const sides = room && !room.isOver ? sidesOf(room, userId) : null;
    if (!sides) throw forbidden("not_in_room");
    const [self, other] = sides;
    const views = [
      [self, "own"],
      [other, "received"],
    ] as const;
    return this.#inspections.asked(views, ticket);
  }

  #changed(room: InspectedRoom | undefined, { kind, side: which, people }: RoomChanged): void {
    const sides = room && which && sidesOf(room, people[which].userId);
    if (!sides) return;
    const [side] = sides;
    const { camera } = side;
    this.#watches(side, kind);
    if (kind === "lost" || kind === "returned") {
      // A new page, or a camera changed meanwhile, may show something that no frame has shown.
      side.cleanMs = null;
      this.#inspections.dispatch(side, { type: "socket", isConnected: kind === "returned" });
      // Repeats what was sent while the socket was lost.
      if (kind === "returned") this.#tellShield(side, { again: true });
    } else if (kind === "page_back") {
      this.#inspections.dispatch(side, { type: "page_back" });
      side.expired.own = [];
      // Both pages start a new connection and show no video until they receive this message.
      for (const each of room.sides) this.#tellShield(each, { again: true });
    } else {
      const change = cameraChanges[kind];
      if (!change) return;
      Object.assign(camera, change);
      this.#inspections.dispatch(side, { type: "camera", isOn: isCameraOn(camera) });
      // Late frames of before no longer show what the camera shows.
      side.expired.own = [];
    }
  }

  /** Updates whether this side's page plays the partner's video. */
  #watches(side: InspectedSide, kind: RoomChanged["kind"]): void {
    const change = watchChanges[kind];
    if (!change) return;
    Object.assign(side.watches, change);
    const other = otherSideOf(side);
    const isViewed = side.watches.isPlaying && !side.watches.isLost;
    if (other.state.kind !== "watched" || other.state.isViewed === isViewed) return;
    this.#inspections.dispatch(other, { type: "viewed", isViewed });
  }

  #matched(event: RoomMatched): void {
    const room = new InspectedRoom(event, (person) => this.#opening(person, event.isAdopted));
    this.#rooms.set(room.id, room);
    for (const { openedClear } of room.sides) this.#counts[openedClear ? "openedClear" : "openedCovered"] += 1;
    const { classifier } = this.#options;
    if (classifier) for (const side of room.sides) this.#tellShown(side);
    for (const side of room.sides) this.#tellShield(side);
    // The first frame of covered video is requested in the turn of the match.
    if (classifier) for (const side of room.sides) this.#inspections.begin(side);
  }

  /**
   * How a user's video starts: clear after a recent clean frame, unless the user starts covered (rules SAFE-81 and
   * SAFE-82). For an adopted call this is unknown (rule CALL-134).
   */
  #opening({ userId, restrictions }: Matched, isAdopted = false): Opening {
    const { clock, random, settings } = this.#options;
    const nowMs = Math.floor(clock.monotonicMs());
    const lookedMs = this.search.handOver(userId);
    const about = { restrictions, fullRateForMs: settings.fullRateForMs };
    if (isAdopted) return { ...about, cleanMs: null, firstMs: nowMs, isConnected: false };
    if (lookedMs === null || restrictions.startsCovered) return { ...about, cleanMs: null, firstMs: nowMs };
    const takenInMs = random.integer(settings.firstLookMsMin, settings.firstLookMsMax);
    return { ...about, cleanMs: lookedMs, firstMs: nowMs + takenInMs - settings.leadMs };
  }

  #judged(side: InspectedSide, { view, ticket, bytes, atMs, verdict }: JudgedFrame): void {
    const frame = { view, bytes, atMs, verdict };
    this.#memory.keep(side.rings[view], frame);
    this.#tellLate(side, frame);
    const { clock, settings } = this.#options;
    const { pair, question, askedMs } = ticket;
    const { state: before } = side;
    this.#inspections.dispatch(side, { type: "verdict", view, pair, codes: question.codes, verdict });
    const passed = passes(verdict, settings);
    const { state: after } = side;
    const exposedMs = side.exposure.judged({ view, passed, askedMs, nowMs: clock.monotonicMs(), before, after });
    if (exposedMs !== null) this.#exposed.emit(exposedMs);
    if (view !== "own") return;
    this.#remember(side, verdict);
    const isBelieved = after.kind === "watched" && !isReceivedOnly(after);
    side.cleanMs = passed && isBelieved ? askedMs : null;
    if (isBelieved && isUnflagged(verdict, settings))
      this.#options.sampler.offer({ subjectId: side.userId, callId: side.room.id, frame: frameItem(frame) });
  }

  /** Reports what several frames of a user say together. `from` is a search or a side of a call. */
  #remember(from: InspectedSide | { readonly userId: bigint }, verdict: FrameVerdict): void {
    const { loopsAct, settings } = this.#options;
    const { age, isLoop } = this.#senders.add(from.userId, verdict);
    if (!age && !isLoop) return;
    const isCall = "room" in from;
    const signal = isCall ? this.#signalOf(from) : { subjectId: from.userId, callId: null, evidence: [] };
    if (age && age.found !== "adult" && settings.facesAct)
      this.#notifier.hintAge({ ...signal, years: age.years, isMinor: age.found === "minor" });
    if (!isLoop) return;
    if (loopsAct) this.#notifier.open({ ...signal, rule: "frozen_picture" });
    else this.#notifier.note(from.userId, "frozen_picture", { callId: signal.callId, isLoop });
  }

  #run(side: InspectedSide, effect: Exclude<InspectionEffect, AskEffect>): void {
    const { calls } = this.#options;
    const { room, userId } = side;
    switch (effect.type) {
      case "missed":
        this.#counts.missed += 1;
        return;
      case "put_off":
        this.#counts.putOff += 1;
        return;
      case "empty":
        this.#counts.empty += 1;
        return;
      case "looked":
        side.frames.looked += 1;
        return calls.looked(userId, room.id);
      case "passed":
        // Moderation counts clean calls only of users whose calls start covered.
        return side.state.kind === "watched" && side.state.restrictions.startsCovered
          ? this.#notifier.passed(userId)
          : undefined;
      case "note":
        return this.#notifier.note(userId, effect.rule, { callId: room.id });
      case "code":
        return this.#notifier.code(this.#signalOf(side));
      case "case": {
        const { rule, explicit, isShadow: shadow } = effect;
        const signal = { ...this.#signalOf(side), rule, judgement: { ...this.#by(explicit), shadow } };
        if (rule === "views_differ") return this.#notifier.openByView(signal, otherSideOf(side).userId);
        return this.#notifier.open(signal);
      }
      case "suspend": {
        const judgement = { ...this.#by(effect.explicit), shadow: false };
        this.#notifier.suspend({ ...this.#signalOf(side), rule: "explicit_picture_sure", judgement });
        // Ends the call at once instead of waiting for moderation.
        return void calls.cut(userId);
      }
      case "end":
        return this.#end(side, effect.cause);
    }
  }

  /** Ends the meters first, because both users are told how many beans they get back. */
  #end({ room, userId, frames }: InspectedSide, cause: UncheckedCause): void {
    const { calls, logger, meters } = this.#options;
    this.#endedUnchecked[cause] += 1;
    const about = { callId: room.id, userId: String(userId), cause, ...frames };
    logger.info(about, "ended a call because no frame of a user could be checked");
    const back = meters.endUnchecked(room.id, { missingId: userId, cause });
    calls.cutUnchecked(userId, { cause, back });
  }

  #tell(side: InspectedSide): void {
    const { room } = side;
    if (room.isOver) return;
    this.#tellShown(side);
    for (const each of room.sides) this.#tellShield(each);
  }

  /** Tells this side what to show, if that changed or `again` is set. */
  #tellShield(side: InspectedSide, { again } = { again: false }): void {
    const { room } = side;
    const shield = this.#shieldOf(side);
    if (!shield) return;
    const { ends, ...shown } = shield;
    const told = JSON.stringify([shown, ends?.whose]);
    if (told === side.shield && !again) return;
    side.shield = told;
    this.#options.bus.pass(side.userId, { type: "shield", roomId: room.id, ...shield });
  }

  #shieldOf(side: InspectedSide): Shield | null {
    const { classifier, clock, settings } = this.#options;
    const { state: own } = side;
    const { state: other } = otherSideOf(side);
    if (side.room.isOver || own.kind !== "watched" || other.kind !== "watched") return null;
    if (!classifier) return { other: "clear", own: "clear" };
    const toldOwn = toldToOwner(own, settings.darkMs);
    const [otherWhy, ownWhy] = [unjudgedWhy(other), toldOwn === "clear" ? undefined : unjudgedWhy(own)];
    const nowMs = Math.floor(clock.monotonicMs());
    const ends = [
      { whose: "own" as const, in_ms: endsInMs(own, nowMs, settings) },
      { whose: "other" as const, in_ms: endsInMs(other, nowMs, settings) },
    ].flatMap(({ whose, in_ms }) => (in_ms === null ? [] : { whose, in_ms }));
    const [first] = ends.toSorted((one, two) => one.in_ms - two.in_ms);
    return {
      other: shownToOther(other),
      own: toldOwn,
      ...(other.standsStill && { other_still: true as const }),
      ...(otherWhy && { other_why: otherWhy }),
      ...(ownWhy && { own_why: ownWhy }),
      ...(first && { ends: first }),
    };
  }

  #signalOf(side: InspectedSide) {
    const evidence = evidenceOf(side, { nowMs: this.#options.clock.nowMs() });
    return { subjectId: side.userId, callId: side.room.id, evidence };
  }

  #by(explicit: number): { explicit: number; model: string } {
    return { explicit, model: this.#options.classifier?.model ?? "" };
  }

  /** Reports to the meters, which stop while the partner does not see the video. */
  #tellShown(side: InspectedSide): void {
    const shown = shownKindOf(side.state);
    if (shown === side.shown) return;
    side.shown = shown;
    this.#options.calls.setShown(side.userId, side.room.id, shown);
  }

  #wantMore(side: InspectedSide, hear: (items: readonly EvidenceItem[]) => void): void {
    const nowMs = this.#options.clock.monotonicMs();
    const waiting = side.late.filter(({ untilMs }) => untilMs > nowMs);
    if (waiting.length >= lateListenersMax) return;
    side.late = [...waiting, { hear, untilMs: nowMs + lateMs, missing: new Set<View>(["own", "received"]) }];
    this.#inspections.dispatch(side, { type: "wanted" });
  }

  #tellLate(side: InspectedSide, picture: StoredFrame): void {
    const nowMs = this.#options.clock.monotonicMs();
    side.late = side.late.filter(({ untilMs, missing }) => untilMs > nowMs && missing.size > 0);
    for (const { missing, hear } of side.late) {
      if (missing.delete(picture.view)) hear([frameItem(picture)]);
    }
  }

  #ended(roomId: string): void {
    const room = this.#rooms.get(roomId);
    if (!room || room.isOver) return;
    room.isOver = true;
    for (const side of room.sides) {
      this.#handOn(side);
      side.late = [];
      this.#inspections.dispatch(side, { type: "over" });
    }
    room.forgetting = this.#options.clock.after(callRememberedMs, () => this.#forget(room));
  }

  /** Hands the time of the call's last clean frame to the next search, unless a later request brought no frame. */
  #handOn({ userId, state, openedClear, cleanMs, expired }: InspectedSide): void {
    const hasPassed = state.kind === "watched" && state.hasPassed;
    const isShown = state.kind === "watched" && state.phase.kind === "clear" && state.camera === "on";
    const isMissed = cleanMs !== null && expired.own.some(({ askedMs }) => askedMs > cleanMs);
    this.search.callEnded(userId, { openedClear, hasPassed, cleanMs: isShown && !isMissed ? cleanMs : null });
  }

  #forget(room: InspectedRoom): void {
    room.forgetting?.[Symbol.dispose]();
    this.#rooms.delete(room.id);
    for (const { rings } of room.sides) {
      this.#memory.forget(rings.own);
      this.#memory.forget(rings.received);
    }
  }
}

/** Events after which the side's page plays the partner's video, or no longer does. */
const watchChanges: Partial<Record<RoomChanged["kind"], Partial<InspectedSide["watches"]>>> = {
  playing: { isPlaying: true },
  resumed: { isPlaying: true },
  stalled: { isPlaying: false },
  lost: { isLost: true },
  returned: { isLost: false },
};

/** Adds counters by name. */
function sumOf<Name extends string>(
  one: Readonly<Record<Name, number>>,
  other: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const names = Object.keys(one) as Name[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as Record<Name, number>;
}

function isHidden({ state }: InspectedSide): boolean {
  return state.kind === "watched" && shownToOther(state) === "hidden";
}
