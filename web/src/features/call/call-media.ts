import { reconnectGiveUpMs } from "@fava/wire/limits.ts";
import { type CallStep, clearTimer, type EventOf, type InRoom, same, setTimer } from "./call-state.ts";
import { stopWord } from "./meter-clock.ts";

/** What the call machine does as the other's picture begins, stands still and flows again. Pure. */

/** While nothing arrives, ICE is restarted again and again: the first restart may have met the same cut. */
const restartAgainMs = 3_000;

/** The first frame makes the call (rule MATCH-9). */
export function firstFrame(state: InRoom, event: EventOf<"first-frame">): CallStep {
  const { returned } = state.match;
  // The first one of a new connection in a call that goes on.
  if (state.status !== "connecting") return returned ? flowing(state) : same(state);
  const startedAtMs = returned ? state.matchedAtMs - returned.live_ms : event.nowMs;
  return {
    state: { ...state, status: "in-call", startedAtMs, media: "playing", peer: "here" },
    effects: [clearTimer("match-timeout"), { type: "tell-media", match: state.match, state: "playing" }],
  };
}

/** Nothing arrives any more: both sides are told, and the meter stands still before the server says so (rule CALL-9). */
export function stalled(state: InRoom, { nowMs }: EventOf<"stalled">): CallStep {
  if (state.status !== "in-call" || state.media === "reconnecting") return same(state);
  return {
    state: { ...state, media: "reconnecting", meter: state.meter && stopWord(state.meter, nowMs) },
    effects: [
      { type: "tell-media", match: state.match, state: "stalled" },
      { type: "restart-media" },
      setTimer("restart", restartAgainMs),
      setTimer("give-up", reconnectGiveUpMs),
    ],
  };
}

/** The same room once more, because a page is back: a new connection, and a picture that was not looked at (rule CALL-86). */
export function renewed(before: InRoom, { match, nowMs }: EventOf<"matched">): CallStep {
  const open = { type: "open-room", match } as const;
  if (before.status === "connecting") return { state: { ...before, match }, effects: [open] };
  const state: InRoom = {
    ...before,
    match,
    media: "reconnecting",
    peer: "here",
    meter: before.meter && stopWord(before.meter, nowMs),
    shield: { ...before.shield, other: "checking" },
  };
  return {
    state,
    effects: [
      open,
      { type: "tell-media", match, state: "stalled" },
      setTimer("restart", restartAgainMs),
      setTimer("give-up", reconnectGiveUpMs),
    ],
  };
}

export function restartDue(state: InRoom): CallStep {
  if (state.status !== "in-call" || state.media !== "reconnecting") return same(state);
  return { state, effects: [{ type: "restart-media" }, setTimer("restart", restartAgainMs)] };
}

export function flowing(state: InRoom): CallStep {
  if (state.status !== "in-call" || state.media === "playing") return same(state);
  return {
    state: { ...state, media: "playing" },
    effects: [
      clearTimer("restart"),
      clearTimer("give-up"),
      { type: "tell-media", match: state.match, state: "playing" },
    ],
  };
}
