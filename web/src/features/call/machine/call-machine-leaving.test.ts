import { nextGuardMs } from "@fava/wire/limits.ts";
import { expect, test } from "vitest";
import { matchedPush } from "#testing/matched-push.ts";
import { idle, stepCall } from "./call-machine.ts";
import type { CallEffect, CallEvent, CallState, CallStep } from "./call-state.ts";

const wish = { sex: 2, country: 18 } as const;
const about = { roomId: "r1" };

function run(state: CallState, ...events: CallEvent[]): CallStep {
  return events.reduce<CallStep>((step, event) => stepCall(step.state, event), { state, effects: [] });
}

const searching = run(idle, { type: "start", wish, nowMs: 1_000 }).state;
const connecting = run(searching, { type: "matched", match: matchedPush("r1"), nowMs: 5_000 }).state;
const inCall = run(connecting, { type: "first-frame", ...about, nowMs: 6_000 }).state;
const reconnecting = run(inCall, { type: "stalled", ...about, nowMs: 16_000 }).state;
const busy = [searching, connecting, inCall, reconnecting];

const refused: CallEvent = { type: "search-refused", attempt: 1, notice: "no-profiles" };
const types = (effects: readonly CallEffect[]) => effects.map((effect) => effect.type);
/** The effects other than timers. */
const deeds = (effects: readonly CallEffect[]) => effects.filter((effect) => !effect.type.endsWith("-timer"));

test("ignores Next in the first 1.5 s of a match, so that a double press skips one partner", () => {
  const at = (nowMs: number) => run(connecting, { type: "next", nowMs });
  expect(nextGuardMs).toBe(1_500);
  expect(at(5_000 + nextGuardMs - 1)).toEqual({ state: connecting, effects: [] });
  const skipped = at(5_000 + nextGuardMs);
  expect(skipped.state).toMatchObject({ status: "searching", attempt: 2, previous: null });
  expect(deeds(skipped.effects)).toEqual([
    { type: "request-match", wish, attempt: 2 },
    { type: "close-room", roomId: "r1" },
  ]);
});

test("restarts a running search with changed filters, and keeps them for the next search during a call", () => {
  const changed = { sex: 0, country: 3 } as const;
  const change = (state: CallState) => run(state, { type: "wish-changed", wish: changed, nowMs: 9_000 });
  const again = change(searching);
  expect(again.state).toMatchObject({ status: "searching", wish: changed, attempt: 2 });
  expect(deeds(again.effects)).toEqual([{ type: "request-match", wish: changed, attempt: 2 }]);
  const over = run(searching, { type: "lock-lost" }).state;
  expect(change(over)).toEqual({ state: over, effects: [] });
  for (const state of [connecting, inCall, reconnecting]) {
    const kept = change(state);
    expect(kept).toEqual({ state: { ...state, wish: changed }, effects: [] });
    const next = run(kept.state, { type: "next", nowMs: 20_000 });
    expect(deeds(next.effects)).toContainEqual({ type: "request-match", wish: changed, attempt: 2 });
  }
});

test("[CALL-8] leaves the call, tells the server and shows a notice when a local track ends", () => {
  for (const state of busy) {
    const { state: after, effects } = run(state, { type: "device-lost" });
    expect(after).toEqual({ status: "idle", notice: "device-lost", attempt: 1 });
    expect(types(deeds(effects))).toEqual(state === searching ? ["request-stop"] : ["close-room", "request-stop"]);
  }
});

test("[CALL-11] sends the stop request, clears the room and closes the local stream on Stop, unless the user keeps the camera", () => {
  for (const state of busy) {
    const { state: after, effects } = run(state, { type: "stop" });
    expect(after).toEqual({ status: "idle", notice: null, attempt: 1 });
    const room = state === searching ? [] : [{ type: "close-room", roomId: "r1" }];
    expect(deeds(effects)).toEqual([...room, { type: "request-stop" }, { type: "close-media-after-end" }]);
  }
});

test("stops a refused search on the server too, which may still run an earlier one", () => {
  const { state, effects } = run(searching, refused);
  expect(state).toMatchObject({ status: "idle", notice: "no-profiles" });
  expect(deeds(effects)).toEqual([{ type: "request-stop" }]);
});

test("ends the call and turns the camera off in a tab that loses the lock, even if it only showed a preview", () => {
  for (const state of [idle, ...busy]) {
    const { state: after, effects } = run(state, { type: "lock-lost" });
    expect(after).toMatchObject({ status: "idle", notice: state === idle ? null : "other-tab" });
    expect(deeds(effects)).toContainEqual({ type: "close-media" });
    // The closed socket has told the server already.
    expect(types(effects)).not.toContain("request-stop");
  }
});

test("[CALL-15] ends everything and turns the camera off with the session, without a request that would be rejected", () => {
  for (const state of [idle, ...busy]) {
    const { state: after, effects } = run(state, { type: "session-ended" });
    expect(after).toMatchObject({ status: "idle", notice: null });
    const room = state === searching || state === idle ? [] : [{ type: "close-room", roomId: "r1" }];
    expect(deeds(effects)).toEqual([...room, { type: "close-media" }]);
  }
});

test("shows a notice to one user only, and not to the next who signs in", () => {
  const ended = run(searching, refused, { type: "session-ended" }).state;
  expect(ended).toEqual({ status: "idle", notice: null, attempt: 1 });
});

test("[PUSH-6] closes the match, or a search that the user can no longer pay for, on type 2", () => {
  const closed = run(inCall, { type: "closed-by-server", ...about, notice: "closed" });
  expect(closed.state).toMatchObject({ status: "idle", notice: "closed" });
  const unpaid = run(searching, { type: "search-closed" });
  expect(unpaid.state).toMatchObject({ status: "idle", notice: "not-enough-beans" });
  // The server may have started another search of this user at that moment.
  expect(unpaid.effects).toContainEqual({ type: "request-stop" });
});
