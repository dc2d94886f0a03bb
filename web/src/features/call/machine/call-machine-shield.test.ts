import type { Shield } from "@fava/wire/socket.ts";
import { expect, test } from "vitest";
import { matchedPush } from "#testing/matched-push.ts";
import { idle, stepCall } from "./call-machine.ts";
import type { CallEvent, CallState, CallStep } from "./call-state.ts";

const about = { roomId: "r1" };
const clear: Shield = { other: "clear", own: "clear" };

function run(state: CallState, ...events: CallEvent[]): CallStep {
  return events.reduce<CallStep>((step, event) => stepCall(step.state, event), { state, effects: [] });
}

const searching = run(idle, { type: "start", wish: { sex: 0, country: -1 }, nowMs: 1_000 }).state;
const connecting = run(searching, { type: "matched", match: matchedPush("r1"), nowMs: 5_000 }).state;
const inCall = run(connecting, { type: "first-frame", ...about, nowMs: 6_000 }).state;

test("[SAFE-200] treats the remote video of every room as unchecked until the server clears it", () => {
  expect(connecting).toMatchObject({ shield: { other: "checking" } });
  expect(inCall).toMatchObject({ status: "in-call", shield: { other: "checking" } });
  expect(run(inCall, { type: "shield", ...about, shield: clear, nowMs: 0 }).state).toMatchObject({ shield: clear });
});

test("[SAFE-200] keeps a shield event that comes before the first frame, and starts the next room unchecked", () => {
  const told = run(connecting, { type: "shield", ...about, shield: clear, nowMs: 0 });
  expect(told.effects).toEqual([]);
  expect(run(told.state, { type: "first-frame", ...about, nowMs: 6_000 }).state).toMatchObject({ shield: clear });
  const next = run(told.state, { type: "matched", match: matchedPush("r2"), nowMs: 7_000 }).state;
  expect(next).toMatchObject({ shield: { other: "checking", own: "checking" } });
});

test("ignores a shield event of another room, or without a room", () => {
  const late: CallEvent = { type: "shield", roomId: "r0", shield: clear, nowMs: 0 };
  for (const state of [idle, searching, connecting, inCall]) expect(run(state, late)).toEqual({ state, effects: [] });
});

test("[SAFE-220] turns the local video off before anything is sent on an emergency exit, and leaves the call", () => {
  const { state, effects } = run(inCall, { type: "panic" });
  expect(state).toEqual({ status: "idle", notice: null, attempt: 1 });
  expect(effects.filter(({ type }) => type !== "clear-timer")).toEqual([
    { type: "close-room", roomId: "r1" },
    { type: "close-media" },
    { type: "request-stop" },
  ]);
  for (const nobody of [idle, searching])
    expect(run(nobody, { type: "panic" })).toEqual({ state: nobody, effects: [] });
});

test("searches again with a notice after a call that was cut, and loads the returned beans", () => {
  const { state, effects } = run(inCall, { type: "other-left", ...about, why: "cut", nowMs: 66_000 });
  expect(state).toMatchObject({ status: "searching", previous: { why: "cut", seconds: 60 } });
  expect(effects).toContainEqual({ type: "refresh-user" });
  const left = run(inCall, { type: "other-left", ...about, why: "left", nowMs: 66_000 });
  expect(left.effects).not.toContainEqual({ type: "refresh-user" });
});

test("ends with the cause and loads the returned beans, for local and for remote missing frames", () => {
  for (const whose of ["own", "other"] as const)
    for (const state of [connecting, inCall]) {
      const end = { whose, cause: "late", returned: 614 } as const;
      const over = run(state, { type: "unchecked", ...about, end });
      expect(over.state).toMatchObject({ status: "idle", notice: { why: "unchecked", nickname: "bo", end } });
      expect(over.effects).toContainEqual({ type: "refresh-user" });
      expect(over.effects).toContainEqual({ type: "close-room", roomId: "r1" });
    }
});

test("ends a call for want of frames also while this page returns to it, and no other call", () => {
  const match = matchedPush("r1");
  const back = run(idle, { type: "return", match, wish: { sex: 0, country: -1 }, fromRing: false }).state;
  const end = { whose: "own", cause: "late", returned: 0 } as const;
  const ended: CallEvent = { type: "unchecked", ...about, end };
  expect(run(back, ended).state).toMatchObject({ status: "idle", notice: { why: "unchecked" } });
  for (const state of [idle, searching]) expect(run(state, ended)).toEqual({ state, effects: [] });
  expect(run(inCall, { ...ended, roomId: "r0" })).toEqual({ state: inCall, effects: [] });
});

test("computes by the page's own clock when the call ends for want of frames, until a frame arrives", () => {
  const shield: Shield = { other: "hidden", own: "clear", other_why: "weak", ends: { whose: "other", in_ms: 9_000 } };
  const warned = run(inCall, { type: "shield", ...about, shield, nowMs: 50_000 }).state;
  expect(warned).toMatchObject({
    shield: { other: "hidden", own: "clear", other_why: "weak" },
    ends: { whose: "other", atMs: 59_000 },
  });
  expect(run(warned, { type: "shield", ...about, shield: clear, nowMs: 52_000 }).state).toMatchObject({ ends: null });
});

test("forgets the announced end when another server continues the call, and with the next call", () => {
  const shield: Shield = { other: "clear", own: "missing", own_why: "weak", ends: { whose: "own", in_ms: 9_000 } };
  const warned = run(inCall, { type: "shield", ...about, shield, nowMs: 50_000 }).state;
  expect(run(warned, { type: "chat-session-new", nowMs: 51_000 }).state).toMatchObject({ ends: null });
  expect(run(warned, { type: "matched", match: matchedPush("r2"), nowMs: 51_000 }).state).toMatchObject({ ends: null });
});
