import {
  anyOf,
  anyOfSpaced,
  everywhere,
  firstOf,
  pattern,
  starts,
  type TextRange,
  rangeOf,
} from "./account-patterns.ts";
import { accountWords, latinServices, services } from "./account-words.ts";

const { chinese } = accountWords;
const chineseWord = anyOfSpaced(services.flatMap((one) => one.chinese));
const chineseService = anyOfSpaced(services.flatMap((one) => [...one.chinese, ...one.chineseEveryday]));
const namesChineseService = pattern(chineseService);
/** "豆瓣 @山茶与海". */
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

export const hasChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** `namesService`: the text contains the Latin name of a service. */
export function chineseAccountIn(folded: string, namesService: boolean): TextRange | undefined {
  if (!hasChinese(folded)) return undefined;
  const isNamed = namesChineseService.test(folded);
  return rangeOf(
    (isNamed || namesService ? chineseMention.exec(folded) : null) ??
      (isNamed ? (chineseId.exec(folded) ?? chineseNumber.exec(folded)) : null) ??
      firstOf(chineseName, folded, ({ groups }) => isNamedInChinese(groups!, folded)),
  );
}

/** "抖音是什么" asks about the service and "我在抖音搜" describes a search. Neither names an account. */
function isNamedInChinese(groups: Readonly<Record<string, string | undefined>>, folded: string): boolean {
  const { mine, noun, called, searched, apart } = groups;
  if (noun !== undefined) return true;
  if (called !== undefined) return apart !== "" || mine !== undefined || chineseFinders.test(folded);
  return searched !== undefined && mine !== "我在" && (apart !== "" || chineseFinders.test(folded));
}
