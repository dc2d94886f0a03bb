import { expect, test } from "vitest";
import type { RoomMessage } from "#ports/hub-listener.ts";
import { NoOwnerError } from "#ports/peers.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";
import { MovedCalls } from "./moved-calls.ts";

const [ana, bo] = [1n, 2n];
const line: RoomMessage = { type: "chat", roomId: "r", roomToken: "t", clientId: "1", text: "hello" };

test("forwards messages of a call that another server has taken, for a minute, and of no other call", async () => {
  const asked: unknown[] = [];
  const clock = new TestClock();
  let isThere = true;
  const ask = async (...question: unknown[]) => {
    asked.push(question);
    if (!isThere) throw new NoOwnerError("gone");
    return null as never;
  };
  using moved = new MovedCalls({ peers: { ask: ask as never }, clock });
  let refused = 0;
  const forward = (message = line) => moved.forward(ana, message, () => (refused += 1));
  expect(forward()).toBe(false);
  moved.taken("r", "other");
  expect([forward(), forward({ ...line, roomId: "another" })]).toEqual([true, false]);
  expect(asked).toEqual([["roomMessage", "process:other", { userId: ana, message: line }]]);
  isThere = false;
  expect(forward()).toBe(true);
  await expect.poll(() => refused).toBe(1);
  clock.advance(60_000);
  expect(forward()).toBe(false);
});

test("keeps a room's messages at the server that has the room", async () => {
  const forwarded: unknown[] = [];
  const taken: unknown[] = [];
  await using world = new MatchWorld({
    moved: {
      taken: (roomId, server) => void taken.push([roomId, server]),
      forward: (userId, { roomId }) => forwarded.push([userId, roomId]) > 0,
    },
  });
  for (const userId of [ana, bo]) await world.arrive(userId);
  const { id, tokens } = await world.live(ana, bo);
  const say = () => {
    const roomToken = tokens.get(ana) ?? "";
    world.calls.roomMessage(ana, { type: "chat", roomId: id, roomToken, clientId: "1", text: "hello" });
  };
  say();
  expect(forwarded).toEqual([]);
  world.calls.takenOver(ana, id, { server: "other", epoch: 2 });
  world.took(ana);
  say();
  expect([taken, forwarded, world.took(ana)]).toEqual([[[id, "other"]], [[ana, id]], []]);
});
