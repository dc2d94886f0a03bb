import { factsOf, type FrameFacts, hashDistance } from "./frame-facts.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import type { PictureEffect, PictureEvent, PictureStep, WatchedPicture } from "./picture-state.ts";

type VerdictEvent = Extract<PictureEvent, { type: "verdict" }>;

/** What a verdict makes of a picture (rules SAFE-10 to SAFE-19). */
export function judged(before: WatchedPicture, event: VerdictEvent, settings: InspectionSettings): PictureStep {
  const facts = factsOf(event.verdict, settings);
  const compared = compare(before, { event, facts, settings });
  if (event.view === "received") return received(compared, { event, facts, settings });
  const state = { ...compared.state, missed: 0, isExcused: false, isStretched: false };
  const still = watchStill(state, event, { facts, settings });
  const dark = watchDark(still.state, event.nowMs, { facts, settings });
  const effects = [...compared.effects, ...still.effects, ...dark.effects];
  if (dark.state.kind === "ended") return { state: dark.state, effects };
  const step = decide(dark.state, { event, facts, settings });
  return { state: step.state, effects: [...effects, ...step.effects] };
}

interface Judging {
  readonly event: VerdictEvent;
  readonly facts: FrameFacts;
  readonly settings: InspectionSettings;
}
type Watched = { readonly state: WatchedPicture; readonly effects: readonly PictureEffect[] };

/** The other end's view is no proof: it hides at most, in doubt, and asks the person's own camera for more. */
function received({ state, effects }: Watched, { event, facts, settings }: Judging): PictureStep {
  if (!facts.isOver) return { state, effects };
  const nextMs = Math.min(state.nextMs, event.nowMs + settings.unsureRetryMs);
  const isHiding = facts.isSure && state.phase.kind === "clear";
  return { state: { ...state, nextMs, phase: isHiding ? doubt : state.phase }, effects };
}

const unsure = { kind: "unsure", over: 0, under: 0, isReported: false, isConfirmed: true } as const;
const doubt = { ...unsure, isConfirmed: false } as const;

/** Both ends of the same moment, where both can be compared. */
function compare(state: WatchedPicture, { event, facts, settings }: Judging): Watched {
  if (!facts.isUsable || event.pair !== state.pair.id) return { state, effects: [] };
  const pair = { ...state.pair, [event.view]: event.verdict.phash };
  if (pair.own === null || pair.received === null) return { state: { ...state, pair }, effects: [] };
  const differs = hashDistance(pair.own, pair.received) > settings.differingBits;
  const differing = [...state.differing, differs].slice(-settings.comparisons);
  const compared = { ...state, pair, differing };
  const isOdd = differing.filter(Boolean).length >= settings.comparisonsDiffering;
  if (!isOdd || state.told.includes("views_differ")) return { state: compared, effects: [] };
  const effect = { type: "case", rule: "views_differ", explicit: event.verdict.explicit, isShadow: false } as const;
  return { state: { ...compared, told: [...state.told, "views_differ"] }, effects: [effect] };
}

/** A camera is never perfectly still. So far this is only counted. */
function watchStill(
  state: WatchedPicture,
  { verdict }: VerdictEvent,
  { facts, settings }: Omit<Judging, "event">,
): Watched {
  if (!facts.isUsable) return { state: { ...state, still: null }, effects: [] };
  const fingerprint = `${verdict.phash} ${JSON.stringify(verdict.scores)}`;
  const frames = state.still?.fingerprint === fingerprint ? state.still.frames + 1 : 1;
  const next = { ...state, still: { fingerprint, frames } };
  if (frames < settings.frozenFrames || state.told.includes("frozen_picture")) return { state: next, effects: [] };
  return {
    state: { ...next, told: [...state.told, "frozen_picture"] },
    effects: [{ type: "note", rule: "frozen_picture" }],
  };
}

/** A camera that stays dark is told so, and ends the call in the end; that is no offence. */
function watchDark(state: WatchedPicture, nowMs: number, { facts, settings }: Omit<Judging, "event">): PictureStep {
  if (!facts.isDark) return { state: { ...state, dark: null }, effects: [] };
  const dark = state.dark ?? { sinceMs: nowMs, prompts: 0 };
  if (nowMs - dark.sinceMs < settings.darkMs) return { state: { ...state, dark }, effects: [] };
  const prompts = dark.prompts + 1;
  if (prompts >= settings.darkPrompts) return { state: { kind: "ended" }, effects: [{ type: "end" }] };
  return { state: { ...state, dark: { sinceMs: nowMs, prompts } }, effects: [] };
}

/** What the picture is from now on. */
function decide(state: WatchedPicture, judging: Judging): PictureStep {
  const { event, facts } = judging;
  const { phase } = state;
  const isDoubted = phase.kind === "unsure" || phase.kind === "sure";
  if (event.verdict.code !== null && !isDoubted) return codeFound(state, judging);
  if (phase.kind === "sure") return burst(state, phase, judging);
  if (facts.isSure) return soon(state, { phase: { kind: "sure", sure: 0, other: 0 } }, judging);
  if (phase.kind === "unsure") return doubted(state, phase, judging);
  if (facts.isOver && facts.isUsable) return soon(state, { phase: unsure }, judging);
  if (facts.isOver) return soon(state, { phase: { kind: "unseen" } }, judging);
  if (phase.kind === "code" && (event.nowMs < phase.untilMs || !event.codes)) return soon(state, {}, judging);
  if (facts.isClean) return clear(state, judging);
  return soon(state, {}, judging);
}

function codeFound(state: WatchedPicture, judging: Judging): Watched {
  const phase = { kind: "code", untilMs: judging.event.nowMs + judging.settings.codeMs } as const;
  const isFirst = state.phase.kind !== "code";
  const hidden = soon(state, { phase }, judging);
  return { state: hidden.state, effects: isFirst ? [{ type: "code" }] : [] };
}

type Unsure = Extract<WatchedPicture["phase"], { kind: "unsure" }>;
type Sure = Extract<WatchedPicture["phase"], { kind: "sure" }>;

function doubted(state: WatchedPicture, phase: Unsure, judging: Judging): PictureStep {
  const { facts, settings, event } = judging;
  const { unsureFrames, unsureOver, cleanFrames } = settings;
  if (facts.isClean) {
    const under = phase.under + 1;
    const enough = phase.isReported ? cleanFrames : unsureFrames - unsureOver + 1;
    return under >= enough ? clear(state, judging) : soon(state, { phase: { ...phase, under } }, judging);
  }
  if (!facts.isOver || !facts.isUsable) return soon(state, {}, judging);
  if (phase.isReported) return soon(state, { phase: { ...phase, under: 0 } }, judging);
  const over = phase.over + 1;
  if (over < unsureOver) return soon(state, { phase: { ...phase, over, isConfirmed: true } }, judging);
  return report(soon(state, { phase: reported }, judging).state, event, { rule: "explicit_picture", isShadow: false });
}

const reported = { ...unsure, isReported: true } as const;

/** Pictures that cannot be held against anybody count neither way; a clean one does. */
function burst(state: WatchedPicture, phase: Sure, judging: Judging): PictureStep {
  const { facts, settings, event } = judging;
  if (!facts.isUsable && !facts.isClean) return soon(state, {}, judging);
  const counted = facts.isSure ? { ...phase, sure: phase.sure + 1 } : { ...phase, other: phase.other + 1 };
  if (counted.sure >= settings.burstSure) {
    if (!settings.isShadow) {
      return { state: { kind: "ended" }, effects: [{ type: "suspend", explicit: event.verdict.explicit }] };
    }
    const hidden = soon(state, { phase: reported }, judging).state;
    return report(hidden, event, { rule: "explicit_picture_sure", isShadow: true });
  }
  if (counted.other <= settings.burstFrames - settings.burstSure) return soon(state, { phase: counted }, judging);
  const after = facts.isClean ? clear(state, judging) : soon(state, { phase: unsure }, judging);
  return { state: after.state, effects: [...after.effects, { type: "note", rule: "explicit_picture" }] };
}

/** One case of a kind in a room. */
function report(
  state: WatchedPicture,
  { verdict }: VerdictEvent,
  what: { rule: "explicit_picture" | "explicit_picture_sure"; isShadow: boolean },
): PictureStep {
  if (state.told.includes(what.rule)) return { state, effects: [] };
  return {
    state: { ...state, told: [...state.told, what.rule] },
    effects: [{ type: "case", explicit: verdict.explicit, ...what }],
  };
}

function clear(state: WatchedPicture, judging: Judging): Watched {
  const { event, facts, settings } = judging;
  const { nowMs } = event;
  // Of a picture that was doubted the code was left for later.
  if (event.verdict.code !== null) return codeFound(state, judging);
  const shown = { ...state, phase: { kind: "clear" }, camera: state.camera === "back" ? "on" : state.camera } as const;
  if (!facts.isAlerting) return { state: shown, effects: [] };
  const nextMs = Math.min(state.nextMs, nowMs + settings.alertMs);
  return { state: { ...shown, nextMs, alertUntilMs: nowMs + settings.alertForMs }, effects: [] };
}

/** The picture stays or becomes what it is, and the next one is asked for sooner than usual. */
function soon(
  state: WatchedPicture,
  change: { phase?: WatchedPicture["phase"] },
  { event, facts, settings }: Judging,
): Watched {
  const phase = change.phase ?? state.phase;
  const { nowMs } = event;
  if (phase.kind === "code" && nowMs < phase.untilMs)
    return { state: { ...state, phase, nextMs: phase.untilMs }, effects: [] };
  const nextMs = Math.min(state.nextMs, nowMs + nextIn(phase, { facts, settings }));
  return { state: { ...state, phase, nextMs }, effects: [] };
}

function nextIn(phase: WatchedPicture["phase"], { facts, settings }: Omit<Judging, "event">): number {
  if (!facts.isUsable) return settings.poorRetryMs;
  if (phase.kind === "sure") return settings.burstRetryMs;
  if (phase.kind === "unsure") return phase.isReported ? settings.watchedMs : settings.unsureRetryMs;
  return settings.poorRetryMs;
}
