import type * as v from "valibot";
import type { textFindingSchema } from "./messages.ts";
import { handleIn, serviceNames } from "./personal-data-handles.ts";
import { hasSpokenNumber } from "./personal-data-spoken.ts";
import { foldText, matchesOf } from "./text-folding.ts";

type TextFinding = v.InferOutput<typeof textFindingSchema>;

const at = "at|arroba|arobase|chez|ات|آت|艾特";
const dot = "dot|punto|ponto|nokta|titik|نقطة|点";
const endings = "com|net|org|info|biz|xyz|gg|io|app|ru|cn|tr|jp|kr|uk";
const openings = "[(\\[{<*]";
const closings = "[)\\]}>*]";
const bracketedAt = new RegExp(`\\s{0,3}${openings}\\s{0,2}(?:${at}|et|@)\\s{0,2}${closings}\\s{0,3}`, "gu");
const bracketedDot = new RegExp(`\\s{0,3}${openings}\\s{0,2}(?:${dot}|\\.)\\s{0,2}${closings}\\s{0,3}`, "gu");
const spokenDot = new RegExp(`\\s{1,3}(?:${dot})\\s{1,3}(?=(?:${endings})(?![\\p{L}\\p{N}]))`, "gu");
const spacedDot = new RegExp(`\\s{0,2}\\.\\s{0,2}(?=(?:com|net|org)(?![\\p{L}\\p{N}]))`, "gu");
const spokenAt = new RegExp(
  `(?<=[a-z0-9])\\s{1,3}(?:${at})\\s{1,3}(?=[a-z0-9-]{2,40}\\.(?:${endings})(?![\\p{L}\\p{N}]))`,
  "gu",
);

/** Words between digit groups of one number, in Turkish, Indonesian and Arabic. */
const betweenGroups = /(?<=\d)\s{0,2}(?:sonra|sonrası|terus|trus|lalu|lanjut|ثم|بعدين|وبعدين|\|)\s{0,2}(?=\d)/gu;

const email = /[\p{L}\p{N}._%+-]\s{0,2}@\s{0,2}[\p{L}\p{N}-]{1,63}\s{0,2}\.\s{0,2}\p{L}{2}/u;
const mailHouse = /(?<![a-z])(?:gmail|googlemail|hotmail|icloud|yahoo|protonmail)\s{0,2}[.,]?\s{0,2}com(?![a-z])/u;
const link = new RegExp(
  [
    "https?:\\/\\/\\S",
    "(?<![\\p{L}\\p{N}])www\\.\\p{L}",
    "(?<![\\p{L}\\p{N}])(?:t|wa|line|m|telegram|fb|vk|kik)\\s?\\.\\s?(?:me|com)\\s?\\/\\s?\\S",
    "(?<![\\p{L}\\p{N}])(?:discord\\s?\\.\\s?gg|bit\\.ly|goo\\.gl|linktr\\.ee)(?![\\p{L}\\p{N}])",
    "(?<![\\p{L}\\p{N}])(?:t|wa)\\s?(?:\\.|dot)?\\s?me\\s?(?:\\/|slash)\\s?[a-z]",
    // `ASP.NET`, `VB.NET` and `ADO.NET` are no domains.
    `[\\p{L}\\p{N}-](?<!(?<!\\p{L})(?:asp|vb|ado)(?=\\.net))\\.(?:${endings})(?![\\p{L}\\p{N}])`,
  ].join("|"),
  "u",
);

/** All contact data without a digit, `@`, `:`, `/`, `_`, bracket or dot before a letter contains one of these words. */
export const contactWords: readonly string[] = [
  ...serviceNames,
  ...dot.split("|"),
  ..."face feys fesbuk feysbuk pesbuk michat litmatch bigo tango azar skayp vatsap votsap diskord instgrm instagrem snepçet".split(
    " ",
  ),
  ..."فايسبوك الفيس بالفيس عالفيس الفيسبوك بالانستا عالانستا الانستا فالانستا التليجرام التيليغرام السناب عالسناب السكايب تانغو".split(
    " ",
  ),
  ..."com net org gmail googlemail hotmail icloud yahoo protonmail slash".split(" "),
];
/** Digits of one number with their separators. */
const digitRun = /(?:\+\s{0,2}|\(\s{0,2})?\d(?:(?:[ .\-()/_·~*\n]{0,3}|[,;:|])\d){6,30}/gu;
const day =
  /(?<!\d)(?:(?:19|20)\d\d[-./ ]{1,2}\d{1,2}[-./ ]{1,2}\d{1,2}|\d{1,2}[-./ ]{1,2}\d{1,2}[-./ ]{1,2}(?:19|20)\d\d)(?!\d)/g;
const time = /(?<![\d.:])(?:[01]?\d|2[0-3])[:.h][0-5]\d(?::[0-5]\d)?(?![.:]?\d)/g;
/** Letters that look like digits, beside digits. */
const digitLike = /(?<=\d)[oil](?=[\d\s,.-])|(?<![\p{L}\p{N}])[oil](?=\d)/gu;
const priced =
  /^\s?(?:beans?|coins?|usd|eur|try|tl|rp|dollars?|euros?|lira|rupiah|points?|xp|[$€£₺]|ريال|جنيه|元|块)(?!\p{L})/u;
const pricedLength = 10;
const phoneDigits = { min: 9, minWithPlus: 8, max: 15 } as const;

/**
 * Finds contact data in a text. It is the light part of the rules TEXT-*: the browser warns with it, and the server has
 * further rules. Never throws; linear in the length of the text.
 */
export function findPersonalData(text: string): TextFinding[] {
  const found = new Set(locatePersonalData(unveil(foldText(text))).map(({ finding }) => finding));
  if (hasSpokenNumber(text)) found.add("phone");
  return kinds.filter((kind) => found.has(kind));
}

const kinds = ["phone", "email", "link", "handle"] as const;

/** A finding with its place in the searched text, in UTF-16 units, the end excluded. */
export interface Located {
  readonly finding: (typeof kinds)[number];
  readonly start: number;
  readonly end: number;
}

/** Finds contact data in text that is folded and unveiled, except numbers in words. */
export function locatePersonalData(spoken: string): Located[] {
  const found: Located[] = [];
  const add = (finding: Located["finding"], at: { start: number; end: number } | null) =>
    at && found.push({ finding, ...at });
  for (const run of phoneRuns(spoken)) if (isPhoneLike(run.text)) add("phone", run);
  const mail = placeOf(email, spoken) ?? placeOf(mailHouse, spoken);
  add("email", mail);
  const withoutMail = mail
    ? spoken.replaceAll(/\S{0,64}@\s{0,2}\S{0,64}/gu, (address) => " ".repeat(address.length))
    : spoken;
  add("link", placeOf(link, withoutMail));
  add("handle", handleIn(spoken));
  return found;
}

/** The first match of a pattern, extended to whole words. */
function placeOf(pattern: RegExp, text: string): { start: number; end: number } | null {
  const found = pattern.exec(text);
  if (!found) return null;
  let start = found.index;
  let end = start + found[0].length;
  while (start > 0 && /\S/.test(text[start - 1]!)) start -= 1;
  while (end < text.length && /\S/.test(text[end]!)) end += 1;
  return { start, end };
}

/** Replaces notations such as `(at)` and `(dot)` in folded text by their characters. */
function unveil(folded: string): string {
  return veils.reduce((text, [veil, sign]) => text.replace(veil, sign), folded);
}

/** Notations and the characters that replace them, applied in this order. */
export const veils: readonly (readonly [RegExp, string])[] = [
  [bracketedAt, "@"],
  [bracketedDot, "."],
  [spokenDot, "."],
  [spacedDot, "."],
  [spokenAt, "@"],
  [betweenGroups, " "],
];

/** Digit runs of folded text with their places, without dates, times, prices, counting and scores. */
export function phoneRuns(folded: string): { text: string; start: number; end: number }[] {
  const cross = (what: string) => "x".repeat(what.length);
  const left = folded
    .replace(digitLike, (letter) => (letter === "o" ? "0" : "1"))
    .replace(day, cross)
    .replace(time, cross);
  return matchesOf(digitRun, left)
    .map(({ 0: text, index }) => ({ text, start: index, end: index + text.length }))
    .filter(
      ({ text, end }) =>
        !isOrdinary(text) && (/^[+(0]/.test(text) || !priced.test(left.slice(end, end + pricedLength))),
    );
}

function isPhoneLike(run: string): boolean {
  const { length } = run.replaceAll(/\D/g, "");
  return length >= (run.startsWith("+") ? phoneDigits.minWithPlus : phoneDigits.min) && length <= phoneDigits.max;
}

/** Amounts, fractions, versions, scores, years, round numbers, counting, and repeated digits. */
function isOrdinary(run: string): boolean {
  if (run.startsWith("+") || /^0(?:[.,]\d){8,}$/.test(run)) return false;
  if (ordinary.some((shape) => shape.test(run)) || /0{6}$/.test(run)) return true;
  const groups = run.split(/\D+/).filter((group) => group !== "");
  if (groups.every((group) => /^(?:19|20)\d\d$/.test(group))) return true;
  if (groups.length > 2 && groups.every((group) => /^[1-9]\d*0$/.test(group))) return true;
  if (new Set(run.replaceAll(/\D/g, "")).size <= 2) return true;
  if (groups.length > 3 && /^[1-9]/.test(run) && groups.every(({ length }) => length < 3) && !isEven(groups))
    return true;
  const [first = 0, second = 0] = groups.map(Number);
  const step = second - first;
  return groups.length > 2 && groups.every((group, index) => Number(group) === first + step * index);
}

/** Whether all groups have the same number of digits; lottery numbers do not. */
function isEven(groups: readonly string[]): boolean {
  return groups.every(({ length }) => length === groups[0]!.length);
}

const ordinary = [
  /^\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?$/,
  /^\d{1,3}(?: \d{3})* 000$/,
  /^\d\.\d+$/,
  // Scores, grades, and versions.
  /^\d{1,3}[-:/]\d{1,3}(?:[ ,;.()\n]{1,3}\d{1,3}[-:/]\d{1,3})+$/,
  /^\d{1,3}[.,]\d{1,2}(?:[ ,;/\n-]{1,3}\d{1,3}[.,]\d{1,2})+$/,
  /^(?=.*(?:^|\.)[1-9]?\d\.\d(?:\.|$))\d{1,6}(?:\.\d{1,6}){2,}$/,
];
