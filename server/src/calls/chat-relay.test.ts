import { beforeEach, expect, test } from "vitest";
import { MatchWorld } from "#test/fixtures/match-world.ts";

const [ana, bo] = [1n, 2n];

let world: MatchWorld;
beforeEach(async () => {
  world = new MatchWorld();
  for (const userId of [ana, bo]) await world.arrive(userId);
});

const chat = (userId: bigint, room: { id: string; tokens: Map<bigint, string> }, line: { id: string; text: string }) =>
  world.calls.roomMessage(userId, {
    type: "chat",
    roomId: room.id,
    roomToken: room.tokens.get(userId)!,
    clientId: line.id,
    text: line.text,
  });

test("[CHAT-61] delivers a line once, and confirms it to the sender", async () => {
  const room = await world.live(ana, bo);
  chat(ana, room, { id: "c1", text: "hello" });
  chat(ana, room, { id: "c1", text: "hello" });
  expect(world.took(bo)).toEqual([
    { type: "chat", roomId: room.id, clientId: "c1", text: "hello", sentAtMs: world.clock.nowMs() },
  ]);
  const stored = { type: "chat-stored", roomId: room.id, clientId: "c1" };
  expect(world.took(ana)).toEqual([stored, stored]);
});

test("[CHAT-61] keeps a line for a receiver whose socket is lost", async () => {
  const room = await world.live(ana, bo);
  world.bus.close(bo, 1006);
  chat(ana, room, { id: "c1", text: "still there?" });
  expect(world.took(bo)).toEqual([]);
  world.bus.resume(bo);
  expect(world.took(bo)).toMatchObject([{ type: "chat", text: "still there?" }]);
});

test("refuses empty lines and too many lines by their id", async () => {
  const room = await world.live(ana, bo);
  chat(ana, room, { id: "blank", text: " \n\t" });
  expect(world.took(ana)).toEqual([{ type: "error", code: 406, reason: "refused", clientId: "blank" }]);
  for (let line = 0; line < 21; line += 1) chat(ana, room, { id: `c${line}`, text: "again" });
  expect(world.took(ana).at(-1)).toMatchObject({ reason: "refused", clientId: "c20" });
  expect(world.took(bo)).toHaveLength(20);
});

test("refuses lines that nobody can see", async () => {
  const room = await world.live(ana, bo);
  for (const text of ["\u3164", "\u200b\u2060", "\u2800", "\u0301"]) {
    chat(ana, room, { id: "unseen", text });
    expect(world.took(ana)).toEqual([{ type: "error", code: 406, reason: "refused", clientId: "unseen" }]);
  }
  expect(world.took(bo)).toEqual([]);
});

test("delivers at most four combining marks per letter", async () => {
  const room = await world.live(ana, bo);
  chat(ana, room, { id: "c1", text: `h${"\u0301".repeat(400)}i` });
  expect(world.took(bo)).toMatchObject([{ text: `h${"\u0301".repeat(4)}i` }]);
});

test("delivers letters in the order in which the text rules read them", async () => {
  const room = await world.live(ana, bo);
  chat(ana, room, { id: "c1", text: "\u202emoc.liamg@ana" });
  expect(world.took(bo)).toMatchObject([{ text: "moc.liamg@ana" }]);
});

test("[CHAT-65] logs and stores no text of a line", async () => {
  const room = await world.live(ana, bo);
  chat(ana, room, { id: "c1", text: "a secret" });
  expect(
    JSON.stringify([...world.log.events, ...world.log.calls.values()], (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    ),
  ).not.toContain("secret");
});
