import type { UncheckedCause } from "@fava/wire/pushes.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import type { InspectedVideo, InspectionStep, WatchedVideo } from "./inspection-state.ts";

/** Whether this person's page can send a frame: the camera is on and the socket is there. */
export function canAsk({ camera, isConnected }: WatchedVideo): boolean {
  return camera !== "off" && isConnected;
}

/** The page answers everything else, the partner watches, nothing failed on our side, and still no frame arrives. */
function isSilent(state: WatchedVideo): boolean {
  return state.isAwaited && state.judging === 0 && canAsk(state) && state.isViewed && !state.isBlind;
}

/** Only frames that were judged lately say that the picture is dark; while we judge none that is not known. */
function isDarkening(state: WatchedVideo, { unlookedHidesMs }: InspectionSettings): boolean {
  if (state.dark === null || !canAsk(state) || state.isBlind || state.since.ours) return false;
  return state.unlookedMs < unlookedHidesMs;
}

/** Counts the clocks of a picture up to now. */
export function elapse(state: WatchedVideo, nowMs: number, settings: InspectionSettings): WatchedVideo {
  const passedMs = Math.max(0, nowMs - state.atMs);
  if (passedMs === 0) return state;
  const { dark } = state;
  return {
    ...state,
    atMs: nowMs,
    unlookedMs: state.unlookedMs + (state.camera === "off" ? 0 : passedMs),
    silentMs: state.silentMs + (isSilent(state) ? passedMs : 0),
    dark: dark && isDarkening(state, settings) ? { ...dark, forMs: dark.forMs + passedMs } : dark,
  };
}

/** A frame of this person reached us, whatever becomes of it. */
export function withFrame(state: WatchedVideo): WatchedVideo {
  return { ...state, silentMs: 0, isAwaited: state.tickets.own !== null };
}

/** The page can send frames again, and gets the time of a late upload for the first one. */
export function resumed(state: WatchedVideo, { silentEndsMs, lateMs }: InspectionSettings): WatchedVideo {
  return { ...state, silentMs: Math.min(state.silentMs, silentEndsMs - lateMs) };
}

/** What the clocks make of a picture: hidden, or the end of the call. */
export function afterClocks(step: InspectionStep, settings: InspectionSettings): InspectionStep {
  const { state, effects } = step;
  if (state.kind === "ended") return step;
  const cause = endCause(state, settings);
  if (cause) {
    const note = cause === "none" ? [{ type: "note", rule: "missing_frames" } as const] : [];
    return { state: { kind: "ended" }, effects: [...effects, ...note, { type: "end", cause }] };
  }
  const { phase } = state;
  // Nothing but the partner's word hides an unconfirmed one, and that stops the partner's clock for a while only.
  const isDoubted = phase.kind === "unsure" && !phase.isConfirmed;
  const isOpen = phase.kind === "clear" || phase.kind === "checking" || isDoubted;
  const of = hiddenOf(state, settings);
  if (!isOpen || !of) return step;
  // A frame that is still with the classifier came in time.
  const since = { ...state.since, ours: state.since.ours || state.judging > 0 };
  return { state: { ...state, since, phase: { kind: "unseen", of } }, effects };
}

function endCause({ silentMs, dark, since }: WatchedVideo, settings: InspectionSettings): UncheckedCause | null {
  if (silentMs >= settings.silentEndsMs) return since.ours ? "ours" : since.late ? "late" : "none";
  return dark && dark.forMs >= settings.darkEndsMs ? dark.cause : null;
}

function hiddenOf({ silentMs, unlookedMs, dark }: WatchedVideo, settings: InspectionSettings): "looks" | "dark" | null {
  if (silentMs >= settings.silentHidesMs || unlookedMs >= settings.unlookedHidesMs) return "looks";
  return dark && dark.forMs >= settings.darkHidesMs ? "dark" : null;
}

/** In how many milliseconds the call ends because of this picture, once both sides are to be told; null before. */
export function endsInMs(state: WatchedVideo, nowMs: number, settings: InspectionSettings): number | null {
  const { silentEndsMs, darkEndsMs, countdownMs } = settings;
  const { dark } = state;
  const left = [
    ...(isSilent(state) ? [silentEndsMs - state.silentMs] : []),
    ...(dark && isDarkening(state, settings) ? [darkEndsMs - dark.forMs] : []),
  ].filter((leftMs) => leftMs <= countdownMs);
  return left.length === 0 ? null : Math.max(0, Math.min(...left) - (nowMs - state.atMs));
}

/** When one of the clocks changes something next, of the monotonic clock; an empty list while none can. */
export function clockDues(state: InspectedVideo, settings: InspectionSettings): readonly number[] {
  if (state.kind === "ended") return [];
  const { silentHidesMs, silentEndsMs, unlookedHidesMs, darkMs, darkHidesMs, darkEndsMs, countdownMs } = settings;
  const { atMs, silentMs, unlookedMs, dark } = state;
  const next = (countedMs: number, ...atThe: readonly number[]) =>
    atThe.filter((limitMs) => limitMs > countedMs).map((limitMs) => atMs + limitMs - countedMs);
  return [
    ...(isSilent(state) ? next(silentMs, silentHidesMs, silentEndsMs - countdownMs, silentEndsMs) : []),
    ...(state.camera === "off" ? [] : next(unlookedMs, unlookedHidesMs)),
    ...(dark && isDarkening(state, settings)
      ? next(dark.forMs, darkMs, darkHidesMs, darkEndsMs - countdownMs, darkEndsMs)
      : []),
  ];
}
