import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { isForwarded, isLoopback } from "#lib/own-machine.ts";

/** Asks one thing that the server cannot work without; rejects when it is not there. */
export type ReadyCheck = () => Promise<void>;

export interface HealthOptions {
  checks: Readonly<Record<string, ReadyCheck>>;
  /** Reported, too, but a server is ready without: all of a site would go at once, and none of them helps the engine. */
  engineChecks: Readonly<Record<string, ReadyCheck>>;
  /** Whether it is about to stop: then it is not ready, and nothing is wrong. */
  isDraining?: (() => boolean) | undefined;
  metrics: Registry;
  logger: Logger;
}

const checkTimeoutMs = 2_000;

/** `/healthz`: the process answers. `/readyz`: what it needs is there. `/metrics`: for this machine only. */
export function addHealth(app: FastifyInstance, options: HealthOptions): void {
  /** Logged already: a proxy asks every second. */
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
      if (failure && !failing.has(name))
        options.logger.warn({ err: failure, check: name }, "a check of readiness failed");
      if (!failure && failing.has(name)) options.logger.info({ check: name }, "a check of readiness succeeds again");
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

/** Why a check fails; null where it does not. */
async function failureOf(name: string, check: ReadyCheck): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not answer in ${checkTimeoutMs} ms`)), checkTimeoutMs);
  });
  try {
    await Promise.race([check(), late]);
    return null;
  } catch (error) {
    return error;
  } finally {
    clearTimeout(timer);
  }
}
