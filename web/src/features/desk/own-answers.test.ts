import { expect, test } from "vitest";
import { withInserted } from "./OwnAnswers.tsx";

test("replaces the selection, separates words, and keeps to the length of the field", () => {
  const insert = (text: string, [start, end]: [number, number], lengthMax = 100) =>
    withInserted(text, { inserted: "abc def", start, end, lengthMax });
  expect(insert("", [0, 0])).toBe("abc def");
  expect(insert("Hello.", [6, 6])).toBe("Hello. abc def");
  expect(insert("Hello \n", [7, 7])).toBe("Hello \nabc def");
  expect(insert("one two", [4, 7])).toBe("one abc def");
  expect(insert("12345678", [8, 8], 12)).toBe("12345678 abc");
  expect(insert("12345678", [8, 8], 8)).toBe("12345678 ");
});
