import type { Logger } from "pino";
import { callRememberedMs } from "@fava/wire/limits.ts";
import type { UncheckedCause } from "@fava/wire/pushes.ts";
import { Emitter } from "#lib/emitter.ts";
import { forbidden } from "#lib/errors.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier, FrameVerdict } from "#ports/frame-classifier.ts";
import type { EvidenceItem, EvidenceQuery, LiveEvidence, Moderation } from "#ports/moderation.ts";
import type { Peers } from "#ports/peers.ts";
import type { Random } from "#ports/random.ts";
import { FrameIntake, type UnlookedReason, unlookedReasons } from "./frame-intake.ts";
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
  type Ticket,
  withLine,
} from "./inspected-room.ts";
import { passes } from "./inspection-machine.ts";
import { InspectionRunner } from "./inspection-runner.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import { shownToOther, type View } from "./inspection-state.ts";
import type { MeterService } from "./meter-service.ts";
import { ModerationNotifier } from "./moderation-notifier.ts";
import type { CallService, Matched, RoomChanged, RoomEvent, RoomEventConsumer, RoomMatched } from "./room-service.ts";
import { SearchInspection } from "./search-inspection.ts";

export interface InspectionServiceOptions {
  bus: Pick<Bus, "pass" | "isHere">;
  /** The other processes of the site; left out where there are none. */
  peers?: Pick<Peers, "tell" | "onTold" | "isAway">;
  calls: Pick<CallService, "cut" | "cutUnchecked" | "looked" | "setShown">;
  meters: Pick<MeterService, "endUnchecked">;
  /** Null: switched off on purpose. Every picture is shown, and none is asked for. */
  classifier: FrameClassifier | null;
  moderation: Moderation;
  settings: InspectionSettings;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Of all pictures that are remembered. */
  memoryBytesMax: number;
}

/** Since the start of the process, and now. */
export interface InspectionFigures {
  readonly judged: number;
  readonly missed: number;
  readonly unreadable: number;
  readonly busy: number;
  /** Looks that were asked for later than usual because of overload. */
  readonly putOff: number;
  /** Frames of calls and searches that arrived and were not judged. */
  readonly unlooked: Readonly<Record<UnlookedReason, number>>;
  /** Calls that were ended for want of frames that could be checked. */
  readonly endedUnchecked: Readonly<Record<UncheckedCause, number>>;
  /** Pictures of people who search that were judged. */
  readonly searchJudged: number;
  /** Pictures of calls by how they began. */
  readonly openedClear: number;
  readonly openedCovered: number;
  /** Rooms in which a picture is hidden. */
  readonly hiddenRooms: number;
  readonly memoryBytes: number;
}

interface TakenPicture {
  readonly view: View;
  readonly ticket: Ticket;
  readonly bytes: Buffer;
  readonly atMs: number;
}

/** A report waits so long for the pictures that it asked for; so many reports at once. */
const lateMs = 10_000;
const lateListenersMax = 4;

/**
 * Looks at the pictures of running calls: gives tickets, judges what comes in, tells both sides what to show, and tells
 * moderation what it found (rules SAFE-1 to SAFE-37, SAFE-82 to SAFE-92). What it decides is `stepInspection`'s; looks at
 * those who search are `search`'s.
 */
export class InspectionService implements LiveEvidence, RoomEventConsumer, AsyncDisposable {
  readonly #options: InspectionServiceOptions;
  readonly #rooms = new Map<string, InspectedRoom>();
  readonly #memory: FrameMemory;
  readonly #notifier: ModerationNotifier;
  readonly #runner: InspectionRunner;
  readonly #intake: FrameIntake;
  readonly #opened = { openedClear: 0, openedCovered: 0 };
  readonly #exposed = new Emitter<[exposedMs: number]>();
  readonly search: SearchInspection;

  constructor(options: InspectionServiceOptions) {
    this.#options = options;
    this.#intake = new FrameIntake(options);
    this.search = new SearchInspection(options);
    this.#memory = new FrameMemory(options.memoryBytesMax);
    this.#notifier = new ModerationNotifier(options);
    this.#runner = new InspectionRunner(options, { notifier: this.#notifier, intake: this.#intake });
  }

  /** Whether pictures are looked at now, or need not be; while not, those of calls stay covered. */
  isChecking(): boolean {
    return this.#options.classifier?.isReady() ?? true;
  }

  get figures(): InspectionFigures {
    const hidden = [...this.#rooms.values()].filter(({ isOver, sides }) => !isOver && sides.some(isHidden));
    return {
      ...this.#intake.counts,
      ...this.#opened,
      ...this.#runner.counts,
      unlooked: sumOf(this.#intake.unlooked, this.search.unlooked),
      endedUnchecked: this.#runner.ended,
      searchJudged: this.search.figures.judged,
      hiddenRooms: hidden.length,
      memoryBytes: this.#memory.bytes,
    };
  }

  /** Hears for how many milliseconds a picture that was hidden may have been shown (rule SAFE-91). */
  onExposed(hear: (exposedMs: number) => void): void {
    this.#exposed.on(hear);
  }

  /**
   * Takes the picture that a ticket asked this person for; resolves when it is judged, or a newer one overtook it. Without
   * a room it is a ticket of their search.
   *
   * @throws EndpointError 403 `not_in_room`; 400 `ticket` for a ticket that is used, out of time or somebody else's; 400
   * `frame` for bytes that are no JPEG picture: the ticket then waits for another one.
   */
  async take(userId: bigint, input: { roomId: string; ticket: string; bytes: Buffer }): Promise<void> {
    if (input.roomId === "") return this.search.take(userId, input);
    const { side, view, ticket, isLate } = this.#asked(userId, input);
    this.#intake.requireJpeg(input.bytes);
    spend(side, view, ticket);
    this.#runner.dispatch(side, { type: "arrived", view, isLate });
    // A copy: the body of the call is not to be kept with it.
    const picture = { view, ticket, bytes: Buffer.from(input.bytes), atMs: this.#options.clock.nowMs() };
    if ((await side.judging[view].run(() => this.#judge(side, picture))) !== null) return;
    this.#unlooked(side, view, "overtaken");
    this.#runner.dispatch(side, { type: "overtaken", view });
  }

  /**
   * The picture that a ticket of a room asked this person for came to another process, and could not come here.
   *
   * @throws EndpointError 403 `not_in_room`; 400 `ticket`.
   */
  lost(userId: bigint, asked: { roomId: string; ticket: string }): void {
    const { side, view, ticket } = this.#asked(userId, asked);
    spend(side, view, ticket);
    this.#unlooked(side, view, "lost");
    this.#runner.dispatch(side, { type: "lost", view });
  }

  /**
   * The server failed on a frame before it knew whose it was. Until then each frame that does not come counts as lost by
   * us, so that an outage of the database ends no call (rule SAFE-509).
   */
  frameFailed(): void {
    this.#intake.failed();
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

  /** The chat of a call as evidence about one of its people, without pictures; nothing once the call is forgotten. */
  linesOf({ subjectId, callId }: { subjectId: bigint; callId: string }): readonly EvidenceItem[] {
    const room = this.#rooms.get(callId);
    const [side] = (room && sidesOf(room, subjectId)) ?? [];
    return side ? linesOf(side, { nowMs: this.#options.clock.nowMs() }) : [];
  }

  /** Resolves when moderation has heard everything found so far. */
  settled(): Promise<void> {
    return this.#notifier.settled();
  }

  /** Tells moderation what is left. Calls should have ended before. */
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

  /**
   * What a ticket asked this person for. `isLate`: it was given up, and what comes for it is judged all the same.
   *
   * @throws EndpointError 403 `not_in_room`; 400 `ticket`.
   */
  #asked(userId: bigint, asked: { roomId: string; ticket: string }): AskedPicture {
    const room = this.#rooms.get(asked.roomId);
    const sides = room && !room.isOver ? sidesOf(room, userId) : null;
    if (!sides) throw forbidden("not_in_room");
    const [self, other] = sides;
    for (const [side, view] of [
      [self, "own"],
      [other, "received"],
    ] as const) {
      const current = side.tickets[view];
      if (current?.id === asked.ticket) return { side, view, ticket: current, isLate: false };
      const ticket = side.expired[view].find(({ id }) => id === asked.ticket);
      if (!ticket) continue;
      if (this.#options.clock.monotonicMs() - ticket.askedMs <= this.#options.settings.lateMs)
        return { side, view, ticket, isLate: true };
      spend(side, view, ticket);
      if (view === "own") {
        side.frames.late += 1;
        this.#runner.dispatch(side, { type: "late" });
      }
      throw this.#intake.refused("late");
    }
    throw this.#intake.refused("no_ticket");
  }

  #unlooked(side: InspectedSide, view: View, reason: "overtaken" | "lost"): void {
    this.#intake.unlooked[reason] += 1;
    if (view === "own") side.frames[reason] += 1;
  }

  #changed(room: InspectedRoom | undefined, { kind, side: which, people }: RoomChanged): void {
    const sides = room && which && sidesOf(room, people[which].userId);
    if (!sides) return;
    const [side] = sides;
    const { camera } = side;
    this.#watches(side, kind);
    if (kind === "lost" || kind === "returned") {
      // What a new page would show, or a camera that was changed meanwhile, was not looked at.
      side.cleanMs = null;
      this.#runner.dispatch(side, { type: "socket", isConnected: kind === "returned" });
      // What was passed while the socket was lost has reached nobody.
      if (kind === "returned") this.#runner.tellShield(side, { again: true });
    } else if (kind === "page_back") {
      this.#runner.dispatch(side, { type: "page_back" });
      side.expired.own = [];
      // Both begin anew, with nothing shown before they are told.
      for (const each of room.sides) this.#runner.tellShield(each, { again: true });
    } else {
      const change = cameraChanges[kind];
      if (!change) return;
      Object.assign(camera, change);
      this.#runner.dispatch(side, { type: "camera", isOn: !camera.off && !camera.away && !camera.paused });
      // What was taken before is not what the camera shows now.
      side.expired.own = [];
    }
  }

  /** Whether this side's page plays the video of the other. */
  #watches(side: InspectedSide, kind: RoomChanged["kind"]): void {
    const change = watchChanges[kind];
    if (!change) return;
    Object.assign(side.watches, change);
    const other = otherSideOf(side);
    const isViewed = side.watches.isPlaying && !side.watches.isLost;
    if (other.state.kind !== "watched" || other.state.isViewed === isViewed) return;
    this.#runner.dispatch(other, { type: "viewed", isViewed });
  }

  #matched(event: RoomMatched): void {
    const room = new InspectedRoom(event, (person) => this.#opening(person, event.isAdopted));
    this.#rooms.set(room.id, room);
    for (const { openedClear } of room.sides) this.#opened[openedClear ? "openedClear" : "openedCovered"] += 1;
    this.#runner.begin(room);
  }

  /**
   * A fresh clean look opens the picture clear, unless its person starts covered (rules SAFE-81 to SAFE-83). What was seen
   * in a call at a process that has died is not known (rule CALL-134).
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

  /** What was known at the match holds until more is. */
  #learnRestrictions(side: InspectedSide): void {
    const { moderation, logger } = this.#options;
    moderation.restrictionsOf(side.userId).then(
      (restrictions) => this.#runner.know(side, restrictions),
      (error: unknown) => logger.error({ err: error }, "the restrictions of somebody in a call are unknown"),
    );
  }

  async #judge(side: InspectedSide, { view, ticket, bytes, atMs }: TakenPicture): Promise<void> {
    const { room } = side;
    if (room.isOver) return;
    const verdict = await this.#intake.judge(bytes, ticket.question);
    if (verdict === "unreadable") {
      if (view === "own") side.frames.unreadable += 1;
      this.#runner.reopen(side, { view, ticket });
      throw this.#intake.unreadable();
    }
    if (verdict === "busy") {
      if (view === "own") side.frames.busy += 1;
      return this.#runner.dispatch(side, { type: "unjudged", view });
    }
    const picture = { view, bytes, atMs, verdict };
    this.#memory.keep(side.rings[view], picture);
    this.#tellLate(side, picture);
    this.#decide(side, { view, ticket, verdict });
    // A report makes somebody watched in the middle of a call.
    if (view === "own" && !room.isOver) this.#learnRestrictions(side);
  }

  #decide(side: InspectedSide, { view, ticket, verdict }: { view: View; ticket: Ticket; verdict: FrameVerdict }): void {
    const { clock, settings } = this.#options;
    const { pair, question, askedMs } = ticket;
    const { state: before } = side;
    this.#runner.dispatch(side, { type: "verdict", view, pair, codes: question.codes, verdict });
    const passed = passes(verdict, settings);
    const { state: after } = side;
    const exposedMs = side.exposure.judged({ view, passed, askedMs, nowMs: clock.monotonicMs(), before, after });
    if (exposedMs !== null) this.#exposed.emit(exposedMs);
    if (view === "own") side.cleanMs = passed ? askedMs : null;
  }

  #wantMore(side: InspectedSide, hear: (items: readonly EvidenceItem[]) => void): void {
    const nowMs = this.#options.clock.monotonicMs();
    const waiting = side.late.filter(({ untilMs }) => untilMs > nowMs);
    if (waiting.length >= lateListenersMax) return;
    side.late = [...waiting, { hear, untilMs: nowMs + lateMs, missing: new Set<View>(["own", "received"]) }];
    this.#runner.dispatch(side, { type: "wanted" });
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
      this.#runner.dispatch(side, { type: "over" });
    }
    room.forgetting = this.#options.clock.after(callRememberedMs, () => this.#forget(room));
  }

  /**
   * The last look of a call counts for the search after it, with the moment for which it was asked (rule SAFE-87), unless a
   * later one brought no frame.
   */
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

/** While nothing of a picture is to be seen none is asked for, and what comes then was not looked at (rules SAFE-20, QUALITY-22). */
const cameraChanges: Partial<Record<RoomChanged["kind"], Partial<InspectedSide["camera"]>>> = {
  camera_off: { off: true },
  camera_on: { off: false },
  away: { away: true },
  back: { away: false },
  picture_paused: { paused: true },
  picture_back: { paused: false },
};

/** What a side says or suffers, by which it begins or stops to play the other's video. */
const watchChanges: Partial<Record<RoomChanged["kind"], Partial<InspectedSide["watches"]>>> = {
  playing: { isPlaying: true },
  resumed: { isPlaying: true },
  stalled: { isPlaying: false },
  lost: { isLost: true },
  returned: { isLost: false },
};

interface AskedPicture {
  readonly side: InspectedSide;
  readonly view: View;
  readonly ticket: Ticket;
  readonly isLate: boolean;
}

/** A ticket opens once. */
function spend(side: InspectedSide, view: View, { id }: Ticket): void {
  if (side.tickets[view]?.id === id) side.tickets[view] = null;
  side.expired[view] = side.expired[view].filter((ticket) => ticket.id !== id);
}

type Unlooked = Readonly<Record<UnlookedReason, number>>;

function sumOf(one: Unlooked, other: Unlooked): Unlooked {
  const sums = unlookedReasons.map((reason) => [reason, one[reason] + other[reason]]);
  return Object.fromEntries(sums) as Unlooked;
}

function isHidden({ state }: InspectedSide): boolean {
  return state.kind === "watched" && shownToOther(state) === "hidden";
}
