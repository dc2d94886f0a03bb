import { kindWordCallMs } from "@fava/wire/limits.ts";
import { expect, test } from "vitest";
import { matchedPush } from "#testing/matched-push.ts";
import { idle, stepCall } from "./call-machine.ts";
import type { CallEvent, CallState } from "./call-state.ts";
import { kindWordMatch } from "./kind-word-match.ts";

const wish = { sex: 0, country: 0 } as const;
const match = matchedPush("room");

/** A call that began at 0. */
function inCall(): CallState {
  const events: CallEvent[] = [
    { type: "start", wish, nowMs: 0 },
    { type: "matched", match, nowMs: 0 },
    { type: "first-frame", roomId: "room", nowMs: 0 },
  ];
  let state: CallState = idle;
  for (const event of events) ({ state } = stepCall(state, event));
  expect(state.status).toBe("in-call");
  return state;
}

function isOfferedAfter(event: CallEvent, nowMs = kindWordCallMs): boolean {
  const before = inCall();
  return kindWordMatch({ before, event, after: stepCall(before, event).state }, nowMs) !== null;
}

const nowMs = kindWordCallMs;

test("offers a kind word to both users of a call that was long enough", () => {
  expect(isOfferedAfter({ type: "stop" })).toBe(true);
  expect(isOfferedAfter({ type: "next", nowMs })).toBe(true);
  expect(isOfferedAfter({ type: "other-left", roomId: "room", why: "left", nowMs })).toBe(true);
  expect(isOfferedAfter({ type: "stop" }, nowMs - 1)).toBe(false);
});

test("offers none after an end by checks, a block, the emergency exit or missing frames", () => {
  expect(isOfferedAfter({ type: "other-left", roomId: "room", why: "cut", nowMs })).toBe(false);
  expect(isOfferedAfter({ type: "blocked", roomId: "room", nowMs })).toBe(false);
  expect(isOfferedAfter({ type: "panic" })).toBe(false);
  const end = { whose: "own", cause: "late", returned: 0 } as const;
  expect(isOfferedAfter({ type: "unchecked", roomId: "room", end })).toBe(false);
});
