import { anyOf } from "./account-patterns.ts";
import { accountWords } from "./account-words.ts";

const lengthMin = 5;
/** Parts joined by a dot, an underscore or a dash: "ana.lima". */
const joined = /^[a-z][a-z0-9]*(?:[._-]{1,2}[a-z0-9]+)+[_.]?$/;
/** Letters with digits before, behind or between them: "ana99". */
const numbered = /^(?:[a-z]{3,}\d{2,}[a-z0-9]*|[a-z]{4,}\d|\d{1,4}[a-z]{4,}\d*|[a-z]+\d+[a-z]+\d*|[a-z]{1,2}\d{5,})$/;
const underscored = /^_+[a-z0-9]{3,}|^[a-z0-9]{3,}_+$/;
/** As on Discord: "ana#0042". */
const tagged = /^[\p{L}\p{N}_.]{2,32}#\d{3,5}$/u;
const mentioned = /^[@$][a-z0-9_][a-z0-9_.-]{2,30}$/;
/** Words with a digit, a dot or a dash that are not accounts. */
const ordinary = [
  new RegExp(`^${anyOf(accountWords.ordinaryNumbered)}[-_.]?\\d`),
  new RegExp(`\\.${anyOf(accountWords.fileEndings)}$`),
  /^(?:e\.g|i\.e|a\.m|p\.m|u\.s|u\.k|etc)/,
  // Measures and compound words: "90kg", "well-known".
  /^(?:\d+[a-z]{1,3}|[a-z]+-[a-z]+(?:-[a-z]+)*)$/,
];

export function isAccount(word: string): boolean {
  const text = bare(word);
  if (tagged.test(text) || mentioned.test(text)) return !/^[@$]\d+$/.test(text);
  if (text.length < lengthMin || ordinary.some((shape) => shape.test(text))) return false;
  return joined.test(text) || numbered.test(text) || underscored.test(text);
}

/** Whether the word cannot be anything but an account name. A word with digits alone may be a product. */
export function isUnmistakable(account: string): boolean {
  return joined.test(bare(account)) || mentioned.test(account) || tagged.test(account);
}

function bare(word: string): string {
  return word.replace(/^[^\p{L}\p{N}@$_]+|[^\p{L}\p{N}_]+$/gu, "");
}
