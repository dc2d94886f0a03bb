import { codes } from "@fava/wire/codes.ts";
import type { Endpoint, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import {
  conversationAnswer,
  conversationList,
  messageList,
  messageRead,
  messageSend,
} from "@fava/wire/endpoints/messages.ts";
import { smallCall } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { isReachable } from "#lib/connection.ts";
import { randomHex } from "#lib/api/hex.ts";
import { tellTyping } from "#lib/social-frames.ts";
import type { Answer, MessagesPorts, Trouble } from "./messages-controller.ts";

/** The calls of the messages, for the person with this id. */
export function messagePorts(userId: number): MessagesPorts {
  const who = { user_id: userId };
  return {
    list: (box, cursor, signal) =>
      answered(conversationList, { ...who, box: box === "requests" ? 1 : 0, ...page(cursor) }, signal),
    thread: (externalId, cursor, signal) => answered(messageList, { ...who, externalId, ...page(cursor) }, signal),
    send: ({ externalId, clientId, text }, signal) =>
      answered(messageSend, { ...who, externalId, client_id: clientId, text }, signal),
    tellRead: (externalId, upTo, signal) => answered(messageRead, { ...who, externalId, up_to: upTo }, signal),
    answer: (externalId, isAccepted, signal) =>
      answered(conversationAnswer, { ...who, externalId, accept: isAccepted ? 1 : 0 }, signal),
    tellTyping,
    nowMs: () => Date.now(),
    newId: () => randomHex(32),
    isReachable,
  };
}

function page(cursor: string | null): { cursor?: string } {
  return cursor === null ? {} : { cursor };
}

async function answered<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  signal: AbortSignal,
): Promise<Answer<OutputOf<E>>> {
  try {
    return { data: await smallCall(endpoint, input, { signal }) };
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    return { trouble: troubleOf(error) };
  }
}

/** What a failed call means for a message or a page. */
function troubleOf({ code, reason }: CallFailure): Trouble {
  if (reason === "aborted") return { kind: "aborted", problem: { kind: "network" } };
  if (code === codes.slowDown) return { kind: "refused", problem: { kind: "too-fast" } };
  if (code === codes.refused || code === codes.forbidden)
    return { kind: reason === "not_met" ? "gone" : "refused", problem: { kind: "refused", reason } };
  const isSilent = code === 0 || code >= codes.serverError;
  return { kind: isSilent ? "silent" : "refused", problem: { kind: "network" } };
}
