import { isAccount, isUnmistakable } from "./account-shapes.ts";
import {
  anyOf,
  ends,
  everywhere,
  firstOf,
  pattern,
  starts,
  type TextRange,
  rangeOf,
  wholeWord,
} from "./account-patterns.ts";
import { accountWords, latinServices, services } from "./account-words.ts";
import { chineseAccountIn, hasChinese } from "./chinese-accounts.ts";
import { uncapitalisedNameIn } from "./full-names.ts";
import { arabicService, isEverydayService, isService } from "./service-names.ts";

type Word = TextRange & { readonly text: string };

const nearWordsMax = 14;
const { reaching } = accountWords;

/** Phrases that refer to an account: "add me", "my handle". */
const reaches = pattern(
  starts,
  `(?:${anyOf(reaching.verbs)} ?(?:for |up )?(?:me|us)|my ${anyOf(reaching.mine)}|${anyOf(reaching.phrases)})`,
  ends,
);
/** "search" or "id", with at most two short words between it and the account. */
const searchesRightBefore = pattern(
  starts,
  anyOf(accountWords.searching),
  "\\s?[:=]?(?:\\s\\p{L}{1,4}){0,2}\\s?[:=]?\\s?$",
);
const lookBackLength = 40;
const connecting = new Set(accountWords.connecting);
const prepositions = new Set(accountWords.prepositions);
const spelling = wholeWord(accountWords.spelling);
const owned = pattern(starts, `(?:my|on|mine) ${anyOf(accountWords.ownedServices)}`, ends);
const arabicAccount = pattern(`${arabicService}|${starts}${anyOf(accountWords.arabicNouns)}${ends}`);
/** A service's name with spaces between its letters: "i g", "l i n e". */
const spelledService = /(?<!\p{L})\p{L}(?: \p{L}){1,6}(?![\p{L}'])/u;

const everyService = anyOf([...latinServices, ...services.flatMap(({ everyday }) => everyday)]);
/** "tiktok/ana". */
const slashed = everywhere(starts, anyOf(latinServices), "\\s?/\\s?([a-z0-9_.]{3,30})", ends);
/** Several services and then a name at the end of the line: "ig/tg: ana". */
const listed = pattern(
  starts,
  everyService,
  `(?:\\s?[/,&+]\\s?${everyService}){1,5}(?!\\p{L})[^:\\n]{0,20}:\\s?[a-z][a-z0-9._-]{3,29}(?=\\s{0,3}(?:[\\n,;.!]|$))`,
);
/** "tango id 12345678". */
const numberedAccount = pattern(
  starts,
  anyOf(
    services.filter(({ foundBy }) => foundBy === "number").flatMap(({ latin, everyday }) => [...latin, ...everyday]),
  ),
  `\\p{L}{0,4} ${anyOf(accountWords.numberNouns)}\\p{L}{0,3} ?:? ?\\d{6,12}(?!\\d)`,
);

/** Every text that names an account without a sign of contact data contains one of these words. */
export const outsideWords: readonly string[] = [
  ...latinServices,
  ...services
    .flatMap((one) => [...one.chinese, ...one.chineseEveryday])
    .filter((word) => /^[\p{L}\p{N}]+$/u.test(word)),
  "id",
];

/** A service's name in any spelling, or words such as "add me", near a word that looks like an account name. */
export function outsideHandleIn(folded: string): TextRange | undefined {
  const words = wordsOf(folded);
  const namesService = hasService(words) || owned.test(folded);
  return (
    rangeOf(firstOf(slashed, folded, ([, name]) => !isService(name!))) ??
    rangeOf(listed.exec(folded)) ??
    (namesService ? rangeOf(spelling.exec(folded)) : undefined) ??
    chineseAccountIn(folded, namesService) ??
    uncapitalisedNameIn(folded) ??
    rangeOf(numberedAccount.exec(folded)) ??
    accountLikeWordIn(folded, words)
  );
}

/** A word that looks like an account name, near a service or words that refer to an account. */
function accountLikeWordIn(folded: string, words: readonly Word[]): TextRange | undefined {
  const index = words.findIndex(({ text }) => isAccount(text) && !isService(text));
  const account = words[index];
  if (!account) return undefined;
  if (hasChinese(folded) || arabicAccount.test(folded)) return account;
  const near = [
    ...words.slice(Math.max(0, index - nearWordsMax), index),
    ...words.slice(index + 1, index + 1 + nearWordsMax),
  ];
  if (hasService(near)) return account;
  const isLed =
    reaches.test(folded) ||
    searchesRightBefore.test(folded.slice(Math.max(0, account.start - lookBackLength), account.start));
  const isEverydayNear = near.some(({ text }) => isEverydayService(text)) || spelledService.test(folded);
  if (isEverydayNear && (isLed || isAlone(words.slice(0, index)) || isOnService(words.slice(index + 1))))
    return account;
  return isLed && isUnmistakable(account.text) ? account : undefined;
}

function hasService(words: readonly Word[]): boolean {
  return words.some(({ text }, at) => isService(text) || isService(text + (words[at + 1]?.text ?? "")));
}

function isAlone(before: readonly Word[]): boolean {
  return before.every(({ text }) => text.length < 2 || isEverydayService(text) || connecting.has(text));
}

function isOnService([first, ...others]: readonly Word[]): boolean {
  return (
    first !== undefined &&
    prepositions.has(first.text) &&
    others.slice(0, 2).some(({ text }) => isEverydayService(text))
  );
}

function wordsOf(folded: string): Word[] {
  return Array.from(folded.matchAll(/\p{Script=Han}+|[^\s\p{Script=Han}:：,，=→]+/gu), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
}
