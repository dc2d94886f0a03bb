import type { Meter } from "@fava/wire/meter.ts";
import { expect, test } from "vitest";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { testMeter } from "#testing/meter-fixtures.ts";
import { readMeter } from "./meter-clock.ts";
import { secondsLeft, spokenSeconds, meterStopReason } from "./meter-shown.ts";

const room: InRoom = {
  status: "in-call",
  wish: { sex: 2, country: -1 },
  attempt: 1,
  match: matchedPush("r1"),
  matchedAtMs: 0,
  startedAtMs: 0,
  connection: { count: 1, times: 1, timestampMs: 0 },
  media: "playing",
  peer: "here",
  fromRing: false,
  meter: { meter: testMeter(), atMs: 0 },
  low: "no",
  shield: { other: "clear", own: "clear" },
  ends: null,
};

const stoodStill = (stopped: Meter["stopped"]) => ({ meter: testMeter({ clock: "stopped", stopped }), atMs: 0 });

test("shows the reason why nothing counts as this page knows it, or as the server reports it", () => {
  expect(meterStopReason(room)).toBeNull();
  expect(meterStopReason({ ...room, media: "reconnecting", meter: stoodStill("blurred") })).toBe("reconnecting");
  expect(meterStopReason({ ...room, media: "reconnecting", meter: null })).toBe("reconnecting");
  expect(meterStopReason({ ...room, meter: null })).toBe("connecting");
  for (const stopped of ["camera_off", "blurred"] as const) {
    expect(meterStopReason({ ...room, meter: stoodStill(stopped) })).toBe(stopped);
  }
  expect(meterStopReason({ ...room, meter: stoodStill(null) })).toBe("connecting");
});

test("[BEANS-404] names the partner's paused video as the reason, whatever the frame checks report", () => {
  const meter = testMeter({ clock: "stopped", stopped: "network" });
  const paused = { ...room, meter: { meter, atMs: 0 }, shield: { other: "checking", own: "clear" } } as const;
  expect(meterStopReason(paused)).toBe("network");
  expect(meterStopReason({ ...paused, media: "reconnecting" })).toBe("reconnecting");
});

test("[BEANS-273] shows no reason of this page while the server counts", () => {
  expect(meterStopReason({ ...room, media: "reconnecting" })).toBeNull();
  expect(meterStopReason({ ...room, shield: { other: "hidden", own: "clear" } })).toBeNull();
});

test("reaches zero at the end of the countdown and not before", () => {
  const at = (nowMs: number) => secondsLeft(readMeter({ meter: testMeter({ left_ms: 2_000 }), atMs: 0 }, nowMs));
  expect([0, 999, 1_001, 1_999, 2_000, 9_000].map(at)).toEqual([2, 2, 1, 1, 0, 0]);
});

test("announces the countdown twice: at its start, and at ten seconds", () => {
  expect([50, 49, 11, 10, 9, 0].map((now) => spokenSeconds(50, now))).toEqual([50, 50, 50, 10, 10, 10]);
  expect([7, 3].map((now) => spokenSeconds(7, now))).toEqual([7, 7]);
});

test("counts nothing while the remote video is checked or hidden", () => {
  for (const other of ["checking", "hidden"] as const) {
    const shield = { other, own: "clear" } as const;
    expect(meterStopReason({ ...room, shield, meter: stoodStill("blurred") })).toBe("blurred");
    expect(meterStopReason({ ...room, shield, meter: null })).toBe("blurred");
    expect(meterStopReason({ ...room, shield, media: "reconnecting", meter: null })).toBe("reconnecting");
    expect(meterStopReason({ ...room, shield, meter: stoodStill("camera_off") })).toBe("camera_off");
  }
});
