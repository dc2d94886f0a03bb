import { ringMs, slowPictureMs } from "@fava/wire/limits.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { expect, test } from "vitest";
import { matchedPush } from "#testing/matched-push.ts";
import { idle, stepCall } from "./call-machine.ts";
import { type CallEvent, type CallState, type CallStep, waitShown } from "./call-state.ts";

const wish = { sex: 2, country: -1 } as const;
const { remote } = matchedPush("r1");
const friend = { userId: remote.user_id, externalId: remote.external_id, nickname: "Bo", avatar: "" };
const ring: CallEvent = { type: "ring", friend, wish };
const begun: CallEvent = { type: "ring-begun", attempt: 1, ringId: "ring-1", leftMs: 29_000 };
const taken: CallEvent = { type: "ring-taken", friend, ringId: "ring-2", wish };
const start: CallEvent = { type: "start", wish, nowMs: 1_000 };
const matched = (match: MatchedPush): CallEvent => ({ type: "matched", match, nowMs: 5_000 });
const stranger = matchedPush("r2", { remote: { ...remote, user_id: 9_999 } });
const firstFrame: CallEvent = { type: "first-frame", roomId: "r1", nowMs: 6_000 };
const left: CallEvent = { type: "other-left", roomId: "r1", why: "left", nowMs: 9_000 };
const time: CallEvent = { type: "timer", timer: "ring", nowMs: 40_000 };

function run(state: CallState, ...events: CallEvent[]): CallStep {
  return events.reduce<CallStep>((step, event) => stepCall(step.state, event), { state, effects: [] });
}
const types = ({ effects }: CallStep) => effects.map(({ type }) => type);
const rung = run(idle, ring, begun).state;
const accepted = run(idle, taken).state;

test("runs the ring timer from the press on, then for the remaining time that the server reports", () => {
  expect(run(idle, ring).effects).toContainEqual({ type: "set-timer", timer: "ring", delayMs: ringMs });
  expect(run(idle, ring, begun).effects).toEqual([{ type: "set-timer", timer: "ring", delayMs: 29_000 }]);
  // A response to an older ring changes nothing.
  expect(run(rung, { ...begun, attempt: 0 }).state).toBe(rung);
});

test("shows one notice for every unanswered ring, and tells the server when the ring timed out here", () => {
  const notice = { why: "not-taken", friend };
  const over = run(rung, { type: "ring-over", ringId: "ring-1" });
  expect(over.state).toMatchObject({ status: "idle", notice });
  expect(types(over)).not.toContain("cancel-ring");
  const late = run(rung, time);
  expect(late.state).toMatchObject({ status: "idle", notice });
  expect(types(late)).toContain("cancel-ring");
  const refused = run(run(idle, ring).state, {
    type: "ring-refused",
    attempt: 1,
    notice: { why: "not-taken", friend },
  });
  expect(refused.state).toMatchObject({ status: "idle", notice });
  expect(run(rung, { type: "ring-over", ringId: "ring-9" }).state).toBe(rung);
});

test("ends the user's ring for the friend too, and stops no search when there is none", () => {
  for (const event of [{ type: "stop" }, { type: "device-lost" }, { type: "lock-lost" }, start] as const) {
    const step = run(rung, event);
    expect(types(step)).toContain("cancel-ring");
    expect(types(step)).not.toContain("request-stop");
  }
  // Another tab may have started something by then, which this one must not stop.
  expect(run(rung, { type: "lock-lost" }).effects).toContainEqual({ type: "cancel-ring", leaves: false });
  expect(types(run(accepted, { type: "lock-lost" }))).not.toContain("request-stop");
  // An accepted ring may have become a call by now.
  expect(types(run(accepted, { type: "stop" }))).toContain("request-stop");
  expect(types(run(rung, taken))).toEqual(expect.arrayContaining(["cancel-ring", "accept-ring"]));
});

test("ends the search without a request when a ring is accepted, because the server ends it", () => {
  const step = run(run(idle, start).state, taken);
  expect(step.state).toMatchObject({ status: "ringing", way: "in", friend });
  expect(types(step)).not.toContain("request-stop");
  expect(step.effects).toContainEqual({ type: "accept-ring", friend, ringId: "ring-2", attempt: 2 });
  // A late response to the search changes nothing.
  expect(run(step.state, { type: "search-refused", attempt: 1, notice: "no-profiles" }).state).toBe(step.state);
});

test("shows the ring until the first frame or until that is late, then joins the room", () => {
  for (const state of [rung, accepted]) {
    const step = run(state, matched(matchedPush("r1")));
    expect([step.state.status, waitShown(step.state)]).toEqual(["connecting", state]);
    expect(types(step)).not.toContain("join-room");
    expect(step.effects).toContainEqual({ type: "set-timer", timer: "slow", delayMs: slowPictureMs });
    expect(types(run(step.state, firstFrame))).toEqual(expect.arrayContaining(["tell-media", "refresh-user"]));
    const slow = run(step.state, { ...time, timer: "slow" });
    expect([slow.state.status, waitShown(slow.state)]).toEqual(["connecting", null]);
    expect(types(slow)).toEqual(["join-room", "refresh-user"]);
  }
});

test("treats a match with another user during a ring as one of the earlier search", () => {
  expect(run(rung, matched(stranger)).state).toBe(rung);
  expect(run(accepted, matched(stranger)).state).toBe(accepted);
  for (const state of [rung, accepted])
    expect(run(state, matched(matchedPush("r1"))).state).toMatchObject({ status: "connecting", fromRing: true });
});

test("returns to home with a notice after a call with a friend, without a new search", () => {
  const call = run(rung, matched(matchedPush("r1")), firstFrame).state;
  const over = run(call, left);
  expect(over.state).toMatchObject({ status: "idle", notice: { why: "friend-left", nickname: "bo" } });
  expect(types(over)).toEqual(expect.arrayContaining(["close-room", "close-media-after-end"]));
  expect(types(over)).not.toContain("request-match");
  // The server still has a room that this page gave up.
  const lost = run(call, { type: "stalled", roomId: "r1", nowMs: 7_000 }, { ...time, timer: "give-up" });
  expect(lost.state).toMatchObject({ status: "idle" });
  expect(types(lost)).toContain("request-stop");
  const blocked = run(call, { type: "blocked", roomId: "r1", nowMs: 8_000 });
  expect([blocked.state.status, types(blocked).includes("request-stop")]).toEqual(["idle", true]);
  expect(run(call, { type: "next", nowMs: 60_000 }).state).toMatchObject({ status: "searching", wish });
});

test("knows after a reload that the call is with a friend", () => {
  const again = matchedPush("r1", { returned: { generation: 1_000, live_ms: 30_000 } });
  const back: CallEvent = { type: "return", match: matchedPush("r1"), wish, fromRing: true };
  expect(run(idle, back, matched(again), firstFrame, left).state).toMatchObject({ status: "idle" });
  expect(run(idle, { ...back, fromRing: false }, matched(again), firstFrame, left).state).toMatchObject({
    status: "searching",
  });
});

test("ends the earlier search or call on the server when an accepted ring is over; does not for the user's own ring", () => {
  const refused: CallEvent = { type: "ring-refused", attempt: 2, notice: { why: "gone", nickname: "Bo" } };
  for (const before of [run(idle, start), run(idle, start, matched(stranger))])
    for (const event of [refused, { type: "ring-over", ringId: "ring-2" }] as const)
      expect(types(run(run(before.state, taken).state, event))).toEqual(
        expect.arrayContaining(["request-stop", "close-media-after-end"]),
      );
  for (const event of [
    { ...refused, attempt: 1 },
    { type: "ring-over", ringId: "ring-1" },
  ] as const)
    expect(types(run(rung, event))).toEqual(["clear-timer", "close-media-after-end"]);
});

test("reports that the friend is gone when an accepted ring becomes no call", () => {
  for (const event of [time, { type: "ring-over", ringId: "ring-2" }] as const)
    expect(run(accepted, event).state).toMatchObject({ status: "idle", notice: { why: "gone", nickname: "Bo" } });
});
