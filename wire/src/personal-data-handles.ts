import { matchesOf } from "./text-folding.ts";

/** Service names without another meaning. */
const plainServices = [
  ..."whatsapp|whatsap|watsapp|vatsap|telegram|telgram|instagram|insta|snapchat|wechat|weixin|discord|skype|viber".split(
    "|",
  ),
  ..."facebook|tiktok|kakao|kakaotalk|카카오톡|카톡|zalo|kik|twitter|onlyfans|cashapp|venmo|paypal|телеграм|телеграмм|телега|инста".split(
    "|",
  ),
  ..."واتساب|واتس|الواتس|تلغرام|تليجرام|تيليجرام|تلجرام|انستا|انستغرام|انستقرام|إنستغرام|سناب|سنابي|سنابشات|ديسكورد|فيسبوك".split(
    "|",
  ),
  ..."微信|微信号|威信|薇信|wei信|v信|加v|加微|电报|扣扣|企鹅号|抖音|抖音号".split("|"),
];
/** Service names of two letters, or ones that are common letter sequences: only a clear handle after them counts. */
const ambiguousServices = "ig|wa|tg|fb|dc|sc|wp|vx|wx|qq|imo|vk|x\\.com|тг|вк|لاين".split("|");
/** Service names that are everyday words. The word before them must fit, unlike in "odd line" or "bus signal". */
const everydayServices = "line|snap|signal|threads|messenger|cash app|الخط".split("|");

export const serviceNames: readonly string[] = [...plainServices, ...ambiguousServices, ...everydayServices];

// A number may follow the name without a space.
const ends = "(?!\\p{L})";
const starts = "(?<![\\p{L}\\p{N}])";
// Chinese has no spaces. Turkish and Indonesian add endings to the name ("instam", "whatsappku").
const endings = "(?:['’]?(?:s|m|im|um|üm|mi|ku|nya|da|de|dan|den|tan|ten))?";
const chinese = plainServices.filter((name) => /\p{Script=Han}/u.test(name));
const spaced = plainServices.filter((name) => !chinese.includes(name));
export const services = new RegExp(
  `(?<chinese>${longestFirst(chinese)})|${starts}(?:(?<plain>${longestFirst(spaced)})${endings}|(?<ambiguous>${longestFirst(ambiguousServices)})(?:ku|im|m)?|(?<everyday>${longestFirst(everydayServices)})(?:ku|im|m)?)${ends}`,
  "gu",
);
/** Words that stand between a service and the user name there. */
const connecting = new Set(
  (
    "is id my me user username name nick account acc handle number no nr num at on add it its the here " +
    "adresim adim hesabim ismim numaram kullanici benim ekle bana yaz " +
    "aku saya nomor nomer akun namanya adalah tambahkan hubungi ke di gue " +
    "حسابي حساب هو رقمي رقم اسمي عندي على معرف يوزر ضيفني اضفني " +
    "是 号 号码 我的 加我 我 搜 账号"
  ).split(" "),
);
const announcing = new Set("id username user handle nick يوزر حسابي معرف adresim hesabim akun 号 号码 是".split(" "));
const beforeWord = /(?:\bmy|\bbenim|加我|我的|加)\s{0,2}$/u;
/** Text before an everyday service name: none, punctuation, or a word that introduces an account. */
const beforeService =
  /(?:^|[^\p{L}\p{N}\s]|\n|(?<![\p{L}\p{N}])(?:my|on|add|via|use|have|me|is|at|or|and|here|text|benim|ekle|bana|aku|saya|di|ke|pakai|punya|gue|انا|على|عندي|حسابي|加|加我|我的))\s{0,2}$/u;
const lookBackLength = 12;
const lookAheadLength = 60;
const wordsMax = 5;

/** Needs a digit, dot or underscore: otherwise the text after `@` may be a place or a time, as in "@noon". */
const mention = /(?<![\p{L}\p{N}._])@(?=[a-z0-9._]{0,29}[0-9_.][a-z0-9_])[a-z_][a-z0-9._]{3,29}(?![\p{L}\p{N}])/gu;
const numbered = /[\p{L}\p{N}_.]{2,32}\s?#\s?\d{4}(?!\d)/u;
/** Words after a service that describe an account without naming it: "my instagram is private". */
const ordinary = new Set(
  (
    "private public full open closed old new dead down gone empty boring weird broken banned blocked hacked deleted secret locked " +
    "disabled suspended fake real good better best nice cool okay fine great free mine yours very really just about because also " +
    "last with without since from this that then than when where while today yesterday already never anymore again after before until only " +
    "still even more were have will would could should does looks says said page story stories post posts feed followers profile " +
    "gizli kapali acik silindi yeni eski rusak mati penting bagus"
  ).split(" "),
);

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Finds a handle of another service in folded text: a service name next to a user name or number, or `@name_1`. */
export function handleIn(folded: string): Place | null {
  // Turkish has a dotless i.
  const text = folded.replaceAll("ı", "i");
  for (const { 0: name, index } of matchesOf(mention, text)) return { start: index, end: index + name.length };
  for (const found of matchesOf(services, text)) {
    const end = found.index + found[0].length;
    const before = text.slice(Math.max(0, found.index - lookBackLength), found.index);
    if (found.groups?.["everyday"] !== undefined && !beforeService.test(before)) continue;
    const isClear = found.groups?.["plain"] !== undefined || found.groups?.["chinese"] !== undefined;
    // Latin letters directly after a name in another script are almost always a handle.
    const isAnnounced = isClear && (beforeWord.test(before) || /[^ -\u024f]/u.test(found[0]));
    const length = handleLength(text.slice(end, end + lookAheadLength), { isClear, isAnnounced });
    if (length > 0) return { start: found.index, end: end + length };
    const name = /^(?:discord|dc)/.test(found[0]) ? numbered.exec(text) : null;
    if (name) return { start: name.index, end: name.index + name[0].length };
  }
  return null;
}

/** Length of the handle, or 0. `isClear`: an unambiguous service; `isAnnounced`: the writer's own account. */
function handleLength(after: string, service: { isClear: boolean; isAnnounced: boolean }): number {
  let { isAnnounced } = service;
  let words = 0;
  for (const { 0: part, index } of after.matchAll(/[:=@$]|[\p{Script=Han}]+|[a-z0-9_.+-]+|[\p{L}\p{M}]+|[^\s]/gu)) {
    words += 1;
    const end = index + part.length;
    if (words > wordsMax) return 0;
    if (part === "@" || part === "$") {
      const name = /^\s{0,2}[\p{L}\p{N}_.]+/u.exec(after.slice(end));
      return name ? end + name[0].length : 0;
    }
    if (part === ":" || part === "=") isAnnounced ||= service.isClear;
    else if (isNameLike(part)) return end;
    else if (announcing.has(part)) isAnnounced = true;
    else if (!connecting.has(part) && /[\p{L}\p{N}]/u.test(part))
      return isAnnounced && /^[a-z][a-z0-9._-]{3,29}$/.test(part) && !ordinary.has(part) ? end : 0;
  }
  return 0;
}

/** `ana_lima`, `ana99`, `a.lima`, or a number too long for a time or a price. */
function isNameLike(part: string): boolean {
  const word = part.replace(/^[.+-]+|[.-]+$/g, "");
  if (/^[0-9.+-]+$/.test(word)) return /^(?:\d[.-]?){6,}$/.test(word);
  return /^[a-z_][a-z0-9._-]{3,29}$/.test(word) && /[0-9_]|[a-z]\.[a-z]/.test(word);
}

function longestFirst(names: readonly string[]): string {
  return names.toSorted((one, other) => other.length - one.length).join("|");
}
