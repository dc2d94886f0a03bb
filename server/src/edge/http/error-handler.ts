import { randomBytes } from "node:crypto";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import type { Logger } from "pino";
import { type Code, codes, type ForbiddenReason, type RefusedReason, unknownEndpointReason } from "@fava/wire/codes.ts";
import { refusalKeys } from "@fava/wire/refusals.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { catalogText } from "#lib/catalog-text.ts";
import { EndpointError, unavailable } from "#lib/errors.ts";
import { BlobsUnavailableError } from "#ports/blobs.ts";

/** A database outage lasts seconds or minutes, and all clients retry. */
const unavailableSeconds = 3;
/** Larger than any photo; the connection of a longer upload is cut. */
const drainedBytesMax = 268_435_456;

/** Turns every error into an envelope; for unexpected errors it contains only the id of the log line. */
export function answerErrors(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler<FastifyError | EndpointError>((error, request, reply) => {
    if (!request.raw.complete) drain(reply);
    return sendRefusal(reply, httpRefusalOf(error) ?? refusalOf(error, logger));
  });
}

/** Null for errors that Fastify did not raise. */
function httpRefusalOf(error: FastifyError | EndpointError): EndpointError | null {
  if (error instanceof EndpointError || error.statusCode === undefined) return null;
  if (error.statusCode === 413) return new EndpointError(codes.tooLarge, "the body is too large");
  const isRefused = error.statusCode >= 400 && error.statusCode < 500;
  return isRefused ? new EndpointError(codes.badInput, "the request is malformed") : null;
}

export function refusalOf(error: unknown, logger: Logger): EndpointError {
  if (error instanceof EndpointError) return error;
  if (error instanceof DatabaseUnavailableError) {
    logger.warn({ err: error }, "database failed during a request");
    return unavailable(unavailableSeconds);
  }
  // `WatchedBlobs` logs the outage.
  if (error instanceof BlobsUnavailableError) return unavailable(unavailableSeconds);
  const id = randomBytes(6).toString("hex");
  logger.error({ id, err: error }, "request failed unexpectedly");
  return new EndpointError(codes.serverError, "server error", { id });
}

/** Many clients read the response only after sending everything, and would lose it if the connection closed. */
function drain(reply: FastifyReply): void {
  const { raw } = reply.request;
  if (Number(raw.headers["content-length"] ?? 0) > drainedBytesMax) return;
  // Fastify closes the connection after the response, and so does Node.js if the client asked for it.
  reply.removeHeader("connection");
  reply.raw.shouldKeepAlive = true;
  let left = drainedBytesMax;
  raw.on("data", (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) raw.destroy();
  });
}

/** Codes that are also the HTTP status, because proxies and browsers must understand them (rule SIGN-17). */
const statuses: ReadonlySet<Code> = new Set([codes.tooLarge, codes.slowDown, codes.serverError, codes.unavailable]);
const waitingCodes: ReadonlySet<Code> = new Set([codes.slowDown, codes.unavailable]);

function sendRefusal(reply: FastifyReply, error: EndpointError): FastifyReply {
  reply.request.answerCode = error.code;
  if (waitingCodes.has(error.code)) reply.header("retry-after", String(retryAfterOf(error.data)));
  return reply.code(statuses.has(error.code) ? error.code : 200).send(refusedEnvelope(error, reply.request.language));
}

/** `language` has a catalog. */
export function refusedEnvelope(error: EndpointError, language: string): { code: Code; data: unknown; msg: string } {
  return { code: error.code, data: error.data, msg: messageOf(error, language) };
}

export function sendUnknownEndpoint(reply: FastifyReply): FastifyReply {
  return sendRefusal(reply, new EndpointError(codes.noSession, "no such endpoint", { reason: unknownEndpointReason }));
}

function retryAfterOf(data: unknown): number {
  return typeof data === "object" && data !== null && "retry_after" in data ? Number(data.retry_after) : 1;
}

export function reasonText(reason: ForbiddenReason | RefusedReason, language: string): string {
  return catalogText(language, refusalKeys[reason]);
}

/** Value of `msg`: a text for the user with 403 and 406, otherwise one for developers. */
function messageOf({ code, data, message }: EndpointError, language: string): string {
  if (code !== codes.forbidden && code !== codes.refused) return message;
  const { reason } = data as { reason: ForbiddenReason | RefusedReason };
  return reasonText(reason, language);
}
