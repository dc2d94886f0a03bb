import { matchesOf } from "@fava/wire/text-folding.ts";
import { isAccount, isUnmistakable } from "./account-shapes.ts";
import { accountWords, anyOf, anyOfSpaced, services } from "./account-words.ts";
import { findsByName, isEverydayService, isService } from "./service-names.ts";

/** A stretch of a text, in UTF-16 units, the end excluded. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}
type Word = Stretch & { readonly text: string };

/** A service and an account belong together within as many words. */
const nearWordsMax = 14;
const starts = "(?<![\\p{L}\\p{N}])";
const ends = "(?![\\p{L}\\p{N}])";
const pattern = (...parts: readonly string[]) => new RegExp(parts.join(""), "u");
/** The same for `firstOf`, which looks at every match. */
const everywhere = (...parts: readonly string[]) => new RegExp(parts.join(""), "gu");
const wholeWord = (words: Iterable<string>) => pattern(starts, anyOf(words), ends);
const { chinese, links, mail, names, reaching } = accountWords;

/** "add me", "my handle": a text with one of these leads to an account. */
const reaches = pattern(
  starts,
  `(?:${anyOf(reaching.verbs)} ?(?:for |up )?(?:me|us)|my ${anyOf(reaching.mine)}|${anyOf(reaching.phrases)})`,
  ends,
);
/** "search", "id", with at most two short words before an account right behind them. */
const searchesRightBefore = pattern(
  starts,
  anyOf(accountWords.searching),
  "\\s?[:=]?(?:\\s\\p{L}{1,4}){0,2}\\s?[:=]?\\s?$",
);
const lookBackLength = 40;
const connecting = new Set(accountWords.connecting);
const prepositions = new Set(accountWords.prepositions);
const spelling = wholeWord(accountWords.spelling);
const owned = /(?<!\p{L})(?:my|add my|on|mine) (?:ig|snap|tg|sc|tele|kik|fb|dc|gram|chat)(?!\p{L})|google chat/u;
/** Letters of a name one by one: "i g", "l i n e". */
const spelledService = /(?<!\p{L})\p{L}(?: \p{L}){1,6}(?![\p{L}'])/u;

const latinServices = services.flatMap(({ latin }) => latin);
const everyService = anyOf([...latinServices, ...services.flatMap(({ everyday }) => everyday)]);
/** "tiktok/ana". */
const slashed = everywhere(starts, anyOf(latinServices), "\\s?/\\s?([a-z0-9_.]{3,30})", ends);
/** Two services or more, and then a name that ends the line: "ig/tg: ana". */
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

const arabicService = [
  "(?<!\\p{L})",
  anyOf(["", ...accountWords.arabicPrefixes]),
  anyOf(services.flatMap(({ arabic }) => arabic)),
  anyOf(["", ...accountWords.arabicEndings]),
  "(?!\\p{L})",
].join("");
const arabicAccount = pattern(`${arabicService}|${starts}${anyOf(accountWords.arabicNouns)}${ends}`);
/** "Facebook by the name of Ana Lima", in Arabic, which has no capitals. */
const arabicName = pattern(arabicService, `(?: ?:| ${anyOf(names.as.ar)}) ?\\p{L}{3,20} \\p{L}{3,20}`);
const arabicFinders = wholeWord(names.finders);

/** Words that begin with a capital, as names do. */
const fullName = "\\p{Lu}[\\p{Ll}\\p{M}'’]{1,20}(?: \\p{Lu}[\\p{Ll}\\p{M}'’]{1,20}){1,3}";
const service = "(?<service>\\p{L}{2,14})";
const capitalised = (words: readonly string[]) =>
  words.flatMap((word) => [word, word[0]!.toUpperCase() + word.slice(1)]);
/** "look up Ana Lima on Facebook". */
const lookedUp = everywhere(
  starts,
  anyOf(capitalised(names.leads)),
  ` ${fullName} ${anyOf(accountWords.prepositions)} ${service}`,
);
/** "fb: Ana Lima". */
const announced = everywhere(starts, service, `(?: ${anyOf(names.owners)}){0,2}\\s?[:=]\\s?${fullName}`);
/** "fb ku Ana Lima, add ya", "facebookta Ana Lima, mesaj at". */
const ownedName = everywhere(
  starts,
  service,
  `(?:['’]${anyOf(names.places.tr)}|(?<=${anyOf(names.places.tr)})| ${anyOf(names.owners)})(?: \\p{Ll}{2,9})? ${fullName}`,
);
/** "cari di fb Ana Lima". */
const soughtName = everywhere(
  starts,
  anyOf(capitalised(names.finders)),
  `(?: \\p{Ll}{2,5})? ${anyOf(names.places.id)} ${service} ${fullName}`,
);
const nameFinders = wholeWord(names.finders);
/** "facede ana lima diye bul beni". */
const soughtAs = everywhere(
  starts,
  "(?<service>\\p{L}{2,14})['’]?\\p{L}{0,3}",
  `(?: \\p{L}{2,20}){1,4} ${anyOf(names.as.tr)} (?:ara|arat|bul|ekle)\\p{L}{0,4} beni`,
  ends,
);

const chineseWord = anyOfSpaced(services.flatMap((one) => one.chinese));
const chineseService = anyOfSpaced(services.flatMap((one) => [...one.chinese, ...one.chineseEveryday]));
const namesChineseService = pattern(chineseService);
const han = /\p{Script=Han}/u;
const chineseMention = /@\s?[\p{Script=Han}\p{L}\p{N}_]{2,20}/u;
/** "去soul找我，ID 月亮不睡觉". */
const chineseId = pattern(
  `(?:${chineseService})[^\\n]{0,12}?(?<![a-z])id\\s{0,2}[:是叫]?\\s{0,2}(?!${anyOf(chinese.notNames)})`,
  "(?:\\p{Script=Han}{3,12}|[a-z][a-z0-9_.-]{4,29})(?!\\p{L})",
);
/** "我小红书叫 南城的猫", "抖音号: 小猫". */
const chineseName = everywhere(
  `(?<mine>我[的在]?)?(?:${chineseWord}|${starts}${anyOf(latinServices)})(?<noun>${anyOf(chinese.nouns)})?\\s?`,
  `(?:(?<called>${anyOf(chinese.calls)}|:)|(?<searched>${anyOf(chinese.searches)})|是)`,
  `(?<apart>[\\s“"「『《]{0,3})(?!${anyOf(chinese.notNames)})[\\p{L}\\p{N}_]{2,20}`,
);
const chineseFinders = pattern(anyOf(chinese.finders));
const chineseDigit = "[零〇一二三四五六七八九幺两\\d]";
/** "加扣扣 二七三八四九一零五". */
const chineseNumber = pattern(
  `${chineseService}[\\s${chinese.numberLeads}:,.、]{0,8}`,
  `(?:\\d(?:[\\s-]?\\d){4,11}|${chineseDigit}(?:[\\s-]?${chineseDigit}){5,11})(?!\\d|\\s?[个块元年万亿人颗])`,
);

/** "paypal dot me slash ana", "vk com / ana". */
const spokenLink = pattern(
  `[\\p{L}\\p{N}@-]{1,30}\\s{0,2}(?:\\.|[([]?${anyOf(links.dots)}[)\\]]?)\\s{0,2}${anyOf(links.endings)}`,
  `\\s{0,2}(?:/|${anyOf(links.slashes)})\\s{0,2}[\\p{L}\\p{N}_]{2}`,
  `|${starts}${anyOf(links.hosts)}\\s${anyOf(links.hostEndings)}\\s?/\\s?[\\p{L}\\p{N}_]{2}`,
);
const mailProvider = anyOf([...mail.providers, ...mail.chineseProviders]);
/** "ana_99 at gmail", "gmail is ana at yahoo", "at gmail com", "ana#qq.com". */
const spokenMail = pattern(
  `(?:${starts}[a-z]{0,30}[0-9._][a-z0-9._]{0,30}|${anyOf(mail.words)}(?: is| me)?(?: at)? [a-z0-9._]{3,30})`,
  `\\s{1,3}${anyOf(mail.at)}\\s{1,3}${mailProvider}${ends}`,
  `|${starts}(?:at|@)\\s{1,3}${anyOf([...mail.providers, "mail"])}\\s{0,2}(?:dot|\\.|,)?\\s{0,2}com${ends}`,
  `|[a-z0-9._]{3,30}\\s?#\\s?${mailProvider}\\s?\\.\\s?com`,
);

/** Words of which one stands in each text with an account elsewhere that has no sign of contact data. */
export const outsideWords: readonly string[] = [
  ...latinServices,
  ...services
    .flatMap((one) => [...one.chinese, ...one.chineseEveryday])
    .filter((word) => /^[\p{L}\p{N}]+$/u.test(word)),
  "id",
];

/** A link that is said in words. The text is folded. */
export const spokenLinkIn = (folded: string): Stretch | undefined => stretchOf(spokenLink.exec(folded));

/** A mail address that lacks its sign or its ending. The text is folded. */
export const spokenMailIn = (folded: string): Stretch | undefined => stretchOf(spokenMail.exec(folded));

/** A full name to look for on a service. The text is as it was written: capitals tell names from other words. */
export function fullNameIn(text: string): Stretch | undefined {
  const isFound = (found: RegExpExecArray) => findsByName(found.groups!["service"]!);
  const led = [lookedUp, announced, soughtName].map((shape) => firstOf(shape, text, isFound)).find(Boolean);
  if (led) return stretchOf(led);
  return nameFinders.test(text.toLowerCase()) ? stretchOf(firstOf(ownedName, text, isFound)) : undefined;
}

/**
 * Where a folded text leads to an account elsewhere by the name of a service in any spelling, or by words such as "add
 * me", with what looks like the name of an account near it.
 */
export function outsideHandleIn(folded: string): Stretch | undefined {
  const words = wordsOf(folded);
  return stretchOf(namedAccountIn(folded, words)) ?? accountLikeWordIn(folded, words);
}

/** A name or number that its words or signs make an account, whatever it looks like. */
function namedAccountIn(folded: string, words: readonly Word[]): RegExpExecArray | null {
  const undotted = folded.replaceAll("ı", "i");
  return (
    firstOf(slashed, folded, ([, name]) => !isService(name!)) ??
    listed.exec(folded) ??
    (namesService(folded, words) ? spelling.exec(folded) : null) ??
    chineseAccountIn(folded, words) ??
    firstOf(soughtAs, undotted, (found) => findsByName(found.groups!["service"]!)) ??
    numberedAccount.exec(undotted) ??
    (arabicFinders.test(folded) ? arabicName.exec(folded) : null)
  );
}

function chineseAccountIn(folded: string, words: readonly Word[]): RegExpExecArray | null {
  if (!han.test(folded)) return null;
  const isNamed = namesChineseService.test(folded);
  return (
    (isNamed || namesService(folded, words) ? chineseMention.exec(folded) : null) ??
    (isNamed ? (chineseId.exec(folded) ?? chineseNumber.exec(folded)) : null) ??
    firstOf(chineseName, folded, ({ groups }) => isNamedInChinese(groups!, folded))
  );
}

/** "抖音是什么" asks what it is, and "我在抖音搜" tells what the writer does there: neither names an account. */
function isNamedInChinese(groups: Readonly<Record<string, string | undefined>>, folded: string): boolean {
  const { mine, noun, called, searched, apart } = groups;
  if (noun !== undefined) return true;
  if (called !== undefined) return apart !== "" || mine !== undefined || chineseFinders.test(folded);
  return searched !== undefined && mine !== "我在" && (apart !== "" || chineseFinders.test(folded));
}

/** A word that looks like an account, where the name of a service or words that lead there are near it. */
function accountLikeWordIn(folded: string, words: readonly Word[]): Stretch | undefined {
  const index = words.findIndex(({ text }) => isAccount(text) && !isService(text));
  const account = words[index];
  if (!account) return undefined;
  if (han.test(folded) || arabicAccount.test(folded)) return account;
  const near = [
    ...words.slice(Math.max(0, index - nearWordsMax), index),
    ...words.slice(index + 1, index + 1 + nearWordsMax),
  ];
  if (near.some(({ text }, at) => isService(text) || isService(text + (near[at + 1]?.text ?? "")))) return account;
  const isLed =
    reaches.test(folded) ||
    searchesRightBefore.test(folded.slice(Math.max(0, account.start - lookBackLength), account.start));
  const isEverydayNear = near.some(({ text }) => isEverydayService(text)) || spelledService.test(folded);
  if (isEverydayNear && (isLed || isAlone(words.slice(0, index)) || isOnService(words.slice(index + 1))))
    return account;
  return isLed && isUnmistakable(account.text) ? account : undefined;
}

/** Whether a text names a service, also a short one that the writer has an account at. */
function namesService(folded: string, words: readonly Word[]): boolean {
  return words.some(({ text }) => isService(text)) || owned.test(folded);
}

/** Whether nothing but the name of a service stands before an account. */
function isAlone(before: readonly Word[]): boolean {
  return before.every(({ text }) => text.length < 2 || isEverydayService(text) || connecting.has(text));
}

/** Whether "on" and the short name of a service stand right behind an account. */
function isOnService([first, ...others]: readonly Word[]): boolean {
  return (
    first !== undefined &&
    prepositions.has(first.text) &&
    others.slice(0, 2).some(({ text }) => isEverydayService(text))
  );
}

/** Words between spaces, and between Latin and Chinese, with their places. */
function wordsOf(folded: string): Word[] {
  return Array.from(folded.matchAll(/\p{Script=Han}+|[^\s\p{Script=Han}:：,，=→]+/gu), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
}

/** The first match that `isFound` accepts. */
function firstOf(shape: RegExp, text: string, isFound: (found: RegExpExecArray) => boolean): RegExpExecArray | null {
  return matchesOf(shape, text).find(isFound) ?? null;
}

function stretchOf(found: RegExpExecArray | null | undefined): Stretch | undefined {
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}
