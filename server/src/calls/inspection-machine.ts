import { hashDistance } from "@fava/wire/picture-hash.ts";
import type { FrameQuestion } from "#ports/frame-classifier.ts";
import { afterClocks, canAsk, clockDues, elapse, resumed, withFrame } from "./inspection-clocks.ts";
import { factsOf, type FrameFacts } from "./frame-facts.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import {
  type ComparedMoment,
  type InspectedVideo,
  type InspectionEffect,
  type InspectionEvent,
  type InspectionStep,
  isReceivedOnly,
  type Sight,
  unjudgedWhy,
  type View,
  type WatchedVideo,
} from "./inspection-state.ts";

type EventOf<Type extends InspectionEvent["type"]> = Extract<InspectionEvent, { type: Type }>;

/**
 * The inspection of one user's video in one room: when to request frames, what their verdicts mean, and what follows
 * (rules SAFE-1 to SAFE-16, SAFE-82, SAFE-500, SAFE-506, SAFE-521 and SAFE-522).
 *
 * A missing verdict restricts and never permits: video that was not judged for `unjudgedHidesMs` is hidden, whatever
 * the cause. A missing verdict ends a call only if this user's page could send frames and sends none
 * (`inspection-clocks.ts`).
 */
export function stepInspection(
  before: InspectedVideo,
  event: InspectionEvent,
  settings: InspectionSettings,
): InspectionStep {
  if (before.kind === "ended") return same(before);
  const state = elapse(before, event.nowMs, settings);
  return afterClocks(stepWatched(state, event, settings), settings);
}

function stepWatched(state: WatchedVideo, event: InspectionEvent, settings: InspectionSettings): InspectionStep {
  switch (event.type) {
    case "tick":
      return tick(state, event, settings);
    case "restrictions":
      return same({ ...state, restrictions: event.restrictions });
    case "arrived":
      return same(arrived(state, event));
    case "verdict":
      return judged(state, event, settings);
    case "unreadable":
      return unreadable(state, event, settings);
    case "unjudged":
      return unjudged(state, event, settings);
    case "overtaken":
      return same(event.view === "own" ? notLookedAt(answered(state)) : state);
    case "late":
      return same({ ...withFrame(state), since: { ...state.since, late: true } });
    case "camera":
      return same(camera(state, event, settings));
    case "socket":
      return same(socket(state, event, settings));
    case "viewed":
      return same(viewed(state, event, settings));
    case "page_back":
      return same(pageBack(state, event.nowMs, settings));
    case "wanted":
      return same({ ...atFullRate(state, event.nowMs, settings), isWanted: true, nextMs: event.nowMs });
    case "over":
      return same({ kind: "ended" });
  }
}

/** When the inspection needs its next tick, on the monotonic clock; null if no time is pending. */
export function inspectionDueMs(state: InspectedVideo, settings: InspectionSettings): number | null {
  if (state.kind === "ended") return null;
  const { own, received } = state.tickets;
  const asks = [own ?? (canAsk(state) ? state.nextMs : null), received].filter((due) => due !== null);
  const dues = [...asks, ...clockDues(state, settings)];
  return dues.length === 0 ? null : Math.min(...dues);
}

function same(state: InspectedVideo): InspectionStep {
  return { state, effects: [] };
}

function without(state: WatchedVideo, view: View): WatchedVideo {
  return { ...state, tickets: { ...state.tickets, [view]: null } };
}

function arrived(state: WatchedVideo, { view, isLate }: EventOf<"arrived">): WatchedVideo {
  const after = isLate ? state : without(state, view);
  return view === "own" ? { ...after, judging: after.judging + 1 } : after;
}

/** The state after the classifier answered for an own frame, whatever the outcome. */
function answered(state: WatchedVideo): WatchedVideo {
  return { ...state, judging: Math.max(0, state.judging - 1) };
}

/** The state after an own frame arrived and our side failed to judge it. */
function notLookedAt(state: WatchedVideo): WatchedVideo {
  return { ...withFrame(state), since: { ...state.since, ours: true } };
}

function tick(before: WatchedVideo, event: EventOf<"tick">, settings: InspectionSettings): InspectionStep {
  const { nowMs, isReady, isFailing } = event;
  const { own, received } = before.tickets;
  const known = { ...before, isBlind: !isReady };
  // An expired ticket for a received frame has no consequence: the partner's page did not send it.
  const state = received !== null && nowMs >= received ? without(known, "received") : known;
  if (own !== null) {
    if (nowMs < own) return same(state);
    const waiting = without(state, "own");
    return missed(isFailing ? notLookedAt(waiting) : waiting, nowMs, settings);
  }
  if (!canAsk(state) || nowMs < state.nextMs) return same(state);
  return state.isBlind ? same({ ...state, nextMs: nowMs + settings.blindRetryMs }) : ask(state, event, settings);
}

/** Requests the next own frame, and in some turns the received frame of the same moment. */
function ask(state: WatchedVideo, event: EventOf<"tick">, settings: InspectionSettings): InspectionStep {
  const { nowMs } = event;
  const isCovered = state.asked === 0 && state.phase.kind !== "clear";
  const dueInMs = isCovered ? 0 : settings.leadMs;
  const untilMs = nowMs + dueInMs + settings.ticketMs;
  const pair = state.pair + 1;
  const isStrained = canBeSpared(state, event);
  const isPutOff = isStrained && mayWait(state);
  const views: readonly View[] = asksOther(state, isStrained, settings) ? ["own", "received"] : ["own"];
  const question = questionFor(state, settings);
  const asks = views.map((view): InspectionEffect => {
    const asked = view === "own" ? question : { ...question, faces: false };
    return { type: "ask", view, dueInMs, untilMs, pair, question: asked };
  });
  return {
    state: {
      ...state,
      tickets: { own: untilMs, received: views.length > 1 ? untilMs : state.tickets.received },
      nextMs: nowMs + intervalFor(state, event, { isPutOff, settings }),
      asked: state.asked + 1,
      isAwaited: true,
      isWanted: false,
      pair,
      moments:
        views.length > 1 && state.isViewed ? [...state.moments, momentOf(pair)].slice(-momentsMax) : state.moments,
    },
    effects: isPutOff ? [...asks, { type: "put_off" }] : asks,
  };
}

/** Late frames still complete their moment. */
const momentsMax = 4;
/** As many as arrive in ten seconds or more: the longest time that video stands still before its page says so. */
const recentMax = 4;

function momentOf(pair: number): ComparedMoment {
  return { pair, own: null, received: null };
}

/** Whether a recent own frame differed from what the partner received. */
function isContradicted(state: WatchedVideo): boolean {
  return isReceivedOnly(state) || state.differing.includes(true);
}

/** Also while own frames are missing, because received frames can take their place. */
function asksOther(state: WatchedVideo, isStrained: boolean, { viewsEvery }: InspectionSettings): boolean {
  if (state.tickets.received !== null) return false;
  const isMissing = state.silentMs > 0 || state.since.late || (state.since.ours && !state.isStretched);
  const isTurn = state.asked % viewsEvery === viewsEvery - 1;
  return state.isWanted || isMissing || isContradicted(state) || (isTurn && !isStrained);
}

/**
 * Whether frames may be requested less often under overload. Never at the start of a call, for new or watched accounts,
 * or while something in the video is odd.
 */
function canBeSpared(state: WatchedVideo, { nowMs, isOverloaded }: EventOf<"tick">): boolean {
  const { isNew, isWatched } = state.restrictions;
  return (isOverloaded || state.isStretched) && !isNew && !isWatched && nowMs >= state.fullUntilMs;
}

/** Whether nothing in the video needs close inspection, so that the next request can come later. */
function mayWait(state: WatchedVideo): boolean {
  const { phase, hasPassed, dark } = state;
  return phase.kind === "clear" && hasPassed && !dark && !isContradicted(state);
}

/** The state after something odd: for `fullRateForMs` no request is delayed. */
function atFullRate(state: WatchedVideo, nowMs: number, { fullRateForMs }: InspectionSettings): WatchedVideo {
  return { ...state, fullUntilMs: Math.max(state.fullUntilMs, nowMs + fullRateForMs) };
}

function questionFor(state: WatchedVideo, settings: InspectionSettings): FrameQuestion {
  const { phase, asked, restrictions } = state;
  const { isNew, isWatched } = restrictions;
  // Video that is hidden only because the classifier was busy needs no deeper inspection.
  const isHidden = phase.kind !== "clear" && phase.kind !== "checking" && unjudgedWhy(state) !== "busy";
  const isDeep = isHidden || isWatched || (isNew && phase.kind === "checking");
  return {
    depth: isDeep ? "all" : "cascade",
    codes: asked % settings.codesEvery === 0 || phase.kind === "code",
    faces: asksFace(state, settings),
    priority: isHidden || isWatched ? 0 : isNew ? 1 : 2,
  };
}

/** In turn; and after a look without a face until it is sure that nobody is there. */
function asksFace({ asked, empty, restrictions }: WatchedVideo, settings: InspectionSettings): boolean {
  if (!settings.readsFaces || !restrictions.hintsAge) return false;
  const isOpen = empty > 0 && (settings.facesAct || empty < settings.emptyFrames);
  return asked % settings.facesEvery === 0 || isOpen;
}

function intervalFor(
  state: WatchedVideo,
  { nowMs, jitterMs }: EventOf<"tick">,
  { isPutOff, settings }: { isPutOff: boolean; settings: InspectionSettings },
): number {
  if (nowMs < state.alertUntilMs || isContradicted(state)) return settings.alertMs;
  if (state.restrictions.isWatched) return settings.watchedMs;
  return (isPutOff ? settings.busyMs : settings.intervalMs) + jitterMs;
}

/** The state after a ticket expired without a frame. Requests the next frame soon. A late frame is still judged. */
function missed(before: WatchedVideo, nowMs: number, settings: InspectionSettings): Watched {
  const state = { ...before, phase: untried(before), nextMs: nowMs + settings.missedRetryMs };
  return { state, effects: before.isConnected ? [{ type: "missed" }] : [] };
}

/** Covers video that was shown on the strength of a frame from before the call. */
function untried({ phase, hasPassed }: WatchedVideo): WatchedVideo["phase"] {
  return phase.kind === "clear" && !hasPassed ? { kind: "checking" } : phase;
}

/**
 * The ticket admits another frame while it is valid. If a newer ticket is out, the frame counts as missed. Without
 * this, a user could send unreadable frames after each newer ticket and never be inspected.
 */
function unreadable(
  before: WatchedVideo,
  { view, untilMs, nowMs }: EventOf<"unreadable">,
  settings: InspectionSettings,
): InspectionStep {
  const state = view === "own" ? answered(before) : before;
  if (state.tickets[view] === null && nowMs < untilMs && canAsk(state)) {
    return same({ ...state, tickets: { ...state.tickets, [view]: untilMs } });
  }
  return view === "own" ? missed(state, nowMs, settings) : same(state);
}

/** The classifier was too busy, which is not the user's fault. A repeated refusal delays the next request. */
function unjudged(before: WatchedVideo, event: EventOf<"unjudged">, settings: InspectionSettings): InspectionStep {
  if (event.view === "received") return same(before);
  const state = notLookedAt(answered(before));
  const { isNew, isWatched } = state.restrictions;
  const { phase, hasPassed } = state;
  const isShown = (phase.kind === "clear" && hasPassed) || (phase.kind === "unseen" && phase.of === "looks");
  const laterMs = state.isStretched ? settings.busyMs : settings.unjudgedRetryMs;
  const retryMs = isShown && !isNew && !isWatched ? laterMs : settings.blindRetryMs;
  return same({ ...state, isStretched: true, nextMs: event.nowMs + retryMs });
}

const noPicture = {
  dark: null,
  empty: 0,
  still: null,
  standsStill: false,
  hash: null,
  isOwnClean: false,
} as const;

/** Video of a camera that was switched on stays hidden until a frame passes. */
function camera(state: WatchedVideo, { isOn, nowMs }: EventOf<"camera">, settings: InspectionSettings): WatchedVideo {
  if (!isOn) return { ...without(state, "own"), camera: "off", ...noPicture };
  return state.camera === "off" ? { ...resumed(state, settings), camera: "back", nextMs: nowMs } : state;
}

/** Requests another frame after a reconnect, because the page may have missed its ticket. */
function socket(
  state: WatchedVideo,
  { isConnected, nowMs }: EventOf<"socket">,
  settings: InspectionSettings,
): WatchedVideo {
  if (!isConnected) return { ...state, isConnected };
  return { ...resumed(without(state, "own"), settings), isConnected, nextMs: nowMs };
}

/** A page whose picture stands still receives frames of another moment. */
function viewed(state: WatchedVideo, { isViewed }: EventOf<"viewed">, settings: InspectionSettings): WatchedVideo {
  return { ...(state.isViewed ? state : resumed(state, settings)), isViewed, moments: isViewed ? state.moments : [] };
}

function pageBack(state: WatchedVideo, nowMs: number, settings: InspectionSettings): WatchedVideo {
  const back = resumed(without(state, "own"), settings);
  return state.phase.kind === "clear"
    ? { ...back, phase: { kind: "checking" }, nextMs: nowMs }
    : { ...back, nextMs: nowMs };
}

type VerdictEvent = Extract<InspectionEvent, { type: "verdict" }>;

/** Applies a verdict to the video (rules SAFE-10 to SAFE-16). */
function judged(before: WatchedVideo, event: VerdictEvent, settings: InspectionSettings): InspectionStep {
  const facts = factsOf(event.verdict, settings);
  const compared = compare(before, { event, facts, settings });
  if (event.view === "received") return received(compared, { event, facts, settings });
  const looked = lookedAt(compared.state, { event, facts, settings });
  const still = watchStill(looked, event, { facts, settings });
  const empty = watchEmpty(still.state, event, { facts, settings });
  const watched = watchDark(empty.state, { event, facts, settings });
  // A clean frame proves nothing if the partner receives something else.
  const isIgnored = isReceivedOnly(watched) && watched.isOwnClean && watched.phase.kind !== "sure";
  const step = isIgnored ? same(watched) : decide(watched, { event, facts, settings });
  const found = [...compared.effects, ...still.effects, ...empty.effects];
  return { state: step.state, effects: [{ type: "looked" }, ...found, ...step.effects] };
}

/** The state after a verdict on an own frame. A dark frame, or one unlike the one before, needs close inspection. */
function lookedAt(before: WatchedVideo, { event, facts, settings }: Judging): WatchedVideo {
  const { phash, luma, aspect } = event.verdict;
  const since = { late: false, ours: false };
  const unjudgedMs = isReceivedOnly(before) ? before.unjudgedMs : 0;
  const state = { ...withFrame(answered(before)), unjudgedMs, since, isStretched: false };
  const isJump = facts.isUsable && state.hash !== null && hashDistance(state.hash, phash) > settings.jumpBits;
  const recentOwn = [...state.recentOwn, { phash, luma, aspect }].slice(-recentMax);
  const isOwnClean = facts.isClean && event.verdict.code === null;
  const after = { ...state, hash: facts.isUsable ? phash : state.hash, isOwnClean, recentOwn };
  if (!isJump && !facts.isDark) return after;
  const nextMs = Math.min(state.nextMs, event.nowMs + settings.intervalMs);
  return { ...atFullRate(after, event.nowMs, settings), nextMs };
}

interface Judging {
  readonly event: VerdictEvent;
  readonly facts: FrameFacts;
  readonly settings: InspectionSettings;
}
type Watched = { readonly state: WatchedVideo; readonly effects: readonly InspectionEffect[] };

/**
 * The partner's page may forge its frames. So a received frame can hide the video only in doubt, and request more own
 * frames. A received frame that passes counts as an inspection, but shows nothing that is hidden.
 */
function received({ state, effects }: Watched, judging: Judging): InspectionStep {
  const { event, facts, settings } = judging;
  if (isReceivedOnly(state)) {
    const step = receivedAlone(state, judging);
    return { state: step.state, effects: [...effects, ...step.effects] };
  }
  if (!facts.isOver) {
    const isPassed = facts.isClean && event.verdict.code === null;
    return { state: isPassed ? { ...state, unjudgedMs: 0 } : state, effects };
  }
  const nextMs = Math.min(state.nextMs, event.nowMs + settings.unsureRetryMs);
  const isHiding = facts.isSure && state.phase.kind === "clear";
  return { state: { ...state, nextMs, phase: isHiding ? doubt : state.phase }, effects };
}

/** Received frames show and hide the video. They suspend nobody and open no case, because the partner may forge them. */
function receivedAlone(before: WatchedVideo, judging: Judging): InspectionStep {
  const { event, facts, settings } = judging;
  const { phase } = before;
  if (facts.isOver || event.verdict.code !== null) {
    const state = { ...before, nextMs: Math.min(before.nextMs, event.nowMs + settings.unsureRetryMs) };
    if (phase.kind === "sure" || phase.kind === "code") return same(state);
    return same({ ...state, phase: phase.kind === "unsure" ? { ...phase, under: 0 } : doubt });
  }
  if (!facts.isClean) return same(before);
  const state = { ...before, unjudgedMs: 0 };
  // The user's own frames began the burst, and they end it.
  return phase.kind === "sure" ? same(state) : decide(state, judging);
}

const unsure = { kind: "unsure", over: 0, under: 0, isReported: false, isConfirmed: true } as const;
const doubt = { ...unsure, isConfirmed: false } as const;

/**
 * Compares the own and the received frame of the same moment. A blurred or dark received frame proves nothing, because
 * a weak network makes one of any picture. A blurred own frame is compared, since it could hide what is sent.
 */
function compare(state: WatchedVideo, { event, facts, settings }: Judging): Watched {
  const found = state.moments.find(({ pair }) => pair === event.pair);
  if (!found) return { state, effects: [] };
  const { phash, luma, aspect } = event.verdict;
  const sight = { phash, luma, aspect, isUsable: facts.isUsable };
  const moment = { ...found, [event.view]: sight };
  const others = state.moments.filter((each) => each !== found);
  if (moment.own === null || moment.received === null) {
    return { state: { ...state, moments: [...others, moment] }, effects: [] };
  }
  if (!moment.received.isUsable) return { state: { ...state, moments: others }, effects: [] };
  const isDifferent = areDifferent(moment.received, [moment.own, ...state.recentOwn], settings);
  const { moments, differing: differingMin } = settings.compared;
  const differing = [...state.differing, isDifferent].slice(-moments);
  const soonMs = isDifferent ? event.nowMs + settings.alertMs : Infinity;
  const compared = { ...state, moments: others, differing, nextMs: Math.min(state.nextMs, soonMs) };
  const isOdd = differing.filter(Boolean).length >= differingMin;
  if (!isOdd || state.told.includes("views_differ")) return { state: compared, effects: [] };
  const effect = { type: "case", rule: "views_differ", explicit: event.verdict.explicit, isShadow: false } as const;
  return { state: { ...compared, told: [...state.told, "views_differ"] }, effects: [effect] };
}

/** Whether a received frame shows none of what these own frames show. */
export function areDifferent(
  received: Sight,
  own: readonly Sight[],
  { compared }: Pick<InspectionSettings, "compared">,
): boolean {
  const { hashBits, luma, aspectRatio } = compared;
  return own.every(
    (each) =>
      hashDistance(each.phash, received.phash) > hashBits ||
      Math.abs(each.luma - received.luma) > luma ||
      ratioOf(each.aspect, received.aspect) > aspectRatio,
  );
}

/** The larger one divided by the smaller one; 1 if one is unknown. */
function ratioOf(one: number | undefined, other: number | undefined): number {
  return one === undefined || other === undefined ? 1 : Math.max(one / other, other / one);
}

/** Finds video without any change, which a real camera never sends: its noise changes each mean. */
function watchStill(
  state: WatchedVideo,
  { verdict }: VerdictEvent,
  { facts, settings }: Omit<Judging, "event">,
): Watched {
  if (!facts.isUsable) return { state: { ...state, still: null, standsStill: false }, effects: [] };
  const fingerprint = `${verdict.phash} ${verdict.luma} ${verdict.sharpness}`;
  const frames = state.still?.fingerprint === fingerprint ? state.still.frames + 1 : 1;
  const isStill = frames >= settings.stillFrames;
  const next = { ...state, still: { fingerprint, frames }, standsStill: settings.stillActs && isStill };
  if (!isStill || state.told.includes("frozen_picture")) return { state: next, effects: [] };
  return {
    state: { ...next, told: [...state.told, "frozen_picture"] },
    effects: [{ type: "note", rule: "frozen_picture" }],
  };
}

/** Counts looks for a face that found none. Says once that nobody is there. */
function watchEmpty(
  state: WatchedVideo,
  { verdict }: VerdictEvent,
  { facts, settings }: Omit<Judging, "event">,
): Watched {
  if (!verdict.faces || facts.isDark) return { state, effects: [] };
  const empty = verdict.faces.presence < settings.facePresence ? state.empty + 1 : 0;
  return { state: { ...state, empty }, effects: empty === settings.emptyFrames ? [{ type: "empty" }] : [] };
}

/** Starts or resets the dark clock. The user is warned, and at last the call ends, without a strike. */
function watchDark(state: WatchedVideo, { event, facts, settings }: Judging): WatchedVideo {
  const cause = facts.isDark ? darkCause(event, settings) : unseenCause(state, settings);
  return { ...state, dark: cause && { forMs: state.dark?.forMs ?? 0, cause } };
}

function darkCause({ verdict }: VerdictEvent, settings: InspectionSettings): "black" | "covered" {
  return verdict.luma < settings.blackLuma || verdict.sharpness >= settings.blurredSharpness ? "black" : "covered";
}

/** Why bright video counts as dark; null: it does not. */
function unseenCause(
  { empty, standsStill, still }: WatchedVideo,
  { facesAct, emptyFrames, frozenFrames }: InspectionSettings,
): "nobody" | "still" | null {
  if (standsStill && still && still.frames >= frozenFrames) return "still";
  return facesAct && empty >= emptyFrames ? "nobody" : null;
}

/** The state of the video after a verdict. */
function decide(state: WatchedVideo, judging: Judging): InspectionStep {
  const { event, facts } = judging;
  const { phase } = state;
  const isDoubted = phase.kind === "unsure" || phase.kind === "sure";
  if (event.verdict.code !== null && !isDoubted) return codeFound(state, judging);
  if (phase.kind === "sure") return burst(state, phase, judging);
  if (facts.isSure) return soon(state, { phase: { kind: "sure", sure: 0, other: 0 } }, judging);
  if (phase.kind === "unsure") return doubted(state, phase, judging);
  if (facts.isOver && facts.isUsable) return soon(state, { phase: unsure }, judging);
  if (facts.isOver) return soon(state, { phase: { kind: "unseen", of: "dark" } }, judging);
  if (phase.kind === "code" && (event.nowMs < phase.untilMs || !event.codes)) return soon(state, {}, judging);
  if (facts.isClean) return clear(state, judging);
  return soon(state, { phase: phase.kind === "unseen" ? { kind: "unseen", of: "dark" } : untried(state) }, judging);
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

/** Unusable frames count neither as sure nor as other, unless they are clean. */
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
  const hidden = facts.isClean ? doubt : unsure;
  const isShown = facts.isClean && !isReceivedOnly(state);
  const after = isShown ? clear(state, judging) : soon(state, { phase: hidden }, judging);
  return { state: after.state, effects: [...after.effects, { type: "note", rule: "explicit_picture" }] };
}

/** Opens at most one case per rule and room. */
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
  // While the video was in doubt, a code in it had no consequence.
  if (event.verdict.code !== null) return codeFound(state, judging);
  const effects: InspectionEffect[] = state.hasPassed ? [] : [{ type: "passed" }];
  const camera = state.camera === "back" ? "on" : state.camera;
  const shown = { ...state, phase: { kind: "clear" }, camera, hasPassed: true } as const;
  if (!facts.isAlerting) return { state: shown, effects };
  const nextMs = Math.min(state.nextMs, nowMs + settings.alertMs);
  return { state: { ...shown, nextMs, alertUntilMs: nowMs + settings.alertForMs }, effects };
}

/** Requests the next frame sooner than usual, and applies `change`. */
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
