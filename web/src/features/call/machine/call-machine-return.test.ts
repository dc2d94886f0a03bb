import { reconnectGiveUpMs } from "@fava/wire/limits.ts";
import { describe, expect, test } from "vitest";
import { matchedPush } from "#testing/matched-push.ts";
import { testMeter } from "#testing/meter-fixtures.ts";
import { idle, stepCall } from "./call-machine.ts";
import type { CallEvent, CallState } from "./call-state.ts";

const wish = { sex: 2, country: -1 } as const;
const match = matchedPush("r1");
const again = matchedPush("r1", { returned: { generation: 1_000, live_ms: 30_000 } });
const wanted: CallEvent = { type: "return", match, wish, fromRing: false };

function run(state: CallState, ...events: CallEvent[]) {
  return events.reduce((step, event) => stepCall(step.state, event), { state, effects: [] } as ReturnType<
    typeof stepCall
  >);
}

const returning = run(idle, wanted).state;
const inCall = run(
  idle,
  { type: "start", wish, nowMs: 0 },
  { type: "matched", match, nowMs: 0 },
  { type: "first-frame", roomId: "r1", nowMs: 1_000 },
  { type: "meter", roomId: "r1", meter: testMeter({ counted_ms: 20_000 }), isEnough: true, nowMs: 21_000 },
  { type: "shield", roomId: "r1", shield: { other: "clear", own: "clear" }, nowMs: 0 },
).state;

describe("a page that returns to a call", () => {
  test("asks for its call, and opens the room with the new match push", () => {
    const asked = stepCall(idle, wanted);
    expect(asked).toEqual({
      state: { status: "returning", wish, attempt: 0, match, fromRing: false },
      effects: [
        { type: "request-return", match },
        { type: "set-timer", timer: "give-up", delayMs: reconnectGiveUpMs },
      ],
    });
    const { state, effects } = stepCall(asked.state, { type: "matched", match: again, nowMs: 40_000 });
    expect(state).toMatchObject({ status: "connecting", match: again, shield: { other: "checking" } });
    expect(effects).toContainEqual({ type: "open-room", match: again });
    expect(effects).toContainEqual({ type: "clear-timer", timer: "give-up" });
    const seen = stepCall(state, { type: "first-frame", roomId: "r1", nowMs: 41_000 }).state;
    expect(seen).toMatchObject({ status: "in-call", startedAtMs: 10_000 });
  });

  test.each<[string, CallEvent]>([
    ["the server no longer knows the call", { type: "return-refused", roomId: "r1", notice: "gone", nowMs: 0 }],
    ["the partner leaves meanwhile", { type: "other-left", roomId: "r1", why: "left", nowMs: 0 }],
    ["the time has run out", { type: "timer", timer: "give-up", nowMs: 0 }],
  ])("reports that the partner is gone, and does not search, when %s", (_, event) => {
    expect(stepCall(returning, event).state).toMatchObject({
      status: "idle",
      notice: { why: "gone", nickname: match.remote.nickname },
    });
  });

  test("ignores events of another call", () => {
    for (const event of [
      { type: "return-refused", roomId: "r2", notice: "gone", nowMs: 0 },
      { type: "other-left", roomId: "r2", why: "left", nowMs: 0 },
      { type: "next", nowMs: 5_000 },
      { type: "chat-session-new", nowMs: 0 },
    ] as const) {
      expect(stepCall(returning, event)).toEqual({ state: returning, effects: [] });
    }
  });

  test("ignores a replayed match of a call that the user has left", () => {
    const goneOn = run(inCall, { type: "next", nowMs: 30_000 }).state;
    expect(stepCall(goneOn, { type: "matched", match: again, nowMs: 31_000 })).toEqual({ state: goneOn, effects: [] });
    const elsewhere = run(goneOn, { type: "matched", match: matchedPush("r2"), nowMs: 32_000 }).state;
    expect(elsewhere).toMatchObject({ status: "connecting", match: { roomId: "r2" } });
    expect(stepCall(elsewhere, { type: "matched", match: again, nowMs: 33_000 })).toEqual({
      state: elsewhere,
      effects: [],
    });
  });

  test("can be stopped, which leaves the call for the partner too", () => {
    const { state, effects } = stepCall(returning, { type: "stop" });
    expect(state.status).toBe("idle");
    expect(effects).toContainEqual({ type: "request-stop" });
  });

  test("returns to a call only while idle", () => {
    expect(stepCall(inCall, wanted).state).toBe(inCall);
  });
});

describe("a page whose partner returns", () => {
  test("shows that the partner may return, and that they are back", () => {
    const lost = stepCall(inCall, { type: "peer", roomId: "r1", peer: "lost" }).state;
    expect(lost).toMatchObject({ status: "in-call", peer: "lost" });
    expect(stepCall(lost, { type: "peer", roomId: "r1", peer: "here" }).state).toMatchObject({ peer: "here" });
    expect(stepCall(lost, { type: "peer", roomId: "r2", peer: "here" }).state).toBe(lost);
  });

  test("starts a new connection in the same call, stops time and meter, and covers the video", () => {
    const { state, effects } = stepCall(inCall, { type: "matched", match: again, nowMs: 31_000 });
    expect(state).toMatchObject({
      status: "in-call",
      startedAtMs: 1_000,
      media: "reconnecting",
      peer: "here",
      match: again,
      shield: { other: "checking", own: "clear" },
      meter: { meter: { clock: "stopped", counted_ms: 30_000 } },
    });
    expect(effects.slice(0, 2)).toEqual([
      { type: "open-room", match: again },
      { type: "tell-media", match: again, state: "stalled" },
    ]);
    const back = stepCall(state, { type: "first-frame", roomId: "r1", nowMs: 32_000 });
    expect(back.state).toMatchObject({ status: "in-call", startedAtMs: 1_000, media: "playing" });
    expect(back.effects).toContainEqual({ type: "tell-media", match: again, state: "playing" });
  });

  test("ignores a duplicate of the same match push", () => {
    const { state } = stepCall(inCall, { type: "matched", match: again, nowMs: 31_000 });
    expect(stepCall(state, { type: "matched", match: again, nowMs: 32_000 })).toEqual({ state, effects: [] });
    expect(stepCall(state, { type: "matched", match, nowMs: 32_000 })).toEqual({ state, effects: [] });
  });
});

describe("a call whose server crashed", () => {
  const sessionNew: CallEvent = { type: "chat-session-new", nowMs: 30_000 };

  test("continues while the page asks another server for it, with a stopped meter and unchecked video", () => {
    const asked = stepCall(inCall, sessionNew);
    expect(asked.effects).toEqual([{ type: "request-return", match }]);
    expect(asked.state).toMatchObject({
      status: "in-call",
      media: "playing",
      meter: { meter: { clock: "stopped", counted_ms: 29_000 } },
      shield: { other: "checking", own: "checking" },
    });
    const told = stepCall(asked.state, { type: "matched", match: again, nowMs: 33_000 });
    expect(told.state).toMatchObject({ status: "in-call", match: again, media: "reconnecting" });
    expect(told.effects).toContainEqual({ type: "open-room", match: again });
  });

  test("is left for a search if no server has it; a call that was not asked for stays", () => {
    const { state } = stepCall(inCall, sessionNew);
    const refused = (roomId: string): CallEvent => ({ type: "return-refused", roomId, notice: "gone", nowMs: 35_000 });
    expect(stepCall(state, refused("r1")).state).toMatchObject({ status: "searching", previous: { why: "lost" } });
    expect(stepCall(state, refused("r2"))).toEqual({ state, effects: [] });
  });
});
