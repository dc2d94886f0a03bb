import { type Code, codes, unknownCallReason } from "@fava/wire/codes.ts";
import type { FastifyReply } from "fastify";
import { CallError } from "./call-error.ts";
import { messageOf } from "./refusal-text.ts";

/** The HTTP status beside a code: 200 but for the three that proxies and browsers must understand too (rule SIGN-17). */
function statusOf(code: Code): number {
  return code === codes.tooLarge || code === codes.slowDown || code === codes.serverError ? code : 200;
}

export function sendRefusal(reply: FastifyReply, error: CallError): FastifyReply {
  reply.request.answerCode = error.code;
  if (error.code === codes.slowDown) reply.header("retry-after", String(retryAfterOf(error.data)));
  return reply
    .code(statusOf(error.code))
    .send({ code: error.code, data: error.data, msg: messageOf(error, reply.request.language) });
}

/** An address under `/api` that is no call: its reason tells it from the end of a session (rule SIGN-29). */
export function sendUnknownCall(reply: FastifyReply): FastifyReply {
  return sendRefusal(reply, new CallError(codes.noSession, "there is no such call", { reason: unknownCallReason }));
}

function retryAfterOf(data: unknown): number {
  return typeof data === "object" && data !== null && "retry_after" in data ? Number(data.retry_after) : 1;
}
