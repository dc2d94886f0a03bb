import { anyOf, ends, pattern, starts, type TextRange, rangeOf } from "./account-patterns.ts";
import { accountWords } from "./account-words.ts";

const { links, mail } = accountWords;

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

export const spokenLinkIn = (folded: string): TextRange | undefined => rangeOf(spokenLink.exec(folded));

export const spokenMailIn = (folded: string): TextRange | undefined => rangeOf(spokenMail.exec(folded));
