import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { Counter, Histogram, type Registry } from "prom-client";

/** Paths and codes are fixed lists, which bounds the number of series. */
export class RequestMetrics {
  readonly #answers: Counter<"call" | "code">;
  readonly #seconds: Histogram<"call">;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#answers = new Counter({
      name: "fava_calls_total",
      help: "Requests by path and code",
      labelNames: ["call", "code"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "fava_call_seconds",
      help: "Time from the first byte of a request to its response",
      labelNames: ["call"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    });
  }

  observe(call: string, code: number, ms: number): void {
    this.#answers.inc({ call, code });
    this.#seconds.observe({ call }, ms / 1_000);
  }
}

export const pathLengthMax = 200;

/** Logs one line for each response: path without query, code, milliseconds. Never a body or header. */
export function logRequests(app: FastifyInstance, logger: Logger, metrics: RequestMetrics): void {
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
