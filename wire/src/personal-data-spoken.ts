import { foldText, matchesOf } from "./text-folding.ts";

/** Names and common spellings of the digits 0 to 9 in English, Turkish, Indonesian and Arabic. */
const names = [
  "zero oh o sıfır sifir nol kosong صفر",
  "one bir satu واحد",
  "two iki dua اثنان اثنين اتنين",
  "three üç uc tiga ثلاثة ثلاثه تلاتة ثلاث",
  "four dört dort empat أربعة اربعة اربعه أربع اربع",
  "five beş bes lima خمسة خمسه خمس",
  "six altı alti enam ستة سته ست",
  "seven yedi tujuh سبعة سبعه سبع",
  "eight sekiz delapan ثمانية ثمانيه تمانية ثماني",
  "nine dokuz sembilan تسعة تسعه تسع",
].map((line) => line.split(" "));
/** Digit of each digit word and each Chinese numeral. */
export const digitOf: Map<string, string> = new Map(
  names.flatMap((words, digit) => words.map((word) => [word, String(digit)] as const)),
);
const signs = "零〇 一壹幺 二贰 三叁 四肆 五伍 六陆 七柒 八捌 九玖".split(" ");
/** Chinese numerals for single digits. */
const numberSigns = signs.join("");
for (const [digit, ofDigit] of signs.entries()) for (const sign of ofDigit) digitOf.set(sign, String(digit));

/** The 1 of each row of digits in circles, boxes or with a full stop. Folding converts only some of them. */
const rows = ["①", "❶", "➀", "➊", "⓵", "⑴", "⒈"].map((one) => one.codePointAt(0) ?? 0);
const zeros = "⓪⓿🄋🄌🄀";
const invisible = "\u200b";
const circled = /[①-⑨❶-❾➀-➈➊-➒⓵-⓽⑴-⑼⒈-⒐⓪⓿🄋🄌🄀]/gu;

const words = names.flat().toSorted((one, other) => other.length - one.length);
const token = new RegExp(
  `(?<!\\p{L})(?:(?<twice>double)\\s|(?<thrice>triple)\\s)?(?<word>${words.join("|")})(?![\\p{L}\\p{M}])|[${numberSigns}]|\\d`,
  "gu",
);
const between = /^[\s,،、.\-–_/*~·]{0,3}$/u;
/** A shorter run is a quantity. A run with fewer digit words is a quantity beside another word. */
const digitsMin = 7;
const numberWordsMin = 4;

/** Whether a text spells a number digit by digit, in words, numerals or circled digits, and does not count. */
export function hasSpokenNumber(text: string): boolean {
  return spokenNumberIn(foldText(withoutCircles(text))) !== undefined;
}

/** Replaces circled digits by Chinese numerals. The length stays equal, so that positions stay valid. */
export function withoutCircles(text: string): string {
  return text.replace(circled, (circle) => signs[circledDigit(circle)]![0]!.padEnd(circle.length, invisible));
}

/** Range of the first number that a folded text spells digit by digit, in UTF-16 units, the end excluded. */
export function spokenNumberIn(folded: string): { start: number; end: number } | undefined {
  let run = { digits: "", words: 0, start: 0, end: 0 };
  for (const { 0: sign, index, groups } of matchesOf(token, folded)) {
    if (run.digits === "" || !between.test(folded.slice(run.end, Math.min(index, run.end + 4)))) {
      if (isSpokenNumber(run)) break;
      run = { digits: "", words: 0, start: index, end: 0 };
    }
    const digit = digitOf.get(groups?.["word"] ?? sign);
    const times = groups?.["thrice"] ? 3 : groups?.["twice"] ? 2 : 1;
    run = {
      digits: run.digits + (digit ?? sign).repeat(times),
      words: run.words + (digit ? 1 : 0),
      start: run.start,
      end: index + sign.length,
    };
  }
  return isSpokenNumber(run) ? { start: run.start, end: run.end } : undefined;
}

/**
 * Whether a text may be a part of a number: it has a digit, two digit words, or nothing but one digit word. One digit
 * word in a sentence has other meanings, such as "bir" in Turkish.
 */
export function maySayNumber(text: string): boolean {
  const folded = foldText(text);
  if (/\d/.test(folded)) return true;
  let others = false;
  let said = 0;
  for (const [found] of matchesOf(signOrWord, folded)) {
    if (!digitOf.has(found)) others = true;
    else if ((said += 1) === 2) return true;
  }
  return said === 1 && !others;
}

/** All digits of a text, whatever their notation; keeps `+`. */
export function digitsOf(text: string): string {
  return matchesOf(signOrWord, foldText(text))
    .map(([found]) => (/^[+\d]$/.test(found) ? found : (digitOf.get(found) ?? "")))
    .join("");
}

const signOrWord = new RegExp(`[+\\d${numberSigns}]|(?:(?![${numberSigns}])[\\p{L}\\p{M}])+`, "gu");
/** Whether spelled digits are a number, not counting. `words`: how many of them were words or numerals. */
export function isSpokenNumber({ digits, words: spoken }: { digits: string; words: number }): boolean {
  return digits.length >= digitsMin && spoken >= numberWordsMin && !isCounting(digits) && new Set(digits).size > 2;
}

/** Digits in equal steps, once or repeatedly: "five six seven eight, five six seven eight". */
function isCounting(digits: string): boolean {
  const steps = Array.from(digits.slice(1), (digit, at) => Number(digit) - Number(digits[at]));
  const length = steps.findIndex((step) => step !== steps[0]) + 1;
  if (length === 0) return true;
  return (
    length > 2 &&
    digits ===
      digits
        .slice(0, length)
        .repeat(Math.ceil(digits.length / length))
        .slice(0, digits.length)
  );
}

function circledDigit(sign: string): number {
  if (zeros.includes(sign)) return 0;
  const code = sign.codePointAt(0) ?? 0;
  return code - (rows.findLast((one) => code >= one && code < one + 9) ?? code) + 1;
}
