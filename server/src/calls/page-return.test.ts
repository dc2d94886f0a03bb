import { beforeEach, describe, expect, test } from "vitest";
import { callReturnsMax, reconnectGiveUpMs, returnGenerationStep } from "@fava/wire/limits.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import { matchedFor } from "#test/fixtures/matched.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";

const [ana, bo] = [1n, 2n];
const away = { type: "peer-media", state: "lost" };

let world: MatchWorld;
let room: string;
beforeEach(async () => {
  world = new MatchWorld();
  for (const userId of [ana, bo]) await world.arrive(userId);
  ({ id: room } = await world.live(ana, bo));
});

/** Connects a new page of Ana that learns of the call only from the server. */
function comeBack(): void {
  world.bus.arrive(ana);
  world.calls.join(ana, room);
}

test.each([
  ["is closed or reloaded", () => world.bus.close(ana, socketCloseCodes.pageGone)],
  ["goes without a word of ours", () => world.bus.close(ana, 1001)],
  ["is replaced by another one", () => world.bus.arrive(ana)],
  [
    "crashes, and another one comes",
    () => {
      world.bus.close(ana, 1006);
      world.bus.arrive(ana);
    },
  ],
])("waits twelve seconds for a page that %s, then counts it as left", (_, go) => {
  go();
  expect(world.took(bo)).toEqual([{ ...away, roomId: room }]);
  world.clock.advance(reconnectGiveUpMs - 1);
  expect(world.matches.info(ana)).toMatchObject({ status: 3, match: { roomId: room }, return_ms: 1 });
  expect(world.matches.info(bo)).toMatchObject({ status: 3, return_ms: null });
  world.clock.advance(1);
  expect(world.took(bo)).toEqual([{ code: 100_002, roomId: room, reason: "left" }]);
  expect(world.matches.info(ana)).toMatchObject({ status: 0, return_ms: null });
  expect(world.took(ana)).toEqual([]);
  expect(world.log.calls.get(room)?.endReason).toBe("left");
});

test("returns a user to the same room with the same token, and both begin a new connection", () => {
  const before = world.calls.current(bo)?.match;
  world.clock.advance(30_000);
  world.bus.close(ana, socketCloseCodes.pageGone);
  world.took(bo);
  comeBack();
  const returned = { generation: returnGenerationStep, live_ms: 30_000 };
  const [toAna, toBo] = [world.took(ana), world.took(bo)];
  expect(toAna).toMatchObject([{ code: 100_001, roomId: room, user_Id: 2, media: { peerOffer: null }, returned }]);
  expect(toBo).toEqual([{ ...before, media: { ...before?.media, peerOffer: null }, returned }]);
  expect(world.matches.info(ana)).toMatchObject({ status: 3, return_ms: null });
  expect(world.log.kindsOf(room).slice(-3)).toEqual(["lost", "stalled", "returned"]);
  world.calls.roomMessage(bo, {
    type: "signal",
    roomId: room,
    roomToken: before?.token ?? "",
    signal: { type: "answer", generation: returnGenerationStep, sdp: "v=0" },
  });
  expect(world.took(ana)).toMatchObject([{ type: "signal", signal: { generation: returnGenerationStep } }]);
});

test("rejects a line while no page would show it, and accepts it again once one is back", () => {
  const { token = "" } = world.calls.current(bo)?.match ?? {};
  const say = () =>
    world.calls.roomMessage(bo, { type: "chat", roomId: room, roomToken: token, clientId: "c1", text: "still there?" });
  world.bus.close(ana, socketCloseCodes.pageGone);
  world.bus.arrive(ana);
  world.took(bo);
  say();
  expect([world.took(ana), world.took(bo)]).toMatchObject([[], [{ type: "error", reason: "refused", clientId: "c1" }]]);
  world.calls.join(ana, room);
  world.took(ana);
  world.took(bo);
  say();
  expect([world.took(ana), world.took(bo)]).toMatchObject([[{ text: "still there?" }], [{ type: "chat-stored" }]]);
});

test("keeps lines for a user whose page has not come to the call's new server, in order and up to twenty", () => {
  world.matches.stop(ana);
  const pair = { offerer: matchedFor(ana, 0), answerer: matchedFor(bo, 0), preparedOffer: null };
  world.calls.adopt({ id: "r1", epoch: 2, liveMs: 30_000, pair });
  world.calls.join(bo, "r1");
  const { token: roomToken = "" } = world.calls.current(bo)?.match ?? {};
  const say = (line: number) =>
    world.calls.roomMessage(bo, {
      type: "chat",
      roomId: "r1",
      roomToken,
      clientId: `c${line}`,
      text: `line ${"abcdefghijklmnopqrstuvwxyz".charAt(line)}`,
    });
  for (const userId of [ana, bo]) world.took(userId);
  for (let line = 0; line <= 20; line += 1) {
    say(line);
    world.clock.advance(400);
  }
  expect(world.took(ana)).toEqual([]);
  const answers = [...Array<string>(20).fill("chat-stored"), "error"];
  expect(world.took(bo)).toMatchObject(answers.map((type) => ({ type })));
  world.calls.stayed(ana, "r1");
  say(21);
  const lines = world.took(ana).flatMap((told) => ("clientId" in told ? [told.clientId] : []));
  expect(lines).toEqual([...Array(20).keys(), 21].map((line) => `c${line}`));
});

test("treats a repeated join as one return, and rejects one without a chat session", () => {
  world.bus.close(ana, socketCloseCodes.pageGone);
  expect(() => world.calls.join(ana, room)).toThrow(expect.objectContaining({ data: { reason: "no_socket" } }));
  comeBack();
  world.took(bo);
  world.calls.join(ana, room);
  expect(world.took(bo)).toEqual([]);
});

test("begins each return above the offers of the one before, and rejects a fourth", () => {
  for (let times = 1; times <= callReturnsMax; times += 1) {
    comeBack();
    expect(world.takeMatch(bo).returned?.generation).toBe(times * returnGenerationStep);
  }
  world.bus.close(ana, socketCloseCodes.pageGone);
  expect(world.took(bo)).toContainEqual({ code: 100_002, roomId: room, reason: "left" });
});

describe("offers no return", () => {
  test.each([
    ["the other pressed Next", () => world.matches.start({ userId: bo, ...search })],
    ["the user starts a new search", () => world.matches.start({ userId: ana, ...search })],
    ["the person says no", async () => world.matches.stop(ana)],
    ["the other blocks", async () => world.matches.part(bo, ana)],
    ["the person is banned", async () => world.bus.disconnect(ana, socketCloseCodes.banned)],
  ])("once %s", async (_, act) => {
    world.bus.close(ana, socketCloseCodes.pageGone);
    world.bus.arrive(ana);
    await act();
    expect(world.calls.roomCount).toBe(0);
    expect(() => world.calls.join(ana, room)).toThrow(expect.objectContaining({ data: { reason: "not_in_room" } }));
  });

  test.each([
    ["stop", async () => world.matches.stop(ana)],
    ["next", () => world.matches.start({ userId: ana, ...search })],
    ["a block", async () => world.matches.part(ana, bo)],
  ])("after %s, even by a page that goes in the same moment", async (_, act) => {
    await act();
    world.bus.close(ana, socketCloseCodes.pageGone);
    world.bus.arrive(ana);
    expect(world.matches.info(ana)).toMatchObject({ status: 0, return_ms: null });
  });
});

const search = { language: "en", filters: { sex: 0, country: 0 }, offer: null, refresh: false } as const;

test("does not wait in a match that was never live", async () => {
  world.matches.stop(ana);
  world.clock.advance(1_000_000);
  const { id } = await world.matched(bo, ana);
  world.took(bo);
  world.bus.close(ana, socketCloseCodes.pageGone);
  expect(world.took(bo)).toEqual([{ code: 100_002, roomId: id, reason: "left" }]);
});
