import { expect, test } from "vitest";
import { seededRandom } from "./random.ts";

test("repeats its numbers for the same seed only", () => {
  const draw = (seed: number) => Array.from({ length: 8 }, () => seededRandom(seed).integer(0, 1_000_000));
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(seededRandom(7).bytes(16)).toEqual(seededRandom(7).bytes(16));
});

test("returns integers within both ends, including them", () => {
  const random = seededRandom(1);
  expect(new Set(Array.from({ length: 200 }, () => random.integer(-1, 2)))).toEqual(new Set([-1, 0, 1, 2]));
});
