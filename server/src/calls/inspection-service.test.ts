import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import { ClassifierBusyError } from "#ports/frame-classifier.ts";
import type { EvidenceItem } from "#ports/moderation.ts";
import { pictureThat } from "#test/fakes/scripted-frames.ts";
import { type Inspect, InspectionWorld } from "#test/fixtures/inspection-world.ts";
import { troubledSite } from "#test/fixtures/peer-sites.ts";

const [ana, bo, cem, dia] = [1n, 2n, 3n, 4n];
const explicit = new Map([[ana, { explicit: 0.95 }]]);

let world: InspectionWorld;
let room: string;
beforeEach(async () => {
  world = new InspectionWorld();
  room = await world.inCall(ana, bo);
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

test("ends that differ are told with who sent the other view", async () => {
  for (const userId of [ana, bo]) await world.answer(userId);
  for (let passedMs = 0; passedMs < 240_000 && world.moderation.viewed.length === 0; passedMs += 500) {
    world.clock.advance(500);
    await world.settled();
    await world.answer(ana, { phash: "ffffffffffffffff" }, { phash: "ffffffffffffffff" });
    await world.answer(bo, { phash: "ffffffffffffffff" }, { phash: "0000000000000000" });
  }
  expect(world.moderation.viewed).toMatchObject([
    { subjectId: ana, senderId: bo, rule: "views_differ", reasonId: 11, callId: room },
  ]);
});

describe("the shield", () => {
  test("[SAFE-10] both are hidden from each other until a picture of each is judged", async () => {
    expect([world.shields(ana), world.shields(bo)]).toEqual([["checking/checking"], ["checking/checking"]]);
    await world.answer(ana);
    expect([world.shields(ana), world.shields(bo)]).toEqual([["checking/clear"], ["clear/checking"]]);
    await world.answer(bo);
    expect([world.shields(ana), world.shields(bo)]).toEqual([["clear/clear"], ["clear/clear"]]);
  });

  test("[SAFE-10] the room is known to both before anything is asked of them", async () => {
    const order = world.pushes(ana).map((frame) => ("code" in frame ? frame.code : frame.type));
    expect(order.slice(0, 3)).toEqual([100_001, "shield", "inspect"]);
  });

  test("is sent again to a user who comes back, who is asked for a new frame", async () => {
    await world.answer(ana);
    await world.answer(bo);
    world.bus.close(ana, 1006);
    await world.pass(2_000);
    world.shields(ana);
    world.bus.resume(ana);
    world.clock.advance(0);
    expect([world.shields(ana), world.tickets(ana)]).toEqual([
      ["clear/clear"],
      [expect.objectContaining({ roomId: room, view: "own" })],
    ]);
  });

  test("covers a user who comes back with a new page, and is sent again to both after the push", async () => {
    await world.answer(ana);
    await world.answer(bo);
    world.bus.close(ana, socketCloseCodes.pageGone);
    world.bus.arrive(ana);
    for (const userId of [ana, bo]) world.pushes(userId);
    world.calls.join(ana, room);
    const toldOf = (other: string, own: string) => expect.objectContaining({ type: "shield", other, own });
    const again = expect.objectContaining({ code: 100_001 });
    expect(world.pushes(ana).slice(0, 2)).toEqual([again, toldOf("clear", "checking")]);
    expect(world.pushes(bo).slice(0, 2)).toEqual([again, toldOf("checking", "clear")]);
    world.clock.advance(0);
    await world.answer(ana);
    expect(world.shields(bo)).toEqual(["clear/clear"]);
  });

  test("meters stand from the match to the first check, and while a picture is hidden", async () => {
    await world[Symbol.asyncDispose]();
    world = new InspectionWorld();
    const facts: string[] = [];
    world.consumers.push({
      onRoomEvent: (event) => {
        if (event.kind === "hidden" || event.kind === "shown") facts.push(`${event.side} ${event.kind}`);
      },
    });
    await world.inCall(ana, bo);
    expect(facts.splice(0)).toEqual(["offerer hidden", "answerer hidden"]);
    await world.answer(ana);
    await world.answer(bo);
    expect(facts.splice(0)).toEqual(["offerer shown", "answerer shown"]);
    await world.pass(13_000, new Map([[ana, { explicit: 0.7 }]]));
    expect(facts.splice(0)).toEqual(["offerer hidden"]);
    // A switched-off camera is an event of its own for the meters.
    world.shields(ana);
    const token = world.calls.current(bo)?.match.token ?? "";
    const roomId = world.calls.current(bo)?.match.roomId ?? "";
    world.matches.roomMessage(bo, { type: "media", roomId, roomToken: token, state: "camera_off" });
    expect([facts, world.shields(ana)]).toEqual([[], ["checking/warned"]]);
  });

  test("a picture that is paused is not asked for, and stays covered after it is back until one has passed", async () => {
    const say = (state: "picture_paused" | "picture_back" | "away" | "back") => {
      const { token = "" } = world.calls.current(bo)?.match ?? {};
      world.matches.roomMessage(bo, { type: "media", roomId: room, roomToken: token, state });
    };
    for (const userId of [ana, bo]) await world.answer(userId);
    world.shields(ana);
    say("picture_paused");
    expect(world.shields(ana)).toEqual(["checking/clear"]);
    world.tickets(bo);
    // A frame would have been requested by now.
    world.clock.advance(13_000);
    await world.settled();
    expect(world.tickets(bo).filter(({ view }) => view === "own")).toEqual([]);
    // A user who is also away has two reasons to be covered.
    say("away");
    say("picture_back");
    world.clock.advance(0);
    expect(world.tickets(bo).filter(({ view }) => view === "own")).toEqual([]);
    say("back");
    world.clock.advance(0);
    const shown = () => world.shields(ana).filter((told) => told.startsWith("clear/"));
    expect(shown()).toEqual([]);
    await world.answer(bo);
    expect(shown()).toHaveLength(1);
  });

  test("without a classifier, switched off on purpose, everything is shown and nothing asked for", async () => {
    const off = new InspectionWorld({ isOff: true });
    await off.inCall(ana, bo);
    off.clock.advance(120_000);
    expect([off.shields(ana), off.tickets(ana), off.inspection.isChecking()]).toEqual([["clear/clear"], [], true]);
    await off[Symbol.asyncDispose]();
  });
});

describe("what follows", () => {
  test("[SAFE-12] a sure picture ends the call at once, and moderation suspends with the pictures of both", async () => {
    await world.pass(30_000);
    world.pushes(ana);
    world.pushes(bo);
    await world.pass(16_000, explicit);
    expect(world.calls.current(ana)).toBeNull();
    expect(world.pushes(bo)).toContainEqual({ code: 100_002, roomId: room, reason: "cut" });
    expect(world.log.calls.get(room)?.endReason).toBe("violation");
    await world.inspection.settled();
    const [signal] = world.moderation.suspended;
    expect(signal).toMatchObject({
      subjectId: ana,
      rule: "explicit_picture_sure",
      reasonId: 4,
      callId: room,
      judgement: { explicit: 0.95, model: "scripted 1", shadow: false },
    });
    const frames = signal?.evidence.flatMap((item) => (item.kind === "frame" ? [item] : []));
    expect(frames?.filter(({ view }) => view === "own").map(({ facts }) => facts.explicit)).toEqual([0.95, 0.95, 0.95]);
    expect(frames?.some(({ view }) => view === "received")).toBe(true);
  });

  test("[SAFE-12] the call ends also while moderation cannot be reached, which hears of it later", async () => {
    let tries = 0;
    world.moderation.before = async () => {
      tries += 1;
      if (tries < 3) throw new Error("no database");
    };
    while (world.calls.isIn(ana, room)) await world.pass(500, explicit);
    expect(world.moderation.suspended).toEqual([]);
    await world.pass(7_000);
    expect(world.moderation.suspended).toHaveLength(1);
  });

  test("in shadow mode the call goes on, hidden, and a moderator sees the case", async () => {
    await world[Symbol.asyncDispose]();
    world = new InspectionWorld({ settings: { isShadow: true } });
    await world.inCall(ana, bo);
    await world.pass(20_000, explicit);
    expect(world.shields(bo).at(-1)).toBe("hidden/clear");
    expect(world.moderation.opened).toMatchObject([
      { rule: "explicit_picture_sure", judgement: { shadow: true }, subjectId: ana },
    ]);
    expect(world.moderation.suspended).toEqual([]);
  });

  test("[SAFE-16] who sends no pictures is told, and the call ends without a strike", async () => {
    world.tickets(bo);
    world.back.set(ana, 800n).set(bo, 614n);
    for (let second = 0; second < 45; second += 1) {
      expect(world.calls.isIn(bo, room)).toBe(true);
      world.clock.advance(1_000);
      await world.settled();
      await world.answer(ana);
    }
    expect([world.missing, world.log.calls.get(room)?.endReason]).toEqual([[bo], "unchecked"]);
    expect(world.shields(bo).slice(-2)).toEqual(["clear/missing(weak)", "clear/missing(weak) own ends in 10000"]);
    expect(world.shields(ana).slice(-2)).toEqual(["hidden(weak)/clear", "hidden(weak)/clear other ends in 10000"]);
    const told = { code: 100_006, roomId: room, type: 2, is_enough: 1, why: "unchecked", meter: null };
    const about = { cause: "none" } as const;
    expect(world.pushes(bo)).toContainEqual({ ...told, unchecked: { ...about, whose: "own", returned: 614 } });
    const cut = { code: 100_002, roomId: room, reason: "cut" };
    expect(world.pushes(ana)).toContainEqual({ ...cut, unchecked: { ...about, whose: "other", returned: 800 } });
    expect(world.moderation.noted).toMatchObject([{ userId: bo, rule: "missing_frames", dryRun: true }]);
    expect([world.moderation.suspended, world.moderation.opened]).toEqual([[], []]);
    expect(world.inspection.figures.endedUnchecked).toMatchObject({ late: 0, none: 1, black: 0, covered: 0, ours: 0 });
    const counts = { looked: 0, late: 0, busy: 0, unreadable: 0, overtaken: 0 };
    expect(world.logged).toMatchObject([
      {
        msg: "ended a call because no frame of a user could be checked",
        callId: room,
        userId: String(bo),
        cause: "none",
        asked: 7,
        ...counts,
      },
    ]);
  });

  test("[SAFE-500] takes the countdown back from both where a frame arrives, and shows the picture", async () => {
    await world.answer(ana);
    world.tickets(bo);
    for (let second = 0; second < 44; second += 1) {
      world.clock.advance(1_000);
      await world.settled();
      await world.answer(ana);
    }
    for (const userId of [ana, bo]) expect(world.shields(userId).at(-1)).toContain("ends in");
    const newest = world.tickets(bo).findLast(({ view }) => view === "own");
    if (newest) await world.upload(bo, newest, pictureThat());
    // The page withdraws the notice when the frame arrives, before the verdict.
    expect(world.shields(ana)).toEqual(["hidden(weak)/clear", "clear/clear"]);
    expect(world.shields(bo)).toEqual(["clear/missing(weak)", "clear/clear"]);
    world.clock.advance(30_000);
    expect(world.calls.isIn(bo, room)).toBe(true);
  });

  test("[SAFE-500] a page whose frames all arrive too late is told so little, and its call never ends", async () => {
    await world.answer(ana);
    const late: { dueMs: number; ticket: Inspect }[] = [];
    for (let second = 0; second < 300; second += 1) {
      world.clock.advance(1_000);
      await world.settled();
      await world.answer(ana);
      for (const ticket of world.tickets(bo)) late.push({ dueMs: world.clock.monotonicMs() + 16_000, ticket });
      for (const { ticket } of late.filter(({ dueMs }) => dueMs <= world.clock.monotonicMs()).slice(0, 1)) {
        late.shift();
        await world.upload(bo, ticket, pictureThat()).catch(() => undefined);
      }
    }
    expect(world.calls.isIn(bo, room)).toBe(true);
    expect(world.shields(bo).at(-1)).toBe("clear/missing(weak)");
    expect(world.inspection.figures.unjudged.late).toBeGreaterThan(10);
  });

  test("the third code of a day mutes the chat for an hour, and a moderator sees it", async () => {
    const code = new Map([[ana, { code: "https://t.me/x" }]]);
    for (let times = 1; times <= 3; times += 1) {
      await world.pass(45_000, code);
      await world.pass(45_000);
      await world.inspection.settled();
      expect(world.moderation.noted).toHaveLength(times);
      expect(world.moderation.muted).toHaveLength(times < 3 ? 0 : 1);
    }
    expect(world.moderation.muted).toMatchObject([{ userId: ana, rule: "code_in_picture" }]);
    expect(world.moderation.opened).toMatchObject([{ subjectId: ana, rule: "code_in_picture", reasonId: 6 }]);
  });

  test("[SAFE-21] covers both while nothing can judge, and refuses and ends nothing", async () => {
    await world.pass(15_000);
    world.frames.isUp = false;
    expect(world.inspection.isChecking()).toBe(false);
    await world.pass(120_000);
    expect(world.calls.isIn(ana, room)).toBe(true);
    expect(world.shields(bo).at(-1)).toBe("hidden(busy)/missing(busy)");
    world.restrictions.set(cem, { isNew: true });
    await world.inCall(cem, dia);
    expect(world.shields(dia).at(-1)).toBe("checking(busy)/checking(busy)");
    world.frames.isUp = true;
    await world.pass(10_000);
    expect([world.shields(bo).at(-1), world.shields(dia).at(-1)]).toEqual(["clear/clear", "clear/clear"]);
  });

  test("[SAFE-500] keeps the call of a user whose frames do not come while the message bus is away", async () => {
    const [peers] = troubledSite("one", "other");
    await using site = new InspectionWorld({ peers });
    const roomId = await site.inCall(ana, bo);
    Object.assign(peers, { isAway: true });
    for (let passedMs = 0; passedMs < 120_000; passedMs += 500) {
      site.clock.advance(500);
      await site.settled();
      await site.answer(bo);
    }
    expect(site.calls.isIn(ana, roomId)).toBe(true);
  });

  test("a classifier with too much to do is no fault of the person", async () => {
    await world.pass(15_000);
    world.frames.before = async () => {
      throw new ClassifierBusyError();
    };
    await world.pass(120_000);
    expect(world.calls.isIn(ana, room)).toBe(true);
    expect(world.inspection.figures.busy).toBeGreaterThan(5);
    expect(world.inspection.figures.busy).toBeLessThan(20);
  });

  test("who is new or watched is known before the first picture, and in the middle of a call", async () => {
    world.restrictions.set(cem, { isNew: true });
    await world.inCall(cem, dia);
    await world.answer(cem);
    await world.answer(dia);
    expect(world.frames.questions.map(({ depth, priority }) => [depth, priority])).toEqual([
      ["all", 1],
      ["cascade", 2],
    ]);
    world.restrictions.set(cem, { isWatched: true });
    await world.pass(60_000);
    expect(world.frames.questions.some(({ priority }) => priority === 0)).toBe(true);
  });
});

describe("evidence", () => {
  const isOwn = (item: EvidenceItem) => item.kind === "frame" && item.view === "own";

  test("[SAFE-26] keeps the last three pictures of a person and the chat until two minutes after the end", async () => {
    await world.pass(60_000);
    const token = world.calls.current(bo)?.match.token ?? "";
    world.matches.roomMessage(bo, { type: "chat", roomId: room, roomToken: token, clientId: "1", text: "hello" });
    world.matches.stop(ana);
    const about = { subjectId: ana, otherId: bo };
    const { callId, items } = world.inspection.of({ ...about, callId: null }, () => {});
    expect([callId, items.filter(isOwn).length]).toEqual([room, 3]);
    expect(items.at(-1)).toMatchObject({ kind: "lines", lines: [{ from: "other", text: "hello" }] });
    expect(world.inspection.of({ subjectId: ana, otherId: cem, callId: room }, () => {}).items).toEqual([]);
    world.clock.advance(119_999);
    expect(world.inspection.of({ ...about, callId: room }, () => {}).items.length).toBeGreaterThan(0);
    world.clock.advance(1);
    expect(world.inspection.of({ ...about, callId: room }, () => {}).items).toEqual([]);
    expect(world.inspection.figures.memoryBytes).toBe(0);
  });

  test("[SAFE-26] the memory of all rooms has a bound", async () => {
    await world[Symbol.asyncDispose]();
    const one = pictureThat().length;
    world = new InspectionWorld({ memoryBytesMax: 3 * one });
    await world.inCall(ana, bo);
    await world.pass(120_000);
    expect(world.inspection.figures.memoryBytes).toBeLessThanOrEqual(3 * one);
    const { items } = world.inspection.of({ subjectId: ana, otherId: bo, callId: null }, () => {});
    expect(items.length).toBeLessThanOrEqual(3);
  });

  test("a report during the call brings one more picture of each end", async () => {
    await world.answer(ana);
    await world.answer(bo);
    const late: EvidenceItem[] = [];
    world.inspection.of({ subjectId: ana, otherId: bo, callId: room }, (items) => late.push(...items));
    await world.pass(1_000);
    expect(late).toHaveLength(2);
    expect(new Set(late.map((item) => item.kind === "frame" && item.view))).toEqual(new Set(["own", "received"]));
    await world.pass(60_000);
    expect(late).toHaveLength(2);
  });
});

test("[SAFE-600] offers own frames of calls that no model flags to the audit", async () => {
  await world.answer(ana, { explicit: 0.1, openNsfw: 0.7 });
  expect(world.offered).toMatchObject([{ subjectId: ana, callId: room, frame: { view: "own" } }]);
  for (const flagged of [{ explicit: 0.7 }, { openNsfw: 0.9 }, { luma: 5 }, { code: "a link" }]) {
    await using other = new InspectionWorld();
    await other.inCall(ana, bo);
    await other.answer(ana, flagged);
    expect(other.offered).toEqual([]);
  }
});
