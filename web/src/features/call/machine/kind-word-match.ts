import { kindWordCallMs } from "@fava/wire/limits.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { type CallEvent, type CallState, isInRoom } from "./call-state.ts";

/**
 * The match of the call that this event ended, if the user may leave the partner a kind word: the call lasted long
 * enough, and was ended neither by checks, nor by a block, nor by the emergency exit. Otherwise null.
 */
export function kindWordMatch(
  { before, event, after }: { before: CallState; event: CallEvent; after: CallState },
  nowMs: number,
): MatchedPush | null {
  if (before.status !== "in-call" || isInRoom(after) || !isPlainEnd(event)) return null;
  return nowMs - before.startedAtMs >= kindWordCallMs ? before.match : null;
}

function isPlainEnd(event: CallEvent): boolean {
  if (event.type === "other-left") return event.why === "left";
  if (event.type === "timer") return event.timer === "give-up";
  return event.type === "stop" || event.type === "next";
}
