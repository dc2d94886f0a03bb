// `npm run text-rules:check`: what of the text rules is found in disguise, and what of everyday language is found by mistake,
// by language and kind. Fails below the goals.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parsePhrase, type PhraseSequence } from "@fava/server/moderation/phrase-grammar.ts";
import { readTextRuleFiles, type TextRuleFile } from "@fava/server/moderation/text-rule-files.ts";
import { scanText } from "@fava/server/moderation/text-scan.ts";

/** Of a hundred disguised phrases and numbers, as many are found; of a thousand everyday sentences, as many by mistake. */
const goals = { foundPercentMin: 95, falseHitsPerThousandMax: 1 } as const;
const samplesOfRow = 2;
const corpora = new URL("../server/test/corpus/", import.meta.url);

const lookAlikes: Readonly<Record<string, string>> = { a: "а", e: "е", o: "о", c: "с", p: "р", i: "і", x: "х", y: "у" };
const leet: Readonly<Record<string, string>> = { a: "4", e: "3", o: "0", i: "1", s: "5", t: "7" };
const isLatin = (text: string) => /^[\p{Script=Latin}\s'’]+$/u.test(text);
const swapped = (text: string, letters: Readonly<Record<string, string>>) => {
  const at = Array.from(text).findIndex((letter) => letters[letter] !== undefined);
  return Array.from(text, (letter, index) => (index === at ? letters[letter]! : letter)).join("");
};
/** How a phrase is disguised; null where its script has no such disguise. */
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

/** A few of the texts that a phrase stands for: the first options, then the last. */
function samplesOf(parts: readonly string[], classes: TextRuleFile["classes"]): string[] {
  const sequence = parts.flatMap((part) => parsePhrase(part, classes));
  return [...new Set(Array.from({ length: samplesOfRow }, (_, pick) => sampleOf(sequence, pick)))];
}

/** The phrase of a row, or the parts of a `near` row in the order in which they are stated. */
const partsOf = ({ text, near = [] }: TextRuleFile["phrases"][number]) => (text === undefined ? near : [text]);

function sampleOf(sequence: PhraseSequence, pick: number): string {
  const words = sequence.flatMap(({ part, isOptional }) => {
    if (part.kind === "any" || part.kind === "edge" || (isOptional && pick === 0)) return [];
    if (part.kind === "word") return [part.text];
    return [sampleOf(part.options.at(pick === 0 ? 0 : -1)!, pick)];
  });
  return words.join(" ");
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
/** As a phrase is written: in scripts without spaces, without them. */
const written = (phrase: string, language: string) => (isUnspaced(language) ? phrase.replaceAll(" ", "") : phrase);
const sureIn = (text: string) => scanText(text).filter(({ confidence }) => confidence === "sure");

function checkPhrases(file: TextRuleFile): void {
  for (const row of file.phrases) {
    if (row.confidence !== "sure") continue;
    for (const sample of samplesOf(partsOf(row), file.classes)) {
      const phrase = written(sample, file.language);
      for (const dress of Object.values(dresses)) {
        const text = dress(phrase);
        if (text !== null) count(`found  ${file.language} ${row.kind}`, sureIn(text).length > 0, text);
      }
    }
    if (row.negatable && !isUnspaced(file.language)) checkNegations(file, row);
  }
}

/** Behind a negation of its language a phrase is nothing. */
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

const files = readTextRuleFiles();
for (const file of files) checkPhrases(file);
checkNumbers(files);
checkCorpora();

const shown = process.argv.includes("--all") ? Infinity : 3;
let isBelow = false;
for (const [name, { of, found, missed }] of [...counts].toSorted(([one], [other]) => one.localeCompare(other))) {
  const isQuiet = name.startsWith("quiet");
  const isGood = isQuiet
    ? missed.length <= Math.max(name === "quiet  names" ? 0 : 1, (of * goals.falseHitsPerThousandMax) / 1000)
    : found / of >= goals.foundPercentMin / 100;
  const rate = isQuiet ? `${((missed.length / of) * 1000).toFixed(1)} of 1000` : `${((found / of) * 100).toFixed(1)} %`;
  process.stdout.write(`${isGood ? " " : "!"} ${name.padEnd(34)} ${String(of).padStart(6)}  ${rate}\n`);
  if (isGood && shown === 3) continue;
  isBelow ||= !isGood;
  for (const text of missed.slice(0, shown)) process.stdout.write(`      ${JSON.stringify(text)}\n`);
}
if (isBelow) process.exitCode = 1;
