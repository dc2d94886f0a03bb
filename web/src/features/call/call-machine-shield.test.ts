import { expect, test } from "vitest";
import type { Shield } from "@fava/wire/socket.ts";
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

test("[SAFE-200] the remote picture of every room is unchecked until the server says that it is clear", () => {
  expect(connecting).toMatchObject({ shield: { other: "checking" } });
  expect(inCall).toMatchObject({ status: "in-call", shield: { other: "checking" } });
  expect(run(inCall, { type: "shield", ...about, shield: clear }).state).toMatchObject({ shield: clear });
});

test("[SAFE-200] a word about the pictures before the first frame is kept, and the next room begins unchecked", () => {
  const told = run(connecting, { type: "shield", ...about, shield: clear });
  expect(told.effects).toEqual([]);
  expect(run(told.state, { type: "first-frame", ...about, nowMs: 6_000 }).state).toMatchObject({ shield: clear });
  const next = run(told.state, { type: "matched", match: matchedPush("r2"), nowMs: 7_000 }).state;
  expect(next).toMatchObject({ shield: { other: "checking", own: "checking" } });
});

test("[SAFE-201] a word about another room, or without a room, changes nothing", () => {
  const late: CallEvent = { type: "shield", roomId: "r0", shield: clear };
  for (const state of [idle, searching, connecting, inCall]) expect(run(state, late)).toEqual({ state, effects: [] });
});

test("[SAFE-220] panic turns the own picture off before anything is sent, and leaves the call", () => {
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

test("[SAFE-230] a call that was cut searches on, says so, and fetches the beans that came back", () => {
  const { state, effects } = run(inCall, { type: "other-left", ...about, why: "cut", nowMs: 66_000 });
  expect(state).toMatchObject({ status: "searching", previous: { why: "cut", seconds: 60 } });
  expect(effects).toContainEqual({ type: "refresh-user" });
  const left = run(inCall, { type: "other-left", ...about, why: "left", nowMs: 66_000 });
  expect(left.effects).not.toContainEqual({ type: "refresh-user" });
});

test("[SAFE-231] a call that ended for want of pictures to check says so", () => {
  const over = run(inCall, { type: "closed-by-server", ...about, notice: "unchecked" });
  expect(over.state).toMatchObject({ status: "idle", notice: "unchecked" });
});
