import { interests } from "@fava/wire/talk.ts";
import { expect, test } from "vitest";
import { icebreakerKeys, openerKey } from "./icebreakers.ts";

const nothing = { roomId: "room", shared: undefined };

test("asks about shared interests first, then general questions, new ones each time, always the same for the same call", () => {
  const [cycling, chess] = [interests.indexOf("cycling"), interests.indexOf("chess")];
  const call = { roomId: "room", shared: { languages: [1], interests: [cycling, chess, 63] } };
  const first = icebreakerKeys(call, 0);
  expect(first.slice(0, 2)).toEqual(["ask.cycling", "ask.chess"]);
  expect(first[2]).toMatch(/^ask\.\d+$/);
  expect(icebreakerKeys(call, 0)).toEqual(first);
  const others = icebreakerKeys(call, 1);
  expect(others.every((key) => /^ask\.\d+$/.test(key) && !first.includes(key))).toBe(true);
  // Another call starts with other questions.
  const begins = Array.from({ length: 20 }, (_, room) => icebreakerKeys({ ...nothing, roomId: `room ${room}` }, 0)[0]);
  expect(new Set(begins).size).toBeGreaterThan(5);
});

test("shows all twenty general questions to a user who keeps asking", () => {
  const heard = new Set(Array.from({ length: 7 }, (_, turn) => icebreakerKeys(nothing, turn)).flat());
  expect(heard.size).toBe(20);
});

test("suggests each general question once during a search, first another one in each search", () => {
  expect(new Set(Array.from({ length: 20 }, (_, turn) => openerKey(5_000, turn))).size).toBe(20);
  expect(openerKey(5_000, 0)).not.toBe(openerKey(6_000, 0));
});
