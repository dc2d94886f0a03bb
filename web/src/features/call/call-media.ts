import { reconnectGiveUpMs } from "@fava/wire/limits.ts";
import { type CallStep, clearTimer, type EventOf, type InRoom, same, setTimer } from "./call-state.ts";
import { stopWord } from "./meter-clock.ts";

/** What the call machine does as the other's picture begins, stands still and flows again. Pure. */

/** While nothing arrives, ICE is restarted again and again: the first restart may have met the same cut. */
const restartAgainMs = 3_000;

/** The first frame makes the call (rule MATCH-9). */
export function firstFrame(state: InRoom, event: EventOf<"first-frame">): CallStep {
  if (state.status !== "connecting") return same(state);
  return {
    state: { ...state, status: "in-call", startedAtMs: event.nowMs, media: "playing" },
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
