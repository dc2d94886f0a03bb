import {
  connectionCheckMs,
  matchTimeoutMs,
  reconnectGiveUpMs,
  slowPictureMs,
  widenOfferMs,
} from "@fava/wire/limits.ts";
import { describe, expect, test } from "vitest";
import { matchedPush } from "#testing/matched-push.ts";
import { testMeter } from "#testing/meter-fixtures.ts";
import { idle, stepCall } from "./call-machine.ts";
import {
  type CallEffect,
  type CallEvent,
  type CallState,
  type CallStep,
  matchNumber,
  searchShown,
} from "./call-state.ts";

const wish = { sex: 2, country: 18 } as const;
const otherWish = { sex: 0, country: -1 } as const;
const match = matchedPush("r1");
const about = { roomId: "r1" };

/** Applies the events to `state`. Returns the last state and the effects of the last event. */
function run(state: CallState, ...events: CallEvent[]): CallStep {
  return events.reduce<CallStep>((step, event) => stepCall(step.state, event), { state, effects: [] });
}

const start = (nowMs = 1_000): CallEvent => ({ type: "start", wish, nowMs });
const matched: CallEvent = { type: "matched", match, nowMs: 5_000 };
const elsewhere: CallEvent = { type: "matched", match: matchedPush("r2"), nowMs: 9_000 };
const firstFrame: CallEvent = { type: "first-frame", ...about, nowMs: 6_000 };
const stalled: CallEvent = { type: "stalled", ...about, nowMs: 16_000 };
const flowing: CallEvent = { type: "flowing", ...about };
const timer = (name: Extract<CallEvent, { type: "timer" }>["timer"], nowMs = 20_000): CallEvent => ({
  type: "timer",
  timer: name,
  nowMs,
});

const searching = run(idle, start()).state;
const connecting = run(searching, matched).state;
const inCall = run(connecting, firstFrame).state;
const reconnecting = run(inCall, stalled).state;
const states = { idle, searching, connecting, inCall, reconnecting };

const types = (effects: readonly CallEffect[]) => effects.map((effect) => effect.type);
const timersSet = (effects: readonly CallEffect[]) =>
  Object.fromEntries(
    effects.flatMap((effect) => (effect.type === "set-timer" ? [[effect.timer, effect.delayMs]] : [])),
  );
const timersCleared = (effects: readonly CallEffect[]) =>
  effects.flatMap((effect) => (effect.type === "clear-timer" ? [effect.timer] : []));
/** The effects other than timers. */
const deeds = (effects: readonly CallEffect[]) => effects.filter((effect) => !effect.type.endsWith("-timer"));

test("[MATCH-1] numbers the states 0 idle, 1 searching, 2 connecting and 3 in call", () => {
  expect([idle, searching, connecting, inCall, reconnecting].map(matchNumber)).toEqual([0, 1, 2, 3, 3]);
});

const closed: CallEvent = { type: "closed-by-server", ...about, notice: "closed" };

/**
 * Every event in every state: the next state, or `-` if the event has no effect. Events of a room are of the current
 * room.
 */
const transitions: readonly [string, CallEvent, Record<keyof typeof states, string>][] = [
  ["start", start(7_000), row("searching", "searching", "searching", "searching", "searching")],
  ["stop", { type: "stop" }, row("-", "idle", "idle", "idle", "idle")],
  ["next", { type: "next", nowMs: 9_000 }, row("-", "-", "searching", "searching", "searching")],
  ["a refused search", refused("no-profiles"), row("-", "idle", "-", "-", "-")],
  ["a failed search", { type: "search-failed", attempt: 1 }, row("-", "searching", "-", "-", "-")],
  ["a match", matched, row("-", "connecting", "-", "-", "-")],
  ["a match in another room", elsewhere, row("-", "connecting", "connecting", "connecting", "connecting")],
  ["the first frame", firstFrame, row("-", "-", "in-call", "-", "-")],
  ["the other left", left("left"), row("-", "-", "searching", "searching", "searching")],
  ["the other never came", left("not-joined"), row("-", "-", "searching", "searching", "searching")],
  ["our checks cut it", left("cut"), row("-", "-", "searching", "searching", "searching")],
  ["panic", { type: "panic" }, row("-", "-", "idle", "idle", "idle")],
  ["a stall", stalled, row("-", "-", "-", "in-call", "-")],
  ["media flow", flowing, row("-", "-", "-", "-", "in-call")],
  ["a check, mine", check(true), row("-", "-", "connecting", "in-call", "in-call")],
  ["a check, not mine", check(false), row("-", "-", "connecting", "in-call", "in-call")],
  ["low beans", { type: "low-beans", ...about }, row("-", "-", "connecting", "in-call", "in-call")],
  ["a word of the meter", word(false), row("-", "-", "connecting", "in-call", "in-call")],
  ["beans that ran out", { type: "ran-out", ...about, meter: testMeter() }, row("-", "-", "idle", "idle", "idle")],
  ["a search closed", { type: "search-closed" }, row("-", "idle", "-", "-", "-")],
  ["closed by the server", closed, row("-", "-", "idle", "idle", "idle")],
  ["a lost device", { type: "device-lost" }, row("-", "idle", "idle", "idle", "idle")],
  ["the lock lost", { type: "lock-lost" }, row("idle", "idle", "idle", "idle", "idle")],
  ["the session's end", { type: "session-ended" }, row("idle", "idle", "idle", "idle", "idle")],
  ["a new chat session", newChat(), row("-", "searching", "searching", "in-call", "in-call")],
  ["a picture that is slow to come", timer("slow"), row("-", "-", "connecting", "-", "-")],
  ["the matching time-out", timer("match-timeout"), row("-", "-", "searching", "-", "-")],
  ["the widen timer", timer("widen"), row("-", "searching", "-", "-", "-")],
  ["the check timer", timer("check"), row("-", "-", "connecting", "in-call", "in-call")],
  ["the give-up timer", timer("give-up"), row("-", "-", "-", "-", "searching")],
  ["the restart timer", timer("restart"), row("-", "-", "-", "-", "in-call")],
  ["the retry timer", timer("retry"), row("-", "searching", "-", "-", "-")],
  ["the low-beans timer", timer("low-beans"), row("-", "-", "-", "-", "-")],
];

describe.each(transitions)("%s", (_name, event, expected) => {
  test.each(Object.entries(expected))("while %s leads to %s", (from, to) => {
    const before = states[from as keyof typeof states];
    const { state, effects } = stepCall(before, event);
    expect(to === "-" ? { state, effects } : state.status).toEqual(to === "-" ? { state: before, effects: [] } : to);
  });
});

test("ignores events of a room other than the current one", () => {
  const foreign: CallEvent[] = [
    { ...firstFrame, roomId: "r0" },
    { type: "other-left", roomId: "r0", why: "left", nowMs: 9_000 },
    { type: "stalled", roomId: "r0", nowMs: 9_000 },
    { type: "flowing", roomId: "r0" },
    { type: "connection-checked", roomId: "r0", mine: true, nowMs: 9_000 },
    { type: "low-beans", roomId: "r0" },
    { type: "meter", roomId: "r0", meter: testMeter(), isEnough: false, nowMs: 9_000 },
    { type: "ran-out", roomId: "r0", meter: testMeter() },
    { type: "closed-by-server", roomId: "r0", notice: "closed" },
  ];
  for (const state of Object.values(states)) {
    for (const event of foreign) expect(stepCall(state, event)).toEqual({ state, effects: [] });
  }
});

test("ignores a response to an older request", () => {
  const second = run(searching, { type: "chat-session-new", nowMs: 2_000 }).state;
  expect(stepCall(second, refused("no-profiles"))).toEqual({ state: second, effects: [] });
  expect(stepCall(second, { type: "search-failed", attempt: 1 })).toEqual({ state: second, effects: [] });
});

test("requests a search on start, offers wider filters later, and clears the last notice", () => {
  const ended = run(searching, refused("no-profiles")).state;
  expect(ended).toEqual({ status: "idle", notice: "no-profiles", attempt: 1 });
  const { state, effects } = run(ended, start(3_000));
  expect(state).toEqual({
    status: "searching",
    wish,
    attempt: 2,
    sinceMs: 3_000,
    widen: false,
    told: 0,
    previous: null,
  });
  expect(effects).toEqual([
    { type: "request-match", wish, attempt: 2 },
    { type: "set-timer", timer: "widen", delayMs: widenOfferMs },
  ]);
});

test("leaves the room and searches with the new filters on a start from a call", () => {
  const { state, effects } = run(inCall, { type: "start", wish: otherWish, nowMs: 9_000 });
  expect(state).toMatchObject({ status: "searching", wish: otherWish, attempt: 2, previous: null });
  expect(deeds(effects)).toEqual([
    { type: "request-match", wish: otherWish, attempt: 2 },
    { type: "close-room", roomId: "r1" },
  ]);
});

test("opens the room of a match, and sets the match and check timers", () => {
  const { effects } = run(searching, matched);
  expect(deeds(effects)).toEqual([{ type: "open-room", match }]);
  expect(timersSet(effects)).toEqual({
    "match-timeout": matchTimeoutMs,
    slow: slowPictureMs,
    check: connectionCheckMs,
  });
  expect(timersCleared(effects)).toEqual(["widen", "retry"]);
});

const joins: readonly CallEffect[] = [{ type: "join-room", match }, { type: "refresh-user" }];

test("shows the search until the first frame, or until that is late", () => {
  expect(searchShown(searching)).toBe(searching);
  expect(searchShown(connecting)).toBe(searching);
  expect(searchShown(inCall)).toBeNull();
  const slow = run(connecting, timer("slow")).state;
  expect([slow.status, searchShown(slow)]).toEqual(["connecting", null]);
  expect(slowPictureMs).toBe(2_000);
});

test("joins by an early first frame, and then loads once what the server has changed of the user", () => {
  expect(deeds(run(connecting, firstFrame).effects)).toEqual([
    { type: "tell-media", match, state: "playing" },
    { type: "refresh-user" },
  ]);
  expect(timersCleared(run(connecting, firstFrame).effects)).toContain("slow");
});

test("joins without the first frame when that is late, once", () => {
  const slow = run(connecting, timer("slow"));
  expect(slow.effects).toEqual(joins);
  expect(deeds(run(slow.state, firstFrame).effects)).toEqual([{ type: "tell-media", match, state: "playing" }]);
  expect(run(slow.state, timer("slow"))).toEqual({ state: slow.state, effects: [] });
});

test("replaces the current room by a match in another one, closing the first", () => {
  for (const state of [connecting, inCall, reconnecting]) {
    const { state: after, effects } = run(state, elsewhere);
    const fresh = run(searching, elsewhere);
    const [opened, joined] = [deeds(fresh.effects), { type: "join-room", match: matchedPush("r2") }];
    // No search was shown that could stay: the screen names the partner at once.
    expect(after).toEqual({ ...fresh.state, waited: null });
    expect(after).toMatchObject({ match: matchedPush("r2"), matchedAtMs: 9_000, connection: { count: 1, times: 1 } });
    expect(deeds(effects)).toEqual([{ type: "close-room", roomId: "r1" }, ...opened, joined, { type: "refresh-user" }]);
    expect({ slow: slowPictureMs, ...timersSet(effects) }).toEqual(timersSet(fresh.effects));
    expect(timersCleared(effects)).toEqual(timersCleared(run(state, { type: "stop" }).effects));
  }
  // Later events of the earlier room change nothing.
  const { state } = run(inCall, elsewhere);
  expect(run(state, left("left"))).toEqual({ state, effects: [] });
});

test("[MATCH-3] searches again with the same wish when the partner leaves", () => {
  const { state, effects } = run(inCall, { type: "other-left", ...about, why: "left", nowMs: 66_900 });
  const previous = { match, seconds: 60, why: "left" };
  expect(state).toEqual({ status: "searching", wish, attempt: 2, sinceMs: 66_900, widen: false, told: 0, previous });
  expect(deeds(effects)).toEqual([
    { type: "request-match", wish, attempt: 2 },
    { type: "close-room", roomId: "r1" },
  ]);
  const neverCame = run(connecting, { type: "other-left", ...about, why: "not-joined", nowMs: 9_000 }).state;
  expect(neverCame).toMatchObject({ status: "searching", previous: { match, seconds: null, why: "not-joined" } });
});

test("starts the call with the first frame, cancels the match timeout and tells the server", () => {
  const { state, effects } = run(connecting, firstFrame);
  expect(state).toMatchObject({ status: "in-call", startedAtMs: 6_000, media: "playing" });
  expect(effects.slice(0, 2)).toEqual([
    { type: "clear-timer", timer: "match-timeout" },
    { type: "tell-media", match, state: "playing" },
  ]);
});

test("[MATCH-5] starts the connection with count 1 and times 1 at the time of the match", () => {
  expect(connecting).toMatchObject({ connection: { count: 1, times: 1, timestampMs: 5_000 } });
});

test("[MATCH-5] raises count and times and renews the timestamp for a check that says mine, otherwise only times", () => {
  const mine = run(connecting, check(true)).state;
  expect(mine).toMatchObject({ connection: { count: 2, times: 2, timestampMs: 8_000 } });
  const both = run(mine, { type: "connection-checked", ...about, mine: false, nowMs: 18_000 }).state;
  expect(both).toMatchObject({ connection: { count: 2, times: 3, timestampMs: 8_000 } });
  expect(run(both, firstFrame).state).toMatchObject({ connection: { count: 2, times: 3, timestampMs: 8_000 } });
});

test("[MATCH-5] checks every 10 s while connecting and in the call", () => {
  for (const state of [connecting, inCall, reconnecting]) {
    const { effects } = run(state, timer("check"));
    expect(effects).toEqual([
      { type: "check-connection", match },
      { type: "set-timer", timer: "check", delayMs: 10_000 },
    ]);
  }
});

test("[MATCH-6] leaves the room without a frame after 10 s, and searches again", () => {
  const { state, effects } = run(connecting, timer("match-timeout", 15_000));
  expect(matchTimeoutMs).toBe(10_000);
  expect(state).toMatchObject({
    status: "searching",
    sinceMs: 15_000,
    previous: { match, seconds: null, why: "not-joined" },
  });
  expect(deeds(effects)).toEqual([
    { type: "request-match", wish, attempt: 2 },
    { type: "close-room", roomId: "r1" },
  ]);
});

test("[MATCH-7] offers wider filters after 10 s of searching, while the search continues", () => {
  expect(widenOfferMs).toBe(10_000);
  expect(run(searching, timer("widen"))).toEqual({ state: { ...searching, widen: true }, effects: [] });
  expect(run(searching, timer("widen"), start(30_000)).state).toMatchObject({ widen: false, sinceMs: 30_000 });
});

test("counts the users who were told of a search, and starts the next search at zero", () => {
  const told = (count: number): CallEvent => ({ type: "told", count });
  expect(run(searching, told(2), timer("widen"), told(1)).state).toEqual({ ...searching, widen: true, told: 3 });
  expect(run(searching, told(2), start(30_000)).state).toMatchObject({ told: 0 });
  expect(run(idle, told(2)).state).toEqual(idle);
  expect(run(connecting, told(2)).state).toEqual(connecting);
});

test("retries a search that did not reach the server, with a new number", () => {
  const failed = run(searching, { type: "search-failed", attempt: 1 });
  expect(timersSet(failed.effects)).toEqual({ retry: 2_000 });
  const again = run(failed.state, timer("retry"));
  expect(again.state).toEqual({ ...searching, attempt: 2 });
  expect(deeds(again.effects)).toEqual([{ type: "request-match", wish, attempt: 2 }]);
});

test("offers no wider filters for a search that the server has not received, until 10 s after it started", () => {
  const offered = run(searching, timer("widen")).state;
  const failed = run(offered, { type: "search-failed", attempt: 1 });
  expect(failed.state).toMatchObject({ status: "searching", widen: false });
  expect(failed.effects).toContainEqual({ type: "clear-timer", timer: "widen" });
  for (const begun of [run(failed.state, timer("retry")), run(offered, newChat())]) {
    expect(begun.state).toMatchObject({ status: "searching", widen: false });
    expect(timersSet(begun.effects)).toEqual({ widen: widenOfferMs });
  }
});

test("repeats the search in a new chat session, and ends a match that was not a call yet", () => {
  const again = run(searching, newChat());
  expect(deeds(again.effects)).toEqual([{ type: "request-match", wish, attempt: 2 }]);
  expect(run(connecting, newChat()).state).toMatchObject({ status: "searching", previous: { why: "lost" } });
});

test("shows reconnecting, tells the server and restarts ICE at once on a stall", () => {
  const { state, effects } = run(inCall, stalled);
  expect(state).toMatchObject({ status: "in-call", media: "reconnecting" });
  expect(deeds(effects)).toEqual([{ type: "tell-media", match, state: "stalled" }, { type: "restart-media" }]);
  expect(timersSet(effects)).toEqual({ restart: 3_000, "give-up": reconnectGiveUpMs });
  expect(reconnectGiveUpMs).toBe(12_000);
});

test("repeats the ICE restart until media flow, and not after that", () => {
  const again = run(reconnecting, timer("restart"));
  expect(again.effects).toEqual([{ type: "restart-media" }, { type: "set-timer", timer: "restart", delayMs: 3_000 }]);
  const back = run(again.state, flowing);
  expect(back.state).toEqual(inCall);
  expect(timersCleared(back.effects)).toEqual(["restart", "give-up"]);
  expect(deeds(back.effects)).toEqual([{ type: "tell-media", match, state: "playing" }]);
});

test("gives up a call that is not back after 12 s, and searches again", () => {
  const { state, effects } = run(reconnecting, timer("give-up", 26_000));
  expect(state).toMatchObject({ status: "searching", previous: { match, seconds: 20, why: "lost" } });
  expect(types(deeds(effects))).toEqual(["request-match", "close-room"]);
});

function row(...to: [string, string, string, string, string]): Record<keyof typeof states, string> {
  return { idle: to[0], searching: to[1], connecting: to[2], inCall: to[3], reconnecting: to[4] };
}
function refused(notice: "no-profiles" | "not-enough-beans"): CallEvent {
  return { type: "search-refused", attempt: 1, notice };
}
function left(why: "left" | "not-joined" | "cut"): CallEvent {
  return { type: "other-left", ...about, why, nowMs: 9_000 };
}
function check(mine: boolean): CallEvent {
  return { type: "connection-checked", ...about, mine, nowMs: 8_000 };
}
function word(isEnough: boolean, nowMs = 9_000): CallEvent {
  return { type: "meter", ...about, meter: testMeter(), isEnough, nowMs };
}
function newChat(): CallEvent {
  return { type: "chat-session-new", nowMs: 9_000 };
}
