import { beforeEach, expect, test } from "vitest";
import { chatMessageLengthMax } from "@fava/wire/limits.ts";
import type { TextFindingEvent } from "#ports/text-rules.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { ChatFilter } from "./chat-filter.ts";
import type { Scan } from "./delivered-text.ts";
import { scanText } from "./text-service.ts";

const locale = { country: "TR", languages: ["en"] };
const line = { userId: 7n, readerId: 8n, callId: "call-1", clientId: "line-1", writer: locale, reader: locale };

let clock: TestClock;
let noted: TextFindingEvent[];
let filter: ChatFilter;
const build = (scan: Scan = scanText) =>
  new ChatFilter({ clock, scan, log: { note: (event) => void noted.push(event) } });
beforeEach(() => {
  clock = new TestClock();
  noted = [];
  filter = build();
});

test("[TEXT-64] passes a line in which nothing is found", () => {
  for (const text of ["hello there", "no, I will not send nudes", "we won 21-19 18-21 21-15"])
    expect(filter.evaluate(line, text)).toEqual({ kind: "pass" });
  expect(noted).toEqual([]);
});

test("[TEXT-64] hides each piece of contact data, and leaves the words around it", () => {
  expect(filter.evaluate(line, "call 0532 123 45 67 or 0533 765 43 21 tonight")).toEqual({
    kind: "changed",
    delivered: {
      text: "call ••• or ••• tonight",
      hidden: [
        { start: 5, end: 8, finding: "phone" },
        { start: 12, end: 15, finding: "phone" },
      ],
      cover: null,
    },
    findings: ["phone"],
    spans: [
      { start: 5, end: 19, finding: "phone" },
      { start: 23, end: 37, finding: "phone" },
    ],
  });
});

test.each([
  ["hello, you whore", "insult"],
  ["kill yourself", "threat"],
  ["kill all jews", "hate"],
  ["send nudes", "solicitation"],
  ["kill yourself you whore", "threat"],
])("[TEXT-64] delivers all of %j under a cover", (text, kind) => {
  expect(filter.evaluate(line, text)).toMatchObject({
    kind: "changed",
    delivered: { text: "•••", hidden: [], cover: { kind, text } },
  });
});

test("takes contact data out of what stands under a cover", () => {
  const verdict = filter.evaluate(line, "you whore, call 0532 123 45 67");
  expect(verdict).toMatchObject({
    kind: "changed",
    delivered: {
      text: "•••",
      hidden: [{ start: 16, end: 19, finding: "phone" }],
      cover: { kind: "insult", text: "you whore, call •••" },
    },
    findings: ["phone", "abuse"],
  });
  expect(JSON.stringify(verdict)).not.toContain("0532");
});

test("[TEXT-701] [TEXT-740] never delivers a sexual line to a minor", () => {
  expect(filter.evaluate(line, "are you under 18? show me your tits")).toEqual({ kind: "abusive" });
  // The undelivered text goes to the recorder, for an administrator who reads the restricted case.
  expect(noted).toMatchObject([{ place: "call", lineRef: null, text: expect.stringContaining("tits") }]);
  expect(noted[0]!.findings.map(({ kind }) => kind)).toContain("minor");
});

test("records writer, reader, line, call and rules of a finding, and not the text", () => {
  filter.evaluate(line, "write to ana@example.com");
  expect(noted).toMatchObject([
    { writerId: 7n, readerId: 8n, place: "call", lineRef: "line-1", callId: "call-1", findings: [{ kind: "email" }] },
  ]);
  expect(noted[0]).not.toHaveProperty("text");
});

test.each([
  ["0532 123", "45 67 now", "••• now"],
  ["five three two", "one 23 45 67", "•••"],
])("hides the second line of a number that begins with %j", (first, second, left) => {
  expect(filter.evaluate(line, first)).toEqual({ kind: "pass" });
  expect(filter.evaluate(line, second)).toMatchObject({
    kind: "changed",
    delivered: { text: left },
    findings: ["phone"],
  });
  const inTwoCalls = build();
  inTwoCalls.evaluate(line, first);
  expect(inTwoCalls.evaluate({ ...line, callId: "call-2" }, second)).toEqual({ kind: "pass" });
  const slow = build();
  slow.evaluate(line, first);
  clock.advance(60_001);
  expect(slow.evaluate(line, second)).toEqual({ kind: "pass" });
});

test("hides the last part of a number that is written over three lines", () => {
  for (const part of ["0532", "123"]) expect(filter.evaluate(line, part)).toEqual({ kind: "pass" });
  expect(filter.evaluate(line, "45 67 ok?")).toMatchObject({ delivered: { text: "••• ok?" }, findings: ["phone"] });
});

test.each([
  [["zero five three two", "one two three", "four five six seven"]],
  [["sıfır beş üç iki", "yedi iki üç", "dört beş altı yedi"]],
  [["零五三二", "七二三", "四五六七"]],
  [["0532", "ok", "lol", "are you there", "hm", "72", "34", "56 7"]],
  [["0", "5", "3", "2", "7", "2", "3", "4", "5", "6", "7"]],
])("hides the end of a number over the lines %j", (parts) => {
  const verdicts = parts.map((part) => filter.evaluate(line, part));
  expect(verdicts[0]).toEqual({ kind: "pass" });
  expect(verdicts.at(-1)).toMatchObject({ delivered: { text: "•••" }, findings: ["phone"] });
});

test.each([
  [["25", "23", "1998", "2001"]],
  [["25", "and you?", "23", "1998", "2001", "2003"]],
  [["٢٥", "٢٣", "١٩٩٨", "٢٠٠١"]],
])("passes ages and years over the lines %j", (lines) => {
  for (const text of lines) expect(filter.evaluate(line, text)).toEqual({ kind: "pass" });
});

test("hides the end of a number valid in a country of the two although its lines look like ages", () => {
  const verdicts = ["53", "27", "23", "45", "67"].map((text) => filter.evaluate(line, text));
  expect(verdicts.at(-1)).toMatchObject({ delivered: { text: "•••" }, findings: ["phone"] });
});

test("delivers lines with digits and words between them that make no valid number of either country", () => {
  for (const text of ["25", "and you?", "23", "ok", "1998", "nice", "2001"])
    expect(filter.evaluate(line, text)).toEqual({ kind: "pass" });
});

test("does not take a hidden number for the beginning of another", () => {
  expect(filter.evaluate(line, "0532 123 45 67")).toMatchObject({ kind: "changed" });
  expect(filter.evaluate(line, "12 of us")).toEqual({ kind: "pass" });
});

test.each([
  ["letters", "a".repeat(chatMessageLengthMax)],
  ["digits", "1 ".repeat(chatMessageLengthMax / 2)],
  ["many numbers", "0532 123 45 67 or ".repeat(27)],
  ["marks", `a${"\u0301".repeat(chatMessageLengthMax - 1)}`],
  ["lone surrogates", "\ud800".repeat(chatMessageLengthMax)],
  ["zero-width signs", `a${"\u200b".repeat(chatMessageLengthMax - 1)}`],
])("scans the longest line of %s a few times, whatever came before it", (_name, text) => {
  const scanned: number[] = [];
  const counting = build((...asked) => {
    scanned.push(asked[0].length);
    return scanText(...asked);
  });
  for (let before = 0; before < 20; before += 1) counting.evaluate(line, `${before} ok`);
  scanned.length = 0;
  counting.evaluate(line, text);
  // One scan per contact finding, and two with the ends of the earlier lines.
  expect(scanned.length).toBeLessThanOrEqual(7);
  expect(Math.max(...scanned)).toBeLessThanOrEqual(3 * chatMessageLengthMax);
});
