import { type Code, codes } from "@fava/wire/codes.ts";
import type { FastifyReply } from "fastify";
import type { CallError } from "./call-error.ts";
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

/** An address under `/api` that is no call: HTTP 404, since code 404 in the envelope would end the client's session. */
export function sendUnknownCall(reply: FastifyReply): FastifyReply {
  reply.request.answerCode = codes.badInput;
  return reply.code(404).send({ code: codes.badInput, data: null, msg: "there is no such call" });
}

function retryAfterOf(data: unknown): number {
  return typeof data === "object" && data !== null && "retry_after" in data ? Number(data.retry_after) : 1;
}
