import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { CallMetrics } from "./metrics.ts";

const pathLengthMax = 200;

/** One line for each answer: path without the query, code, milliseconds. Never a body, never a header. */
export function logRequests(app: FastifyInstance, logger: Logger, metrics: CallMetrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 100) / 100;
    const isCall =
      request.routeOptions.url !== undefined && request.routeOptions.method === "POST" && request.answerCode !== 0;
    const code = request.answerCode === 0 ? reply.statusCode : request.answerCode;
    if (isCall) metrics.observe(request.routeOptions.url ?? "", code, ms);
    logger[isCall ? "info" : "debug"]({ path: pathOf(request), code, ms }, "answered");
    done();
  });
}

function pathOf(request: FastifyRequest): string {
  return (request.url.split("?", 1)[0] ?? "").slice(0, pathLengthMax);
}
