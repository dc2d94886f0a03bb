import { expect, test, vi } from "vitest";
import { tracesContract } from "#test/contracts/traces-contract.ts";
import { FakeCollector } from "#test/fakes/fake-collector.ts";
import { OtlpTraces } from "./otlp-traces.ts";

const span = {
  name: "match.wait",
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  parentId: "00f067aa0ba902b7",
  startMs: 1,
  endMs: 2,
  attributes: {},
} as const;

function openTraces(endpoint: string) {
  const logger = { warn: vi.fn<() => void>() };
  return { logger, traces: new OtlpTraces({ endpoint, instanceId: "p1", logger }) };
}

tracesContract("OTLP", async () => {
  const collector = await FakeCollector.start();
  const { traces } = openTraces(`${collector.endpoint}/`);
  return { traces, arrived: () => collector.spans, [Symbol.asyncDispose]: () => collector[Symbol.asyncDispose]() };
});

test("logs errors of the collector without delaying other work", async () => {
  await using collector = await FakeCollector.start();
  collector.status = 400;
  const { traces, logger } = openTraces(collector.endpoint);
  traces.record(span);
  await traces[Symbol.asyncDispose]();
  expect(logger.warn).toHaveBeenCalledOnce();
  expect(collector.spans).toEqual([]);
});

test("does not delay the stop for a collector that does not answer", async () => {
  await using collector = await FakeCollector.start();
  collector.isSilent = true;
  const { traces } = openTraces(collector.endpoint);
  traces.record(span);
  const startedMs = performance.now();
  await traces[Symbol.asyncDispose]();
  // Less than the timeout of a request while the process runs.
  expect(performance.now() - startedMs).toBeLessThan(4_900);
});
