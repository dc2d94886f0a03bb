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

test("a ring has its time from the press on, and from the server's answer what is left of it by the server's clock", () => {
  expect(run(idle, ring).effects).toContainEqual({ type: "set-timer", timer: "ring", delayMs: ringMs });
  expect(run(idle, ring, begun).effects).toEqual([{ type: "set-timer", timer: "ring", delayMs: 29_000 }]);
  // The answer to an older one changes nothing.
  expect(run(rung, { ...begun, attempt: 0 }).state).toBe(rung);
});

test("that nobody came is one notice, whatever the reason; the server is told where the time ended here", () => {
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

test("what ends a ring of one's own ends it for the friend, and not a search that there is none of", () => {
  for (const event of [{ type: "stop" }, { type: "device-lost" }, { type: "hold-lost" }, start] as const) {
    const step = run(rung, event);
    expect(types(step)).toContain("cancel-ring");
    expect(types(step)).not.toContain("request-stop");
  }
  // Another tab may have begun something by then, which this one must not stop.
  expect(run(rung, { type: "hold-lost" }).effects).toContainEqual({ type: "cancel-ring", leaves: false });
  expect(types(run(accepted, { type: "hold-lost" }))).not.toContain("request-stop");
  // Of a ring that was accepted there may be a call by now.
  expect(types(run(accepted, { type: "stop" }))).toContain("request-stop");
  expect(types(run(rung, taken))).toEqual(expect.arrayContaining(["cancel-ring", "accept-ring"]));
});

test("a ring that is taken ends the search here without a word: the server does it", () => {
  const step = run(run(idle, start).state, taken);
  expect(step.state).toMatchObject({ status: "ringing", way: "in", friend });
  expect(types(step)).not.toContain("request-stop");
  expect(step.effects).toContainEqual({ type: "accept-ring", friend, ringId: "ring-2", attempt: 2 });
  // A late answer to the search changes nothing.
  expect(run(step.state, { type: "search-refused", attempt: 1, notice: "no-profiles" }).state).toBe(step.state);
});

test("a ring stays on the screen until the first picture, or until that is slow to come; then the server is asked", () => {
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

test("a match with somebody else while it rings is of the search before", () => {
  expect(run(rung, matched(stranger)).state).toBe(rung);
  expect(run(accepted, matched(stranger)).state).toBe(accepted);
  for (const state of [rung, accepted])
    expect(run(state, matched(matchedPush("r1"))).state).toMatchObject({ status: "connecting", fromRing: true });
});

test("a call with a friend ends at home, with a word, and no search follows it", () => {
  const call = run(rung, matched(matchedPush("r1")), firstFrame).state;
  const over = run(call, left);
  expect(over.state).toMatchObject({ status: "idle", notice: { why: "friend-left", nickname: "bo" } });
  expect(types(over)).toEqual(expect.arrayContaining(["close-room", "close-media-after-end"]));
  expect(types(over)).not.toContain("request-match");
  // Given up here, it is the server's still.
  const lost = run(call, { type: "stalled", roomId: "r1", nowMs: 7_000 }, { ...time, timer: "give-up" });
  expect(lost.state).toMatchObject({ status: "idle" });
  expect(types(lost)).toContain("request-stop");
  const blocked = run(call, { type: "blocked", roomId: "r1", nowMs: 8_000 });
  expect([blocked.state.status, types(blocked).includes("request-stop")]).toEqual(["idle", true]);
  // Next is a press, and means what it says.
  expect(run(call, { type: "next", nowMs: 60_000 }).state).toMatchObject({ status: "searching", wish });
});

test("a page that was loaded anew in a call with a friend knows it", () => {
  const again = matchedPush("r1", { returned: { generation: 1_000, live_ms: 30_000 } });
  const back: CallEvent = { type: "return", match: matchedPush("r1"), wish, fromRing: true };
  expect(run(idle, back, matched(again), firstFrame, left).state).toMatchObject({ status: "idle" });
  expect(run(idle, { ...back, fromRing: false }, matched(again), firstFrame, left).state).toMatchObject({
    status: "searching",
  });
});

test("an accepted ring that is over by then ends the search or call before it at the server, too; one's own has none", () => {
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

test("whoever has accepted and is not called after all is told that the friend is gone", () => {
  for (const event of [time, { type: "ring-over", ringId: "ring-2" }] as const)
    expect(run(accepted, event).state).toMatchObject({ status: "idle", notice: { why: "gone", nickname: "Bo" } });
});
