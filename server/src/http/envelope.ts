import { type Code, codes, unknownCallReason } from "@fava/wire/codes.ts";
import type { FastifyReply } from "fastify";
import { CallError } from "./call-error.ts";
import { messageOf } from "./refusal-text.ts";

/** Codes that proxies and browsers must understand too, as the HTTP status (rule SIGN-17). */
const statuses: ReadonlySet<Code> = new Set([codes.tooLarge, codes.slowDown, codes.serverError, codes.unavailable]);
const waitingCodes: ReadonlySet<Code> = new Set([codes.slowDown, codes.unavailable]);

export function sendRefusal(reply: FastifyReply, error: CallError): FastifyReply {
  reply.request.answerCode = error.code;
  if (waitingCodes.has(error.code)) reply.header("retry-after", String(retryAfterOf(error.data)));
  return reply
    .code(statuses.has(error.code) ? error.code : 200)
    .send({ code: error.code, data: error.data, msg: messageOf(error, reply.request.language) });
}

/** An address under `/api` that is no call: its reason tells it from the end of a session (rule SIGN-29). */
export function sendUnknownCall(reply: FastifyReply): FastifyReply {
  return sendRefusal(reply, new CallError(codes.noSession, "there is no such call", { reason: unknownCallReason }));
}

function retryAfterOf(data: unknown): number {
  return typeof data === "object" && data !== null && "retry_after" in data ? Number(data.retry_after) : 1;
}
