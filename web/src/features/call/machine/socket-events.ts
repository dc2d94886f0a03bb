import { type Push, pushCodes } from "@fava/wire/pushes.ts";
import type { IncomingMessage } from "#lib/socket/socket-client.ts";
import type { CallEvent } from "./call-state.ts";

type SocialEvent = Extract<IncomingMessage, { type: "social" }>["event"];
type CallMessage = Extract<Push, { code: typeof pushCodes.callMessage }>;

const leftWhy = { left: "left", restart: "left", not_joined: "not-joined", cut: "cut" } as const;

/** Translates a message of the chat socket into an event of the call machine; null if it is not for the machine. */
export function callEventOf(message: IncomingMessage, nowMs: number): CallEvent | null {
  if (message.type === "push") return pushEvent(message.push, nowMs);
  if (message.type === "social") return socialEvent(message.event);
  if (message.type === "told") return { type: "told", count: message.count };
  if (message.type !== "shield") return null;
  const { type, roomId, ...shield } = message;
  return { type, roomId, shield, nowMs };
}

function pushEvent(push: Push, nowMs: number): CallEvent | null {
  if (push.code === pushCodes.matched) return { type: "matched", match: push, nowMs };
  if (push.code === pushCodes.callMessage) return callMessageEvent(push, nowMs);
  if (push.code !== pushCodes.otherLeft) return null;
  const { roomId, reason, unchecked } = push;
  if (unchecked) return { type: "unchecked", roomId, end: unchecked };
  return { type: "other-left", roomId, why: leftWhy[reason], nowMs };
}

/** Push 100_006. Type 1 reports the meter; type 2 ends the call, or a search that the user can no longer pay for. */
function callMessageEvent(message: CallMessage, nowMs: number): CallEvent | null {
  const { type, roomId, meter, is_enough, why, unchecked, until = null } = message;
  if (type === 2) {
    if (why === "paused") return { type: "search-closed", notice: { why, untilMs: until } };
    if (why === "age_check") return { type: "search-closed", notice: "age-check" };
    if (roomId === "") return { type: "search-closed" };
    if (unchecked) return { type: "unchecked", roomId, end: unchecked };
    return meter ? { type: "ran-out", roomId, meter } : { type: "closed-by-server", roomId, notice: "closed" };
  }
  if (meter) return { type: "meter", roomId, meter, isEnough: is_enough === 1, nowMs };
  return is_enough === 0 ? { type: "low-beans", roomId } : null;
}

function socialEvent(event: SocialEvent): CallEvent | null {
  if (event.kind === "meet" && event.state === "over") return { type: "meet-over", userId: event.userId };
  // A ring that the user answered ends by the events that follow the answer.
  if (event.kind === "ring_over" && event.why !== "elsewhere") return { type: "ring-over", ringId: event.id };
  return null;
}
