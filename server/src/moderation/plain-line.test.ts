import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { abusePatterns, englishInsultWords, scanAbuse } from "./abuse-scan.ts";
import { isPlainLine, requiredWords } from "./plain-line.ts";
import { scanText } from "./text-scan.ts";

/** What the scanners make of a line that was called plain: nothing, or the line was let through by mistake. */
function findings(line: string): readonly string[] {
  return [...scanText(line, "TR"), ...scanText(line, undefined), ...scanAbuse(line).findings];
}

test.each([
  "hi, where are you from?",
  "I'm from a small town near the sea; a bit like this one...",
  "what do you want to do today? :)",
  "no way!! I love that song - really",
  "selam nasilsin",
  "apa kabar kamu",
  "I was born in the best year",
])("[TEXT-158] %j is plain, and the scanners need not look", (line) => {
  expect(isPlainLine(line)).toBe(true);
  expect(findings(line)).toEqual([]);
});

test.each([
  ["kill yourself", "threats"],
  ["KILL yourself", "capitals"],
  ["you are a bitch", "an insult"],
  ["you are a bbbitchhh", "drawn out letters"],
  ["b!tch", "a sign for a letter"],
  ["f u c k", "letters one by one"],
  ["w-h-o-r-e", "letters with hyphens"],
  ["oh s l u t, bye", "letters one by one before a comma"],
  ["ana at gmail dot com", "a spoken address"],
  ["ana at gmail. com", "an ending behind a space"],
  ["example.org", "a link"],
  ["my insta is anabanana", "a name elsewhere"],
  ["five five five one two three four", "a number in words"],
  ["call 5321234567", "digits"],
  ["merhaba nasılsın", "a letter beyond ASCII"],
])("[TEXT-158] %j is looked through: %s", (line) => {
  expect(isPlainLine(line)).toBe(false);
});

/** Words of what the scanners look for, and what people put between them. */
const vocabulary = [
  ...abusePatterns.flatMap(({ source }) => source.match(/[a-z']{2,14}/g) ?? []),
  ...englishInsultWords.map((word) => word.trim()),
  ...Array.from(
    readFileSync(new URL("phrases.test.ts", import.meta.url), "utf8").matchAll(/"([ -~]{3,80})"/g),
    ([, text]) => text!,
  ),
  ..."one two five nol bir dua lima satu double triple insta line snap ig wa dot com net at is my id me gmail yahoo".split(
    " ",
  ),
  ..."the you and hello sea town I'm we all of people".split(" "),
];
const joints = [" ", " ", " ", "  ", ", ", ". ", "...", "! ", "!", "-", "'", "", " - ", "; ", ".", ": "];
const line = fc
  .array(fc.tuple(fc.constantFrom(...new Set(vocabulary)), fc.constantFrom(...joints), fc.nat(9)), { maxLength: 9 })
  .map((parts) => parts.map(([word, joint, change]) => changed(word, change) + joint).join(""));

function changed(word: string, change: number): string {
  if (change === 0) return word.toUpperCase();
  if (change === 1) return word.replaceAll(/(.)/g, "$1$1");
  if (change === 2) return Array.from(word).join(" ");
  return change === 3 ? word.slice(0, -1) : word;
}

test("[TEXT-158] nothing that the scanners find is in a line that is called plain", () => {
  let plain = 0;
  fc.assert(
    fc.property(line, (text) => {
      if (!isPlainLine(text)) return;
      plain += 1;
      expect(findings(text)).toEqual([]);
    }),
    fuzz(10_000),
  );
  expect(plain).toBeGreaterThan(1_000);
});

test("[TEXT-158] any line of the signs that a plain one may have is judged as the scanners do", () => {
  const signs = fc.constantFrom(...Array.from("abcdeiklnorstuy  .,!'-"));
  const isMissed = (text: string) => isPlainLine(text) && findings(text).length > 0;
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 60 }), (parts) => {
      expect(isMissed(parts.join(""))).toBe(false);
    }),
    fuzz(5_000),
  );
});

test("[TEXT-158] the words that a pattern requires stand in whatever it matches", () => {
  expect(requiredWords(/(?<![\p{L}\p{N}])(?:kill|hit)[\s,]{1,3}(?:all )?(?:them|us)(?![\p{L}\p{N}])/u)).toEqual(
    expect.arrayContaining([" kil them ", " kil al them ", " hit us ", " hit al us "]),
  );
  expect(requiredWords(/пошёл|shows? \d{1,3} (?:me|you)|rare(?:word)?\p{L}{0,9}/u)).toEqual(["rare", "rareword"]);
  expect(() => requiredWords(/(?:a|b)?\p{L}{2}/u)).toThrow("nothing stands");
});
