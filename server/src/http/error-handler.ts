import { randomBytes } from "node:crypto";
import { codes } from "@fava/wire/codes.ts";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import type { Logger } from "pino";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { CallError, unavailable } from "./call-error.ts";
import { sendRefusal } from "./envelope.ts";

/** An outage lasts seconds or minutes, and all who wait come back. */
const unavailableSeconds = 3;
/** Larger than any photo; whoever sends more than this is cut off. */
const drainedBytesMax = 268_435_456;

/** Everything that goes wrong becomes an envelope; what was not expected tells the caller only where to look in the log. */
export function answerErrors(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler<FastifyError | CallError>((error, request, reply) => {
    if (!request.raw.complete) drain(reply);
    if (error instanceof CallError) return sendRefusal(reply, error);
    if (error.statusCode === 413) return sendRefusal(reply, new CallError(codes.tooLarge, "the body is too large"));
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      return sendRefusal(reply, new CallError(codes.badInput, "the request is malformed"));
    }
    if (error instanceof DatabaseUnavailableError) {
      logger.warn({ err: error }, "the database could not do what a request needs");
      return sendRefusal(reply, unavailable(unavailableSeconds));
    }
    const id = randomBytes(6).toString("hex");
    logger.error({ id, err: error }, "a request failed unexpectedly");
    return sendRefusal(reply, new CallError(codes.serverError, "server error", { id }));
  });
}

/**
 * Lets the rest of a refused body come and forgets it. Many clients read an answer only once they have sent everything, so that
 * it would be lost with a connection that is closed before (rule GUARD-29).
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
