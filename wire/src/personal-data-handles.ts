import { matchesOf } from "./text-folding.ts";

/** Services whose name means nothing else. */
const plainServices = [
  ..."whatsapp|whatsap|watsapp|vatsap|telegram|telgram|instagram|insta|snapchat|wechat|weixin|discord|skype|viber".split(
    "|",
  ),
  ..."facebook|tiktok|kakao|kakaotalk|zalo|kik".split("|"),
  ..."واتساب|واتس|الواتس|تلغرام|تليجرام|تيليجرام|تلجرام|انستا|انستغرام|انستقرام|إنستغرام|سناب|سنابي|سنابشات|ديسكورد|فيسبوك".split(
    "|",
  ),
  ..."微信|微信号|威信|薇信|电报|扣扣|企鹅号|抖音|抖音号".split("|"),
];
/** Services whose name is two letters, or hardly a word: only a clear handle after them counts. */
const ambiguousServices = "ig|wa|tg|fb|dc|sc|wp|vx|wx|qq|imo|لاين".split("|");
/** Services whose name is a word of every day: it must also stand where no "odd line" or "bus signal" does. */
const everydayServices = "line|snap|signal|الخط".split("|");

// A number may be glued to the name.
const ends = "(?!\\p{L})";
const starts = "(?<![\\p{L}\\p{N}])";
// Chinese is written without spaces; Turkish and Indonesian put endings on the name ("instam", "whatsappku").
const endings = "(?:['’]?(?:s|m|im|ım|um|üm|mi|ku|nya|da|de|dan|den|tan|ten))?";
const chinese = plainServices.filter((name) => /\p{Script=Han}/u.test(name));
const spaced = plainServices.filter((name) => !chinese.includes(name));
export const services = new RegExp(
  `(?<chinese>${longestFirst(chinese)})|${starts}(?:(?<plain>${longestFirst(spaced)})${endings}|(?<ambiguous>${longestFirst(ambiguousServices)})(?:ku|im|ım|m)?|(?<everyday>${longestFirst(everydayServices)})(?:ku|im|ım|m)?)${ends}`,
  "gu",
);
/** Words that stand between a service and the name there. */
const connecting = new Set(
  (
    "is id my me user username name nick account acc handle number no nr num at on add it its the here " +
    "adresim adim adım hesabım hesabim ismim numaram kullanıcı benim ekle bana yaz " +
    "aku saya nomor nomer akun namanya adalah tambahkan hubungi ke di gue " +
    "حسابي حساب هو رقمي رقم اسمي عندي على معرف يوزر ضيفني اضفني " +
    "是 号 号码 我的 加我 我 搜 账号"
  ).split(" "),
);
const announcing = new Set("id username user handle nick يوزر حسابي معرف adresim hesabım akun 号 号码 是".split(" "));
const beforeWord = /(?:\bmy|\bbenim|加我|我的|加)\s{0,2}$/u;
/** What stands before the name of a service that is a word of every day: nothing, or somebody who tells their account. */
const beforeService =
  /(?:^|[^\p{L}\p{N}\s]|\n|(?<![\p{L}\p{N}])(?:my|on|add|via|use|have|me|is|at|or|and|here|text|benim|ekle|bana|aku|saya|di|ke|pakai|punya|gue|انا|على|عندي|حسابي|加|加我|我的))\s{0,2}$/u;
const lookBackLength = 12;
const lookAheadLength = 60;
const wordsMax = 5;

/** A name of this kind after `@` is a place, not a person. */
const places = new Set("home work school night office lunch uni university party all everyone here gmail".split(" "));
const mention = /(?<![\p{L}\p{N}._])@([a-z][a-z0-9._]{3,29})(?![\p{L}\p{N}])/gu;

/** Whether folded text names somebody on another service: its name next to a name or number, or `@somebody`. */
export function hasHandle(text: string): boolean {
  for (const [, name = ""] of matchesOf(mention, text)) if (!places.has(name)) return true;
  for (const found of matchesOf(services, text)) {
    const after = text.slice(found.index + found[0].length).slice(0, lookAheadLength);
    const before = text.slice(Math.max(0, found.index - lookBackLength), found.index);
    if (found.groups?.["everyday"] !== undefined && !beforeService.test(before)) continue;
    const isClear = found.groups?.["plain"] !== undefined || found.groups?.["chinese"] !== undefined;
    // Latin letters right after a name in another script are hardly ever anything but a handle.
    const isAnnounced = isClear && (beforeWord.test(before) || /[^ -\u024f]/u.test(found[0]));
    if (handleFollows(after, { isClear, isAnnounced })) return true;
  }
  return false;
}

/** `isClear`: the service cannot be another word. `isAnnounced`: somebody speaks of their own account. */
function handleFollows(after: string, service: { isClear: boolean; isAnnounced: boolean }): boolean {
  let { isAnnounced } = service;
  let words = 0;
  for (const [part] of after.matchAll(/[:=@]|[\p{Script=Han}]+|[a-z0-9_.+-]+|[\p{L}\p{M}]+|[^\s]/gu)) {
    words += 1;
    if (words > wordsMax) return false;
    if (part === "@") return /[\p{L}\p{N}]/u.test(after);
    if (part === ":" || part === "=") isAnnounced ||= service.isClear;
    else if (isNameLike(part)) return true;
    else if (announcing.has(part)) isAnnounced = true;
    else if (!connecting.has(part) && /[\p{L}\p{N}]/u.test(part))
      return isAnnounced && /^[a-z][a-z0-9._-]{3,29}$/.test(part);
  }
  return false;
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
