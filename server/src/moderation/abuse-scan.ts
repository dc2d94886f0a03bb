import {
  DataSet,
  englishDataset,
  englishRecommendedTransformers,
  type Node as PatternNode,
  RegExpMatcher,
  SyntaxKind,
} from "obscenity";
import { foldText, matchesOf } from "@fava/wire/text-folding.ts";
import type { TextFinding } from "#ports/text-rules.ts";
import {
  englishInsults,
  hatePhrases,
  hatePhrasesUnspaced,
  insults,
  insultsUnspaced,
  solicitationPhrases,
  solicitationPhrasesUnspaced,
  solicitations,
  solicitationsUnspaced,
  threats,
  threatsUnspaced,
} from "./abuse-words.ts";

const start = "(?<![\\p{L}\\p{N}])";
const end = "(?![\\p{L}\\p{N}])";
/** What a space of a phrase stands for, and one that may be missing (" ?"). */
const between = "[\\s,.!*_~-]";
const turkishLetters: Readonly<Record<string, string>> = { ş: "[şs]", ç: "[çc]", ğ: "[ğg]", ö: "[öo]", ü: "[üu]" };
const lookAlikes: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  "’": "'",
  ı: "i",
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ى: "ي",
  ة: "ه",
};
const lookAlike = /(?<=\p{Script=Latin})[013457@]|[013457@](?=\p{Script=Latin})|[’ıأإآىة]/gu;

/**
 * What finds phrases in folded text: `spaced` between other words, `unspaced` anywhere. The phrases are patterns in
 * which every repetition has its limit, so that time grows with the length of the text.
 */
function phraseFinder(spaced: readonly string[], unspaced: readonly string[]): Finder {
  const words = spaced.map((phrase) => withLetters(withGaps(plainLetters(phrase)))).join("|");
  const pattern = new RegExp(`${start}(?:${words})${end}|${unspaced.join("|")}`, "gu");
  return { pattern, find: (folded) => matchesOf(pattern, plainLetters(folded)) };
}

interface Finder {
  /** Whatever is found in a text of plain letters is a match of it. */
  readonly pattern: RegExp;
  readonly find: (folded: string) => RegExpMatchArray[];
}

function withGaps(phrase: string): string {
  return phrase.replaceAll(/ \??/g, (space) => `${between}{${space === " " ? 1 : 0},3}`);
}

/** One sign for another, so that every place in the text stays where it is. */
export function plainLetters(text: string): string {
  return text.replace(lookAlike, (sign) => lookAlikes[sign] ?? sign);
}

/** Turkish is also written without its marks; a Kurd would be a wolf then. */
function withLetters(phrase: string): string {
  return phrase.replaceAll(/[şçğö]|ü(?!rt)/g, (letter) => turkishLetters[letter] ?? letter);
}

/** A stretch of a text, in UTF-16 units, the end excluded. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

interface AbuseFound {
  /** Threats, calls to self-harm, hate against groups and solicitation: nobody is to read the text at all. */
  readonly isStopped: boolean;
  readonly findings: readonly Extract<TextFinding, "abuse" | "solicitation">[];
  /** The text with what was found made unreadable. */
  readonly masked: string;
}

const insulting = wordList(Object.values(insults).flat(), insultsUnspaced);
const threatening = wordList(threats, threatsUnspaced);
const hating = phraseFinder(hatePhrases, hatePhrasesUnspaced);
const soliciting = wordList(solicitations, solicitationsUnspaced);
const solicitingAtLength = phraseFinder(solicitationPhrases, solicitationPhrasesUnspaced);
/** Letters that are spelled one by one, such as "f u c k". */
const spelled = /(?<![\p{L}\p{N}])\p{L}(?:[\s._*-]{1,2}\p{L}(?![\p{L}\p{N}])){2,15}/gu;

/** All that `scanAbuse` finds in a text of plain letters, but for the English list and letters spelled one by one. */
export const abusePatterns: readonly RegExp[] = [insulting, threatening, hating, soliciting, solicitingAtLength].map(
  ({ pattern }) => pattern,
);

const englishTerms = new DataSet<{ originalWord: string }>()
  .addAll(englishDataset)
  .removePhrasesIf(({ metadata }) => !englishInsults.has(metadata?.originalWord ?? ""))
  .build();
const english = new RegExpMatcher({ ...englishTerms, ...englishRecommendedTransformers });
/** The words of the English list, with a space where one has to begin or end. */
export const englishInsultWords: readonly string[] = englishTerms.blacklistedTerms.flatMap(({ pattern }) => {
  const edge = (isRequired: boolean) => (isRequired ? " " : "");
  return spellingsOf(pattern.nodes).map(
    (word) => `${edge(pattern.requireWordBoundaryAtStart)}${word}${edge(pattern.requireWordBoundaryAtEnd)}`,
  );
});
/** What the English list takes a sign for: "a" for "@" and for many others that only look like it. */
export function englishLook(sign: string): string {
  let code = sign.codePointAt(0) ?? 0;
  for (const step of englishRecommendedTransformers.blacklistMatcherTransformers ?? [])
    if ("transform" in step) code = step.transform(code) ?? code;
  return String.fromCodePoint(code);
}
/** What may follow an insult in its own word: without it "tinggal" and "fagioli" would hold one. */
const endings = new Set([
  "",
  ..."s es z y ed er ers ing in ish ty ass got gots goty gy gotry let lets ot ots".split(" "),
]);
/** Whole words of the English list that are something else here: too late in French, over in Danish, go in Irish. */
const harmless =
  /(?<![\p{L}])(?:(?:en|du|de|des|le|les|un|mon|ton|son|sans|notre|votre|leur|au|quel|ce|petit|grand|gros) retards?|retard (?:de|du|d[’']|pour|dans|à|sur)|(?:er|var|til|helt|nu|lige|snart|endelig|blev|bliver|forbliver|ikke|som|at|og|uden) slut|slutt(?:e|er|et)|slut (?:på|med|for|i|nu|dato)|(?:et|mit|dit|hvilke|hvilket|mange|mine|dine) fag|fág|dykes? (?:road|bridge)|chinking|chinks? in)(?!\p{L})/giu;

/**
 * Insults, threats, hate against groups and solicitation in a text (rules TEXT-60 to TEXT-63, TEXT-154, TEXT-155). It
 * knows words and phrases, no meaning: what it misses is reported by people. Takes time in proportion to the length.
 */
export function scanAbuse(written: string): AbuseFound {
  const text = written.normalize("NFC");
  const { folded, placeOf } = foldWithPlaces(text);
  const stretches = (found: readonly RegExpMatchArray[]): Stretch[] =>
    found.map((match) => {
      const start = match.index ?? 0;
      return { start: placeOf(start), end: placeOf(start + match[0].length) };
    });
  const threat = stretches([...threatening.find(folded), ...hating.find(folded)]);
  const insult = [...stretches(insulting.find(folded)), ...englishIn(text), ...stretches(spelledOut(folded))];
  const abuse = [...threat, ...insult];
  const solicitation = stretches([...soliciting.find(folded), ...solicitingAtLength.find(folded)]);
  return {
    isStopped: threat.length > 0 || solicitation.length > 0,
    findings: [
      ...(abuse.length > 0 ? ["abuse" as const] : []),
      ...(solicitation.length > 0 ? ["solicitation" as const] : []),
    ],
    masked: maskStretches(text, [...abuse, ...solicitation]),
  };
}

/** The text with these stretches unreadable; the mask does not tell how long they were. */
function maskStretches(text: string, stretches: readonly Stretch[]): string {
  let masked = "";
  let done = 0;
  for (const { start, end } of stretches.toSorted((one, other) => one.start - other.start)) {
    if (end <= done) continue;
    masked += start < done ? "" : `${text.slice(done, start)}•••`;
    done = end;
  }
  return masked + text.slice(done);
}

/** With and without the letters that may be missing. */
function spellingsOf([first, ...rest]: readonly PatternNode[]): string[] {
  if (!first) return [""];
  const isOptional = first.kind === SyntaxKind.Optional;
  const node = isOptional ? first.childNode : first;
  if (node.kind !== SyntaxKind.Literal) throw new Error("a word of the English list has a letter that may be any");
  const word = String.fromCodePoint(...node.chars);
  return spellingsOf(rest).flatMap((after) => (isOptional ? [word + after, after] : [word + after]));
}

/** Insults of the English list that are words of their own. */
function englishIn(text: string): Stretch[] {
  const found = english
    .getAllMatches(text)
    .map(({ startIndex, endIndex }) => ({ start: startIndex, end: endIndex + 1 }));
  const words = found.filter((stretch) => isWord(text, stretch));
  if (words.length === 0) return [];
  const spared = matchesOf(harmless, text).map(({ 0: words, index }) => ({ start: index, end: index + words.length }));
  return words.filter(({ start, end }) => !spared.some((one) => one.start <= start && end <= one.end));
}

/** Letters that are drawn out count once: "bbbitchhh". */
function isWord(text: string, { start, end }: Stretch): boolean {
  let [first, last] = [start, end];
  while (first > 0 && text[first - 1] === text[start]) first -= 1;
  while (last < text.length && text[last] === text[end - 1]) last += 1;
  const rest = /^[\p{L}\p{M}\p{N}]{0,16}/u.exec(text.slice(last, last + 16))?.[0] ?? "";
  return !/[\p{L}\p{M}\p{N}]$/u.test(text.slice(Math.max(0, first - 2), first)) && endings.has(rest.toLowerCase());
}

function spelledOut(folded: string): RegExpMatchArray[] {
  return matchesOf(spelled, folded).filter(([run]) => {
    const word = run.replaceAll(/[^\p{L}]/gu, "");
    return englishIn(word).length > 0 || insulting.find(word).length > 0;
  });
}

/** Folded text, and where in the original each of its units comes from. */
function foldWithPlaces(text: string): { folded: string; placeOf: (unit: number) => number } {
  if (isAscii(text)) return { folded: foldText(text), placeOf: (unit) => unit };
  let folded = "";
  const at: number[] = [];
  let place = 0;
  for (const sign of text) {
    // The capital dotted i of Turkish leaves its dot behind.
    const plain = foldText(sign).replace("\u0307", "");
    for (let unit = 0; unit < plain.length; unit += 1) at.push(place);
    folded += plain;
    place += sign.length;
  }
  return { folded, placeOf: (unit) => at[unit] ?? text.length };
}

/** Of plain letters each stays where it is, which is most of what is written. */
function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(text);
}

/** Where words of a list stand in folded text: between others, or anywhere for those of languages without spaces. */
function wordList(spaced: readonly string[], unspaced: readonly string[]): Finder {
  const anywhere = unspaced.map((word) => escaped(foldText(word)));
  const words = spaced.map((word) => {
    const open = word.endsWith("*");
    const source = escaped(foldText(open ? word.slice(0, -1) : word)).replaceAll(" ", "\\s{1,3}");
    return `${source}${open ? "\\p{L}{0,12}" : ""}(?![\\p{L}\\p{N}])`;
  });
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})|${anywhere.join("|")}`, "gu");
  // Plain letters are looked for thirty times as fast as a pattern, and most texts hold none of these.
  const beginnings = spaced.map((word) => escaped(foldText(word.replace(/[ *].*$/, ""))));
  const hint = new RegExp([...beginnings, ...anywhere].join("|"), "u");
  return { pattern, find: (folded) => (hint.test(folded) ? matchesOf(pattern, folded) : []) };
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
