import type { Logger } from "pino";
import { callRememberedMs } from "@fava/wire/limits.ts";
import { badInput, type EndpointError, forbidden } from "#lib/errors.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import {
  ClassifierBusyError,
  type FrameClassifier,
  type FrameQuestion,
  FrameUnreadableError,
  type FrameVerdict,
} from "#ports/frame-classifier.ts";
import type { LiveEvidence } from "#ports/live-evidence.ts";
import type { EvidenceItem, Moderation } from "#ports/moderation.ts";
import type { Random } from "#ports/random.ts";
import {
  evidenceOf,
  frameItem,
  InspectedRoom,
  type InspectedSide,
  type StoredFrame,
  FrameMemory,
  sidesOf,
  type Ticket,
  withLine,
} from "./inspected-room.ts";
import { InspectionRunner } from "./inspection-runner.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import { shownToOther, type View } from "./inspection-state.ts";
import { ModerationNotifier } from "./moderation-notifier.ts";
import type { CallService, RoomChanged, RoomEvent, RoomEventConsumer } from "./room-service.ts";

export interface InspectionServiceOptions {
  bus: Pick<Bus, "pass">;
  calls: Pick<CallService, "cut" | "setShown">;
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
const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * Looks at the pictures of running calls: gives tickets, judges what comes in, tells both sides what to show, and tells
 * moderation what it found (rules SAFE-1 to SAFE-37). What it decides is `stepInspection`'s.
 */
export class InspectionService implements LiveEvidence, RoomEventConsumer, AsyncDisposable {
  readonly #options: InspectionServiceOptions;
  readonly #rooms = new Map<string, InspectedRoom>();
  readonly #memory: FrameMemory;
  readonly #notifier: ModerationNotifier;
  readonly #runner: InspectionRunner;
  readonly #counts = { judged: 0, unreadable: 0, busy: 0 };

  constructor(options: InspectionServiceOptions) {
    this.#options = options;
    this.#memory = new FrameMemory(options.memoryBytesMax);
    this.#notifier = new ModerationNotifier(options);
    this.#runner = new InspectionRunner(options, this.#notifier);
  }

  /** Whether pictures are looked at now, or need not be; while not, nobody new is to be matched. */
  isChecking(): boolean {
    return this.#options.classifier?.isReady() ?? true;
  }

  get figures(): InspectionFigures {
    const hidden = [...this.#rooms.values()].filter(({ isOver, sides }) => !isOver && sides.some(isHidden));
    const { missed } = this.#runner;
    return { ...this.#counts, missed, hiddenRooms: hidden.length, memoryBytes: this.#memory.bytes };
  }

  /**
   * Takes the picture that a ticket asked this person for; resolves when it is judged, or a newer one overtook it.
   *
   * @throws EndpointError 403 `not_in_room`; 400 `ticket` for a ticket that is used, out of time or somebody else's; 400
   * `frame` for bytes that are no JPEG picture: the ticket then waits for another one.
   */
  async take(userId: bigint, input: { roomId: string; ticket: string; bytes: Buffer }): Promise<void> {
    const room = this.#rooms.get(input.roomId);
    const sides = room && !room.isOver ? sidesOf(room, userId) : null;
    if (!room || !sides) throw forbidden("not_in_room");
    const [self, other] = sides;
    const [side, view] = self.tickets.own?.id === input.ticket ? [self, "own" as const] : [other, "received" as const];
    const ticket = side.tickets[view];
    if (ticket?.id !== input.ticket) throw badInput("no such ticket", "ticket");
    if (!input.bytes.subarray(0, jpegStart.length).equals(jpegStart)) throw this.#unreadable();
    this.#runner.dispatch(side, { type: "arrived", view });
    // A copy: the body of the call is not to be kept with it.
    const picture = { view, ticket, bytes: Buffer.from(input.bytes), atMs: this.#options.clock.nowMs() };
    await side.judging[view].run(() => this.#judge(side, picture));
  }

  of(
    { subjectId, otherId, callId }: { subjectId: bigint; otherId: bigint; callId: string | null },
    late: (items: readonly EvidenceItem[]) => void,
  ): { callId: string | null; items: readonly EvidenceItem[] } {
    const rooms = callId === null ? [...this.#rooms.values()] : [this.#rooms.get(callId)];
    const room = rooms.findLast((each) => each && sidesOf(each, subjectId)?.[1].userId === otherId);
    const [side] = (room && sidesOf(room, subjectId)) ?? [];
    if (!room || !side) return { callId, items: [] };
    if (!room.isOver && this.#options.classifier) this.#wantMore(side, late);
    return { callId: room.id, items: evidenceOf(side, this.#options.clock.nowMs()) };
  }

  /** Resolves when moderation has heard everything found so far. */
  settled(): Promise<void> {
    return this.#notifier.settled();
  }

  /** Tells moderation what is left. Calls should have ended before. */
  async [Symbol.asyncDispose](): Promise<void> {
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

  #changed(room: InspectedRoom | undefined, { kind, side: which, people }: RoomChanged): void {
    const sides = room && which && sidesOf(room, people[which].userId);
    if (!sides) return;
    const [side] = sides;
    const { camera } = side;
    if (kind === "lost" || kind === "returned") {
      this.#runner.dispatch(side, { type: "socket", isConnected: kind === "returned" });
      // What was passed while the socket was lost has reached nobody.
      if (kind === "returned") this.#runner.tellShield(side, { again: true });
    } else if (kind === "page_back") {
      this.#runner.dispatch(side, { type: "page_back" });
      // Both begin anew, with nothing shown before they are told.
      for (const each of room.sides) this.#runner.tellShield(each, { again: true });
    } else if (kind === "camera_off" || kind === "camera_on" || kind === "away" || kind === "back") {
      if (kind === "camera_off" || kind === "camera_on") camera.off = kind === "camera_off";
      else camera.away = kind === "away";
      this.#runner.dispatch(side, { type: "camera", isOn: !camera.off && !camera.away });
    }
  }

  #matched(event: RoomChanged): void {
    const room = new InspectedRoom(event, this.#options.clock.monotonicMs());
    this.#rooms.set(room.id, room);
    this.#runner.begin(room);
    for (const side of room.sides) this.#learnRestrictions(side);
  }

  /** Until it is known, the strictest restrictions hold. */
  #learnRestrictions(side: InspectedSide): void {
    const { moderation, logger } = this.#options;
    moderation.restrictionsOf(side.userId).then(
      ({ isNew, isWatched }) => this.#runner.know(side, { isNew, isWatched }),
      (error: unknown) => logger.error({ err: error }, "the restrictions of somebody in a call are unknown"),
    );
  }

  async #judge(side: InspectedSide, { view, ticket, bytes, atMs }: TakenPicture): Promise<void> {
    const { room } = side;
    if (room.isOver) return;
    const { question, pair } = ticket;
    const verdict = await this.#verdictOn(bytes, question);
    if (verdict === "unreadable") {
      this.#runner.reopen(side, { view, ticket });
      throw this.#unreadable();
    }
    if (verdict === "busy") return this.#runner.dispatch(side, { type: "unjudged", view });
    this.#counts.judged += 1;
    const picture = { view, bytes, atMs, verdict };
    this.#memory.keep(side.rings[view], picture);
    this.#tellLate(side, picture);
    this.#runner.dispatch(side, { type: "verdict", view, pair, codes: question.codes, verdict });
    // A report makes somebody watched in the middle of a call.
    if (view === "own" && !room.isOver) this.#learnRestrictions(side);
  }

  async #verdictOn(bytes: Buffer, question: FrameQuestion): Promise<FrameVerdict | "busy" | "unreadable"> {
    const { classifier, logger } = this.#options;
    if (!classifier) return "busy";
    try {
      return await classifier.classify(bytes, question);
    } catch (error) {
      if (error instanceof FrameUnreadableError) return "unreadable";
      this.#counts.busy += 1;
      if (error instanceof ClassifierBusyError) return "busy";
      logger.error({ err: error }, "a picture of a call could not be judged");
      // A picture on which a working classifier fails is as good as none.
      return classifier.isReady() ? "unreadable" : "busy";
    }
  }

  #unreadable(): EndpointError {
    this.#counts.unreadable += 1;
    return badInput("not a picture", "frame");
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
      side.late = [];
      this.#runner.dispatch(side, { type: "over" });
    }
    room.forgetting = this.#options.clock.after(callRememberedMs, () => this.#forget(room));
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

function isHidden({ state }: InspectedSide): boolean {
  return state.kind === "watched" && shownToOther(state) === "hidden";
}
