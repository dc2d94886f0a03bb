import { hashDistance } from "#lib/picture-hash.ts";
import type { FrameQuestion, FrameVerdict } from "#ports/frame-classifier.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import type {
  InspectedVideo,
  InspectionEffect,
  InspectionEvent,
  InspectionStep,
  View,
  WatchedVideo,
} from "./inspection-state.ts";

type EventOf<Type extends InspectionEvent["type"]> = Extract<InspectionEvent, { type: Type }>;

/**
 * The inspection of one person's picture in one room: which pictures are asked for and when, what their verdicts mean,
 * and what follows (rules SAFE-1 to SAFE-19, SAFE-82, SAFE-83, SAFE-89).
 *
 * While nothing can judge, matching refuses new accounts; everybody else's picture is shown, and their turn comes every
 * `blindMs`. A new account that is in a room already, and a picture that is hidden, wait for `blindEndsMs`; then the
 * call ends without a strike.
 */
export function stepInspection(
  state: InspectedVideo,
  event: InspectionEvent,
  settings: InspectionSettings,
): InspectionStep {
  if (state.kind === "ended") return same(state);
  switch (event.type) {
    case "tick":
      return tick(state, event, settings);
    case "restrictions":
      return same({ ...state, restrictions: event.restrictions });
    case "arrived":
      return same(without(state, event.view));
    case "verdict":
      return judged(state, event, settings);
    case "unreadable":
      return unreadable(state, event, settings);
    case "unjudged":
      return unjudged(state, event, settings);
    case "lost":
      return lost(state, event, settings);
    case "camera":
      return same(camera(state, event));
    case "socket":
      return socket(state, event, settings);
    case "page_back":
      return same(
        state.phase.kind === "clear" ? { ...state, phase: { kind: "checking" }, nextMs: event.nowMs } : state,
      );
    case "wanted":
      return same({ ...state, isWanted: true, nextMs: Math.min(state.nextMs, event.nowMs) });
    case "over":
      return same({ kind: "ended" });
  }
}

/** When the picture wants its next tick, of the monotonic clock; null while nothing can fall due. */
export function inspectionDueMs(state: InspectedVideo): number | null {
  if (state.kind === "ended") return null;
  const { own, received } = state.tickets;
  const dues = [own ?? (canAsk(state) ? state.nextMs : null), received].filter((due) => due !== null);
  return dues.length === 0 ? null : Math.min(...dues);
}

function same(state: InspectedVideo): InspectionStep {
  return { state, effects: [] };
}

function canAsk({ camera: own, isConnected }: WatchedVideo): boolean {
  return own !== "off" && isConnected;
}

function without(state: WatchedVideo, view: View): WatchedVideo {
  return { ...state, tickets: { ...state.tickets, [view]: null } };
}

function tick(before: WatchedVideo, event: EventOf<"tick">, settings: InspectionSettings): InspectionStep {
  const { nowMs } = event;
  const { own, received } = before.tickets;
  // What the other end does not send is not this person's fault.
  const state = received !== null && nowMs >= received ? without(before, "received") : before;
  if (own !== null) {
    if (nowMs < own) return same(state);
    // Ours, and nobody's fault.
    if (event.isCutOff) return same({ ...without(state, "own"), nextMs: nowMs });
    const count = state.isConnected ? missed : cutOff;
    return count(without(state, "own"), nowMs, settings);
  }
  if (!canAsk(state) || nowMs < state.nextMs) return same(state);
  return event.isReady && !event.isCutOff ? ask(state, event, settings) : blind(state, nowMs, settings);
}

/** The next pictures are asked for, of both ends on some turns. */
function ask(state: WatchedVideo, event: EventOf<"tick">, settings: InspectionSettings): InspectionStep {
  const { nowMs } = event;
  const isCovered = state.asked === 0 && state.phase.kind !== "clear";
  const dueInMs = isCovered ? 0 : settings.leadMs;
  const untilMs = nowMs + dueInMs + settings.ticketMs;
  const id = state.pair.id + 1;
  const isOdd = state.told.includes("views_differ");
  const isTurn = state.asked % settings.viewsEvery === settings.viewsEvery - 1;
  const asksOther = state.tickets.received === null && (isTurn || isOdd || state.isWanted);
  const question = questionFor(state, settings);
  const views: readonly View[] = asksOther ? ["own", "received"] : ["own"];
  const effects = views.map((view): InspectionEffect => ({ type: "ask", view, dueInMs, untilMs, pair: id, question }));
  return {
    state: {
      ...state,
      tickets: { own: untilMs, received: asksOther ? untilMs : state.tickets.received },
      nextMs: nowMs + intervalFor(state, event, settings),
      asked: state.asked + 1,
      blindSinceMs: null,
      isWanted: false,
      pair: { id, own: null, received: null },
    },
    effects,
  };
}

function questionFor({ phase, asked, restrictions }: WatchedVideo, { codesEvery }: InspectionSettings): FrameQuestion {
  const { isNew, isWatched } = restrictions;
  const isHidden = phase.kind !== "clear" && phase.kind !== "checking";
  const isDeep = isHidden || isWatched || (isNew && phase.kind === "checking");
  return {
    depth: isDeep ? "all" : "cascade",
    codes: asked % codesEvery === 0 || phase.kind === "code",
    priority: isHidden || isWatched ? 0 : isNew ? 1 : 2,
  };
}

function intervalFor(state: WatchedVideo, { nowMs, jitterMs }: EventOf<"tick">, settings: InspectionSettings): number {
  const { isNew, isWatched } = state.restrictions;
  if (nowMs < state.alertUntilMs || state.told.includes("views_differ")) return settings.alertMs;
  if (isWatched) return settings.watchedMs;
  if (state.isStretched && !isNew) return settings.busyMs;
  return settings.intervalMs + jitterMs;
}

function blind(before: WatchedVideo, nowMs: number, settings: InspectionSettings): InspectionStep {
  const state = { ...before, blindSinceMs: before.blindSinceMs ?? nowMs };
  const isTrusted = !state.restrictions.isNew;
  if (state.phase.kind === "clear" || (isTrusted && state.phase.kind === "checking")) {
    const camera = state.camera === "back" && isTrusted ? "on" : state.camera;
    return same({ ...state, phase: { kind: "clear" }, camera, nextMs: nowMs + settings.blindMs });
  }
  if (nowMs - state.blindSinceMs >= settings.blindEndsMs) return end;
  return same({ ...state, nextMs: nowMs + settings.blindRetryMs });
}

const end: InspectionStep = { state: { kind: "ended" }, effects: [{ type: "end" }] };

/** Two in a row hide the picture, the third ends the call: a missing check limits, and never allows. */
function missed(before: WatchedVideo, nowMs: number, settings: InspectionSettings): InspectionStep {
  const count = before.missed + 1;
  const { phase } = before;
  if (count >= settings.missedEnds) {
    return { ...end, effects: [{ type: "missed" }, { type: "note", rule: "missing_frames" }, ...end.effects] };
  }
  const isOpen = phase.kind === "clear" || phase.kind === "checking";
  return {
    state: {
      ...before,
      missed: count,
      phase: isOpen && count >= settings.missedHides ? { kind: "unseen" } : untried(before),
      nextMs: nowMs + settings.missedRetryMs,
    },
    effects: [{ type: "missed" }],
  };
}

/** A look that did not pass covers a picture again that was shown before any of this call had passed. */
function untried({ phase, hasPassed }: WatchedVideo): WatchedVideo["phase"] {
  return phase.kind === "clear" && !hasPassed ? { kind: "checking" } : phase;
}

/**
 * Another picture may come for the same ticket in its time. Where a newer ticket is out already this one is missed, or
 * somebody who waits for that each time would never be looked at.
 */
function unreadable(
  state: WatchedVideo,
  { view, untilMs, nowMs }: EventOf<"unreadable">,
  settings: InspectionSettings,
): InspectionStep {
  if (state.tickets[view] === null && nowMs < untilMs && canAsk(state)) {
    return same({ ...state, tickets: { ...state.tickets, [view]: untilMs } });
  }
  return view === "own" ? missed(state, nowMs, settings) : same(state);
}

/** That we have too much to do is nobody's fault. */
function unjudged(state: WatchedVideo, event: EventOf<"unjudged">, settings: InspectionSettings): InspectionStep {
  if (event.view === "received") return same(state);
  const { isNew, isWatched } = state.restrictions;
  const canWait = state.phase.kind === "clear" && state.hasPassed && !isNew && !isWatched;
  const retryMs = canWait ? settings.busyMs : settings.blindRetryMs;
  return same({ ...state, isStretched: true, nextMs: event.nowMs + retryMs });
}

/** Ours that it did not arrive: it hides and ends as one that is missed, and nothing is noted of the person (rule PEER-22). */
function lost(before: WatchedVideo, event: EventOf<"lost">, settings: InspectionSettings): InspectionStep {
  const waiting = without(before, event.view);
  if (event.view === "received") return same(waiting);
  const { state, effects } = missed(waiting, event.nowMs, settings);
  return { state, effects: effects.filter(({ type }) => type !== "note") };
}

/** Whoever switches the camera on is looked at before the other sees anything. */
function camera(state: WatchedVideo, { isOn, nowMs }: EventOf<"camera">): WatchedVideo {
  if (!isOn) return { ...without(state, "own"), camera: "off", dark: null, still: null };
  return state.camera === "off" ? { ...state, camera: "back", nextMs: nowMs } : state;
}

/** Whoever comes back may not have got the ticket; a picture can arrive for it until then. */
function socket(
  state: WatchedVideo,
  { isConnected, nowMs }: EventOf<"socket">,
  settings: InspectionSettings,
): InspectionStep {
  if (!isConnected) return same({ ...state, isConnected });
  const back = { ...without(state, "own"), isConnected };
  const { state: after, effects } = state.tickets.own === null ? same(back) : cutOff(back, nowMs, settings);
  return after.kind === "ended" ? { state: after, effects } : { state: { ...after, nextMs: nowMs }, effects };
}

/** A ticket was lost with the socket. */
function cutOff(state: WatchedVideo, nowMs: number, settings: InspectionSettings): InspectionStep {
  return state.isExcused ? missed(state, nowMs, settings) : same({ ...state, isExcused: true });
}

type VerdictEvent = Extract<InspectionEvent, { type: "verdict" }>;

/** What a verdict makes of a picture (rules SAFE-10 to SAFE-19). */
function judged(before: WatchedVideo, event: VerdictEvent, settings: InspectionSettings): InspectionStep {
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
type Watched = { readonly state: WatchedVideo; readonly effects: readonly InspectionEffect[] };

/** The other end's view is no proof: it hides at most, in doubt, and asks the person's own camera for more. */
function received({ state, effects }: Watched, { event, facts, settings }: Judging): InspectionStep {
  if (!facts.isOver) return { state, effects };
  const nextMs = Math.min(state.nextMs, event.nowMs + settings.unsureRetryMs);
  const isHiding = facts.isSure && state.phase.kind === "clear";
  return { state: { ...state, nextMs, phase: isHiding ? doubt : state.phase }, effects };
}

const unsure = { kind: "unsure", over: 0, under: 0, isReported: false, isConfirmed: true } as const;
const doubt = { ...unsure, isConfirmed: false } as const;

/** Both ends of the same moment, where both can be compared. */
function compare(state: WatchedVideo, { event, facts, settings }: Judging): Watched {
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
  state: WatchedVideo,
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
function watchDark(state: WatchedVideo, nowMs: number, { facts, settings }: Omit<Judging, "event">): InspectionStep {
  if (!facts.isDark) return { state: { ...state, dark: null }, effects: [] };
  const dark = state.dark ?? { sinceMs: nowMs, prompts: 0 };
  if (nowMs - dark.sinceMs < settings.darkMs) return { state: { ...state, dark }, effects: [] };
  const prompts = dark.prompts + 1;
  if (prompts >= settings.darkPrompts) return { state: { kind: "ended" }, effects: [{ type: "end" }] };
  return { state: { ...state, dark: { sinceMs: nowMs, prompts } }, effects: [] };
}

/** What the picture is from now on. */
function decide(state: WatchedVideo, judging: Judging): InspectionStep {
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
  return soon(state, { phase: untried(state) }, judging);
}

function codeFound(state: WatchedVideo, judging: Judging): Watched {
  const phase = { kind: "code", untilMs: judging.event.nowMs + judging.settings.codeMs } as const;
  const isFirst = state.phase.kind !== "code";
  const hidden = soon(state, { phase }, judging);
  return { state: hidden.state, effects: isFirst ? [{ type: "code" }] : [] };
}

type Unsure = Extract<WatchedVideo["phase"], { kind: "unsure" }>;
type Sure = Extract<WatchedVideo["phase"], { kind: "sure" }>;

function doubted(state: WatchedVideo, phase: Unsure, judging: Judging): InspectionStep {
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
function burst(state: WatchedVideo, phase: Sure, judging: Judging): InspectionStep {
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
  state: WatchedVideo,
  { verdict }: VerdictEvent,
  what: { rule: "explicit_picture" | "explicit_picture_sure"; isShadow: boolean },
): InspectionStep {
  if (state.told.includes(what.rule)) return { state, effects: [] };
  return {
    state: { ...state, told: [...state.told, what.rule] },
    effects: [{ type: "case", explicit: verdict.explicit, ...what }],
  };
}

function clear(state: WatchedVideo, judging: Judging): Watched {
  const { event, facts, settings } = judging;
  const { nowMs } = event;
  // Of a picture that was doubted the code was left for later.
  if (event.verdict.code !== null) return codeFound(state, judging);
  const effects: InspectionEffect[] = state.hasPassed ? [] : [{ type: "passed" }];
  const camera = state.camera === "back" ? "on" : state.camera;
  const shown = { ...state, phase: { kind: "clear" }, camera, hasPassed: true } as const;
  if (!facts.isAlerting) return { state: shown, effects };
  const nextMs = Math.min(state.nextMs, nowMs + settings.alertMs);
  return { state: { ...shown, nextMs, alertUntilMs: nowMs + settings.alertForMs }, effects };
}

/** The picture stays or becomes what it is, and the next one is asked for sooner than usual. */
function soon(
  state: WatchedVideo,
  change: { phase?: WatchedVideo["phase"] },
  { event, facts, settings }: Judging,
): Watched {
  const phase = change.phase ?? state.phase;
  const { nowMs } = event;
  if (phase.kind === "code" && nowMs < phase.untilMs)
    return { state: { ...state, phase, nextMs: phase.untilMs }, effects: [] };
  const nextMs = Math.min(state.nextMs, nowMs + nextIn(phase, { facts, settings }));
  return { state: { ...state, phase, nextMs }, effects: [] };
}

function nextIn(phase: WatchedVideo["phase"], { facts, settings }: Omit<Judging, "event">): number {
  if (!facts.isUsable) return settings.poorRetryMs;
  if (phase.kind === "sure") return settings.burstRetryMs;
  if (phase.kind === "unsure") return phase.isReported ? settings.watchedMs : settings.unsureRetryMs;
  return settings.poorRetryMs;
}

/** What the policy makes of one verdict. */
interface FrameFacts {
  /** Below the unsure score, and bright enough to know. */
  readonly isClean: boolean;
  readonly isDark: boolean;
  /** Good enough to be held against somebody. */
  readonly isUsable: boolean;
  readonly isOver: boolean;
  /** Explicit beyond the sure score, usable, and no drawing. */
  readonly isSure: boolean;
  /** The cheapest model is alarmed, and the others are not. */
  readonly isAlerting: boolean;
}

export function factsOf(verdict: FrameVerdict, settings: InspectionSettings): FrameFacts {
  const { explicit, luma, sharpness, scores } = verdict;
  const isDark = luma < settings.darkLuma;
  const isUsable = !isDark && sharpness >= settings.blurredSharpness;
  const isOver = explicit >= settings.unsureScore;
  const first = scores.mobilenet;
  return {
    isClean: !isOver && !isDark,
    isDark,
    isUsable,
    isOver,
    isSure: isUsable && explicit >= settings.sureScore && !isDrawn(verdict, settings.drawnRatio),
    isAlerting: !isOver && first !== undefined && first.porn + first.hentai >= settings.alertScore,
  };
}

/** Whether a verdict says that the picture may be shown. */
export function passes(verdict: FrameVerdict, settings: InspectionSettings): boolean {
  return factsOf(verdict, settings).isClean && verdict.code === null;
}

/** Drawings are never acted on live: the models take real photographs for them, and the other way round. */
function isDrawn({ scores }: FrameVerdict, ratio: number): boolean {
  const all = Object.values(scores);
  const sum = (of: "hentai" | "porn") => all.reduce((total, each) => total + each[of], 0);
  return sum("hentai") > ratio * sum("porn");
}
