import type { CaseRule } from "@fava/wire/moderation.ts";
import type { UncheckedCause } from "@fava/wire/pushes.ts";
import type { Shield } from "@fava/wire/socket.ts";
import type { FrameQuestion, FrameVerdict } from "#ports/frame-classifier.ts";
import type { AccountRestrictions, SoftwareRule } from "#ports/moderation.ts";
import type { ShownKind } from "./room-service.ts";

/** Both are the video of the same user: as sent, and as the partner received it. */
export type View = "own" | "received";

/**
 * The state of one user's video in one room.
 *
 * - `checking`: nothing has been judged yet. The partner sees it blurred.
 * - `clear`: shown.
 * - `unsure`: hidden; the next frames decide. Once a case is open (`isReported`), only consecutive clean frames show it
 *   again. Until the user's own camera confirms it (`isConfirmed`), only the partner's view is known.
 * - `sure`: hidden; a burst of frames decides whether it is surely explicit.
 * - `code`: hidden for a while because of a code that leads out of the product.
 * - `unseen`: hidden until the next clean frame. `looks`: too few frames were judged; `dark`: it has been dark for
 *   long, or a dark frame looks explicit.
 */
export type Phase =
  | { readonly kind: "checking" }
  | { readonly kind: "clear" }
  | {
      readonly kind: "unsure";
      readonly over: number;
      readonly under: number;
      readonly isReported: boolean;
      readonly isConfirmed: boolean;
    }
  | { readonly kind: "sure"; readonly sure: number; readonly other: number }
  | { readonly kind: "code"; readonly untilMs: number }
  | { readonly kind: "unseen"; readonly of: "looks" | "dark" };

/** The restrictions that the inspection depends on. */
export type InspectedRestrictions = Pick<AccountRestrictions, "isNew" | "isWatched" | "startsCovered">;

/** All times are milliseconds of the monotonic clock. */
export interface WatchedVideo {
  readonly kind: "watched";
  readonly phase: Phase;
  /** `back`: switched on again, and not judged since. */
  readonly camera: "on" | "off" | "back";
  readonly isConnected: boolean;
  readonly restrictions: InspectedRestrictions;
  /** A frame of this call has passed. Until then video that opened clear relies on a frame from before the call. */
  readonly hasPassed: boolean;
  /** When the open ticket of each view expires; null: none is open. */
  readonly tickets: { readonly [Which in View]: number | null };
  /** When to request the next own frame. */
  readonly nextMs: number;
  /** Number of own frames requested. */
  readonly asked: number;
  /** The time up to which the clocks below have counted. */
  readonly atMs: number;
  /**
   * How long no frame of this user was judged while the camera was on. Every own frame that is judged resets it; one as
   * the partner received it does so only if it passed.
   */
  readonly unjudgedMs: number;
  /** How long no frame arrived although the page could send one and the partner's page plays this video. */
  readonly silentMs: number;
  /** A request has brought no frame yet. */
  readonly isAwaited: boolean;
  /** Own frames that arrived and have no verdict yet. */
  readonly judging: number;
  /** The partner's page plays this user's video. */
  readonly isViewed: boolean;
  /** At the last tick the classifier was not ready, or no message reached the server of this user's page. */
  readonly isBlind: boolean;
  /** What happened to frames since the last judged one: some came too late, some were lost on our side. */
  readonly since: { readonly late: boolean; readonly ours: boolean };
  /** How long every judged frame was dark, and what the last one looked like. */
  readonly dark: { readonly forMs: number; readonly cause: "black" | "covered" } | null;
  /** Until then no request is put off. */
  readonly fullUntilMs: number;
  /** Perceptual hash of the last usable frame. */
  readonly hash: string | null;
  readonly alertUntilMs: number;
  /** The classifier is overloaded: trusted users are inspected less often. */
  readonly isStretched: boolean;
  /** A report requests one more frame of both ends. */
  readonly isWanted: boolean;
  readonly pair: { readonly id: number; readonly own: string | null; readonly received: string | null };
  /** Whether both ends differed, for the last comparisons. */
  readonly differing: readonly boolean[];
  readonly still: { readonly fingerprint: string; readonly frames: number } | null;
  /** Rules that were already reported for this room. */
  readonly told: readonly CaseRule[];
}

/** `ended`: the room is over, or this video has ended it. */
export type InspectedVideo = WatchedVideo | { readonly kind: "ended" };

export type InspectionEvent = { readonly nowMs: number } & (
  | {
      readonly type: "tick";
      readonly isReady: boolean;
      /** The classifier has more frames than it can judge. */
      readonly isOverloaded: boolean;
      /** A frame may have failed on a server of ours before its user was known, or between two servers. */
      readonly isFailing: boolean;
      /** Milliseconds added to the time of the next ticket. */
      readonly jitterMs: number;
    }
  | { readonly type: "restrictions"; readonly restrictions: InspectedRestrictions }
  /**
   * A frame arrived for the ticket; its verdict follows. `isLate`: the ticket had expired, and newer ones may be out.
   */
  | { readonly type: "arrived"; readonly view: View; readonly isLate: boolean }
  | {
      readonly type: "verdict";
      readonly view: View;
      readonly pair: number;
      readonly codes: boolean;
      readonly verdict: FrameVerdict;
    }
  /** The bytes are no image; the ticket would expire at `untilMs`. */
  | { readonly type: "unreadable"; readonly view: View; readonly untilMs: number }
  /** The classifier was too busy to judge the frame. */
  | { readonly type: "unjudged"; readonly view: View }
  /** A newer frame arrived before the classifier had time for this one. */
  | { readonly type: "overtaken"; readonly view: View }
  /** An own frame arrived too late to be judged. */
  | { readonly type: "late" }
  | { readonly type: "camera"; readonly isOn: boolean }
  | { readonly type: "socket"; readonly isConnected: boolean }
  /** The partner's page started or stopped playing this user's video. */
  | { readonly type: "viewed"; readonly isViewed: boolean }
  /** A new page sends the video from now on, which may differ. */
  | { readonly type: "page_back" }
  /** The user was reported: one more frame at once. */
  | { readonly type: "wanted" }
  | { readonly type: "over" }
);

export interface AskEffect {
  readonly type: "ask";
  readonly view: View;
  readonly dueInMs: number;
  /** When the ticket expires. */
  readonly untilMs: number;
  /** Frames of the same moment have the same number. */
  readonly pair: number;
  readonly question: FrameQuestion;
}

export type InspectionEffect =
  | AskEffect
  | { readonly type: "missed" }
  /** An own frame was judged. */
  | { readonly type: "looked" }
  /** Under overload a frame was requested later than usual. */
  | { readonly type: "put_off" }
  /** The first frame of the call passed. */
  | { readonly type: "passed" }
  | { readonly type: "case"; readonly rule: SoftwareRule; readonly explicit: number; readonly isShadow: boolean }
  | { readonly type: "note"; readonly rule: SoftwareRule }
  /** A code was found; codes are counted per day. */
  | { readonly type: "code" }
  | { readonly type: "suspend"; readonly explicit: number }
  /** Ends the call, without a strike, because no frame could be checked. */
  | { readonly type: "end"; readonly cause: UncheckedCause };

export interface InspectionStep {
  readonly state: InspectedVideo;
  readonly effects: readonly InspectionEffect[];
}

/**
 * The video of a user who was just matched: clear if a frame passed before the call, otherwise covered.
 *
 * @param firstMs when to request the first frame, by the monotonic clock.
 */
export function openInspection({
  isClear,
  firstMs,
  fullRateForMs,
  restrictions,
  isConnected = true,
}: {
  isClear: boolean;
  firstMs: number;
  fullRateForMs: number;
  restrictions: InspectedRestrictions;
  isConnected?: boolean;
}): WatchedVideo {
  return {
    kind: "watched",
    phase: { kind: isClear ? "clear" : "checking" },
    camera: "on",
    isConnected,
    restrictions,
    hasPassed: false,
    tickets: { own: null, received: null },
    nextMs: firstMs,
    asked: 0,
    atMs: firstMs,
    unjudgedMs: 0,
    silentMs: 0,
    isAwaited: false,
    judging: 0,
    isViewed: false,
    isBlind: false,
    since: { late: false, ours: false },
    dark: null,
    fullUntilMs: firstMs + fullRateForMs,
    hash: null,
    alertUntilMs: 0,
    isStretched: false,
    // Video that opened clear is inspected from both ends at once.
    isWanted: isClear,
    pair: { id: 0, own: null, received: null },
    differing: [],
    still: null,
    told: [],
  };
}

/** What meters receive; a camera that is off is a separate event. */
export function shownKindOf(state: InspectedVideo): ShownKind {
  if (state.kind !== "watched") return "hidden";
  const { phase, camera } = state;
  if (phase.kind === "clear") return camera === "back" ? "hidden" : "shown";
  return phase.kind === "unsure" && !phase.isConfirmed ? "doubted" : "hidden";
}

/** What the partner is told of this video. */
export function shownToOther(state: WatchedVideo): Shield["other"] {
  const { phase, camera } = state;
  if (phase.kind === "checking") return "checking";
  if (phase.kind !== "clear") return "hidden";
  return camera === "on" ? "clear" : "checking";
}

/** What the user is told of the own video. */
export function toldToOwner(state: WatchedVideo, darkMs: number): Shield["own"] {
  const { phase, camera, dark } = state;
  if (phase.kind === "unseen" && phase.of === "looks") return "missing";
  if (camera !== "on") return "checking";
  if (dark && (dark.forMs >= darkMs || phase.kind !== "clear")) return "covered";
  if (phase.kind === "checking" || phase.kind === "clear") return phase.kind;
  return "warned";
}

/** Why video is hidden although nothing in it is wrong; undefined if it is shown, or something in it is wrong. */
export function unjudgedWhy({ phase, isBlind, since }: WatchedVideo): Shield["other_why"] {
  if (phase.kind === "checking") return isBlind ? "busy" : undefined;
  if (phase.kind !== "unseen" || phase.of === "dark") return undefined;
  return isBlind || since.ours ? "busy" : "weak";
}
