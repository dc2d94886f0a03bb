import { expect, test } from "vitest";
import { ChatLimiter } from "./live-room.ts";

const stored = { kind: "stored" };

test("recognizes a repeated line by its id", () => {
  const desk = new ChatLimiter(0);
  expect([desk.take("a", 0), desk.take("a", 0), desk.take("b", 0)]).toEqual(["taken", stored, "taken"]);
});

test("allows a burst, then two lines a second", () => {
  const desk = new ChatLimiter(0);
  const at = (nowMs: number, id: string) => desk.take(id, nowMs);
  const burst = Array.from({ length: 21 }, (_, index) => at(0, `b${index}`));
  expect(burst.filter((taken) => taken === "taken")).toHaveLength(20);
  expect(burst.at(-1)).toBe("too-many");
  expect([at(499, "c"), at(500, "d"), at(500, "e"), at(1_000, "f")]).toEqual([
    "too-many",
    "taken",
    "too-many",
    "taken",
  ]);
});

test("bounds the remembered ids", () => {
  const desk = new ChatLimiter(0);
  for (let line = 0; line < 400; line += 1) desk.take(`l${line}`, line * 1_000);
  expect([desk.take("l399", 400_000), desk.take("l0", 400_000)]).toEqual([stored, "taken"]);
});

test("refuses a repeated refused line without judging it again", () => {
  const desk = new ChatLimiter(0);
  desk.take("a", 0);
  desk.answer("a", { kind: "muted", untilMs: 9 });
  expect(desk.take("a", 0)).toEqual({ kind: "muted", untilMs: 9 });
});
