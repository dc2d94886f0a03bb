import { expect, test } from "vitest";
import { idle, stepCall } from "#features/call/machine/call-machine.ts";
import type { CallEvent, CallState } from "#features/call/machine/call-state.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { saidOf } from "./use-announcement.ts";

const about = { roomId: "r1" };
const start: CallEvent = { type: "start", wish: { sex: 0, country: -1 }, nowMs: 1_000 };
const matched: CallEvent = { type: "matched", match: matchedPush("r1"), nowMs: 5_000 };
const firstFrame: CallEvent = { type: "first-frame", ...about, nowMs: 6_000 };
const stalled: CallEvent = { type: "stalled", ...about, nowMs: 16_000 };
const flowing: CallEvent = { type: "flowing", ...about };
const left: CallEvent = { type: "other-left", ...about, why: "left", nowMs: 30_000 };

/** Keys of what is said at each of the events, one after the other. */
function saidThrough(events: readonly CallEvent[], from: CallState = idle): string[][] {
  let state = from;
  return events.map((event) => {
    const before = state;
    ({ state } = stepCall(before, event));
    return saidOf(before, state).map(({ key }) => key);
  });
}

test("a search, a match, a loss, its end and a leaving are each said once", () => {
  expect(saidThrough([start, matched, firstFrame, stalled, flowing, left])).toEqual([
    ["search.title"],
    ["search.found"],
    ["call.matched"],
    ["reconnect.title"],
    ["reconnect.back"],
    ["search.left", "search.next"],
  ]);
});

test("with whom one was matched is said with name and country", () => {
  const connecting = [start, matched].reduce<CallState>((state, event) => stepCall(state, event).state, idle);
  const [said] = saidOf(connecting, stepCall(connecting, firstFrame).state);
  expect(said?.values?.["name"]).toContain("bo");
  expect(said?.values?.["country"]).toBe("Brazil");
});

test("a search that is asked for again, and a detail that changes, say nothing", () => {
  const searching = stepCall(idle, start).state;
  const again: CallEvent = { type: "timer", timer: "retry", nowMs: 4_000 };
  expect(saidThrough([again], searching)).toEqual([[]]);
  const inCall = [matched, firstFrame].reduce((state, event) => stepCall(state, event).state, searching);
  expect(saidThrough([{ type: "low-beans", ...about }], inCall)).toEqual([[]]);
});

test("that the other may come back, and is back, is said", () => {
  const inCall = [start, matched, firstFrame].reduce((state, event) => stepCall(state, event).state, idle);
  const lost: CallEvent = { type: "peer", ...about, peer: "lost" };
  const again = matchedPush("r1", { returned: { generation: 1_000, live_ms: 0 } });
  // Without a picture that stands still there is nothing to say of it.
  expect(saidThrough([lost, stalled, { type: "matched", match: again, nowMs: 20_000 }, firstFrame], inCall)).toEqual([
    [],
    ["openCall.may"],
    ["reconnect.title"],
    ["reconnect.back"],
  ]);
});

test("the way back to a call is said, and not that somebody was found", () => {
  const match = matchedPush("r1");
  const back: CallEvent = { type: "matched", match, nowMs: 5_000 };
  expect(
    saidThrough([{ type: "return", match, wish: { sex: 0, country: -1 }, fromRing: false }, back, firstFrame]),
  ).toEqual([["openCall.going"], [], ["call.matched"]]);
});

test("the offer of a wider search is said when it comes", () => {
  const searching = stepCall(idle, start).state;
  expect(saidThrough([{ type: "timer", timer: "widen", nowMs: 11_000 }], searching)).toEqual([["search.widen"]]);
});

test("how many were told that somebody waits is said each time", () => {
  const searching = stepCall(idle, start).state;
  const told: CallEvent = { type: "told", count: 2 };
  expect(saidThrough([told, told], searching)).toEqual([["search.told"], ["search.told"]]);
});
