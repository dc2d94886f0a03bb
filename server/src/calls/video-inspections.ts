import type { Logger } from "pino";
import { badInput, type EndpointError } from "#lib/errors.ts";
import { MachineRunner, type Running, type Untimed } from "#lib/machine.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import {
  ClassifierBusyError,
  type FrameClassifier,
  type FrameQuestion,
  FrameUnreadableError,
  type FrameVerdict,
} from "#ports/frame-classifier.ts";
import type { Moderation } from "#ports/moderation.ts";
import type { Peers } from "#ports/peers.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import type { AskEffect, InspectedRestrictions, InspectionEffect, InspectionEvent, View } from "./inspection-state.ts";

/** Allows one upload of one readable frame by one user. */
export interface Ticket {
  readonly id: string;
  /** When it was issued, and when it expires, on the monotonic clock. */
  readonly askedMs: number;
  readonly untilMs: number;
  readonly pair: number;
  readonly question: FrameQuestion;
}

type VideoInspectionState =
  | { readonly kind: "watched" | "searched"; readonly tickets: { readonly [Which in View]: number | null } }
  | { readonly kind: "ended" };

/** The inspection of one user's video, in a room or during a search. The machine decides on `state` alone. */
export interface VideoInspection extends Running<VideoInspectionState> {
  readonly userId: bigint;
  /** Empty during a search. */
  readonly roomId: string;
  readonly tickets: { [Which in View]: Ticket | null };
  /** Expired tickets without a frame, oldest first. A late frame may still be judged. */
  readonly expired: { [Which in View]: readonly Ticket[] };
  readonly judging: { readonly [Which in View]: LatestOnly };
  readonly camera: { off: boolean; away: boolean; paused: boolean };
  readonly frames: {
    asked: number;
    looked: number;
    late: number;
    busy: number;
    unreadable: number;
    overtaken: number;
  };
}

export function openVideoInspection<State extends VideoInspectionState>(about: {
  userId: bigint;
  roomId: string;
  state: State;
}) {
  return {
    ...about,
    tickets: { own: null, received: null },
    expired: { own: [], received: [] },
    judging: { own: new LatestOnly(), received: new LatestOnly() },
    camera: { off: false, away: false, paused: false },
    frames: { asked: 0, looked: 0, late: 0, busy: 0, unreadable: 0, overtaken: 0 },
    timer: null,
    dueMs: null,
  } satisfies VideoInspection;
}

/** Events of a page's camera, and the flag that each sets. No frame is requested while a flag is set (rule SAFE-20). */
export const cameraChanges: { readonly [said: string]: Partial<VideoInspection["camera"]> | undefined } = {
  camera_off: { off: true },
  camera_on: { off: false },
  away: { away: true },
  back: { away: false },
  picture_paused: { paused: true },
  picture_back: { paused: false },
};

export function isCameraOn({ off, away, paused }: VideoInspection["camera"]): boolean {
  return !off && !away && !paused;
}

/** A frame that a ticket requested. */
export interface AskedFrame<Subject extends VideoInspection> {
  readonly look: Subject;
  readonly view: View;
  readonly ticket: Ticket;
  readonly isLate: boolean;
}

export interface JudgedFrame {
  readonly view: View;
  readonly ticket: Ticket;
  readonly bytes: Buffer;
  readonly atMs: number;
  readonly verdict: FrameVerdict;
}

/** What calls and searches do differently. The machine (`step`, `dueMs`) is pure. */
interface VideoInspectionPolicy<Subject extends VideoInspection> {
  readonly step: (
    state: Subject["state"],
    event: InspectionEvent,
    settings: InspectionSettings,
  ) => { readonly state: Subject["state"]; readonly effects: readonly InspectionEffect[] };
  readonly dueMs: (state: Subject["state"], settings: InspectionSettings) => number | null;
  /** Whether a frame with an expired ticket is judged. */
  readonly judgesLate: boolean;
  /** The user whose page uploads frames of this view. */
  readonly senderOf: (look: Subject, view: View) => bigint;
  readonly restrictionsOf: (look: Subject) => Promise<InspectedRestrictions>;
  /** Runs each effect but requests for frames; undefined if there are no others. */
  readonly run?: (look: Subject, effect: Exclude<InspectionEffect, AskEffect>) => void;
  /** Dispatches a verdict to the machine. */
  readonly judged: (look: Subject, frame: JudgedFrame) => void;
  /** Called after each event, whether or not the state has changed. */
  readonly changed?: (look: Subject) => void;
}

export interface VideoInspectionsOptions {
  readonly bus: Pick<Bus, "pass" | "isHere">;
  /** The other servers; undefined for a single server. */
  readonly peers?: Pick<Peers, "isAway" | "broadcast" | "onEvent">;
  /** Null if an operator switched the inspection off. No frames are requested then. */
  readonly classifier: FrameClassifier | null;
  readonly moderation: Pick<Moderation, "restrictionsOf">;
  readonly settings: InspectionSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/**
 * Why an uploaded frame was not judged. `no_ticket`: it had no ticket. `busy`: too many frames wait. `failed`: the
 * classifier failed, or the server failed before it knew the user. `overtaken`: a newer frame came first.
 */
export const unjudgedReasons = ["late", "no_ticket", "unreadable", "busy", "failed", "overtaken"] as const;
export type UnjudgedReason = (typeof unjudgedReasons)[number];

const views = ["own", "received"] as const;
const noTickets = { own: null, received: null };
const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);
/** How long an expired ticket is kept, to distinguish a very late frame from one without a ticket. */
const expiredKeptMs = 60_000;

/**
 * Runs the inspection machine under one policy: requests frames by tickets, receives them from browsers, passes them to
 * the classifier, and counts their outcomes since the server started.
 */
export class VideoInspections<Subject extends VideoInspection> {
  readonly counts = { judged: 0, unreadable: 0, busy: 0 };
  /** Frames that both families of models judged, by which of them found them explicit. */
  readonly families = { both: 0, nsfwjs: 0, open_nsfw: 0, neither: 0 };
  readonly unjudged = Object.fromEntries(unjudgedReasons.map((reason) => [reason, 0])) as Record<
    UnjudgedReason,
    number
  >;
  readonly #options: VideoInspectionsOptions;
  readonly #policy: VideoInspectionPolicy<Subject>;
  readonly #machine: MachineRunner<Subject, InspectionEvent, InspectionEffect>;
  /** When the classifier refused a frame last, on the monotonic clock. */
  #busyAtMs = -Infinity;
  /** When a request with a frame last failed before its user was known, on the monotonic clock. */
  #failedAtMs = -Infinity;

  constructor(options: VideoInspectionsOptions, policy: VideoInspectionPolicy<Subject>) {
    this.#options = options;
    this.#policy = policy;
    const { clock, settings } = options;
    this.#machine = new MachineRunner({
      clock,
      step: (state, event) => policy.step(state, event, settings),
      dueMs: (state) => policy.dueMs(state, settings),
      run: (look, effect) => (effect.type === "ask" ? this.#ask(look, effect) : policy.run?.(look, effect)),
      due: (look) => this.#tick(look),
    });
  }

  get nowMs(): number {
    return Math.floor(this.#options.clock.monotonicMs());
  }

  /** Starts the inspection, and requests the frames that are due. */
  begin(look: Subject): void {
    this.#machine.arm(look);
    this.#machine.catchUp(look);
  }

  dispatch(look: Subject, event: Untimed<InspectionEvent>): void {
    if (!this.#options.classifier && event.type !== "over") return;
    const { nowMs } = this;
    this.#machine.dispatch(look, { ...event, nowMs } as InspectionEvent);
    const state: VideoInspectionState = look.state;
    const tickets = state.kind === "ended" ? noTickets : state.tickets;
    for (const view of views) if (tickets[view] === null) this.#expire(look, view, nowMs);
    this.#policy.changed?.(look);
  }

  /** Reads the user's restrictions. The previous ones apply meanwhile. */
  learn(look: Subject): void {
    this.#policy.restrictionsOf(look).then(
      (restrictions) => {
        this.dispatch(look, { type: "restrictions", restrictions });
        this.#machine.catchUp(look);
      },
      (error: unknown) =>
        this.#options.logger.error(
          { err: error, userId: String(look.userId) },
          "failed to read restrictions for a look",
        ),
    );
  }

  /**
   * Finds the request of a ticket among the given views.
   *
   * @throws EndpointError 400 `ticket` for a ticket that is used, too old or another user's.
   */
  asked(views: readonly (readonly [Subject, View])[], ticketId: string): AskedFrame<Subject> {
    for (const [look, view] of views) {
      const current = look.tickets[view];
      if (current?.id === ticketId) return { look, view, ticket: current, isLate: false };
      const ticket = look.expired[view].find(({ id }) => id === ticketId);
      if (!ticket) continue;
      const { clock, settings } = this.#options;
      if (clock.monotonicMs() - ticket.askedMs <= settings.lateMs) return { look, view, ticket, isLate: true };
      spend(look, view, ticket);
      if (view === "own") {
        look.frames.late += 1;
        this.dispatch(look, { type: "late" });
      }
      this.unjudged.late += 1;
      throw badInput("the frame is too late", "ticket");
    }
    this.unjudged.no_ticket += 1;
    throw badInput("no such ticket", "ticket");
  }

  /**
   * Takes a frame; resolves when it is judged, or a newer one overtook it.
   *
   * @throws EndpointError 400 `frame` for bytes that are no JPEG image; the ticket stays valid for another frame.
   */
  async take({ look, view, ticket, isLate }: AskedFrame<Subject>, received: Buffer): Promise<void> {
    if (!received.subarray(0, jpegStart.length).equals(jpegStart)) throw this.#unreadable();
    spend(look, view, ticket);
    this.dispatch(look, { type: "arrived", view, isLate });
    // A copy, because the frame would keep the whole request body in memory.
    const frame = { view, ticket, bytes: Buffer.from(received), atMs: this.#options.clock.nowMs() };
    if ((await look.judging[view].run(() => this.#judge(look, frame))) !== null) return;
    this.unjudged.overtaken += 1;
    if (view === "own") look.frames.overtaken += 1;
    this.dispatch(look, { type: "overtaken", view });
  }

  /** Call if the server failed on a frame before it knew the user, for example while the database is unavailable. */
  failed(): void {
    this.unjudged.failed += 1;
    this.#failedAtMs = this.#options.clock.monotonicMs();
  }

  async #judge(look: Subject, frame: Omit<JudgedFrame, "verdict">): Promise<void> {
    if (look.state.kind === "ended") return;
    const { view, ticket, bytes } = frame;
    const verdict = await this.#classify(bytes, ticket.question);
    if (verdict === "unreadable") {
      if (view === "own") look.frames.unreadable += 1;
      // The ticket admits another frame, unless it has expired or a newer one is out.
      look.tickets[view] ??= ticket;
      this.dispatch(look, { type: "unreadable", view, untilMs: ticket.untilMs });
      throw this.#unreadable();
    }
    if (verdict === "busy") {
      if (view === "own") look.frames.busy += 1;
      return this.dispatch(look, { type: "unjudged", view });
    }
    this.#policy.judged(look, { ...frame, verdict });
    // Reads the restrictions again, because a report during the call makes the user watched.
    if (view === "own" && !isEnded(look)) this.learn(look);
  }

  /** `busy`: too many frames wait, or the classifier cannot judge now. `unreadable`: the bytes are no image. */
  async #classify(bytes: Buffer, question: FrameQuestion): Promise<FrameVerdict | "busy" | "unreadable"> {
    const { classifier, clock, logger } = this.#options;
    if (!classifier) return "busy";
    try {
      const verdict = await classifier.classify(bytes, question);
      this.counts.judged += 1;
      this.#compareFamilies(verdict);
      return verdict;
    } catch (error) {
      if (error instanceof FrameUnreadableError) return "unreadable";
      const isBusy = error instanceof ClassifierBusyError;
      this.counts.busy += 1;
      this.unjudged[isBusy ? "busy" : "failed"] += 1;
      // A classifier that is not ready is not overloaded.
      if (isBusy && classifier.isReady()) this.#busyAtMs = clock.monotonicMs();
      if (!isBusy) logger.error({ err: error }, "the classifier failed on a frame");
      return "busy";
    }
  }

  #compareFamilies({ explicit, scores, openNsfw }: FrameVerdict): void {
    const { unsureScore, openNsfwHidesScore } = this.#options.settings;
    if (openNsfw === undefined || Object.keys(scores).length === 0) return;
    const isBySecond = openNsfw >= openNsfwHidesScore;
    const by = explicit >= unsureScore ? (isBySecond ? "both" : "nsfwjs") : isBySecond ? "open_nsfw" : "neither";
    this.families[by] += 1;
  }

  #unreadable(): EndpointError {
    this.counts.unreadable += 1;
    this.unjudged.unreadable += 1;
    return badInput("not a picture", "frame");
  }

  #tick(look: Subject): void {
    const { peers, classifier, clock, random, settings } = this.#options;
    const oldestMs = classifier?.backlog().oldestMs ?? 0;
    const isRefusing = clock.monotonicMs() - this.#busyAtMs < settings.overloadForMs;
    this.dispatch(look, {
      type: "tick",
      isReady: classifier?.isReady() ?? false,
      isOverloaded: isRefusing || oldestMs > settings.overloadWaitMs,
      isFailing: (peers?.isAway ?? false) || this.#failedAtMs >= (look.tickets.own?.askedMs ?? Infinity),
      jitterMs: random.integer(-settings.jitterMs, settings.jitterMs),
    });
  }

  #ask(look: Subject, { view, pair, question, dueInMs, untilMs }: AskEffect): void {
    const { bus, random } = this.#options;
    const ticket = randomId(random);
    look.tickets[view] = { id: ticket, askedMs: this.nowMs, untilMs, pair, question };
    if (view === "own") look.frames.asked += 1;
    bus.pass(this.#policy.senderOf(look, view), { type: "inspect", roomId: look.roomId, ticket, view, dueInMs });
  }

  /** Drops an expired ticket, or keeps it if the policy judges late frames. */
  #expire(look: Subject, view: View, nowMs: number): void {
    const ticket = look.tickets[view];
    if (!ticket) return;
    look.tickets[view] = null;
    if (!this.#policy.judgesLate) return;
    look.expired[view] = [...look.expired[view].filter(({ askedMs }) => nowMs - askedMs < expiredKeptMs), ticket];
  }
}

function isEnded({ state }: VideoInspection): boolean {
  return state.kind === "ended";
}

function spend(look: VideoInspection, view: View, { id }: Ticket): void {
  if (look.tickets[view]?.id === id) look.tickets[view] = null;
  look.expired[view] = look.expired[view].filter((ticket) => ticket.id !== id);
}

/** Runs one task at a time. Of the tasks that arrive meanwhile, only the newest runs. */
export class LatestOnly {
  #isRunning = false;
  #waiting: ((turn: "yours" | "overtaken") => void) | null = null;

  /** @returns the task's result; null if a newer task replaced it. */
  async run<Result>(work: () => Promise<Result>): Promise<Result | null> {
    if (this.#isRunning) {
      this.#waiting?.("overtaken");
      const turn = await new Promise<"yours" | "overtaken">((resolve) => {
        this.#waiting = resolve;
      });
      if (turn === "overtaken") return null;
    }
    this.#isRunning = true;
    try {
      return await work();
    } finally {
      const next = this.#waiting;
      this.#waiting = null;
      // Stays true while the next task is about to run, so that no new caller runs in between.
      this.#isRunning = next !== null;
      next?.("yours");
    }
  }
}
