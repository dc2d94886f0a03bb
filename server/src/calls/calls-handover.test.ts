import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { noActivity } from "#test/fixtures/homes.ts";
import { CallsHandover } from "./calls-handover.ts";

const ana = 1n;
let clock: TestClock;
let did: unknown[];
let call: { isLive: boolean } | null;
let isIn: boolean;
let handover: CallsHandover;

beforeEach(() => {
  clock = new TestClock();
  did = [];
  call = null;
  isIn = true;
  const note =
    (what: string) =>
    (...words: unknown[]) =>
      void did.push([what, ...words]);
  handover = new CallsHandover({
    calls: {
      otherIn: () => (call ? 2n : null),
      isIn: () => isIn && call !== null,
      isLive: () => call?.isLive ?? false,
      takenOver: note("taken over"),
    },
    matches: {
      isBusy: () => call !== null,
      pack: () => ({ search: "a search", rematch: null, sinceMs: 3 }),
      keepPlace: note("place"),
      continueSearch: async (search) => note("search")(search),
      continueRematch: async (rematch) => note("rematch")(rematch),
    },
    checks: {
      known: () => ({ cleanMs: clock.monotonicMs() - 4, untriedCalls: 1 }),
      bring: note("look"),
      searchMedia: note("media"),
    },
    find: note("find"),
    clock,
    logger: pino({ level: "silent" }),
  });
});

test("packs a search with the last look and the camera's last state, and the look of no call", () => {
  handover.searchMedia(ana, "camera_off");
  const packed = { search: "a search", rematch: null, sinceMs: 3, media: "camera_off" };
  expect(handover.pack(ana)).toEqual({ ...packed, look: { cleanAgeMs: 4, untriedCalls: 1 } });
  handover.gone(ana);
  call = { isLive: true };
  expect(handover.pack(ana)).toEqual({ ...packed, media: null, look: null });
});

const look = { cleanAgeMs: 4, untriedCalls: 1 };
const brought = { search: "s", rematch: null, sinceMs: 3, media: "away", look } as const;
const goesOn = [
  ["media", ana, "away"],
  ["look", ana, look, 9],
  ["place", ana, 3],
  ["search", "s"],
];

test("continues what a resumed session brings once its socket is there, with the look", () => {
  {
    using _brought = handover.bring(ana, brought, { atMs: 9, isResumed: true });
    handover.arrived(ana);
  }
  expect(did).toEqual([]);
  handover.resumed(ana);
  handover.resumed(ana);
  expect(did).toEqual(goesOn);
  expect(handover.pack(ana).media).toBe("away");
});

test("hands on what a session brought whose socket did not come, without a clean look", () => {
  using _brought = handover.bring(ana, brought, { atMs: 9, isResumed: true });
  handover.arrived(ana);
  expect(handover.pack(ana)).toEqual({ ...brought, look: null });
  handover.resumed(ana);
  expect(did).toEqual([]);
});

test("continues at once what a new page brings", () => {
  using _brought = handover.bring(ana, brought, { atMs: 9, isResumed: false });
  handover.arrived(ana);
  expect(did).toEqual(goesOn);
});

test("brings nothing to a page that arrives later", () => {
  handover.bring(ana, { ...noActivity, rematch: "r" }, { atMs: 9, isResumed: false })[Symbol.dispose]();
  handover.arrived(ana);
  expect(did).toEqual([]);
});

test("keeps a call, unless this server is about to stop and both users have a picture", () => {
  expect([handover.hasCall(ana), handover.keepsCall(ana)]).toEqual([false, false]);
  call = { isLive: false };
  handover.leave();
  expect([handover.hasCall(ana), handover.keepsCall(ana)]).toEqual([true, true]);
  call = { isLive: true };
  expect(handover.keepsCall(ana)).toBe(false);
});

test("[CALL-131] gives up a call to a later owner, keeps one that it has taken itself, and reports what the user does", () => {
  const by = { server: "later", epoch: 2 };
  expect(handover.yieldCall(ana, "room", by)).toBe("free");
  call = { isLive: true };
  expect(handover.yieldCall(ana, "room", by)).toBe("taken");
  isIn = false;
  expect(handover.yieldCall(ana, "room", by)).toBe("elsewhere");
  expect(did).toEqual(Array.from({ length: 3 }, () => ["taken over", ana, "room", by]));
  handover.lostHome(ana);
  expect(did.at(-1)).toEqual(["find", ana]);
});

test("packs for a new page the search alone that a request outside the chat session has just begun", () => {
  handover.searchMedia(ana, "camera_off");
  expect(handover.packForNewPage(ana)).toBeNull();
  handover.startedByRequest(ana);
  clock.advance(9_999);
  expect(handover.packForNewPage(ana)).toEqual({ ...noActivity, search: "a search", sinceMs: 3 });
  clock.advance(1);
  expect(handover.packForNewPage(ana)).toBeNull();
  handover.startedByRequest(ana);
  handover.gone(ana);
  expect(handover.packForNewPage(ana)).toBeNull();
});
