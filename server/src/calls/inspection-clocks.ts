import type { UncheckedCause } from "@fava/wire/pushes.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import type { InspectedVideo, InspectionStep, WatchedVideo } from "./inspection-state.ts";

/** Whether this user's page can send a frame: the camera is on and the socket is connected. */
export function canAsk({ camera, isConnected }: WatchedVideo): boolean {
  return camera !== "off" && isConnected;
}

/** Whether no frame arrives although the page is connected, the partner plays the video, and nothing failed here. */
function isSilent(state: WatchedVideo): boolean {
  return state.isAwaited && state.judging === 0 && canAsk(state) && state.isViewed && !state.isBlind;
}

/** Whether the dark clock runs. It stops while no frame is judged, since only recent verdicts show darkness. */
function isDarkening(state: WatchedVideo, { unjudgedHidesMs }: InspectionSettings): boolean {
  if (state.dark === null || !canAsk(state) || state.isBlind || state.since.ours) return false;
  return state.unjudgedMs < unjudgedHidesMs;
}

export function elapse(state: WatchedVideo, nowMs: number, settings: InspectionSettings): WatchedVideo {
  const passedMs = Math.max(0, nowMs - state.atMs);
  if (passedMs === 0) return state;
  const { dark } = state;
  return {
    ...state,
    atMs: nowMs,
    unjudgedMs: state.unjudgedMs + (state.camera === "off" ? 0 : passedMs),
    silentMs: state.silentMs + (isSilent(state) ? passedMs : 0),
    dark: dark && isDarkening(state, settings) ? { ...dark, forMs: dark.forMs + passedMs } : dark,
  };
}

/** The state after a frame of this user reached the server, whatever its outcome. */
export function withFrame(state: WatchedVideo): WatchedVideo {
  return { ...state, silentMs: 0, isAwaited: state.tickets.own !== null };
}

/** The state once the page can send frames again. It has at least `lateMs` for the first one before the call ends. */
export function resumed(state: WatchedVideo, { silentEndsMs, lateMs }: InspectionSettings): WatchedVideo {
  return { ...state, silentMs: Math.min(state.silentMs, silentEndsMs - lateMs) };
}

/** Hides the video, or ends the call, if one of the clocks has run out. */
export function afterClocks(step: InspectionStep, settings: InspectionSettings): InspectionStep {
  const { state, effects } = step;
  if (state.kind === "ended") return step;
  const cause = endCause(state, settings);
  if (cause) {
    const note = cause === "none" ? [{ type: "note", rule: "missing_frames" } as const] : [];
    return { state: { kind: "ended" }, effects: [...effects, ...note, { type: "end", cause }] };
  }
  const { phase } = state;
  // Doubted video is hidden only because of the partner's frames, so it counts as open here.
  const isDoubted = phase.kind === "unsure" && !phase.isConfirmed;
  const isOpen = phase.kind === "clear" || phase.kind === "checking" || isDoubted;
  const of = hiddenOf(state, settings);
  if (!isOpen || !of) return step;
  // A frame that is still being judged came in time, so the delay is ours.
  const since = { ...state.since, ours: state.since.ours || state.judging > 0 };
  return { state: { ...state, since, phase: { kind: "unseen", of } }, effects };
}

function endCause({ silentMs, dark, since }: WatchedVideo, settings: InspectionSettings): UncheckedCause | null {
  if (silentMs >= settings.silentEndsMs) return since.ours ? "ours" : since.late ? "late" : "none";
  return dark && dark.forMs >= settings.darkEndsMs ? dark.cause : null;
}

function hiddenOf({ silentMs, unjudgedMs, dark }: WatchedVideo, settings: InspectionSettings): "looks" | "dark" | null {
  if (silentMs >= settings.silentHidesMs || unjudgedMs >= settings.unjudgedHidesMs) return "looks";
  return dark && dark.forMs >= settings.darkHidesMs ? "dark" : null;
}

/** Milliseconds until this video ends the call; null while it is too early to tell the two users. */
export function endsInMs(state: WatchedVideo, nowMs: number, settings: InspectionSettings): number | null {
  const { silentEndsMs, darkEndsMs, countdownMs } = settings;
  const { dark } = state;
  const left = [
    ...(isSilent(state) ? [silentEndsMs - state.silentMs] : []),
    ...(dark && isDarkening(state, settings) ? [darkEndsMs - dark.forMs] : []),
  ].filter((leftMs) => leftMs <= countdownMs);
  return left.length === 0 ? null : Math.max(0, Math.min(...left) - (nowMs - state.atMs));
}

/** Times of the next changes that the clocks cause, on the monotonic clock. */
export function clockDues(state: InspectedVideo, settings: InspectionSettings): readonly number[] {
  if (state.kind === "ended") return [];
  const { silentHidesMs, silentEndsMs, unjudgedHidesMs, darkMs, darkHidesMs, darkEndsMs, countdownMs } = settings;
  const { atMs, silentMs, unjudgedMs, dark } = state;
  const next = (countedMs: number, ...atThe: readonly number[]) =>
    atThe.filter((limitMs) => limitMs > countedMs).map((limitMs) => atMs + limitMs - countedMs);
  return [
    ...(isSilent(state) ? next(silentMs, silentHidesMs, silentEndsMs - countdownMs, silentEndsMs) : []),
    ...(state.camera === "off" ? [] : next(unjudgedMs, unjudgedHidesMs)),
    ...(dark && isDarkening(state, settings)
      ? next(dark.forMs, darkMs, darkHidesMs, darkEndsMs - countdownMs, darkEndsMs)
      : []),
  ];
}
