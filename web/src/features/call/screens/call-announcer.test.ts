import { expect, test } from "vitest";
import { idle, stepCall } from "#features/call/machine/call-machine.ts";
import type { CallEvent, CallState } from "#features/call/machine/call-state.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { announcementsOf } from "./CallAnnouncer.tsx";

const about = { roomId: "r1" };
const start: CallEvent = { type: "start", wish: { sex: 0, country: -1 }, nowMs: 1_000 };
const matched: CallEvent = { type: "matched", match: matchedPush("r1"), nowMs: 5_000 };
const firstFrame: CallEvent = { type: "first-frame", ...about, nowMs: 6_000 };
const stalled: CallEvent = { type: "stalled", ...about, nowMs: 16_000 };
const flowing: CallEvent = { type: "flowing", ...about };
const left: CallEvent = { type: "other-left", ...about, why: "left", nowMs: 30_000 };

/** The keys of the announcements at each event. */
function saidThrough(events: readonly CallEvent[], from: CallState = idle): string[][] {
  let state = from;
  return events.map((event) => {
    const before = state;
    ({ state } = stepCall(before, event));
    return announcementsOf(before, state).map(({ key }) => key);
  });
}

test("announces a search, a match, a loss, its end and the partner's leaving once each", () => {
  expect(saidThrough([start, matched, firstFrame, stalled, flowing, left])).toEqual([
    ["search.title"],
    [],
    ["call.matched"],
    ["reconnect.title"],
    ["reconnect.back"],
    ["search.left", "search.next"],
  ]);
});

test("announces a match whose first frame is late before it", () => {
  const late: CallEvent = { type: "timer", timer: "slow", nowMs: 7_000 };
  expect(saidThrough([start, matched, late, firstFrame])).toEqual([
    ["search.title"],
    [],
    ["search.found"],
    ["call.matched"],
  ]);
});

test("announces the partner with name and country", () => {
  const connecting = [start, matched].reduce<CallState>((state, event) => stepCall(state, event).state, idle);
  const [said] = announcementsOf(connecting, stepCall(connecting, firstFrame).state);
  expect(said?.values?.["name"]).toContain("bo");
  expect(said?.values?.["country"]).toBe("Brazil");
});

test("announces nothing for a repeated search or a changed detail", () => {
  const searching = stepCall(idle, start).state;
  const again: CallEvent = { type: "timer", timer: "retry", nowMs: 4_000 };
  expect(saidThrough([again], searching)).toEqual([[]]);
  const inCall = [matched, firstFrame].reduce((state, event) => stepCall(state, event).state, searching);
  expect(saidThrough([{ type: "low-beans", ...about }], inCall)).toEqual([[]]);
});

test("announces that the partner may return, and that they are back", () => {
  const inCall = [start, matched, firstFrame].reduce((state, event) => stepCall(state, event).state, idle);
  const lost: CallEvent = { type: "peer", ...about, peer: "lost" };
  const again = matchedPush("r1", { returned: { generation: 1_000, live_ms: 0 } });
  // While media flow, there is nothing to announce.
  expect(saidThrough([lost, stalled, { type: "matched", match: again, nowMs: 20_000 }, firstFrame], inCall)).toEqual([
    [],
    ["openCall.may"],
    ["reconnect.title"],
    ["reconnect.back"],
  ]);
});

test("announces the return to a call, and no new match", () => {
  const match = matchedPush("r1");
  const back: CallEvent = { type: "matched", match, nowMs: 5_000 };
  expect(
    saidThrough([{ type: "return", match, wish: { sex: 0, country: -1 }, fromRing: false }, back, firstFrame]),
  ).toEqual([["openCall.going"], [], ["call.matched"]]);
});

test("announces the offer of a wider search, and that few users are free where no filter can be widened", () => {
  const widen: CallEvent = { type: "timer", timer: "widen", nowMs: 11_000 };
  const filtered: CallEvent = { type: "start", wish: { sex: 2, country: -1 }, nowMs: 1_000 };
  expect(saidThrough([widen], stepCall(idle, filtered).state)).toEqual([["search.widen"]]);
  expect(saidThrough([widen], stepCall(idle, start).state)).toEqual([["search.few"]]);
});

test("announces each time how many users were told of the search", () => {
  const searching = stepCall(idle, start).state;
  const told: CallEvent = { type: "told", count: 2 };
  expect(saidThrough([told, told], searching)).toEqual([["search.told"], ["search.told"]]);
});
