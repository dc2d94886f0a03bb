import { expect, test } from "vitest";
import { directionOf, textParts } from "./text-parts.ts";

const span = (start: number, end: number) => ({ start, end, finding: "phone" }) as const;
const shown = (text: string, ...spans: ReturnType<typeof span>[]) =>
  textParts(text, spans).map((part) => (part.finding === null ? part.text : `<${part.text}>`));

test("splits a text at its spans, in the order of the text", () => {
  expect(shown("call 555 now")).toEqual(["call 555 now"]);
  expect(shown("call 555 now", span(5, 8))).toEqual(["call ", "<555>", " now"]);
  expect(shown("1 or 2", span(5, 6), span(0, 1))).toEqual(["<1>", " or ", "<2>"]);
  expect(textParts("call 555", [span(5, 8)]).map(({ start }) => start)).toEqual([0, 5]);
});

test("marks every finding where spans overlap or touch", () => {
  expect(shown("0123456789", span(4, 6), span(1, 5))).toEqual(["0", "<1234>", "<5>", "6789"]);
  expect(shown("0123456789", span(1, 3), span(3, 5))).toEqual(["0", "<12>", "<34>", "56789"]);
  expect(shown("0123456789", span(2, 8), span(3, 4))).toEqual(["01", "<234567>", "89"]);
  expect(shown("0123", span(2, 99), span(50, 60))).toEqual(["01", "<23>"]);
});

test("keeps every letter when spans overlap, are empty or lie past the end", () => {
  for (const spans of [[span(0, 4), span(2, 6)], [span(3, 3)], [span(9, 12)], [span(2, 99)]])
    expect(
      textParts("abcdef", spans)
        .map(({ text }) => text)
        .join(""),
    ).toBe("abcdef");
  expect(textParts("", [span(0, 1)])).toEqual([]);
});

test("shows contact details from left to right, and words and addresses as they are written", () => {
  expect((["phone", "email", "link", "handle", "account_number"] as const).map(directionOf)).toEqual(
    Array(5).fill("ltr"),
  );
  expect((["abuse", "solicitation", "address"] as const).map(directionOf)).toEqual(Array(3).fill("auto"));
});
