import type * as v from "valibot";
import type { textFindingSchema } from "./messages.ts";
import { hasHandle, services } from "./personal-data-handles.ts";
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

const email = /[\p{L}\p{N}._%+-]\s{0,2}@\s{0,2}[\p{L}\p{N}-]{1,63}\s{0,2}\.\s{0,2}\p{L}{2}/u;
const mailHouse = /(?<![a-z])(?:gmail|googlemail|hotmail|icloud|yahoo|protonmail)\s{0,2}[.,]?\s{0,2}com(?![a-z])/u;
/**
 * One of these matches, once folded, whatever text without digits, `@`, `_` and brackets, and with a space behind each dot,
 * holds contact data that is no number; an ending such as "com" behind a dot and a space aside.
 */
export const contactsInWords: readonly RegExp[] = [spokenDot, mailHouse, services];
const link = new RegExp(
  [
    "https?:\\/\\/\\S",
    "(?<![\\p{L}\\p{N}])www\\.\\p{L}",
    "(?<![\\p{L}\\p{N}])(?:t|wa|line|m|telegram|fb|vk|kik)\\s?\\.\\s?(?:me|com)\\s?\\/\\s?\\S",
    "(?<![\\p{L}\\p{N}])(?:discord\\s?\\.\\s?gg|bit\\.ly|goo\\.gl|linktr\\.ee)(?![\\p{L}\\p{N}])",
    `[\\p{L}\\p{N}-]\\.(?:${endings})(?![\\p{L}\\p{N}])`,
  ].join("|"),
  "u",
);

/** What may stand between the digits of one number. */
const digitRun = /(?:\+\s{0,2}|\(\s{0,2})?\d(?:[ .\-()/_·~*]{0,3}\d){6,30}/gu;
const day =
  /(?<!\d)(?:(?:19|20)\d\d[-./ ]{1,2}\d{1,2}[-./ ]{1,2}\d{1,2}|\d{1,2}[-./ ]{1,2}\d{1,2}[-./ ]{1,2}(?:19|20)\d\d)(?!\d)/g;
const time = /(?<![\d.])\d{1,2}[:.h]\d{2}(?::\d{2})?(?![\d.]\d)/g;
const phoneDigits = { min: 9, minWithPlus: 8, max: 15 } as const;

/**
 * Ways to be reached outside that a text holds: the light half of the rules TEXT-*, the same in the browser, which warns
 * with it, and on the server, which knows more. Never throws; takes time in proportion to the length.
 */
export function findPersonalData(text: string): TextFinding[] {
  const folded = foldText(text);
  const spoken = unveil(folded);
  const findings: TextFinding[] = [];
  if (phoneRuns(folded).some((run) => isPhoneLike(run)) || hasSpokenNumber(text)) findings.push("phone");
  const hasEmail = email.test(spoken) || mailHouse.test(spoken);
  if (hasEmail) findings.push("email");
  if (link.test(hasEmail ? spoken.replaceAll(/\S{0,64}@\s{0,2}\S{0,64}/gu, " ") : spoken)) findings.push("link");
  if (hasHandle(spoken)) findings.push("handle");
  return findings;
}

/** Folded text in which `(at)` and `(dot)` are what they stand for. */
export function unveil(folded: string): string {
  return folded
    .replace(bracketedAt, "@")
    .replace(bracketedDot, ".")
    .replace(spokenDot, ".")
    .replace(spacedDot, ".")
    .replace(spokenAt, "@");
}

/** Digits of folded text that belong together, without days, times, counting and large round numbers. */
export function phoneRuns(folded: string): string[] {
  const left = folded.replace(day, " | ").replace(time, " | ");
  return matchesOf(digitRun, left)
    .map(([run]) => run)
    .filter((run) => !isOrdinary(run));
}

function isPhoneLike(run: string): boolean {
  const { length } = run.replaceAll(/\D/g, "");
  return length >= (run.startsWith("+") ? phoneDigits.minWithPlus : phoneDigits.min) && length <= phoneDigits.max;
}

/** Amounts in groups of three, fractions, years, counting up or down, and keys held down. */
function isOrdinary(run: string): boolean {
  if (run.startsWith("+")) return false;
  if (/^\d{1,3}(?:\.\d{3})+$/.test(run) || /^\d{1,3}(?: \d{3})* 000$/.test(run) || /0{6}$/.test(run)) return true;
  if (/^\d\.\d+$/.test(run)) return true;
  const groups = run.split(/\D+/).filter((group) => group !== "");
  if (groups.every((group) => /^(?:19|20)\d\d$/.test(group))) return true;
  if (new Set(run.replaceAll(/\D/g, "")).size <= 2) return true;
  const [first = 0, second = 0] = groups.map(Number);
  const step = second - first;
  return groups.length > 2 && groups.every((group, index) => Number(group) === first + step * index);
}
