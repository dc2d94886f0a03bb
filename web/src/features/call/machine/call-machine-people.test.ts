import { expect, test } from "vitest";
import { matchedPush } from "#testing/matched-push.ts";
import { idle, stepCall } from "./call-machine.ts";
import { type CallEvent, type CallState, type CallStep, isMeeting } from "./call-state.ts";

function run(state: CallState, ...events: CallEvent[]): CallStep {
  return events.reduce<CallStep>((step, event) => stepCall(step.state, event), { state, effects: [] });
}

const filters = { sex: 2, country: -1 } as const;
const meet = { userId: 8, nickname: "Bo" };
const matched: CallEvent = { type: "matched", match: matchedPush("r1"), nowMs: 5_000 };
const firstFrame: CallEvent = { type: "first-frame", roomId: "r1", nowMs: 6_000 };

test("ends the call at once after a block and searches again, without showing the blocked partner", () => {
  const { state } = run(idle, { type: "start", wish: filters, nowMs: 1_000 }, matched, firstFrame);
  const step = run(state, { type: "blocked", roomId: "r1", nowMs: 6_100 });
  expect(step.state).toMatchObject({ status: "searching", wish: filters, previous: null });
  expect(step.effects).toContainEqual({ type: "close-room", roomId: "r1" });
  expect(step.effects.some((effect) => effect.type === "request-match")).toBe(true);
  expect(run(state, { type: "blocked", roomId: "r0", nowMs: 6_100 }).state).toBe(state);
});

test("offers no wider filters in a search for one user, and searches for anybody after that call", () => {
  const search = run(idle, { type: "start", wish: { ...filters, meet }, nowMs: 1_000 });
  expect(search.effects).toContainEqual({ type: "request-match", wish: { ...filters, meet }, attempt: 1 });
  expect(run(search.state, { type: "timer", timer: "widen", nowMs: 11_000 }).state).toMatchObject({ widen: false });
  const left: CallEvent = { type: "other-left", roomId: "r1", why: "left", nowMs: 9_000 };
  const after = run(search.state, matched, firstFrame, left);
  expect(after.state).toMatchObject({ status: "searching", wish: filters });
  expect(after.state).not.toHaveProperty("wish.meet");
});

test("ends a search for one user with a notice when that is no longer possible", () => {
  const search = run(idle, { type: "start", wish: { ...filters, meet }, nowMs: 1_000 }).state;
  const refused: CallEvent = { type: "search-refused", attempt: 1, notice: "meet-over" };
  expect(run(search, refused).state).toMatchObject({ status: "idle", notice: "meet-over" });
});

test("ends a search for one user with a notice when that user goes offline", () => {
  const search = run(idle, { type: "start", wish: { ...filters, meet }, nowMs: 1_000 }).state;
  const step = run(search, { type: "meet-over", userId: 8 });
  expect(step.state).toMatchObject({ status: "idle", notice: "meet-over" });
  expect(step.effects).toContainEqual({ type: "request-stop" });
  expect(run(search, { type: "meet-over", userId: 9 }).state).toBe(search);
  const anybody = run(idle, { type: "start", wish: filters, nowMs: 1_000 }).state;
  expect(run(anybody, { type: "meet-over", userId: 8 }).state).toBe(anybody);
  const met = run(search, matched).state;
  expect(run(met, { type: "meet-over", userId: 8 }).state).toBe(met);
});

test("counts two users as meeting from the search for one user to the end of their call", () => {
  const search = run(idle, { type: "start", wish: { ...filters, meet }, nowMs: 1_000 }).state;
  const call = run(search, matched, firstFrame).state;
  const anybody = run(idle, { type: "start", wish: filters, nowMs: 1_000 }).state;
  const { user_id: matchedId } = matchedPush("r1").remote;
  expect([idle, search, call, anybody].map((state) => isMeeting(state, meet.userId))).toEqual([
    false,
    true,
    meet.userId === matchedId,
    false,
  ]);
  expect(isMeeting(call, matchedId)).toBe(true);
});
