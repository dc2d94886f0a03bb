import { expect, test } from "vitest";
import { comparisonsMax, PhraseScanner } from "./phrase-scan.ts";
import { readTextRuleFiles } from "./text-rule-files.ts";

const scanner = new PhraseScanner(readTextRuleFiles(), { words: [], digits: [] });
/** How often a text is compared with a phrase or its conditions. */
const comparisonsIn = (text: string) => {
  const work = { comparisons: 0 };
  scanner.find(text, undefined, work);
  return work.comparisons;
};
const heaviest = [
  "kill you show me your send nudes i will ",
  "你妈死全家去死我要杀你",
  "sik seni oldururum am ",
  "اقتل نفسك يا كلب انت ",
  "i will you me your send show to a the for and ",
];
/** A phrase more may be compared with its conditions where the bound is reached. */
const comparisonsOfOneMax = 1_000;

test.each(heaviest)("[TEXT-4] any length of %j is compared with phrases no more often than the bound", (part) => {
  const most = [500, 5_000, 50_000].map((length) => comparisonsIn(part.repeat(length).slice(0, length)));
  expect(Math.max(...most)).toBeLessThan(comparisonsMax + comparisonsOfOneMax);
});

test("[TEXT-4] an everyday line is compared with few phrases", () => {
  expect(comparisonsIn("hi, how was your day? I cooked soup for my mother")).toBeLessThan(comparisonsMax / 20);
});

test("[TEXT-4] sexual lines about minors are found behind any number of other findings", () => {
  const text = `${"kill yourself ".repeat(30)} send me nudes of kids`;
  expect(scanner.find(text).map(({ kind }) => kind)).toContain("minor");
});
