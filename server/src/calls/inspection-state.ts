import type { CaseRule } from "@fava/wire/moderation.ts";
import type { UncheckedCause } from "@fava/wire/pushes.ts";
import type { Shield } from "@fava/wire/socket.ts";
import type { FrameQuestion, FrameVerdict } from "#ports/frame-classifier.ts";
import type { AccountRestrictions, SoftwareRule } from "#ports/moderation.ts";
import type { ShownKind } from "./room-service.ts";

/** Both are the same user's video: `own` as the camera's page sends it, `received` as the partner's page gets it. */
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

export type InspectedRestrictions = Pick<
  AccountRestrictions,
  "isNew" | "isWatched" | "startsCovered" | "isReceivedOnly" | "hintsAge"
>;

/** What the two frames of one moment are compared by. */
export interface Sight extends Pick<FrameVerdict, "phash" | "luma"> {
  readonly aspect: number | undefined;
}

/** A moment of which both frames were requested, and what was judged of them so far. */
export interface ComparedMoment {
  readonly pair: number;
  readonly own: Sight | null;
  readonly received: (Sight & { readonly isUsable: boolean }) | null;
}

/** Times are on the monotonic clock, in milliseconds. */
export interface WatchedVideo {
  readonly kind: "watched";
  readonly phase: Phase;
  /** `back`: on again after it was off, without a judged frame since. */
  readonly camera: "on" | "off" | "back";
  readonly isConnected: boolean;
  readonly restrictions: InspectedRestrictions;
  /** Whether a frame of this call has passed. Until then, video that started clear relies on an earlier frame. */
  readonly hasPassed: boolean;
  /** When the valid ticket of each view expires; null: there is no valid ticket. */
  readonly tickets: { readonly [Which in View]: number | null };
  /** When to request the next own frame. */
  readonly nextMs: number;
  /** How many own frames were requested. */
  readonly asked: number;
  /** Up to this time the clocks below have counted. */
  readonly atMs: number;
  /**
   * For how long the camera was on without a judged frame. Each verdict on an own frame resets it; one on a received
   * frame only if the frame passed.
   */
  readonly unjudgedMs: number;
  /** For how long no frame arrived although the page could send one and the partner's page plays the video. */
  readonly silentMs: number;
  /** A requested frame has not arrived yet. */
  readonly isAwaited: boolean;
  /** How many own frames wait for their verdict. */
  readonly judging: number;
  /** The partner's page plays this user's video. */
  readonly isViewed: boolean;
  /** At the last tick the classifier was not ready. */
  readonly isBlind: boolean;
  /** Whether frames since the last verdict came too late, and whether our side lost some. */
  readonly since: { readonly late: boolean; readonly ours: boolean };
  /** For how long no judged frame showed a person, and why the last one did not. */
  readonly dark: { readonly forMs: number; readonly cause: "black" | "covered" | "nobody" | "still" } | null;
  /** How many looks for a face in a row found none. */
  readonly empty: number;
  /** Until this time overload delays no request. */
  readonly fullUntilMs: number;
  /** Perceptual hash of the last usable frame. */
  readonly hash: string | null;
  readonly alertUntilMs: number;
  /** Under overload, this trusted user is inspected less often. */
  readonly isStretched: boolean;
  /** A report asked for one more frame of both ends. */
  readonly isWanted: boolean;
  /** Of the last request. */
  readonly pair: number;
  /** Moments whose frames have not both been judged, oldest first. */
  readonly moments: readonly ComparedMoment[];
  /** For the last comparisons of both ends: whether they differed. */
  readonly differing: readonly boolean[];
  /** Of the last own frames, oldest first: a received frame may be some seconds old. */
  readonly recentOwn: readonly Sight[];
  /** Whether the last own frame passed. */
  readonly isOwnClean: boolean;
  readonly still: { readonly fingerprint: string; readonly frames: number } | null;
  /** Both users are told that the picture does not move. */
  readonly standsStill: boolean;
  /** Rules for which this room has already opened a case or noted a finding. */
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
      /** A frame may be lost: the server failed on one before it knew the user, or the bus is disconnected. */
      readonly isFailing: boolean;
      /** A random number of milliseconds to add to the time of the next request. */
      readonly jitterMs: number;
    }
  | { readonly type: "restrictions"; readonly restrictions: InspectedRestrictions }
  /** A frame arrived for the ticket; its verdict follows. `isLate`: the ticket has expired, newer ones may be out. */
  | { readonly type: "arrived"; readonly view: View; readonly isLate: boolean }
  | {
      readonly type: "verdict";
      readonly view: View;
      readonly pair: number;
      readonly codes: boolean;
      readonly verdict: FrameVerdict;
    }
  /** The bytes are no image. `untilMs`: when the ticket expires. */
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
  /** From now on a new page sends the video, which may show something else. */
  | { readonly type: "page_back" }
  /** The user was reported: one more frame at once. */
  | { readonly type: "wanted" }
  | { readonly type: "over" }
);

export interface AskEffect {
  readonly type: "ask";
  readonly view: View;
  readonly dueInMs: number;
  /** When this ticket expires. */
  readonly untilMs: number;
  /** Equal for the two frames of one moment. */
  readonly pair: number;
  readonly question: FrameQuestion;
}

export type InspectionEffect =
  | AskEffect
  | { readonly type: "missed" }
  /** An own frame was judged, so the meter counts up to it. */
  | { readonly type: "looked" }
  /** Under overload, a request was delayed. */
  | { readonly type: "put_off" }
  /** The first frame of the call passed. */
  | { readonly type: "passed" }
  | { readonly type: "case"; readonly rule: SoftwareRule; readonly explicit: number; readonly isShadow: boolean }
  | { readonly type: "note"; readonly rule: SoftwareRule }
  /** `emptyFrames` looks for a face in a row found none. */
  | { readonly type: "empty" }
  /** A frame contains a code. The notifier counts codes per day. */
  | { readonly type: "code" }
  | { readonly type: "suspend"; readonly explicit: number }
  /** Ends the call without a strike, because no frame of the user could be judged. */
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
    empty: 0,
    fullUntilMs: firstMs + fullRateForMs,
    hash: null,
    alertUntilMs: 0,
    isStretched: false,
    // A call that started clear is inspected at both ends at once.
    isWanted: isClear,
    pair: 0,
    moments: [],
    differing: [],
    recentOwn: [],
    isOwnClean: false,
    still: null,
    standsStill: false,
    told: [],
  };
}

/**
 * Whether only received frames count, because the user's own frames contradict them: in this call, or in calls with
 * several partners.
 */
export function isReceivedOnly({ told, restrictions }: WatchedVideo): boolean {
  return restrictions.isReceivedOnly || told.includes("views_differ");
}

/** Whether the user's own frames pass, and only received frames, or their absence, hide the video. */
function isOwnContradicted(state: WatchedVideo): boolean {
  const { phase, camera, isOwnClean } = state;
  if (!isReceivedOnly(state) || !isOwnClean || camera === "off") return false;
  if (phase.kind === "unsure") return !phase.isConfirmed;
  return phase.kind === "checking" || phase.kind === "clear" || (phase.kind === "unseen" && phase.of === "looks");
}

/** The state that the meters receive. A switched-off camera is another event. */
export function shownKindOf(state: InspectedVideo): ShownKind {
  if (state.kind !== "watched") return "hidden";
  const { phase, camera } = state;
  if (phase.kind === "clear" && camera !== "back") return state.standsStill ? "still" : "shown";
  const isDoubted = phase.kind === "unsure" && !phase.isConfirmed;
  return isDoubted || isOwnContradicted(state) ? "doubted" : "hidden";
}

/** What the partner's page shows of this video. */
export function shownToOther(state: WatchedVideo): Shield["other"] {
  const { phase, camera } = state;
  if (phase.kind === "checking") return "checking";
  if (phase.kind !== "clear") return "hidden";
  return camera === "on" ? "clear" : "checking";
}

/** What the user's own page says about this video. A user whose own frames are not believed is not told. */
export function toldToOwner(state: WatchedVideo, darkMs: number): Shield["own"] {
  const { phase, camera, dark, standsStill } = state;
  if (isOwnContradicted(state)) return "clear";
  if (phase.kind === "unseen" && phase.of === "looks") return "missing";
  if (camera !== "on") return "checking";
  if (dark && dark.cause !== "still" && (dark.forMs >= darkMs || phase.kind !== "clear"))
    return dark.cause === "nobody" ? "nobody" : "covered";
  if (standsStill) return "still";
  if (phase.kind === "checking" || phase.kind === "clear") return phase.kind;
  return "warned";
}

/** Why video is hidden although nothing wrong was found in it; undefined if it is shown, or if something was found. */
export function unjudgedWhy({ phase, isBlind, since }: WatchedVideo): Shield["other_why"] {
  if (phase.kind === "checking") return isBlind ? "busy" : undefined;
  if (phase.kind !== "unseen" || phase.of === "dark") return undefined;
  return isBlind || since.ours ? "busy" : "weak";
}
