import { expect, test } from "vitest";
import { Exposure } from "./inspected-room.ts";
import { openInspection, type Phase } from "./inspection-state.ts";

const restrictions = { isNew: false, isWatched: false, startsCovered: false, isReceivedOnly: false, hintsAge: true };
const inPhase = (phase: Phase) => ({
  ...openInspection({ isClear: true, firstMs: 0, fullRateForMs: 0, restrictions }),
  phase,
});
const clear = inPhase({ kind: "clear" });
const sure = inPhase({ kind: "sure", sure: 0, other: 0 });
const unsure = { kind: "unsure", over: 0, under: 0, isReported: false } as const;
const doubted = inPhase({ ...unsure, isConfirmed: false });
const confirmed = inPhase({ ...unsure, isConfirmed: true });
const ended = { kind: "ended" } as const;
const own = { view: "own", passed: false, askedMs: 0 } as const;

test("measures from the request of the last clean frame, also one before the call, to the hiding", () => {
  const exposure = new Exposure(1_000);
  expect(exposure.judged({ ...own, nowMs: 3_500, before: clear, after: sure })).toBe(2_500);
  expect(exposure.judged({ ...own, nowMs: 4_500, before: sure, after: ended })).toBeNull();
  expect(
    exposure.judged({ ...own, passed: true, askedMs: 6_000, nowMs: 6_400, before: sure, after: clear }),
  ).toBeNull();
  expect(exposure.judged({ ...own, nowMs: 16_000, before: clear, after: ended })).toBe(10_000);
});

test("does not count a dark frame as clean, nor a video covered from the start as shown", () => {
  const exposure = new Exposure(null);
  const covered = inPhase({ kind: "checking" });
  expect(exposure.judged({ ...own, nowMs: 500, before: covered, after: sure })).toBeNull();
  exposure.judged({ ...own, passed: true, askedMs: 1_000, nowMs: 1_500, before: sure, after: clear });
  exposure.judged({ ...own, askedMs: 4_000, nowMs: 4_500, before: clear, after: clear });
  expect(exposure.judged({ ...own, nowMs: 7_000, before: clear, after: confirmed })).toBe(6_000);
});

test("counts received frames once the own camera confirms them, up to the moment that hid the video", () => {
  const received = { view: "received", passed: false, askedMs: 0 } as const;
  const told = new Exposure(0);
  expect(told.judged({ ...received, nowMs: 2_000, before: clear, after: doubted })).toBeNull();
  expect(told.judged({ ...own, nowMs: 4_000, before: doubted, after: confirmed })).toBe(2_000);
  const wrong = new Exposure(0);
  wrong.judged({ ...received, nowMs: 2_000, before: clear, after: doubted });
  wrong.judged({ ...own, passed: true, askedMs: 3_000, nowMs: 3_500, before: doubted, after: clear });
  expect(wrong.judged({ ...own, nowMs: 5_000, before: clear, after: confirmed })).toBe(2_000);
});
