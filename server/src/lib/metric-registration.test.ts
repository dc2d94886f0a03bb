import { Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { addQueriedGauge } from "./metric-registration.ts";

test("reads a gauge at each scrape, and leaves it without values while reading fails", async () => {
  const metrics = new Registry();
  const logger = { warn: vi.fn<() => void>() };
  const readQueues = vi.fn<() => Promise<Record<string, number>>>().mockResolvedValue({ reports: 3, photos: 0 });
  const readLate = vi.fn<() => Promise<number>>().mockResolvedValue(7);
  addQueriedGauge(metrics, { name: "queues", help: "Queues", label: "queue", read: readQueues, logger });
  addQueriedGauge(metrics, { name: "late", help: "Late", read: readLate, logger });
  const values = async () => (await metrics.metrics()).split("\n").filter((line) => line !== "" && line[0] !== "#");
  expect(await values()).toEqual(['queues{queue="reports"} 3', 'queues{queue="photos"} 0', "late 7"]);
  readQueues.mockRejectedValue(new Error("away"));
  readLate.mockRejectedValue(new Error("away"));
  for (let times = 0; times < 3; times += 1) expect(await values()).toEqual([]);
  expect(logger.warn).toHaveBeenCalledTimes(2);
  readQueues.mockResolvedValue({ photos: 1 });
  expect(await values()).toEqual(['queues{queue="photos"} 1']);
  readQueues.mockRejectedValue(new Error("away"));
  expect(await values()).toEqual([]);
  expect(logger.warn).toHaveBeenCalledTimes(3);
});
