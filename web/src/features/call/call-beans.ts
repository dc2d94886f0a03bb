import { lowBeansNoticeMs } from "@fava/wire/limits.ts";
import {
  type CallEffect,
  type CallState,
  type CallStep,
  clearTimer,
  type EventOf,
  type InRoom,
  isInRoom,
  same,
  setTimer,
} from "./call-state.ts";

/** What the call machine does about the beans of a call: its meter, and the notice that they run low. Pure. */

/** The notice comes `lowBeansNoticeMs` after the first word of it; a second one does not put it off (rule BEANS-355). */
export function runningLow(state: InRoom): CallStep {
  if (state.low !== "no") return same(state);
  return { state: { ...state, low: "soon" }, effects: [setTimer("low-beans", lowBeansNoticeMs)] };
}

/** The server's word on the meter replaces the one before (rule BEANS-350). */
export function metered(state: InRoom, { meter, isEnough, nowMs }: EventOf<"meter">): CallStep {
  const told: InRoom = { ...state, meter: { meter, atMs: nowMs } };
  if (!isEnough) return runningLow(told);
  // Topped up: notice and countdown are gone at once (rule BEANS-357).
  const effects: CallEffect[] = state.low === "no" ? [] : [clearTimer("low-beans"), ...hiddenNotice(state)];
  return { state: { ...told, low: "no" }, effects };
}

/** More beans do not help against one's own cap: only the countdown is shown then. */
export function noticeDue(state: InRoom): CallStep {
  if (state.low !== "soon") return same(state);
  const isCapped = state.meter?.meter.limit === "cap";
  return { state: { ...state, low: "told" }, effects: isCapped ? [] : [{ type: "show-low-beans" }] };
}

/** The notice belongs to its call: what takes it away where the call is left. */
export function hiddenNotice(state: CallState): CallEffect[] {
  return isInRoom(state) && state.low === "told" ? [{ type: "hide-low-beans" }] : [];
}
