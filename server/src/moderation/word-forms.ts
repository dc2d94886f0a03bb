import { resolveConfusablesTransformer } from "obscenity";
import { foldText } from "@fava/wire/text-folding.ts";

/** Only this many letters of a word are read. No list has a longer word. */
const lettersMax = 48;
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}'’ʼʻ`]/gu;
const vowelMarks = /[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]/gu;
const marksOfLatin = /(?<=\p{Script=Latin}\p{M}{0,4})\p{M}/gu;
const marksPerLetterMax = /(\p{M}{4})\p{M}+/gu;
const sameLetters: Readonly<Record<string, string>> = {
  ı: "i",
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
  ё: "е",
};
const sameLetter = /[ıأإآٱىیکةё]/gu;
const digitLook: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "!": "i",
  "|": "i",
  "€": "e",
};
const hasDigitLook = /[0-9@$!|€]/;
const digitLooks = /[0-9@$!|€]/g;
/** Signs that stand for a letter inside a word. */
export const substituteSigns = "!@$|€";

/**
 * The readings of a word, likeliest first: lower case, without hidden signs and vowel marks, in the script of most
 * letters; then without Latin marks, and with digits as letters. `~` marks a reading with shortened runs of letters.
 */
export function formsOf(written: string): readonly string[] {
  if (/^[a-z]{1,48}$/.test(written) && !/(.)\1\1/.test(written)) return [written];
  const plain = plainForm(written.length > 4 * lettersMax ? written.slice(0, 4 * lettersMax) : written);
  if (plain.length > lettersMax) return [];
  const forms = new Set([plain]);
  const bare = withoutMarks(plain);
  // `plain` still has marks that belong to no letter and only disguise the word.
  forms.add(plain.replace(marksOfLatin, "")).add(bare);
  if (hasDigitLook.test(bare) && /\p{L}/u.test(bare))
    for (const form of Array.from(forms)) {
      forms.add(lettersFor(form));
      if (/[1!|]/.test(form)) forms.add(lettersFor(form.replaceAll(/[1!|]/g, "l")));
    }
  for (const form of Array.from(forms)) if (/(\p{L})\1\1/u.test(form)) forms.add(`~${withoutRepeats(form)}`);
  forms.delete("");
  return [...forms];
}

function lettersFor(form: string): string {
  return form.replaceAll(digitLooks, (sign) => digitLook[sign] ?? sign);
}

/** The normalized form under which the lists store a word. */
export function plainForm(written: string): string {
  return isPlain(written) ? written : folded(written);
}

/** Cache by UTF-16 unit: its script, if folding leaves the unit unchanged; 0 if unknown. */
const scripts = new Uint8Array(0x1_0000);
const Script = { none: 1, latin: 2, cyrillic: 3, other: 4 } as const;

/** Whether folding would change nothing, since all letters are of one script. */
function isPlain(word: string): boolean {
  let script = 0;
  for (let at = 0; at < word.length; at += 1) {
    const of = (scripts[word.charCodeAt(at)] ||= scriptOf(word[at]!));
    if (of === Script.none || (script !== 0 && of !== script)) return false;
    script = of;
  }
  return true;
}

function scriptOf(unit: string): number {
  if (!/[\p{L}]/u.test(unit) || folded(unit) !== unit) return Script.none;
  if (/\p{Script=Latin}/u.test(unit)) return Script.latin;
  return /\p{Script=Cyrillic}/u.test(unit) ? Script.cyrillic : Script.other;
}

function folded(written: string): string {
  const word = foldText(written)
    .replace(hidden, "")
    .replace(vowelMarks, "")
    .replaceAll("i\u0307", "i")
    .replace(marksPerLetterMax, "$1");
  return oneScript(word)
    .replace(sameLetter, (letter) => sameLetters[letter] ?? letter)
    .normalize("NFC");
}

const markedLetter = /[\u00c0-\u024f\u1e00-\u1eff\p{M}]/u;

export function withoutMarks(plain: string): string {
  if (!markedLetter.test(plain)) return plain;
  return plain.normalize("NFD").replace(marksOfLatin, "").normalize("NFC").replaceAll("đ", "d").replaceAll("ł", "l");
}

export function withoutRepeats(word: string): string {
  let at = 1;
  while (at < word.length && word[at] !== word[at - 1]) at += 1;
  if (at >= word.length) return word;
  return word.replaceAll(/(\p{L})\1+/gu, "$1");
}

/** Replaces letters that imitate letters of the script that most letters have. */
function oneScript(word: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\u024f]*$/.test(word)) return word;
  const count = (pattern: RegExp) => word.match(pattern)?.length ?? 0;
  const [latin, cyrillic, greek] = [/\p{Script=Latin}/gu, /\p{Script=Cyrillic}/gu, /\p{Script=Greek}/gu].map(count) as [
    number,
    number,
    number,
  ];
  const others = count(/[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}\p{N}\p{S}\p{P}]/gu);
  if (cyrillic > latin) return word.replaceAll(/[a-z036]/g, (letter) => cyrillicLooks.get(letter) ?? letter);
  if (greek > latin) return word.replaceAll(/[a-z]/g, (letter) => greekLooks.get(letter) ?? letter);
  return others > 0 || cyrillic + greek + latin === 0 ? word : Array.from(word, latinLookalike).join("");
}

/** The lower-case Latin letter that a sign imitates, or the sign itself. */
export function latinLookalike(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  if (code <= 0x24f || /\p{M}/u.test(sign)) return sign;
  const transformed = "transform" in resolver ? resolver.transform(code) : code;
  const look = String.fromCodePoint(transformed ?? code).toLowerCase();
  return /^[a-z]$/.test(look) ? look : sign;
}
const resolver = resolveConfusablesTransformer();

function looksOf(first: string, last: string): Map<string, string> {
  const looks = new Map<string, string>();
  for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code += 1) {
    const letter = String.fromCharCode(code);
    if (!looks.has(latinLookalike(letter))) looks.set(latinLookalike(letter), letter);
  }
  return looks;
}
const greekLooks = looksOf("α", "ω");
/** Overrides where several Cyrillic letters look alike, and digits, which the table lacks. */
const cyrillicLooks = new Map([
  ...looksOf("а", "ѕ"),
  ...Object.entries({ h: "н", i: "і", n: "п", u: "и", y: "у", "0": "о", "3": "з", "6": "б" }),
]);
