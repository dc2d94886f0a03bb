import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { inspectionMetrics } from "#app-metrics.ts";
import { InspectionWorld } from "#test/fixtures/inspection-world.ts";

test("[SAFE-28] the metrics say what was judged and missed, what waits and what is hidden", async () => {
  await using world = new InspectionWorld();
  await world.inCall(1n, 2n);
  await world.pass(30_000, new Map([[1n, { explicit: 0.7 }]]));
  world.frames.backlog = () => ({ waiting: 4, oldestMs: 250 });
  const metrics = new Registry();
  inspectionMetrics(metrics, { inspection: world.inspection, classifier: world.frames });
  const { judged } = world.inspection.figures;
  const lines = (await metrics.metrics()).split("\n");
  expect(judged).toBeGreaterThan(5);
  expect(lines).toContain(`fava_inspection_frames_judged_total ${judged}`);
  expect(lines).toContain("fava_inspection_frames_missed_total 0");
  expect(lines).toContain("fava_inspection_hidden_rooms 1");
  expect(lines).toContain("fava_inspection_waiting_frames 4");
  expect(lines).toContain("fava_inspection_oldest_waiting_ms 250");
  expect(lines).toContain('fava_inspection_ready{engine="marker"} 1');
});
