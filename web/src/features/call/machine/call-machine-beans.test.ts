import { lowBeansNoticeMs } from "@fava/wire/limits.ts";
import type { Meter } from "@fava/wire/meter.ts";
import { expect, test } from "vitest";
import { matchedPush } from "#testing/matched-push.ts";
import { testMeter } from "#testing/meter-fixtures.ts";
import { idle, stepCall } from "./call-machine.ts";
import type { CallEffect, CallEvent, CallState, CallStep } from "./call-state.ts";

const about = { roomId: "r1" };

function run(state: CallState, ...events: CallEvent[]): CallStep {
  return events.reduce<CallStep>((step, event) => stepCall(step.state, event), { state, effects: [] });
}

const searching = run(idle, { type: "start", wish: { sex: 2, country: -1 }, nowMs: 1_000 }).state;
const inCall = run(
  searching,
  { type: "matched", match: matchedPush("r1"), nowMs: 5_000 },
  { type: "first-frame", ...about, nowMs: 6_000 },
).state;
const stalled: CallEvent = { type: "stalled", ...about, nowMs: 16_000 };
const due: CallEvent = { type: "timer", timer: "low-beans", nowMs: 30_000 };
const deeds = (effects: readonly CallEffect[]) => effects.filter((effect) => !effect.type.endsWith("-timer"));

function word(isEnough: boolean, nowMs = 9_000, change: Partial<Meter> = {}): CallEvent {
  return { type: "meter", ...about, meter: testMeter(change), isEnough, nowMs };
}

test("reports low beans 10 s after the match or the push, and not after the call", () => {
  expect(lowBeansNoticeMs).toBe(10_000);
  const wait: CallEffect = { type: "set-timer", timer: "low-beans", delayMs: lowBeansNoticeMs };
  const poor = run(searching, { type: "matched", match: matchedPush("r1", { is_enough: 0 }), nowMs: 5_000 });
  expect(poor.effects).toContainEqual(wait);
  expect(run(inCall, { type: "low-beans", ...about }).effects).toEqual([wait]);
  expect(run(poor.state, due).effects).toEqual([{ type: "show-low-beans" }]);
  expect(run(inCall, { type: "stop" }).effects).toContainEqual({ type: "clear-timer", timer: "low-beans" });
});

test("does not delay the notice for a second low-beans event", () => {
  const low = run(inCall, word(false, 20_000));
  expect(low.effects).toEqual([{ type: "set-timer", timer: "low-beans", delayMs: lowBeansNoticeMs }]);
  const again = run(low.state, word(false, 25_000));
  expect(again.effects).toEqual([]);
  expect(again.state).toMatchObject({ low: "soon", meter: { atMs: 25_000 } });
  const told = run(again.state, due);
  expect(told).toEqual({ state: { ...again.state, low: "told" }, effects: [{ type: "show-low-beans" }] });
  expect(run(told.state, word(false, 31_000)).effects).toEqual([]);
});

test("hides the notice, or cancels its timer, when the beans suffice again", () => {
  const soon = run(inCall, word(false)).state;
  expect(run(soon, word(true)).effects).toEqual([{ type: "clear-timer", timer: "low-beans" }]);
  const told = run(soon, due).state;
  const topped = run(told, word(true, 32_000));
  expect(topped.state).toMatchObject({ low: "no", meter: { meter: testMeter(), atMs: 32_000 } });
  expect(deeds(topped.effects)).toEqual([{ type: "hide-low-beans" }]);
  expect(deeds(run(told, { type: "stop" }).effects)).toContainEqual({ type: "hide-low-beans" });
});

test("stops the meter with the video, before the server does", () => {
  const metered = run(inCall, word(true, 10_000)).state;
  expect(run(metered, stalled).state).toMatchObject({
    meter: { meter: { clock: "stopped", stopped: "reconnecting", counted_ms: 86_000 }, atMs: 16_000 },
  });
});

test("ends a call that ran out of beans with its cost", () => {
  const meter = testMeter({ left_ms: 0, balance: 0 });
  const { state, effects } = run(inCall, { type: "ran-out", ...about, meter });
  expect(state).toEqual({ status: "idle", notice: { why: "ran-out", meter, nickname: "bo" }, attempt: 1 });
  expect(deeds(effects)).toEqual([{ type: "close-room", roomId: "r1" }, { type: "refresh-user" }]);
});

test("offers no beans when the spending cap ends the call, only the countdown", () => {
  const told = run(inCall, word(false, 20_000, { limit: "cap" }), due);
  expect(told.state).toMatchObject({ low: "told" });
  expect(told.effects).toEqual([]);
});
