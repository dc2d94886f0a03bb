import { useDeferredValue } from "react";
import { type CallState, isInRoom, searchShown } from "./call-state.ts";
import type { CallView } from "./call-store.ts";

/**
 * What the screen of a call shows of `now` (rule CALL-102). Another screen, such as that of a call after its search, is
 * drawn in small steps between whatever else the page has to do: a press goes out and a first picture is seen before it
 * stands. The end of a call, and what changes within a screen, is shown at once.
 */
export function useDrawnView(now: CallView): CallView {
  const before = useDeferredValue(now);
  const waits = now.call.status !== "idle" && screenOf(now.call) !== screenOf(before.call);
  return waits ? before : now;
}

function screenOf(call: CallState): string {
  const about = isInRoom(call) ? call.match.roomId : "";
  return `${call.status} ${about} ${searchShown(call) === null ? "" : "search"}`;
}
