import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { inTime } from "#lib/in-time.ts";
import { isForwarded, isLoopback } from "#lib/loopback.ts";

/** Rejects while the dependency is unavailable. */
export type ReadyCheck = () => Promise<void>;

export interface HealthOptions {
  checks: Readonly<Record<string, ReadyCheck>>;
  /** Do not affect readiness: the engines of all servers of a site would fail together. */
  engineChecks: Readonly<Record<string, ReadyCheck>>;
  /** A draining server is not ready, although nothing is wrong. */
  isDraining?: (() => boolean) | undefined;
  metrics: Registry;
  logger: Logger;
}

const checkTimeoutMs = 2_000;

/** `/healthz`: the process responds. `/readyz`: its dependencies are available. `/metrics`: only for this machine. */
export function addHealth(app: FastifyInstance, options: HealthOptions): void {
  /** Checks whose failure is logged already: proxies probe every second. */
  const failing = new Set<string>();
  app.get("/healthz", (_request, reply) => reply.header("cache-control", "no-store").send({ status: "up" }));
  app.get("/readyz", async (_request, reply) => {
    const [checks, engines] = await Promise.all([statesOf(options.checks), statesOf(options.engineChecks)]);
    const draining = options.isDraining?.() ?? false;
    const ready = !draining && Object.values(checks).every((state) => state === "ready");
    return reply
      .code(ready ? 200 : 503)
      .header("cache-control", "no-store")
      .send({
        status: draining ? "draining" : ready ? "ready" : "not_ready",
        checks: { ...checks, ...engines },
      });
  });
  async function statesOf(checks: HealthOptions["checks"]) {
    const asked = Object.entries(checks).map(async ([name, check]) => {
      const failure = await failureOf(name, check);
      if (failure && !failing.has(name)) options.logger.warn({ err: failure, check: name }, "readiness check failed");
      if (!failure && failing.has(name)) options.logger.info({ check: name }, "readiness check recovered");
      if (failure) failing.add(name);
      else failing.delete(name);
      return [name, failure ? "failing" : "ready"] as const;
    });
    return Object.fromEntries(await Promise.all(asked));
  }

  app.get("/metrics", async (request, reply) => {
    if (isForwarded(request.headers) || !isLoopback(request.ip)) return reply.callNotFound();
    return reply
      .type(options.metrics.contentType)
      .header("cache-control", "no-store")
      .send(await options.metrics.metrics());
  });
}

async function failureOf(name: string, check: ReadyCheck): Promise<unknown> {
  return inTime(check(), { ms: checkTimeoutMs, name }).then(
    () => null,
    (error: unknown) => error,
  );
}
