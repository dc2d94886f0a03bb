import { randomBytes } from "node:crypto";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import type { Logger } from "pino";
import { type Code, codes, type ForbiddenReason, type RefusedReason, unknownEndpointReason } from "@fava/wire/codes.ts";
import { refusalKeys } from "@fava/wire/refusals.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { catalogText } from "#lib/catalog-text.ts";
import { EndpointError, unavailable } from "#lib/errors.ts";
import { BlobsUnavailableError } from "#ports/blobs.ts";

/** An outage lasts seconds or minutes, and all who wait come back. */
const unavailableSeconds = 3;
/** Larger than any photo; whoever sends more than this is cut off. */
const drainedBytesMax = 268_435_456;

/** Everything that goes wrong becomes an envelope; what was not expected tells the caller only where to look in the log. */
export function answerErrors(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler<FastifyError | EndpointError>((error, request, reply) => {
    if (!request.raw.complete) drain(reply);
    return sendRefusal(reply, httpRefusalOf(error) ?? refusalOf(error, logger));
  });
}

/** What Fastify itself refuses; null for anything else. */
function httpRefusalOf(error: FastifyError | EndpointError): EndpointError | null {
  if (error instanceof EndpointError || error.statusCode === undefined) return null;
  if (error.statusCode === 413) return new EndpointError(codes.tooLarge, "the body is too large");
  const isRefused = error.statusCode >= 400 && error.statusCode < 500;
  return isRefused ? new EndpointError(codes.badInput, "the request is malformed") : null;
}

/** The refusal that an error of a call is, or stands for: of what was not expected only the log knows more. */
export function refusalOf(error: unknown, logger: Logger): EndpointError {
  if (error instanceof EndpointError) return error;
  if (error instanceof DatabaseUnavailableError) {
    logger.warn({ err: error }, "the database could not do what a request needs");
    return unavailable(unavailableSeconds);
  }
  // `WatchedBlobs` logs the outage.
  if (error instanceof BlobsUnavailableError) return unavailable(unavailableSeconds);
  const id = randomBytes(6).toString("hex");
  logger.error({ id, err: error }, "a request failed unexpectedly");
  return new EndpointError(codes.serverError, "server error", { id });
}

/**
 * Lets the rest of a refused body come and forgets it. Many clients read an answer only once they have sent everything, so that
 * it would be lost with a connection that is closed before.
 */
function drain(reply: FastifyReply): void {
  const { raw } = reply.request;
  if (Number(raw.headers["content-length"] ?? 0) > drainedBytesMax) return;
  // Fastify, and Node.js where the caller asked for it, would close the connection behind the answer.
  reply.removeHeader("connection");
  reply.raw.shouldKeepAlive = true;
  let left = drainedBytesMax;
  raw.on("data", (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) raw.destroy();
  });
}

/** Codes that proxies and browsers must understand too, as the HTTP status (rule SIGN-17). */
const statuses: ReadonlySet<Code> = new Set([codes.tooLarge, codes.slowDown, codes.serverError, codes.unavailable]);
const waitingCodes: ReadonlySet<Code> = new Set([codes.slowDown, codes.unavailable]);

function sendRefusal(reply: FastifyReply, error: EndpointError): FastifyReply {
  reply.request.answerCode = error.code;
  if (waitingCodes.has(error.code)) reply.header("retry-after", String(retryAfterOf(error.data)));
  return reply.code(statuses.has(error.code) ? error.code : 200).send(refusedEnvelope(error, reply.request.language));
}

/** What is answered, with its sentence in a language that has a catalog. */
export function refusedEnvelope(error: EndpointError, language: string): { code: Code; data: unknown; msg: string } {
  return { code: error.code, data: error.data, msg: messageOf(error, language) };
}

/** An address under `/api` that is no call: its reason tells it from the end of a session. */
export function sendUnknownEndpoint(reply: FastifyReply): FastifyReply {
  return sendRefusal(
    reply,
    new EndpointError(codes.noSession, "there is no such call", { reason: unknownEndpointReason }),
  );
}

function retryAfterOf(data: unknown): number {
  return typeof data === "object" && data !== null && "retry_after" in data ? Number(data.retry_after) : 1;
}

/** The sentence of a reason in a language that has a catalog. */
export function reasonText(reason: ForbiddenReason | RefusedReason, language: string): string {
  return catalogText(language, refusalKeys[reason]);
}

/** What is sent as `msg`: to a person with 403 and 406, otherwise to developers. */
function messageOf({ code, data, message }: EndpointError, language: string): string {
  if (code !== codes.forbidden && code !== codes.refused) return message;
  const { reason } = data as { reason: ForbiddenReason | RefusedReason };
  return reasonText(reason, language);
}
