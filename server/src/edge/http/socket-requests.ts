import type { Logger } from "pino";
import { codes } from "@fava/wire/codes.ts";
import { socketRequestBodyBytesMax } from "@fava/wire/limits.ts";
import { signingHeaders } from "@fava/wire/signing.ts";
import { badInput, EndpointError } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import type { AnswerSocketRequest, SocketRequest } from "#ports/hub-listener.ts";
import { refusalOf, refusedEnvelope } from "./error-handler.ts";
import { pathLengthMax, type RequestMetrics } from "./metrics.ts";
import type { GatedEndpoint } from "./request-gate.ts";

/**
 * Signed requests as messages on the chat socket: through the gate of their POST, to the same handler, counted and logged with
 * it (rule SIGN-60). Only endpoints that are declared `overSocket` go this way (rule SIGN-61).
 */
export function socketRequests(
  gated: readonly GatedEndpoint[],
  { clock, logger, metrics }: { clock: Clock; logger: Logger; metrics: RequestMetrics },
): AnswerSocketRequest {
  const byPath = new Map(gated.filter(({ endpoint }) => endpoint.overSocket).map((one) => [one.endpoint.path, one]));
  return async (request) => {
    const begunMs = clock.monotonicMs();
    const { path } = request.message;
    const signed = signedRequestOf(request);
    const known = byPath.get(path);
    const answer = await answerTo(known, { ...request, signed }).catch((error: unknown) =>
      refusedEnvelope(refusalOf(error, logger), signed.language),
    );
    const ms = Math.round((clock.monotonicMs() - begunMs) * 100) / 100;
    if (known) metrics.observe(path, answer.code, ms);
    const line = { path: path.slice(0, pathLengthMax), code: answer.code, ms, over: "socket" };
    logger[known ? "info" : "debug"](line, "answered");
    return answer;
  };
}

type SignedRequest = ReturnType<typeof signedRequestOf>;

async function answerTo(
  known: GatedEndpoint | undefined,
  { userId, signed }: SocketRequest & { signed: SignedRequest },
): Promise<{ code: number; data: unknown }> {
  if (!known) throw badInput("there is no such call over the socket", "path");
  const { gate, handler } = known;
  const admission = await gate.admit(signed);
  if (signed.body.length > socketRequestBodyBytesMax) throw new EndpointError(codes.tooLarge, "the body is too large");
  const { context, input } = await gate.check(admission, signed, userId);
  return { code: codes.ok, data: await handler(context, input) };
}

/** The POST that says the same. */
function signedRequestOf({ ip, userAgent, message }: SocketRequest) {
  const { timestamp, nonce, signature, token, contentType, body } = message;
  const headers = {
    [signingHeaders.timestamp]: timestamp,
    [signingHeaders.nonce]: nonce,
    [signingHeaders.signature]: signature,
    [signingHeaders.token]: token,
    "content-type": contentType,
    "user-agent": userAgent,
  };
  return { ip, headers, body: Buffer.from(body, "utf8"), language: "en" };
}
