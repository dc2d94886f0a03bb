import type { CaseRule } from "@fava/wire/moderation.ts";
import type { UncheckedCause } from "@fava/wire/pushes.ts";
import type { Shield } from "@fava/wire/socket.ts";
import type { FrameQuestion, FrameVerdict } from "#ports/frame-classifier.ts";
import type { AccountRestrictions, SoftwareRule } from "#ports/moderation.ts";
import type { ShownKind } from "./room-service.ts";

/** Both are pictures of the same person: as they sent it, and as the other received it. */
export type View = "own" | "received";

/**
 * What is thought of the picture of one person in one room.
 *
 * - `checking`: nothing has been judged yet. The other sees it blurred.
 * - `clear`: shown.
 * - `unsure`: hidden; the next pictures decide. Once a moderator is to see it (`isReported`), only clean pictures in a
 *   row show it again. Until the person's own camera confirms it (`isConfirmed`), nothing but the other's word is known.
 * - `sure`: hidden; a burst of pictures decides whether it is surely explicit.
 * - `code`: hidden for a while because of a code that leads out of the product.
 * - `unseen`: hidden until the next clean picture. `looks`: too few pictures were judged; `dark`: it has been dark for
 *   long, or a dark one looks explicit.
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

/** What the inspection goes by of what somebody may do. */
export type InspectedRestrictions = Pick<AccountRestrictions, "isNew" | "isWatched" | "startsCovered">;

/** Every time is of the monotonic clock, in milliseconds. */
export interface WatchedVideo {
  readonly kind: "watched";
  readonly phase: Phase;
  /** `back`: switched on again, and not judged since. */
  readonly camera: "on" | "off" | "back";
  readonly isConnected: boolean;
  readonly restrictions: InspectedRestrictions;
  /** A picture of this call has passed. Until then a picture that opened clear stands on the look before the call alone. */
  readonly hasPassed: boolean;
  /** When the ticket that was given for this view runs out; null: none is out. */
  readonly tickets: { readonly [Which in View]: number | null };
  /** When the own picture is to be asked for again. */
  readonly nextMs: number;
  /** Own pictures asked for. */
  readonly asked: number;
  /** The moment up to which the clocks below have counted. */
  readonly atMs: number;
  /** How long no frame of this person was judged while the camera was on. A received frame that passed counts as well. */
  readonly unlookedMs: number;
  /** How long no frame arrived although the page could send one and the partner's page plays this video. */
  readonly silentMs: number;
  /** A request of ours has brought no frame yet. */
  readonly isAwaited: boolean;
  /** Own frames that arrived and have no verdict yet. */
  readonly judging: number;
  /** The partner's page plays this person's video. */
  readonly isViewed: boolean;
  /** At the last tick the classifier could judge nothing, or no message reached the server of this person's page. */
  readonly isBlind: boolean;
  /** What became of frames since one was judged last: some came too late, some were lost on our side. */
  readonly since: { readonly late: boolean; readonly ours: boolean };
  /** How long every judged frame was dark, and what the last one looked like. */
  readonly dark: { readonly forMs: number; readonly cause: "black" | "covered" } | null;
  /** Until then no look is put off. */
  readonly fullUntilMs: number;
  /** Perceptual hash of the last frame that could be judged well. */
  readonly hash: string | null;
  readonly alertUntilMs: number;
  /** The classifier has too much to do: trusted people are asked less often. */
  readonly isStretched: boolean;
  /** A report asks for one more picture of both ends. */
  readonly isWanted: boolean;
  readonly pair: { readonly id: number; readonly own: string | null; readonly received: string | null };
  /** Whether both ends differed, in the last comparisons. */
  readonly differing: readonly boolean[];
  readonly still: { readonly fingerprint: string; readonly frames: number } | null;
  /** What of this room is known to moderators already. */
  readonly told: readonly CaseRule[];
}

/** `ended`: the room is over, or this picture has ended it. */
export type InspectedVideo = WatchedVideo | { readonly kind: "ended" };

export type InspectionEvent = { readonly nowMs: number } & (
  | {
      readonly type: "tick";
      /** Whether the classifier can judge now. */
      readonly isReady: boolean;
      /** The page is at another process, which hears nothing from this one: what is asked for does not come. */
      readonly isCutOff: boolean;
      /** The classifier has more frames than it can judge. */
      readonly isOverloaded: boolean;
      /** Since the ticket was given the server failed on a frame, of which it does not know whose it was. */
      readonly isFailing: boolean;
      /** Added to the time of the ticket after this one. */
      readonly jitterMs: number;
    }
  | { readonly type: "restrictions"; readonly restrictions: InspectedRestrictions }
  /** A frame arrived for the ticket; its verdict follows. `isLate`: the ticket had been given up, and newer ones may be out. */
  | { readonly type: "arrived"; readonly view: View; readonly isLate: boolean }
  | {
      readonly type: "verdict";
      readonly view: View;
      readonly pair: number;
      readonly codes: boolean;
      readonly verdict: FrameVerdict;
    }
  /** What came in is no picture; its ticket would have run out at `untilMs`. */
  | { readonly type: "unreadable"; readonly view: View; readonly untilMs: number }
  /** We have too much to do to judge what came in. */
  | { readonly type: "unjudged"; readonly view: View }
  /** A newer frame arrived before the classifier had time for this one. */
  | { readonly type: "overtaken"; readonly view: View }
  /** A frame of the own view arrived too late to be judged. */
  | { readonly type: "late" }
  /** What came in for the ticket at another process could not be brought here. */
  | { readonly type: "lost"; readonly view: View }
  | { readonly type: "camera"; readonly isOn: boolean }
  | { readonly type: "socket"; readonly isConnected: boolean }
  /** The partner's page began or stopped to play this person's video. */
  | { readonly type: "viewed"; readonly isViewed: boolean }
  /** A new page shows the picture from now on: perhaps another one. */
  | { readonly type: "page_back" }
  /** Somebody reported the person: one more picture at once. */
  | { readonly type: "wanted" }
  | { readonly type: "over" }
);

export interface AskEffect {
  readonly type: "ask";
  readonly view: View;
  readonly dueInMs: number;
  /** When the ticket runs out. */
  readonly untilMs: number;
  /** Pictures of the same moment have the same number. */
  readonly pair: number;
  readonly question: FrameQuestion;
}

export type InspectionEffect =
  | AskEffect
  | { readonly type: "missed" }
  /** An own frame was judged. */
  | { readonly type: "looked" }
  /** In overload a look was asked for later than usual. */
  | { readonly type: "put_off" }
  /** The first picture of the call that passed. */
  | { readonly type: "passed" }
  | { readonly type: "case"; readonly rule: SoftwareRule; readonly explicit: number; readonly isShadow: boolean }
  | { readonly type: "note"; readonly rule: SoftwareRule }
  /** A code was found: counted over the day. */
  | { readonly type: "code" }
  | { readonly type: "suspend"; readonly explicit: number }
  /** The call ends, without a strike, for want of frames that could be checked. */
  | { readonly type: "end"; readonly cause: UncheckedCause };

export interface InspectionStep {
  readonly state: InspectedVideo;
  readonly effects: readonly InspectionEffect[];
}

/**
 * The picture of somebody who was just matched: clear where a look before the call passed, otherwise covered.
 *
 * @param firstMs when the first picture is to be asked for, of the monotonic clock.
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
    unlookedMs: 0,
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
    // What opened clear is looked at from both ends at once.
    isWanted: isClear,
    pair: { id: 0, own: null, received: null },
    differing: [],
    still: null,
    told: [],
  };
}

/** What meters hear of the picture; a camera that is off is told elsewhere. */
export function shownKindOf(state: InspectedVideo): ShownKind {
  if (state.kind !== "watched") return "hidden";
  const { phase, camera } = state;
  if (phase.kind === "clear") return camera === "back" ? "hidden" : "shown";
  return phase.kind === "unsure" && !phase.isConfirmed ? "doubted" : "hidden";
}

/** What the other is told of this picture. */
export function shownToOther(state: WatchedVideo): Shield["other"] {
  const { phase, camera } = state;
  if (phase.kind === "checking") return "checking";
  if (phase.kind !== "clear") return "hidden";
  return camera === "on" ? "clear" : "checking";
}

/** What the person is told of the own picture. */
export function toldToOwner(state: WatchedVideo, darkMs: number): Shield["own"] {
  const { phase, camera, dark } = state;
  if (phase.kind === "unseen" && phase.of === "looks") return "missing";
  if (camera !== "on") return "checking";
  if (dark && (dark.forMs >= darkMs || phase.kind !== "clear")) return "covered";
  if (phase.kind === "checking" || phase.kind === "clear") return phase.kind;
  return "warned";
}

/** Why a picture is hidden although nothing in it is wrong; undefined where it is shown, or something is wrong in it. */
export function unlookedWhy({ phase, isBlind, since }: WatchedVideo): Shield["other_why"] {
  if (phase.kind === "checking") return isBlind ? "busy" : undefined;
  if (phase.kind !== "unseen" || phase.of === "dark") return undefined;
  return isBlind || since.ours ? "busy" : "weak";
}
