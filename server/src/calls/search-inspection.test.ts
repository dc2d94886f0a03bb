import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nextGuardMs } from "@fava/wire/limits.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import type { Untimed } from "#lib/machine.ts";
import { ClassifierBusyError, type FrameVerdict } from "#ports/frame-classifier.ts";
import { pictureThat } from "#test/fakes/scripted-frames.ts";
import { InspectionWorld } from "#test/fixtures/inspection-world.ts";
import { verdictOf } from "#test/fixtures/picture-bench.ts";
import { inspectionSettingsDefault as settings } from "./inspection-settings.ts";
import type { InspectionEvent } from "./inspection-state.ts";
import { openSearch, searchDueMs, stepSearch } from "./search-inspection.ts";

const [ana, bo, cem] = [1n, 2n, 3n];

describe("the machine", () => {
  const dark = { luma: 5 };

  /** The search of a user whose frames may be requested, with the requests so far. */
  function bench(cleanMs: number | null = null, startMs = 0) {
    let state = openSearch({ cleanMs, nowMs: startMs }, settings);
    const asked: { nowMs: number; codes: boolean }[] = [];
    let nowMs = startMs;
    const send = (event: Untimed<InspectionEvent>) => {
      const step = stepSearch(state, { ...event, nowMs } as InspectionEvent, settings);
      if (step.state.kind === "ended") throw new Error("the search has ended");
      state = step.state;
      for (const { question } of step.effects) asked.push({ nowMs, codes: question.codes });
    };
    const load = { isOverloaded: false, isFailing: false };
    const tick = { type: "tick", isReady: true, jitterMs: 0, ...load } as const;
    return {
      asked,
      send,
      get state() {
        return state;
      },
      get nowMs() {
        return nowMs;
      },
      tick: (isReady = true) => send({ ...tick, isReady }),
      run: (ms: number) => {
        const untilMs = nowMs + ms;
        for (let due = searchDueMs(state); due !== null && due <= untilMs; due = searchDueMs(state)) {
          nowMs = Math.max(nowMs, due);
          send(tick);
        }
        nowMs = untilMs;
      },
      answer: (says: Parameters<typeof verdictOf>[0] = {}) => {
        const last = asked.at(-1);
        if (!last) throw new Error("nothing was asked for");
        send(arrived);
        send(verdictAt(last.nowMs, says));
      },
    };
  }
  const arrived = { type: "arrived", view: "own", isLate: false } as const;
  /** The verdict on the frame that was requested at `askedMs`. */
  const verdictAt = (askedMs: number, says: Parameters<typeof verdictOf>[0] = {}) =>
    ({ type: "verdict", view: "own", pair: askedMs, codes: false, verdict: verdictOf(says, askedMs) }) as const;
  const known = (startsCovered: boolean) =>
    ({
      type: "restrictions",
      restrictions: { isNew: false, isWatched: false, startsCovered, isReceivedOnly: false, hintsAge: true },
    }) as const;
  const wanted = (cleanMs: number | null = null, startMs = 0) => {
    const search = bench(cleanMs, startMs);
    search.send(known(false));
    return search;
  };

  test("[SAFE-80] asks at once, then at the intervals of a call, and looks for codes as usual", () => {
    const search = wanted();
    search.run(0);
    expect(search.asked).toEqual([{ nowMs: 0, codes: true }]);
    for (let turn = 0; turn < 3; turn += 1) {
      search.answer();
      search.run(settings.intervalMs);
    }
    expect(search.asked.map(({ nowMs, codes }) => [nowMs, codes])).toEqual([
      [0, true],
      [10_000, false],
      [20_000, false],
      [30_000, true],
    ]);
    expect(search.state.cleanMs).toBe(20_000);
  });

  test("after a call with a clean look it asks when the next one would have been due", () => {
    const search = wanted(93_000, 100_000);
    search.run(2_999);
    expect([search.asked, search.state.cleanMs]).toEqual([[], 93_000]);
    search.run(1);
    expect(search.asked).toHaveLength(1);
  });

  test("[SAFE-81] asks nobody of whom it is not known that they do not start covered, and drops their look", () => {
    const search = bench(0);
    search.run(60_000);
    expect(search.asked).toEqual([]);
    search.send(known(true));
    search.run(60_000);
    expect([search.asked, search.state.cleanMs, searchDueMs(search.state)]).toEqual([[], null, null]);
  });

  test.each([
    ["a dark one", (search: ReturnType<typeof bench>) => search.answer(dark)],
    ["an unsure one", (search: ReturnType<typeof bench>) => search.answer({ explicit: 0.6 })],
    ["one with a code", (search: ReturnType<typeof bench>) => search.answer({ code: "https://t.me/x" })],
    ["one that is missed", (search: ReturnType<typeof bench>) => search.run(settings.lateMs)],
    [
      "one that cannot be read",
      (search: ReturnType<typeof bench>) => {
        search.send(arrived);
        const askedMs = search.asked.at(-1)?.nowMs ?? 0;
        search.send({ type: "unreadable", view: "own", untilMs: askedMs + settings.lateMs });
      },
    ],
  ])("%s drops what was known, and is asked for again soon, then as often as others", (_, poor) => {
    const search = wanted();
    search.run(0);
    search.answer();
    search.run(settings.intervalMs);
    expect(search.state.cleanMs).toBe(0);
    poor(search);
    expect(search.state.cleanMs).toBeNull();
    const sinceMs = search.nowMs;
    search.run(settings.poorRetryMs);
    expect(search.asked.at(-1)?.nowMs).toBe(sinceMs + settings.poorRetryMs);
    poor(search);
    expect(searchDueMs(search.state)).toBe(search.nowMs + settings.intervalMs);
    search.run(settings.intervalMs);
    search.answer();
    expect(search.state.cleanMs).toBe(search.nowMs);
  });

  test("a verdict that comes after a later picture was missed counts no more", () => {
    const search = wanted();
    search.run(0);
    search.send(arrived);
    search.run(settings.intervalMs + settings.lateMs);
    expect(search.asked).toHaveLength(2);
    search.send(verdictAt(0));
    expect(search.state.cleanMs).toBeNull();
  });

  test("[SAFE-80] an alert of the cheapest model is followed by more looks for a while", () => {
    const search = wanted();
    search.run(0);
    const alarmed = { mobilenet: { drawing: 0, hentai: 0, neutral: 0.5, porn: 0.5, sexy: 0 } };
    search.answer({ scores: alarmed });
    expect([search.state.cleanMs, searchDueMs(search.state)]).toEqual([0, settings.alertMs]);
    search.run(settings.alertMs);
    search.answer();
    expect(searchDueMs(search.state)).toBe(2 * settings.alertMs);
  });

  test.each([
    ["the camera is off", { type: "camera", isOn: false }, { type: "camera", isOn: true }],
    ["the socket is lost", { type: "socket", isConnected: false }, { type: "socket", isConnected: true }],
  ] as const)("asks no user and knows nothing while %s, and asks again afterwards", (_, off, on) => {
    const search = wanted();
    search.run(0);
    search.answer();
    search.run(settings.intervalMs);
    const underway = search.asked.at(-1);
    search.send(arrived);
    search.send(off);
    expect([search.state.cleanMs, searchDueMs(search.state)]).toEqual([null, null]);
    search.run(60_000);
    expect(search.asked).toHaveLength(2);
    search.send(on);
    search.run(0);
    expect(search.asked).toHaveLength(3);
    // A frame requested before the change does not prove what the camera shows now.
    expect(underway?.nowMs).toBe(10_000);
    search.send(verdictAt(10_000));
    expect(search.state.cleanMs).toBeNull();
    search.answer();
    expect(search.state.cleanMs).toBe(search.nowMs);
  });

  test("a camera that is switched all the time is asked for once a second at most", () => {
    const search = wanted();
    search.run(0);
    for (let times = 0; times < 50; times += 1) {
      search.run(100);
      search.send({ type: "camera", isOn: false });
      search.send({ type: "camera", isOn: true });
    }
    expect(search.asked.length).toBeLessThanOrEqual(6);
  });

  test("[SAFE-80] nothing is asked for while nothing can judge, and less where there is too much to do", () => {
    const search = wanted();
    search.tick(false);
    expect(search.asked).toEqual([]);
    search.run(settings.intervalMs);
    expect(search.asked).toHaveLength(1);
    search.send(arrived);
    search.send({ type: "unjudged", view: "own" });
    expect(searchDueMs(search.state)).toBe(search.nowMs + settings.busyMs);
  });
});

describe("searching", () => {
  let world: InspectionWorld;
  beforeEach(async () => {
    world = new InspectionWorld();
    for (const userId of [ana, bo, cem]) await world.arrive(userId);
    world.keepApart(ana, bo);
  });
  afterEach(async () => {
    await world[Symbol.asyncDispose]();
  });

  let strangers = 10n;
  /** A user who has had no call yet. */
  const stranger = async () => {
    strangers += 1n;
    await world.arrive(strangers);
    return strangers;
  };
  const calm = () => [
    world.moderation.opened,
    world.moderation.noted,
    world.moderation.suspended,
    world.moderation.muted,
    world.moderation.passed,
    world.inspection.figures.memoryBytes,
  ];
  const nothingFollowed = [[], [], [], [], [], 0];

  test("[SAFE-80] asks a user who knows of the inspection at once for an own frame, without a room, behind all others", async () => {
    await world.search(ana);
    expect(world.tickets(ana)).toEqual([
      { type: "inspect", roomId: "", ticket: expect.any(String) as string, view: "own", dueInMs: 0 },
    ]);
    await world.pass(30_000);
    expect(world.tickets(ana)).toEqual([]);
    expect(world.frames.questions.length).toBeGreaterThanOrEqual(2);
    expect(world.frames.questions.every(({ depth, priority }) => depth === "cascade" && priority === 2)).toBe(true);
    expect(world.inspection.figures).toMatchObject({ judged: 0, searchJudged: world.frames.questions.length });
    expect(calm()).toEqual(nothingFollowed);
  });

  test("[SAFE-80] a page that did not say so is never asked, and a renewed search can say so later", async () => {
    await world.search(ana, { checks: false });
    world.clock.advance(60_000);
    await world.settled();
    expect(world.tickets(ana)).toEqual([]);
    await world.search(ana, { refresh: true });
    expect(world.tickets(ana)).toHaveLength(1);
    await world.search(ana, { checks: false, refresh: true });
    world.clock.advance(60_000);
    expect(world.tickets(ana)).toEqual([]);
  });

  test("[SAFE-81] does not ask a user who starts covered, or whose restrictions are unknown", async () => {
    world.restrictions.set(ana, { startsCovered: true });
    await world.search(ana);
    world.moderation.restrictionsOf = async () => Promise.reject(new Error("no database"));
    await world.search(bo);
    world.clock.advance(60_000);
    await world.settled();
    expect([world.tickets(ana), world.tickets(bo)]).toEqual([[], []]);
  });

  test("[SAFE-82] a clean look of the last 15 s opens the picture clear, in the turn of the match; the other's stays covered", async () => {
    await world.search(ana);
    await world.search(bo, { checks: false });
    await world.answer(ana);
    world.clock.advance(1_000);
    await world.meet(ana, bo);
    expect([world.shields(ana), world.shields(bo)]).toEqual([["checking/clear"], ["clear/checking"]]);
    expect(world.inspection.figures).toMatchObject({ openedClear: 1, openedCovered: 1 });
  });

  test("[SAFE-82] begins covered for a user who starts covered by the time of the match", async () => {
    await world.search(ana);
    await world.search(bo);
    for (const userId of [ana, bo]) await world.answer(userId);
    world.restrictions.set(ana, { startsCovered: true });
    await world.meet(ana, bo);
    expect(world.shields(bo).at(-1)).toBe("checking/clear");
    expect(world.tickets(ana)).toMatchObject([{ view: "own", dueInMs: 0 }]);
  });

  test("[SAFE-82] begins covered for a user who was flagged since the last look, if the other's start makes the match", async () => {
    await world.search(ana);
    await world.answer(ana);
    world.restrictions.set(ana, { startsCovered: true });
    world.blocked.clear();
    await world.search(bo, { checks: false });
    expect(world.shields(bo).at(-1)).toBe("checking/checking");
  });

  test("the meter counts from the beginning where a picture opens clear", async () => {
    const told: string[] = [];
    world.consumers.push({
      onRoomEvent: (event) => {
        if (event.kind === "hidden" || event.kind === "shown") told.push(`${event.side} ${event.kind}`);
      },
    });
    await world.search(ana);
    await world.search(bo, { checks: false });
    await world.answer(ana);
    await world.meet(ana, bo);
    const side = world.calls.current(ana)?.match.media.role === "offerer" ? "answerer" : "offerer";
    expect(told).toEqual([`${side} hidden`]);
  });

  test("[SAFE-82] two who meet again open clear as well", async () => {
    world.rematchRequests.add("1 2").add("2 1");
    world.blocked.clear();
    await world.search(ana, { withUserId: bo });
    await world.answer(ana);
    await world.search(bo, { withUserId: ana });
    expect(world.calls.current(ana)).not.toBeNull();
    expect(world.shields(bo).at(-1)).toBe("clear/checking");
  });

  test("both ends are asked for the first look of the call within 3 s, at moments that nobody can know", async () => {
    const moments = new Set<number>();
    for (let times = 0; times < 12; times += 1) {
      const one = BigInt(100 + 2 * times);
      await world.inClearCall(one, one + 1n);
      const matchedMs = world.clock.monotonicMs();
      for (const userId of [one, one + 1n]) world.tickets(userId);
      const asked: string[] = [];
      for (let passedMs = 0; passedMs <= 3_000; passedMs += 10) {
        for (const userId of [one, one + 1n]) {
          for (const { view, dueInMs } of world.tickets(userId)) {
            asked.push(`${userId} ${view}`);
            const takenMs = world.clock.monotonicMs() + dueInMs - matchedMs;
            if (view === "own") moments.add(takenMs);
            expect(takenMs).toBeGreaterThanOrEqual(settings.firstLookMsMin);
            expect(takenMs).toBeLessThanOrEqual(3_010);
          }
        }
        world.clock.advance(10);
      }
      const people = [`${one}`, `${one + 1n}`];
      expect(asked.toSorted()).toEqual(people.flatMap((each) => [`${each} own`, `${each} received`]).toSorted());
    }
    expect(moments.size).toBeGreaterThan(15);
  });

  test.each([
    ["explicit", { explicit: 0.95 }],
    ["dark", { luma: 3 }],
    ["a code", { code: "https://t.me/x" }],
  ])("a picture that is %s leads to nothing but a covered picture", async (_, says) => {
    await world.search(ana);
    await world.search(bo);
    await world.pass(60_000, new Map([[ana, says]]));
    await world.inspection.settled();
    expect(calm()).toEqual(nothingFollowed);
    await world.meet(ana, bo);
    expect(world.shields(bo).at(-1)).toBe("checking/clear");
    const ofRoom = world.tickets(ana).filter(({ roomId }) => roomId !== "");
    expect(ofRoom).toMatchObject([{ view: "own", dueInMs: 0 }]);
    const { items } = world.inspection.of({ subjectId: ana, otherId: bo, callId: null }, () => {});
    expect(items).toEqual([]);
  });

  test("a camera that was switched off meanwhile opens nothing clear", async () => {
    await world.search(ana);
    await world.search(bo);
    for (const userId of [ana, bo]) await world.answer(userId);
    world.inspection.search.searchMedia(ana, "camera_off");
    world.inspection.search.searchMedia(bo, "away");
    await world.meet(ana, bo);
    expect(world.shields(ana)).toEqual(["checking/checking"]);
  });

  test("requests no frame while the page is hidden or the camera is off", async () => {
    await world.search(ana);
    await world.answer(ana);
    const { search } = world.inspection;
    for (const state of ["camera_off", "away", "camera_on"] as const) search.searchMedia(ana, state);
    world.clock.advance(60_000);
    expect(world.tickets(ana)).toEqual([]);
    search.searchMedia(ana, "back");
    world.clock.advance(0);
    expect(world.tickets(ana)).toHaveLength(1);
  });

  test("rejects a frame that was requested before the camera was switched off", async () => {
    await world.search(ana);
    const [ticket] = world.tickets(ana);
    world.inspection.search.searchMedia(ana, "camera_off");
    await expect(world.upload(ana, ticket!, pictureThat())).rejects.toMatchObject({ data: { field: "ticket" } });
  });

  test("a camera that was switched between two searches opens nothing clear", async () => {
    await world.search(ana);
    await world.answer(ana);
    await world.search(bo);
    world.matches.stop(ana);
    for (const state of ["camera_off", "camera_on"] as const) world.inspection.search.searchMedia(ana, state);
    world.blocked.clear();
    await world.search(ana);
    expect(world.shields(bo).at(-1)).toBe("checking/checking");
  });

  test("inspects a user again whose socket was lost and is back", async () => {
    await world.search(ana);
    await world.search(bo);
    for (const userId of [ana, bo]) await world.answer(userId);
    world.bus.close(ana, 1006);
    world.bus.resume(ana);
    await world.meet(ana, bo);
    expect(world.shields(bo).at(-1)).toBe("checking/clear");
  });

  test("begins without a look after a reload of the page", async () => {
    await world.search(ana);
    await world.answer(ana);
    world.bus.close(ana, socketCloseCodes.pageGone);
    world.bus.arrive(ana);
    await world.search(ana);
    await world.search(bo);
    await world.answer(bo);
    await world.meet(ana, bo);
    expect(world.shields(bo).at(-1)).toBe("checking/clear");
  });

  test("nothing of a search is left when everything ends", async () => {
    for (const userId of [ana, bo, cem]) await world.search(userId);
    await world.answer(ana);
    await world[Symbol.asyncDispose]();
    expect([world.inspection.search.size, world.clock.pendingCount]).toEqual([0, 0]);
  });

  test("a search that is over asks no more, and takes nothing more", async () => {
    await world.search(ana);
    const [ticket] = world.tickets(ana);
    world.matches.stop(ana);
    world.clock.advance(60_000);
    expect(world.tickets(ana)).toEqual([]);
    await expect(world.upload(ana, ticket!, pictureThat())).rejects.toMatchObject({ data: { reason: "not_in_room" } });
    expect(world.frames.questions).toEqual([]);
  });

  test("the last clean look of a call opens the next one clear, for 15 s after it was asked for", async () => {
    await world.inClearCall(ana, bo);
    await world.pass(4_000);
    await world.search(cem);
    await world.answer(cem);
    await world.search(ana);
    expect(world.shields(cem).at(-1)).toBe("clear/clear");
    // The frame of the earlier search is used up, so a frame of the call must have counted.
    expect(world.inspection.figures.openedClear).toBe(4);
    world.matches.stop(ana);
    world.clock.advance(settings.freshMs + 1);
    await world.search(ana);
    await world.search(bo);
    expect(world.calls.current(ana)).not.toBeNull();
    expect(world.shields(bo).at(-1)).toBe("checking/checking");
  });

  test("what was hidden at the end of a call, or came from a page that is gone, opens nothing", async () => {
    await world.inClearCall(ana, bo);
    await world.pass(4_000);
    await world.pass(14_000, new Map([[ana, { explicit: 0.7 }]]));
    expect(world.shields(bo).at(-1)).toBe("hidden/clear");
    const second = await stranger();
    await world.search(ana);
    await world.search(second);
    expect(world.shields(second).at(-1)).toBe("checking/checking");
    world.playing(ana, second);
    await world.pass(4_000);
    expect(world.shields(second).at(-1)).toBe("clear/clear");
    // Ana's page disconnects, and the partner leaves before it is back.
    world.bus.close(ana, socketCloseCodes.pageGone);
    world.matches.stop(second);
    world.bus.arrive(ana);
    const third = await stranger();
    await world.search(ana);
    await world.search(third);
    expect(world.shields(third).at(-1)).toBe("checking/checking");
  });

  const dark: Partial<FrameVerdict> = { luma: 3 };
  test.each<[string, () => Promise<void>]>([
    [
      "was dark, which a call bears,",
      async () => {
        await world.pass(4_000);
        await world.pass(14_000, new Map([[ana, dark]]));
      },
    ],
    [
      "was clean where the other end received something else",
      async () => {
        for (let passedMs = 0; passedMs < 3_100; passedMs += 10) {
          world.clock.advance(10);
          await world.answer(ana);
          await world.answer(bo, {}, { explicit: 0.95 });
        }
      },
    ],
    [
      "was of a socket that was lost",
      async () => {
        await world.pass(4_000);
        world.bus.close(ana, 1006);
        world.bus.resume(ana);
      },
    ],
  ])("a last look that %s opens nothing", async (_, look) => {
    await world.inClearCall(ana, bo);
    await look();
    const second = await stranger();
    await world.search(second, { checks: false });
    world.matches.stop(bo);
    await world.search(ana);
    expect(world.shields(second).at(-1)).toBe("checking/checking");
  });

  test("where others wait already, the third call is covered before it is known who the person is", async () => {
    const others = [await stranger(), await stranger(), await stranger()];
    for (const [index, one] of others.entries()) {
      for (const other of others.slice(index + 1)) world.keepApart(one, other);
    }
    for (const other of others) {
      world.keepApart(ana, other);
      await world.search(other, { checks: false });
    }
    await world.search(ana);
    await world.answer(ana);
    world.moderation.restrictionsOf = () => new Promise(() => {});
    const shown: string[] = [];
    for (const other of others) {
      world.blocked.delete(`${ana} ${other}`);
      await world.search(ana, { refresh: shown.length === 0 });
      shown.push(...world.shields(other));
      world.clock.advance(nextGuardMs);
    }
    expect(shown).toEqual(["clear/checking", "clear/checking", "checking/checking"]);
  });

  test("after two calls that opened clear and ended before a look the next is covered, until one has passed", async () => {
    const meets = async (look: (other: bigint) => Promise<void> = async () => {}) => {
      const other = await stranger();
      if (world.matches.info(ana).status === 0) await world.search(ana);
      await world.search(other, { checks: false });
      await look(other);
      const shown = world.shields(other).at(-1)?.split("/")[0];
      world.matches.stop(other);
      return shown;
    };
    await world.search(ana);
    await world.answer(ana);
    expect([await meets(), await meets(), await meets()]).toEqual(["clear", "clear", "checking"]);
    // A new page does not help. The server requests no frames from Ana, because they would be useless.
    world.tickets(ana);
    world.bus.arrive(ana);
    await world.search(ana);
    expect(world.tickets(ana)).toEqual([]);
    expect(await meets(async () => world.answer(ana))).toBe("clear");
    expect(await meets()).toBe("clear");
  });

  test("a call in which a picture passed is told once, of those who start covered", async () => {
    world.restrictions.set(ana, { startsCovered: true });
    world.restrictions.set(bo, {});
    world.blocked.clear();
    await world.inCall(ana, bo);
    await world.pass(60_000);
    await world.inspection.settled();
    expect(world.moderation.passed).toEqual([ana]);
  });

  test("[SAFE-80] a classifier with too much to do asks less, and what is known stays until it is old", async () => {
    await world.search(ana);
    await world.answer(ana);
    world.frames.before = async () => {
      throw new ClassifierBusyError();
    };
    await world.pass(60_000);
    expect(world.frames.questions.length).toBeLessThanOrEqual(5);
    expect(calm()).toEqual(nothingFollowed);
  });

  test("switched off on purpose, nobody who searches is asked", async () => {
    await using off = new InspectionWorld({ isOff: true });
    await off.arrive(ana);
    await off.search(ana);
    off.clock.advance(60_000);
    expect(off.tickets(ana)).toEqual([]);
  });
});
