import type { Logger } from "pino";
import { codes } from "@fava/wire/codes.ts";
import { socketRequestBodyBytesMax } from "@fava/wire/limits.ts";
import { badInput, EndpointError } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import type { AnswerSocketRequest, SocketRequest } from "#ports/hub-listener.ts";
import { refusalOf, refusedEnvelope } from "./error-handler.ts";
import { pathLengthMax, type RequestMetrics } from "./metrics.ts";
import type { GatedEndpoint } from "./request-gate.ts";

/** Socket requests use the gate, handler, metrics and log of their POST (rule SIGN-60), if declared `overSocket`. */
export function socketRequests(
  gated: readonly GatedEndpoint[],
  { clock, logger, metrics }: { clock: Clock; logger: Logger; metrics: RequestMetrics },
): AnswerSocketRequest {
  const byPath = new Map(gated.filter(({ endpoint }) => endpoint.overSocket).map((one) => [one.endpoint.path, one]));
  return async (request) => {
    const begunMs = clock.monotonicMs();
    const { path } = request.message;
    const told = { language: "en" };
    const known = byPath.get(path);
    const answer = await answerTo(known, request, told).catch((error: unknown) =>
      refusedEnvelope(refusalOf(error, logger), told.language),
    );
    const ms = Math.round((clock.monotonicMs() - begunMs) * 100) / 100;
    if (known) metrics.observe(path, answer.code, ms);
    const line = { path: path.slice(0, pathLengthMax), code: answer.code, ms, over: "socket" };
    logger[known ? "info" : "debug"](line, "answered");
    return answer;
  };
}

async function answerTo(
  known: GatedEndpoint | undefined,
  { ip, userId, userAgent, message }: SocketRequest,
  told: { language: string },
): Promise<{ code: number; data: unknown }> {
  if (!known) throw badInput("no such endpoint over the socket", "path");
  const { gate, handler } = known;
  const admission = await gate.admit(ip, message);
  const body = Buffer.from(message.body, "utf8");
  if (body.length > socketRequestBodyBytesMax) throw new EndpointError(codes.tooLarge, "the body is too large");
  const sent = { body, contentType: message.contentType, userAgent, origin: null, chatUserId: userId, told };
  const { context, input } = await gate.check(admission, sent);
  return { code: codes.ok, data: await handler(context, input) };
}
