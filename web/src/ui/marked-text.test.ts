import { expect, test } from "vitest";
import { markedParts } from "./MarkedText.tsx";

const marked = (text: string, ...spans: [number, number][]) =>
  markedParts(
    text,
    spans.map(([start, end]) => ({ start, end })),
  )
    .map(({ part, isFound }) => (isFound ? `[${part}]` : part))
    .join("");

test("marks what was found, wherever it stands", () => {
  expect(marked("call me now", [5, 7])).toBe("call [me] now");
  expect(marked("call", [0, 4])).toBe("[call]");
  expect(marked("call me")).toBe("call me");
});

test("joins stretches that overlap or touch, in any order, and bears places outside the text", () => {
  expect(marked("0123456789", [4, 6], [1, 5])).toBe("0[12345]6789");
  expect(marked("0123456789", [1, 3], [3, 5])).toBe("0[1234]56789");
  expect(marked("0123456789", [2, 8], [3, 4])).toBe("01[234567]89");
  expect(marked("0123", [2, 99], [50, 60])).toBe("01[23]");
});
