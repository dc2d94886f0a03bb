// `npm run text-rules:check`: measures how many disguised phrases the text rules find, and how many false hits they
// have in everyday language, by language and kind. Fails below the goals.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parsePhrase } from "@fava/server/moderation/phrase-grammar.ts";
import type { Sequence } from "@fava/server/moderation/phrase-match.ts";
import { readTextRuleFiles, type TextRuleFile } from "@fava/server/moderation/text-rule-files.ts";
import { scanText } from "@fava/server/moderation/text-scan.ts";
import { joinedSigns, segmenterFor } from "@fava/server/moderation/word-borders.ts";

/**
 * Least percentage of disguised phrases and numbers that are found; least percentage of longer words around a phrase
 * that are not hit; most false hits in a thousand everyday sentences.
 */
const goals = { foundPercentMin: 95, wholePercentMin: 99.9, falseHitsPerThousandMax: 1 } as const;
const samplesOfRow = 2;
const corpora = new URL("../server/test/corpus/", import.meta.url);

const lookAlikes: Readonly<Record<string, string>> = { a: "а", e: "е", o: "о", c: "с", p: "р", i: "і", x: "х", y: "у" };
const leet: Readonly<Record<string, string>> = { a: "4", e: "3", o: "0", i: "1", s: "5", t: "7" };
const isLatin = (text: string) => /^[\p{Script=Latin}\s'’]+$/u.test(text);
const swapped = (text: string, letters: Readonly<Record<string, string>>) => {
  const at = Array.from(text).findIndex((letter) => letters[letter] !== undefined);
  return Array.from(text, (letter, index) => (index === at ? letters[letter]! : letter)).join("");
};
/** How a phrase is disguised; null if its script has no such disguise. */
const dresses: Readonly<Record<string, (phrase: string) => string | null>> = {
  plain: (phrase) => phrase,
  capitals: (phrase) => (/i|ı/.test(phrase) && !/^[a-z ]+$/.test(phrase) ? null : phrase.toUpperCase()),
  spaces: (phrase) => phrase.replaceAll(" ", "   "),
  punctuation: (phrase) => phrase.replaceAll(" ", "-"),
  spelled: (phrase) =>
    isLatin(phrase) && phrase.length > 3 ? Array.from(phrase.replaceAll(/[\s'’]/g, "")).join(" ") : null,
  "look-alikes": (phrase) => (isLatin(phrase) ? swapped(phrase, lookAlikes) : null),
  "hidden signs": (phrase) => Array.from(phrase).join("\u200b"),
  repeated: (phrase) => (isLatin(phrase) ? phrase.replace(/\p{L}(?=\s|$)/u, "$&$&$&$&") : null),
  marks: (phrase) => (isLatin(phrase) ? phrase.replace(/[a-z]/, "$&\u0336") : null),
  lines: (phrase) => phrase.replaceAll(" ", "\n"),
  emoji: (phrase) => phrase.replaceAll(" ", " 😂 "),
  leet: (phrase) => (isLatin(phrase) ? swapped(phrase, leet) : null),
};

/** Some of the texts that a phrase stands for: the first options, then the last. */
function samplesOf(parts: readonly string[], classes: TextRuleFile["classes"]): string[] {
  const words: string[] = [];
  const source = { classes, numbersOf: (word: string) => [words.push(word) - 1] };
  const sequence = parts.flatMap((part) => parsePhrase(part, source));
  return [...new Set(Array.from({ length: samplesOfRow }, (_, pick) => sampleOf(sequence, words, pick)))];
}

/** The phrase of a row, or the parts of a `near` row in their order. */
const partsOf = ({ text, near = [] }: TextRuleFile["phrases"][number]) => (text === undefined ? near : [text]);

function sampleOf(sequence: Sequence, words: readonly string[], pick: number): string {
  const parts = sequence.flatMap(({ node, isOptional }) => {
    if (isOptional && pick === 0) return [];
    if (typeof node === "number") return node < 0 ? [] : [words[node]!];
    const option = node.options.at(pick === 0 ? 0 : -1)!;
    return [typeof option === "number" ? words[option]! : sampleOf(option, words, pick)];
  });
  return parts.join(" ");
}

interface Count {
  of: number;
  found: number;
  readonly missed: string[];
}
const counts = new Map<string, Count>();

function count(name: string, isFound: boolean, text: string): void {
  const entry = counts.get(name) ?? { of: 0, found: 0, missed: [] };
  entry.of += 1;
  if (isFound) entry.found += 1;
  else entry.missed.push(text);
  counts.set(name, entry);
}

const isUnspaced = (language: string) => /^(?:zh-CN|ja|th)$/.test(language);
/** As a phrase is written: without spaces in scripts that have none. */
const written = (phrase: string, language: string) => (isUnspaced(language) ? phrase.replaceAll(" ", "") : phrase);
const sureIn = (text: string) => scanText(text).filter(({ confidence }) => confidence === "sure");

function checkPhrases(file: TextRuleFile): void {
  for (const row of file.phrases) {
    if (row.confidence !== "sure") continue;
    for (const sample of samplesOf(partsOf(row), file.classes)) {
      const phrase = written(sample, file.language);
      checkBorders(file, phrase, `${file.language}:${file.phrases.indexOf(row) + 1}`);
      for (const dress of Object.values(dresses)) {
        const text = dress(phrase);
        if (text !== null) count(`found  ${file.language} ${row.kind}`, sureIn(text).length > 0, text);
      }
    }
    if (row.negatable && !isUnspaced(file.language)) checkNegations(file, row);
  }
}

/**
 * Letters that no word of the lists begins or ends with, by script; repeated, they are longer than any ending of a
 * phrase.
 */
const glued: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\p{Script=Latin}/u, ["qz", "zx", "vq", "xw", "jq"]],
  [/^\p{Script=Cyrillic}/u, ["щц", "ъэ", "фщ", "жэ", "эъ"]],
  [/^\p{Script=Arabic}/u, ["ظث", "ثظ", "ذغ", "ضث", "غظ"]],
  [/^\p{Script=Greek}/u, ["ξζ", "ψξ", "ζψ", "ξψ", "ψζ"]],
  [/^\p{Script=Devanagari}/u, ["ढञ", "ङढ", "ञढ", "ढङ", "ठञ"]],
  [/^\p{Script=Hangul}/u, ["뷁쫣", "쀍뷁", "뷁쀍", "쫣뷁", "쀍쫣"]],
];
const endingRepeats = 7;

/**
 * Checks that a phrase is not found if its first or last word is only part of a longer one, in twenty longer words and
 * sentences.
 */
function checkBorders(file: TextRuleFile, phrase: string, ruleId: string): void {
  const isFound = (text: string, reaches: (found: { start: number; end: number }) => boolean) =>
    scanText(text).some((found) => found.ruleId === ruleId && reaches(found));
  // Without its first or last word the rule may find the rest, with any words beside it.
  const isRestFound = {
    front: isFound(phrase.replace(/^\S+\s*/, ""), () => true),
    back: isFound(phrase.replace(/\s*\S+$/, ""), () => true),
  };
  for (const letters of glued.find(([script]) => script.test(phrase))?.[1] ?? [])
    for (const [before, after] of [
      ["", ""],
      [`${letters} `, ` ${letters}`],
    ] as const) {
      const front = `${before}${letters}${phrase}${after}`;
      if (!isRestFound.front)
        count(`whole  ${file.language}`, !isFound(front, ({ start }) => start <= before.length), front);
      const back = `${before}${phrase}${letters.repeat(endingRepeats)}${after}`;
      if (!isRestFound.back)
        count(`whole  ${file.language}`, !isFound(back, ({ end }) => end >= back.length - after.length), back);
    }
  for (const { text, place, isFront } of insideWords(phrase, file.language))
    count(
      `whole  ${file.language}`,
      !isFound(text, ({ start, end }) => start <= place && end >= place && (isFront ? start : end) === place),
      text,
    );
}

const wordsMax = 10;
const signWords = new Map<string, readonly string[]>();

/** Texts of a phrase whose first or last sign belongs to a word of everyday language, in scripts without spaces. */
function* insideWords(phrase: string, language: string): Generator<{ text: string; place: number; isFront: boolean }> {
  const segmenter = segmenterFor(phrase);
  if (!isUnspaced(language)) return;
  let words = signWords.get(language);
  if (!words) {
    const segments = sentencesOf(`${language}.txt`).flatMap((sentence) =>
      Array.from(segmenter.segment(sentence), ({ segment }) => segment),
    );
    signWords.set(language, (words = [...new Set(segments)].filter((word) => /^[\p{L}\p{M}]{2,}$/u.test(word))));
  }
  const isInside = (text: string, place: number) => {
    const { index, segment } = segmenter.segment(text).containing(place)!;
    return !joinedSigns.test(segment.slice(0, place - index)) && !joinedSigns.test(segment.slice(place - index));
  };
  const fronts = words.filter((word) => word.at(-1) === phrase[0]).map((word) => word.slice(0, -1));
  const front = fronts.filter((start) => isInside(start + phrase, start.length)).slice(0, wordsMax);
  for (const start of front) yield { text: start + phrase, place: start.length, isFront: true };
  const backs = words.filter((word) => word[0] === phrase.at(-1)).map((word) => word.slice(1));
  const back = backs.filter((end) => isInside(phrase + end, phrase.length)).slice(0, wordsMax);
  for (const end of back) yield { text: phrase + end, place: phrase.length, isFront: false };
}

/** Checks that a phrase is not found after a negation of its language. */
function checkNegations(file: TextRuleFile, row: TextRuleFile["phrases"][number]): void {
  const [phrase] = samplesOf(partsOf(row), file.classes);
  for (const negation of file.negations) {
    const [said] = samplesOf([negation], file.classes);
    const text = `${said} ${phrase}`;
    const isTurned = !sureIn(text).some(({ ruleId }) => ruleId === `${file.language}:${file.phrases.indexOf(row) + 1}`);
    count(`turned ${file.language} ${row.kind}`, isTurned, text);
  }
}

/** Mobile numbers of the offered languages' countries, in groups. */
const numbers = [
  ["TR", ["0532", "123", "45", "67"]],
  ["TR", ["532", "123", "45", "67"]],
  ["US", ["212", "555", "0187"]],
  ["ID", ["0812", "3456", "7890"]],
  ["SA", ["055", "123", "4567"]],
  ["CN", ["138", "1234", "5678"]],
  ["EG", ["0100", "123", "4567"]],
] as const;
const separators = ["", " ", "-", ".", ",", " - ", "/", ":", "\n", "_", "*", "  ", "·", "~"];
const offered = ["en", "tr", "id", "ar", "zh-CN"];

function checkNumbers(files: readonly TextRuleFile[]): void {
  for (const [country, groups] of numbers)
    for (const separator of separators) {
      const text = groups.join(separator);
      count(
        `found  numbers ${country}`,
        scanText(text, { countries: [country] }).some(({ kind }) => kind === "phone"),
        text,
      );
    }
  for (const { language, digits } of files.filter((file) => offered.includes(file.language))) {
    const wordOf = new Map(Object.entries(digits).map(([word, digit]) => [digit, word]));
    for (const [, groups] of numbers)
      for (const separator of [" ", ", ", "-", "\n"]) {
        const text = Array.from(groups.join(""), (digit) => wordOf.get(digit) ?? digit).join(separator);
        count(
          `found  numbers in words ${language}`,
          scanText(text).some(({ kind }) => kind === "phone"),
          text,
        );
      }
  }
}

/** The sentences of a corpus; lines that begin with `#` are notes. */
function sentencesOf(name: string): string[] {
  const lines = readFileSync(new URL(name, corpora), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

function checkCorpora(): void {
  if (!existsSync(corpora)) return;
  for (const name of readdirSync(corpora).filter((file) => file.endsWith(".txt"))) {
    const language = name.replace(".txt", "");
    for (const sentence of sentencesOf(name)) {
      const [hit] = sureIn(sentence);
      count(`quiet  ${language}`, !hit, hit ? `${sentence} (${hit.kind} ${hit.ruleId})` : "");
    }
  }
}

const files = [...readTextRuleFiles()];
for (const file of files) checkPhrases(file);
checkNumbers(files);
checkCorpora();

const shown = process.argv.includes("--all") ? Infinity : 3;
let isBelow = false;
for (const [name, { of, found, missed }] of [...counts].toSorted(([one], [other]) => one.localeCompare(other))) {
  const isQuiet = name.startsWith("quiet");
  const isGood = isQuiet
    ? missed.length <= Math.max(name === "quiet  names" ? 0 : 1, (of * goals.falseHitsPerThousandMax) / 1000)
    : found / of >= (name.startsWith("whole") ? goals.wholePercentMin : goals.foundPercentMin) / 100;
  const rate = isQuiet ? `${((missed.length / of) * 1000).toFixed(1)} of 1000` : `${((found / of) * 100).toFixed(1)} %`;
  process.stdout.write(`${isGood ? " " : "!"} ${name.padEnd(34)} ${String(of).padStart(6)}  ${rate}\n`);
  if (isGood && shown === 3) continue;
  isBelow ||= !isGood;
  for (const text of missed.slice(0, shown)) process.stdout.write(`      ${JSON.stringify(text)}\n`);
}
if (isBelow) process.exitCode = 1;
