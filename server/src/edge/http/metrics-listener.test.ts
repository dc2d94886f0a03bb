import { createServer } from "node:net";
import { once } from "node:events";
import { Counter, Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { startFailure } from "../../start-message.ts";
import { MetricsListener } from "./metrics-listener.ts";

const host = "127.0.0.1";

function registryWith(counted: number): Registry {
  const metrics = new Registry();
  new Counter({ name: "fava_tests_total", help: "Tests", registers: [metrics] }).inc(counted);
  return metrics;
}

test("answers /metrics on its own port, also to a forwarded request, and nothing else", async () => {
  const logger = { error: vi.fn<() => void>() };
  await using listener = await MetricsListener.open({ host, port: 0, metrics: registryWith(3), logger });
  const ask = (path: string, init?: RequestInit) => fetch(`http://${host}:${listener.port}${path}`, init);
  const scraped = await ask("/metrics", { headers: { "x-forwarded-for": "203.0.113.5" } });
  expect([scraped.status, scraped.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/plain")]);
  expect(await scraped.text()).toContain("fava_tests_total 3");
  expect((await ask("/metrics?name[]=fava_tests_total")).status).toBe(200);
  for (const path of ["/", "/healthz", "/metrics/", "/api/openapi.json", "//metrics"])
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
  expect((await ask("/metrics", { method: "POST", body: "x" })).status).toBe(404);
  expect(logger.error).not.toHaveBeenCalled();
});

test("answers 500 and logs the error if a metric cannot be collected", async () => {
  const logger = { error: vi.fn<() => void>() };
  const metrics = { contentType: Registry.PROMETHEUS_CONTENT_TYPE, metrics: () => Promise.reject(new Error("broken")) };
  await using listener = await MetricsListener.open({ host, port: 0, metrics, logger });
  expect((await fetch(`http://${host}:${listener.port}/metrics`)).status).toBe(500);
  expect(logger.error).toHaveBeenCalledOnce();
});

test("closes kept connections at once, and rejects a taken port", async () => {
  const logger = { error: vi.fn<() => void>() };
  const taken = createServer().listen(0, host);
  await once(taken, "listening");
  const address = taken.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const refused = await MetricsListener.open({ host, port, metrics: registryWith(1), logger }).catch(startFailure);
  expect(refused).toMatch(/^Fava cannot start: no listener for metrics at .*EADDRINUSE.*METRICS_PORT/);
  taken.close();
  await once(taken, "close");
  const listener = await MetricsListener.open({ host, port, metrics: registryWith(1), logger });
  await (await fetch(`http://${host}:${port}/metrics`)).text();
  await listener[Symbol.asyncDispose]();
  await expect(fetch(`http://${host}:${port}/metrics`)).rejects.toThrow("fetch failed");
});
