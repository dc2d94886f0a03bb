import * as v from "valibot";
import { expect, test } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import { clientMessageSchema } from "@fava/wire/socket.ts";
import { PhraseScanner } from "./phrase-scan.ts";
import { readTextRuleFiles } from "./text-rule-files.ts";

const scanner = new PhraseScanner(readTextRuleFiles(), { words: [], digits: [] });
const comparisonsIn = (text: string) => {
  let comparisons = 0;
  scanner.find(text, undefined, (times) => (comparisons = times));
  return comparisons;
};
const heaviest = [
  "kill you show me your send nudes i will ",
  "你妈死全家去死我要杀你",
  "sik seni oldururum am ",
  "اقتل نفسك يا كلب انت ",
  "i will you me your send show to a the for and ",
  "send me nudes or ",
  "k y s ",
  "a\u200b\u200b\u200b",
  "脱光看奶",
  "12 ",
  "one seven ",
];
const comparisonsOfLetterMax = 60;
const comparisonsOfEverydayMax = 600;

test.each(heaviest)("compares any length of %j with phrases in proportion to its length", (part) => {
  for (const length of [500, 5_000, 50_000])
    expect(comparisonsIn(part.repeat(length).slice(0, length)) / length).toBeLessThan(comparisonsOfLetterMax);
});

test.each(["今天天气很好我们去公园玩", "we cooked soup for my mother and her sister "])(
  "finds a phrase behind 50,000 letters of %j",
  (part) => {
    const before = part.repeat(50_000 / part.length);
    expect(scanner.find(`${before} kill yourself`).map(({ kind, start }) => [kind, start])).toContainEqual([
      "threat",
      before.length + 1,
    ]);
    expect(scanner.find(`${before}。去死吧`)).not.toEqual([]);
  },
);

test("compares an everyday line with few phrases", () => {
  expect(comparisonsIn("hi, how was your day? I cooked soup for my mother")).toBeLessThan(comparisonsOfEverydayMax);
});

test("finds sexual lines about minors behind any number of other findings", () => {
  const text = `${"kill yourself ".repeat(30)} send me nudes of kids`;
  expect(scanner.find(text).map(({ kind }) => kind)).toContain("minor");
});

const endless: Readonly<Record<string, string>> = {
  letters: "i will send you my pictures ".repeat(400),
  "combining marks": `a${"\u0301".repeat(2_000)}`,
  "lone surrogates": "\ud800".repeat(2_000),
  "zero-width signs": "\u200b".repeat(1_000_000),
};

test.each(Object.entries(endless))("rejects endless %s by their length, before a scan", (_name, text) => {
  const { nickname, about, location } = endpoints.userUpdate.input.entries;
  for (const field of [nickname, about, location, endpoints.messageSend.input.entries.text])
    expect(v.is(field, text)).toBe(false);
  const line = { type: "chat", roomId: "1", roomToken: "1", clientId: "line", text };
  expect(v.is(clientMessageSchema, line)).toBe(false);
  expect(v.is(clientMessageSchema, { ...line, text: "hi" })).toBe(true);
});

test.each(Object.entries(endless))("compares endless %s with phrases a bounded number of times", (_name, text) => {
  expect(comparisonsIn(text) / text.length).toBeLessThan(comparisonsOfLetterMax);
});
