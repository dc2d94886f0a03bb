import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { inspectionMetrics } from "./call-metrics.ts";
import { InspectionWorld } from "#test/fixtures/inspection-world.ts";

test("reports judged and missed frames, the backlog and hidden videos", async () => {
  await using world = new InspectionWorld();
  await world.inCall(1n, 2n);
  const metrics = new Registry();
  inspectionMetrics(metrics, { inspection: world.inspection, classifier: world.frames });
  await world.pass(15_000);
  await world.pass(15_000, new Map([[1n, { explicit: 0.7 }]]));
  world.frames.backlog = () => ({ waiting: 4, oldestMs: 250 });
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

test("reports unjudged frames, delayed requests, and the causes of calls ended without frames", async () => {
  await using world = new InspectionWorld();
  await world.inCall(1n, 2n);
  const metrics = new Registry();
  inspectionMetrics(metrics, { inspection: world.inspection, classifier: world.frames });
  await world.pass(40_000);
  world.frames.backlog = () => ({ waiting: 40, oldestMs: 5_000 });
  await world.pass(60_000);
  const putOff = world.inspection.figures.putOff;
  expect(putOff).toBeGreaterThan(3);
  await world
    .upload(1n, { roomId: world.calls.current(1n)?.match.roomId ?? "", ticket: "x" }, Buffer.alloc(0))
    .catch(() => 0);
  for (let second = 0; second < 90; second += 1) {
    world.clock.advance(1_000);
    await world.settled();
    await world.answer(1n);
  }
  const lines = (await metrics.metrics()).split("\n");
  expect(lines).toContain(`fava_inspection_put_off_total ${world.inspection.figures.putOff}`);
  expect(lines).toContain('fava_inspection_frames_unlooked_total{reason="no_ticket"} 1');
  expect(lines).toContain('fava_inspection_frames_unlooked_total{reason="late"} 0');
  expect(lines).toContain('fava_calls_ended_unchecked_total{cause="none"} 1');
  expect(lines).toContain('fava_calls_ended_unchecked_total{cause="ours"} 0');
});

test("reports how long hidden video was shown before, and the frames of searches", async () => {
  await using world = new InspectionWorld();
  const metrics = new Registry();
  inspectionMetrics(metrics, { inspection: world.inspection, classifier: world.frames });
  await world.inClearCall(1n, 2n);
  await world.pass(4_000, new Map([[1n, { explicit: 0.7 }]]));
  const lines = (await metrics.metrics()).split("\n");
  expect(lines).toContain("fava_inspection_exposure_seconds_count 1");
  expect(lines).toContain('fava_inspection_exposure_seconds_bucket{le="4"} 1');
  expect(lines).toContain("fava_inspection_search_frames_judged_total 2");
  expect(lines).toContain('fava_inspection_pictures_opened_total{as="clear"} 2');
  expect(lines).toContain('fava_inspection_pictures_opened_total{as="covered"} 0');
});

test("reports which family of models found a frame explicit, if both judged it", async () => {
  await using world = new InspectionWorld();
  await world.inCall(1n, 2n);
  const metrics = new Registry();
  inspectionMetrics(metrics, { inspection: world.inspection, classifier: world.frames });
  for (const verdict of [{ explicit: 0.7, openNsfw: 0.9 }, { openNsfw: 0.9 }, { explicit: 0.7, openNsfw: 0.1 }])
    await world.pass(13_000, new Map([[1n, verdict]]));
  const { families } = world.inspection.figures;
  expect(Object.values(families).filter((frames) => frames > 0)).toHaveLength(3);
  const lines = (await metrics.metrics()).split("\n");
  for (const [explicit, frames] of Object.entries(families))
    expect(lines).toContain(`fava_inspection_families_total{explicit="${explicit}"} ${frames}`);
});
