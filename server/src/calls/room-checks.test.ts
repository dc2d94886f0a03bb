import { expect, test } from "vitest";
import { countryById } from "@fava/wire/countries.ts";
import type { ChatVerdict } from "#ports/text-rules.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";
import type { RoomEvent, RoomChatMessage } from "./room-service.ts";

const [ana, bo] = [1n, 2n];

async function liveWorld(lines: Record<string, ChatVerdict> = {}) {
  const asked: string[] = [];
  const evaluate = (_writer: unknown, text: string): ChatVerdict => {
    asked.push(text);
    return lines[text] ?? { kind: "pass" };
  };
  const world = new MatchWorld({ chatFilter: { evaluate } });
  for (const userId of [ana, bo]) await world.arrive(userId);
  const room = await world.live(ana, bo);
  for (const userId of [ana, bo]) world.took(userId);
  const chat = (text: string, clientId = text) =>
    world.matches.roomMessage(ana, {
      type: "chat",
      roomId: room.id,
      roomToken: room.tokens.get(ana) ?? "",
      clientId,
      text,
    });
  return { world, room, chat, asked };
}

/** Records the chat lines that are delivered or refused from now on. */
function linesHeardIn(world: MatchWorld): RoomChatMessage[] {
  const heard: RoomChatMessage[] = [];
  world.consumers.push({
    onRoomEvent: (event) => {
      if (event.kind !== "line") return;
      const { kind: _kind, ...line } = event;
      heard.push(line);
    },
  });
  return heard;
}

test("delivers a line without its hidden parts, and sends its writer their kinds and places", async () => {
  const span = { start: 5, end: 7, finding: "phone" as const };
  const hidden = [{ start: 5, end: 8, finding: "phone" as const }];
  const delivered = { text: "call •••", hidden, cover: null };
  const { world, room, chat } = await liveWorld({
    "call +1": { kind: "changed", delivered, findings: ["phone"], spans: [span] },
  });
  const heard = linesHeardIn(world);
  chat("call +1");
  chat("call +1");
  const atMs = world.clock.nowMs();
  expect(world.took(bo)).toEqual([
    { type: "chat", roomId: room.id, clientId: "call +1", text: "call •••", hidden, sentAtMs: atMs },
  ]);
  const stored = { type: "chat-stored", roomId: room.id, clientId: "call +1", findings: ["phone"], spans: [span] };
  expect(world.took(ana)).toEqual([stored, stored]);
  expect(heard).toEqual([
    { id: room.id, clientId: "call +1", fromId: ana, text: "call +1", spans: [span], delivered, atMs },
  ]);
});

test("delivers a line that may hurt under a cover", async () => {
  const cover = { kind: "insult" as const, text: "bad" };
  const delivered = { text: "•••", hidden: [], cover };
  const { world, room, chat } = await liveWorld({
    bad: { kind: "changed", delivered, findings: ["abuse"], spans: [{ start: 0, end: 3, finding: "abuse" }] },
  });
  const heard = linesHeardIn(world);
  chat("bad");
  expect(world.took(bo)).toMatchObject([{ type: "chat", roomId: room.id, clientId: "bad", text: "•••", cover }]);
  expect(heard).toMatchObject([{ text: "bad", delivered }]);
});

test("passes writer, reader, their countries and languages to the filter of chat lines", async () => {
  const asked: unknown[] = [];
  const chatFilter = { evaluate: (line: unknown) => (asked.push(line), { kind: "pass" as const }) };
  const world = new MatchWorld({ chatFilter });
  const talk = { languages: [2], interests: [], prefer: 1 as const };
  await world.arrive(ana, { countryId: 90, talk });
  await world.arrive(bo);
  const room = await world.live(ana, bo);
  const line = { roomId: room.id, roomToken: room.tokens.get(ana) ?? "", clientId: "c1", text: "hi" };
  world.matches.roomMessage(ana, { type: "chat", ...line });
  expect(asked).toMatchObject([
    {
      userId: ana,
      readerId: bo,
      callId: room.id,
      clientId: "c1",
      writer: { country: countryById(90)?.code, languages: ["en", "ar"] },
      reader: { languages: ["en"] },
    },
  ]);
});

test("delivers neither abuse nor lines of a muted user, also when they are sent again", async () => {
  const { world, chat, asked } = await liveWorld({ bad: { kind: "abusive" }, late: { kind: "muted", untilMs: 99 } });
  const heard = linesHeardIn(world);
  for (const text of ["bad", "bad", "late", "late"]) chat(text);
  const abusive = { type: "error", code: 406, reason: "abusive", clientId: "bad" };
  const muted = { type: "error", code: 406, reason: "muted", clientId: "late", until: 99 };
  expect(world.took(ana)).toEqual([abusive, abusive, muted, muted]);
  expect([world.took(bo), asked]).toEqual([[], ["bad", "late"]]);
  expect(heard).toMatchObject([{ text: "bad", delivered: null }]);
});

test("[SAFE-40] ends a cut call for both, with the reason in the log", async () => {
  const { world, room } = await liveWorld();
  expect(world.calls.cut(ana)).toBe(true);
  expect(world.took(bo)).toEqual([{ code: 100_002, roomId: room.id, reason: "cut" }]);
  expect(world.took(ana)).toEqual([]);
  expect(world.log.calls.get(room.id)?.endReason).toBe("violation");
  expect(world.calls.cut(ana)).toBe(false);
});

test("tells both sides of a call that ends for want of frames whose they were, the cause, and what comes back", async () => {
  const { world, room } = await liveWorld();
  const end = { cause: "none", back: new Map([[bo, 614n]]) } as const;
  expect(world.calls.cutUnchecked(ana, end)).toBe(true);
  const told = { code: 100_006, roomId: room.id, type: 2, is_enough: 1, why: "unchecked", meter: null };
  expect(world.took(ana)).toEqual([{ ...told, unchecked: { whose: "own", cause: "none", returned: 0 } }]);
  const unchecked = { whose: "other", cause: "none", returned: 614 };
  expect(world.took(bo)).toEqual([{ code: 100_002, roomId: room.id, reason: "cut", unchecked }]);
  expect(world.log.calls.get(room.id)?.endReason).toBe("unchecked");
  expect(world.calls.cutUnchecked(ana, end)).toBe(false);
});

test("reports hidden video to consumers of its own room only, without storing it", async () => {
  const { world, room } = await liveWorld();
  const events: RoomEvent[] = [];
  world.consumers.push({
    onRoomEvent: (event) => {
      events.push(event);
    },
  });
  const rows = world.log.events.length;
  world.calls.setShown(ana, room.id, "hidden");
  world.calls.setShown(ana, room.id, "shown");
  world.calls.setShown(ana, "another room", "hidden");
  expect(events.map((event) => [event.id, event.kind, "side" in event ? event.side : null])).toEqual([
    [room.id, "hidden", "offerer"],
    [room.id, "shown", "offerer"],
  ]);
  expect(world.log.events).toHaveLength(rows);
});
