import type { RefusedReason } from "@fava/wire/codes.ts";
import type { ConversationState } from "@fava/wire/messages.ts";

/** A conversation as one of the two stands in it; kept whether or not they are friends right now. */
export interface Standing {
  /** Whose request waits to be accepted. */
  readonly requestedBy: "me" | "other" | null;
  /** A request was accepted once. */
  readonly accepted: boolean;
}

/** What the two are to each other; `standing` is null where nothing was written yet. */
export interface Pair {
  readonly friends: boolean;
  /** In a call with picture of the last `recentMs`. */
  readonly met: boolean;
  readonly standing: Standing | null;
}

/** What becomes of a message: how the conversation stands after it, or why it is refused. */
export type SendDecision =
  | { readonly kind: "write"; readonly standing: Standing }
  | { readonly kind: "refuse"; readonly reason: RefusedReason };

/** Who may write to whom (rules MSG-1 to MSG-7). Friendship goes before everything that was agreed earlier. */
export function decideSend({ friends, met, standing }: Pair): SendDecision {
  if (standing?.requestedBy === "other") return write({ requestedBy: null, accepted: true });
  if (friends) return write({ requestedBy: null, accepted: standing?.accepted ?? false });
  if (standing === null) return met ? write({ requestedBy: "me", accepted: false }) : refuse("not_friends");
  if (standing.requestedBy === "me") return refuse("request_pending");
  return standing.accepted ? write(standing) : refuse("not_friends");
}

/** What the list says of a conversation. Whoever was declined reads the same as whoever still waits. */
export function stateOf({ friends, met, standing }: Pair): ConversationState {
  if (friends) return "open";
  if (standing === null) return met ? "request_out" : "closed";
  if (standing.requestedBy !== null) return standing.requestedBy === "me" ? "request_out" : "request_in";
  return standing.accepted ? "open" : "closed";
}

/** Whether a message could be sent now, and whether it would be a request. */
export function canWrite(pair: Pair): "yes" | "request" | "no" {
  const decision = decideSend(pair);
  if (decision.kind === "refuse") return "no";
  return decision.standing.requestedBy === "me" ? "request" : "yes";
}

function write(standing: Standing): SendDecision {
  return { kind: "write", standing };
}

function refuse(reason: RefusedReason): SendDecision {
  return { kind: "refuse", reason };
}
