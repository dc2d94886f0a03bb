import { expect, test, vi } from "vitest";
import { liveSlotMs } from "@fava/wire/limits.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { durationBuckets, type LiveCounts } from "#ports/live-counts.ts";
import { NoOwnerError, type Peers } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { LiveTab, type QueueState } from "./live.ts";

const nowMs = 1_795_900_000_000;
const number = Math.floor(nowMs / liveSlotMs);

/** Durations in one bucket. */
const durations = (seconds: number, count: number) =>
  [...durationBuckets.map((end) => (end === seconds ? count : 0)), 0] as const;

function countsOf(change: Partial<LiveCounts> = {}): LiveCounts {
  return {
    searching: [{ sex: 1, wish: "any", people: 3 }],
    calls: 2,
    rungs: [0, 0, 1, 0, 3],
    slots: [{ number: number - 1, searching: 3, calls: 2, found: 20, ended: 4, neverConnected: 1, reports: 1 }],
    waitsByWish: { any: durations(1, 10) },
    waitsByCountry: { 18: durations(1, 10) },
    firstPictures: durations(1.5, 10),
    ...change,
  };
}

interface Site {
  others?: readonly string[];
  answers?: Readonly<Record<string, LiveCounts>>;
  queues?: () => Promise<QueueState[]>;
}

function openTab({ others = [], answers = {}, queues = async () => [] }: Site = {}) {
  const clock = new TestClock(nowMs);
  const ask = async (_kind: string, key: string) => {
    const answer = answers[key.slice("process:".length)];
    if (!answer) throw new NoOwnerError("gone");
    return answer;
  };
  const peers = { serve: () => ({ [Symbol.dispose]: () => undefined }), ask } as unknown as Peers;
  const live = new LiveTab({
    own: () => countsOf(),
    peers,
    others: () => others as readonly ProcessId[],
    queues,
    isRelayed: true,
    clock,
  });
  return { live, clock };
}

test("adds the counts of all servers, and says how many answered", async () => {
  const slot = { number: number - 1, searching: 1, calls: 1, found: 10, ended: 6, neverConnected: 1, reports: 0 };
  const earlier = { ...slot, number: number - 2, ended: 0, neverConnected: 0 };
  const there = countsOf({ calls: 5, slots: [earlier, slot], waitsByCountry: { 77: durations(20, 30) } });
  const { live } = openTab({ others: ["there", "gone"], answers: { there } });
  const view = await live.read();
  expect(view).toMatchObject({ servers: 3, answered: 2, calls: 7, is_relayed: true });
  expect(view.searching).toEqual([{ sex: 1, wish: "any", people: 6 }]);
  expect(view.rungs.map(({ people }) => people)).toEqual([0, 0, 2, 0, 6]);
  expect(view.never_connected).toEqual({ share: 0.2, of: 10 });
  expect(view.over_time).toMatchObject([
    { at: (number - 2) * liveSlotMs, calls: 1, matches_per_second: 0.5 },
    { at: (number - 1) * liveSlotMs, calls: 3, matches_per_second: 1.5, reports_per_minute: 6 },
  ]);
  expect(view.waits_by_country).toEqual([
    { country_id: 77, found: 30, half: 20, most: 20 },
    { country_id: 18, found: 10, half: 1, most: 1 },
  ]);
});

test("gives half and 95 % of the waits, but none of fewer than five searches", async () => {
  const { live } = openTab({
    others: ["there"],
    answers: { there: countsOf({ waitsByWish: { any: durations(30, 9), men: durations(2, 4) } }) },
  });
  const { waits_by_wish: waits, first_picture: picture } = await live.read();
  expect(waits.find(({ wish }) => wish === "any")).toEqual({ wish: "any", found: 19, half: 1, most: 30 });
  expect(waits.find(({ wish }) => wish === "men")).toEqual({ wish: "men", found: 4, half: null, most: null });
  expect(waits.find(({ wish }) => wish === "country")).toMatchObject({ found: 0, half: null });
  expect(picture).toEqual({ of: 20, half: 1.5, most: 1.5 });
});

test("counts the queues at most every 15 seconds, and again after a failure", async () => {
  const state: QueueState = { queue: "appeals", waiting: 2, oldest_at: nowMs, overdue: 1 };
  const queues = vi
    .fn<() => Promise<QueueState[]>>()
    .mockResolvedValue([state])
    .mockRejectedValueOnce(new Error("away"));
  const { live, clock } = openTab({ queues });
  await expect(live.read()).rejects.toThrow("away");
  expect((await live.read()).queues).toEqual([state]);
  await live.read();
  expect(queues).toHaveBeenCalledTimes(2);
  clock.advance(15_000);
  await live.read();
  expect(queues).toHaveBeenCalledTimes(3);
});
