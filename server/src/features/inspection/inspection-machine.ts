import type { FrameQuestion } from "#ports/frame-classifier.ts";
import type { InspectionSettings } from "./inspection-settings.ts";
import { judged } from "./judged-picture.ts";
import type { Picture, PictureEffect, PictureEvent, PictureStep, View, WatchedPicture } from "./picture-state.ts";

type EventOf<Type extends PictureEvent["type"]> = Extract<PictureEvent, { type: Type }>;

/**
 * The inspection of one person's picture in one room: which pictures are asked for and when, what their verdicts mean,
 * and what follows (rules SAFE-1 to SAFE-19).
 *
 * While nothing can judge, matching refuses new accounts; everybody else's picture is shown, and their turn comes every
 * `blindMs`. A new account that is in a room already, and a picture that is hidden, wait for `blindEndsMs`; then the
 * call ends without a strike.
 */
export function stepPicture(state: Picture, event: PictureEvent, settings: InspectionSettings): PictureStep {
  if (state.kind === "ended") return same(state);
  switch (event.type) {
    case "tick":
      return tick(state, event, settings);
    case "standing":
      // The first picture waits for this, for a moment.
      return same({ ...state, standing: event.standing, nextMs: state.asked === 0 ? event.nowMs : state.nextMs });
    case "arrived":
      return same(without(state, event.view));
    case "verdict":
      return judged(state, event, settings);
    case "unreadable":
      return unreadable(state, event, settings);
    case "unjudged":
      return unjudged(state, event, settings);
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
export function pictureDueMs(state: Picture): number | null {
  if (state.kind === "ended") return null;
  const { own, received } = state.tickets;
  const dues = [own ?? (canAsk(state) ? state.nextMs : null), received].filter((due) => due !== null);
  return dues.length === 0 ? null : Math.min(...dues);
}

function same(state: Picture): PictureStep {
  return { state, effects: [] };
}

function canAsk({ camera: own, isConnected }: WatchedPicture): boolean {
  return own !== "off" && isConnected;
}

function without(state: WatchedPicture, view: View): WatchedPicture {
  return { ...state, tickets: { ...state.tickets, [view]: null } };
}

function tick(before: WatchedPicture, event: EventOf<"tick">, settings: InspectionSettings): PictureStep {
  const { nowMs } = event;
  const { own, received } = before.tickets;
  // What the other end does not send is not this person's fault.
  const state = received !== null && nowMs >= received ? without(before, "received") : before;
  if (own !== null) {
    if (nowMs < own) return same(state);
    const count = state.isConnected ? missed : cutOff;
    return count(without(state, "own"), nowMs, settings);
  }
  if (!canAsk(state) || nowMs < state.nextMs) return same(state);
  return event.isReady ? ask(state, event, settings) : blind(state, nowMs, settings);
}

/** The next pictures are asked for, of both ends on some turns. */
function ask(state: WatchedPicture, event: EventOf<"tick">, settings: InspectionSettings): PictureStep {
  const { nowMs } = event;
  const isFirst = state.asked === 0;
  const dueInMs = isFirst ? 0 : settings.leadMs;
  const untilMs = nowMs + dueInMs + settings.ticketMs;
  const id = state.pair.id + 1;
  const isOdd = state.told.includes("views_differ");
  const isTurn = state.asked % settings.viewsEvery === settings.viewsEvery - 1;
  const asksOther = state.tickets.received === null && (isTurn || isOdd || state.isWanted);
  const question = questionFor(state, settings);
  const views: readonly View[] = asksOther ? ["own", "received"] : ["own"];
  const effects = views.map((view): PictureEffect => ({ type: "ask", view, dueInMs, untilMs, pair: id, question }));
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

function questionFor({ phase, asked, standing }: WatchedPicture, { codesEvery }: InspectionSettings): FrameQuestion {
  const { isNew, isWatched } = standing;
  const isHidden = phase.kind !== "clear" && phase.kind !== "checking";
  const isDeep = isHidden || isWatched || (isNew && phase.kind === "checking");
  return {
    depth: isDeep ? "all" : "cascade",
    codes: asked % codesEvery === 0 || phase.kind === "code",
    priority: isHidden || isWatched ? 0 : isNew ? 1 : 2,
  };
}

function intervalFor(
  state: WatchedPicture,
  { nowMs, jitterMs }: EventOf<"tick">,
  settings: InspectionSettings,
): number {
  const { isNew, isWatched } = state.standing;
  if (nowMs < state.alertUntilMs || state.told.includes("views_differ")) return settings.alertMs;
  if (isWatched) return settings.watchedMs;
  if (state.isStretched && !isNew) return settings.busyMs;
  return settings.intervalMs + jitterMs;
}

function blind(before: WatchedPicture, nowMs: number, settings: InspectionSettings): PictureStep {
  const state = { ...before, blindSinceMs: before.blindSinceMs ?? nowMs };
  const isTrusted = !state.standing.isNew;
  if (state.phase.kind === "clear" || (isTrusted && state.phase.kind === "checking")) {
    const camera = state.camera === "back" && isTrusted ? "on" : state.camera;
    return same({ ...state, phase: { kind: "clear" }, camera, nextMs: nowMs + settings.blindMs });
  }
  if (nowMs - state.blindSinceMs >= settings.blindEndsMs) return end;
  return same({ ...state, nextMs: nowMs + settings.blindRetryMs });
}

const end: PictureStep = { state: { kind: "ended" }, effects: [{ type: "end" }] };

/** Two in a row hide the picture, the third ends the call: a missing check limits, and never allows. */
function missed(before: WatchedPicture, nowMs: number, settings: InspectionSettings): PictureStep {
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
      phase: isOpen && count >= settings.missedHides ? { kind: "unseen" } : phase,
      nextMs: nowMs + settings.missedRetryMs,
    },
    effects: [{ type: "missed" }],
  };
}

/**
 * Another picture may come for the same ticket in its time. Where a newer ticket is out already this one is missed, or
 * somebody who waits for that each time would never be looked at.
 */
function unreadable(
  state: WatchedPicture,
  { view, untilMs, nowMs }: EventOf<"unreadable">,
  settings: InspectionSettings,
): PictureStep {
  if (state.tickets[view] === null && nowMs < untilMs && canAsk(state)) {
    return same({ ...state, tickets: { ...state.tickets, [view]: untilMs } });
  }
  return view === "own" ? missed(state, nowMs, settings) : same(state);
}

/** That we have too much to do is nobody's fault. */
function unjudged(state: WatchedPicture, event: EventOf<"unjudged">, settings: InspectionSettings): PictureStep {
  if (event.view === "received") return same(state);
  const { isNew, isWatched } = state.standing;
  const canWait = state.phase.kind === "clear" && !isNew && !isWatched;
  const retryMs = canWait ? settings.busyMs : settings.blindRetryMs;
  return same({ ...state, isStretched: true, nextMs: event.nowMs + retryMs });
}

/** Whoever switches the camera on is looked at before the other sees anything. */
function camera(state: WatchedPicture, { isOn, nowMs }: EventOf<"camera">): WatchedPicture {
  if (!isOn) return { ...without(state, "own"), camera: "off", dark: null, still: null };
  return state.camera === "off" ? { ...state, camera: "back", nextMs: nowMs } : state;
}

/** Whoever comes back may not have got the ticket; a picture can arrive for it until then. */
function socket(
  state: WatchedPicture,
  { isConnected, nowMs }: EventOf<"socket">,
  settings: InspectionSettings,
): PictureStep {
  if (!isConnected) return same({ ...state, isConnected });
  const back = { ...without(state, "own"), isConnected };
  const { state: after, effects } = state.tickets.own === null ? same(back) : cutOff(back, nowMs, settings);
  return after.kind === "ended" ? { state: after, effects } : { state: { ...after, nextMs: nowMs }, effects };
}

/** A ticket was lost with the socket. */
function cutOff(state: WatchedPicture, nowMs: number, settings: InspectionSettings): PictureStep {
  return state.isExcused ? missed(state, nowMs, settings) : same({ ...state, isExcused: true });
}
