/** A stretch of a text, in UTF-16 units, the end excluded. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Names of services; in long ones one letter may be wrong, missing or too many. */
const services = (
  "whatsapp|whatsap|wsap|wapp|wassap|wazzap|telegram|telegrama|teleg|instagram|insta|snapchat|wechat|weixin|discord|skype|viber|facebook|" +
  "tiktok|kakao|kakaotalk|zalo|twitter|onlyfans|fansly|cashapp|venmo|paypal|messenger|linkedin|pinterest|tumblr|steam|roblox|" +
  "bereal|badoo|tinder|imessage|facetime|twitch|patreon|linktree|revolut|zelle|chime|gcash|" +
  "grindr|bumble|hinge|okcupid|feeld|fetlife|reddit|youtube|bluesky|mastodon|icq|hangouts|strava|psn|douyin|weibo|kuaishou|momo|alipay|soundcloud|" +
  "instgrm|instagrem|whatsaap|vatsap|votsap|vatsapp|wasap|wasapp|feysbuk|feyzbuk|pesbuk|skayp|snepçet|snepchat|sneypçet|tivitir|twitır|diskord|" +
  "tikitok|michat|litmatch|tantan|tango|bigo|azar|zangi|telegrem"
).split("|");
/** Short names, and names that are everyday words: they count only where the writer invites the reader there. */
const shortServices = new Set(
  "ig|insta|inst|face|feys|bip|tt|twt|snap|sc|wa|tg|tele|fb|dc|gram|kik|line|signal|threads|x|yt|qq|vx|wx|vk|wp|imo|ins|v|q|skype|msn|bigo|soul".split(
    "|",
  ),
);
/** Everyday words that are one letter from the name of a service. */
const notServices = new Set(
  "discard discards record records accord messengers telegraph telegrams facebooks signals twitters skyped messages message tiktoks steams stream streams team teams steal steel steep stead".split(
    " ",
  ),
);
const fuzzyMin = 6;
const handleWordsAway = 14;
const leading =
  /(?<![\p{L}\p{N}])(?:(?:add?|find|search|hit|text|msg|message|dm|pm|write|follow|reach|contact|call|ping|look|catch|snap|insta|hmu|hit me) ?(?:for |up )?(?:me|us)|look (?:me )?up|search(?: up)?|my (?:user|username|user name|handle|nick|nickname|id|acc|account|profile|tag|at|@|name there|name is)|user(?:name)?|handle|same (?:name|user|handle|username|id)|go to my|i ?a?m (?:on|at)|i go by|under the name|hmu|lets (?:go|move|talk|chat|switch) (?:to|on)|(?:tg|wa|ig|sc|dc|fb|kik|tele|whatsapp|telegram|discord|skype) me|name is (?:the )?same|switch to|move to|ekle|eklesene|takip et|arat|bana yaz|yaz bana|kullanici ad\p{L}+|nick\p{L}*|id(?:i?m)?|cari|tambahin|tambahkan|follow|mampir|pindah|lanjut|chat|kontakku|akun(?:ku)?|username|search|ضيفني|اضفني|ضيفيني|ضيفوني|تابعني|ابعتلي|ابعت لي|كلمني|راسلني|يوزري|يوزر|حسابي|عطيني|اد)(?![\p{L}\p{N}])|加|搜|私|号|找我|联系|聊|叫/u;
/** Names of services in Chinese, and the words that replace them to evade filters. */
const chineseServices =
  /微\s?信|微\s?x|威\s?信|薇\s?信|薇(?![a-z])|维\s?信|徽\s?信|围\s?信|卫\s?星|卫\s?信|未\s?信|v\s?信|v\s?心|v\s?芯|威\s?[❤♥]|[微威薇维v]\s?[❤♥💗💕💖]️?\s?信?|微芯|薇芯|[➕+加]\s?[微薇威v]|[❤♥💗💚]\s?️?\s?信|绿\s?泡\s?泡|绿色软件|小绿书|爱\s?吉|爱鸡|小\s?红\s?书|小\s?红\s?薯|红薯号|抖\s?音|快\s?手|b\s?站|微\s?博|陌\s?陌|探探|扣\s?扣|球\s?球|企\s?鹅|q\s?q|电\s?报|纸?飞\s?机|推\s?特|脸\s?书|油\s?管|支付宝|闲鱼|贴吧|知乎|豆瓣|飞书|钉钉|公众号|视频号/u;
/** Names of services in Arabic, with the article, prepositions and endings that are written together with them. */
const arabicServices =
  /(?<!\p{L})(?:[وفبعلك]?ال|لل|[وفبعل])?(?:واتس|واتساب|وتساب|تليجرام|تيليجرام|تيليغرام|تلغرام|تيلغرام|تلجرام|تلقرام|تليقرام|تلي|انستا|انستغرام|انستقرام|انستجرام|انستاباي|سناب|سنابشات|فيس|فيسبوك|فايسبوك|ديسكورد|دسكورد|سكايب|سكاي بي|تويتر|تيك توك|تيكتوك|كيك|ماسنجر|مسنجر|ايمو|تانغو|تانجو|بيجو|لاين|فايبر|سيجنال|يوزر|يوزري)(?:ي|ك|ه|و|تي|اتي|ية|ل[يك])?(?!\p{L})/u;
/** A name to look for on a service, behind words that say so in Arabic, Turkish or Indonesian, or behind a colon. */
const announcedName =
  /(?<!\p{L})(?:[وفبعل]?(?:ال)?(?:فيس|فيسبوك|فايسبوك|انستا|انستغرام|سناب|تانغو|تيك توك|سكايب)[يك]? ?(?:باسم|اسمه|اسمي|تحت اسم|:)|(?:fb|facebook|face|fesbuk|pesbuk|feys)(?: (?:messenger|gue|gw|ku|aku|saya|adim|ismim|nama|namanya))? ?:|(?:cari|add|search|tambah)(?: (?:aja|aku|gue|saya))? (?:di|ke) (?:fb|facebook|ig|instagram)|(?:facebook|face|insta|instagram|feys|fb)['’]?(?:ta|da|de|tan|dan|den)(?: (?:ekle|bul|arat|ara))?) ?\p{L}{3,}\s\p{L}{3,}(?: (?:diye|olarak|ismiyle|ismim|adiyla))?/u;
const addedName =
  /(?<!\p{L})(?:fb|facebook|pesbuk|ig) ?(?:ku|gue|gw|aku|saya) (?:\p{L}{3,} ){2,4}, ?(?:add|follow|tambah)|(?<!\p{L})(?:fb|facebook|pesbuk|ig) ?(?:ku|gue|gw|aku|saya)(?: \p{L}{3,}){2,4},? (?:add|follow|tambah)/u;
const numericAccount =
  /(?<!\p{L})(?:bigo|tango|michat|litmatch|azar|imo|bip|line|qq|wechat|zangi|kakao)\p{L}{0,4} (?:id|no|numara|kod)\p{L}{0,3} ?:? ?\d{6,12}(?!\d)/u;
const diyeName =
  /(?<!\p{L})(?:face|facebook|feys|fb|insta|instagram|ig|twitter|tiktok|telegram|snap)['’]?(?:da|de|ta|te|dan|den|tan|ten)?(?: \p{L}+){2,4} (?:diye|olarak|ismiyle|adiyla) (?:ara|arat|bul|ekle)/u;
const chineseName =
  /(?:小\s?红\s?书|抖\s?音|快\s?手|微\s?博|b\s?站|陌\s?陌|微\s?信|公众号|视频号|闲鱼|贴吧|推特|脸书|豆瓣|知乎)(?:号|账号|昵称|名字|名)?\s?(?:叫|搜|是|:|就叫|名字叫|昵称是|名是|搜索)\s{0,2}[“"「『《]?[\p{L}\p{N}_]{2,20}/u;
const chineseNumber = new RegExp(`(?:${chineseServices.source})[^\\d\\n]{0,8}\\d(?:[\\s-]?\\d){4,11}(?!\\d)`, "u");
const spelledNumber = new RegExp(
  `(?:${chineseServices.source})[^\\d\\n]{0,8}[零〇一二三四五六七八九幺两\\d](?:[\\s-]?[零〇一二三四五六七八九幺两\\d]){5,11}`,
  "u",
);
/** A name as accounts have it: parts joined by a dot, an underscore or a dash, letters with digits behind, `name#1234`. */
const joined = /^[a-z][a-z0-9]*(?:[._-]{1,2}[a-z0-9]+)+[_.]?$/;
const numbered = /^(?:[a-z]{3,}\d{2,}[a-z0-9]*|[a-z]{4,}\d|\d{1,4}[a-z]{4,}\d*|[a-z]+\d+[a-z]+\d*|[a-z]{1,2}\d{5,})$/;
const tagged = /^[\p{L}\p{N}_.]{2,32}#\d{3,5}$/u;
const mentioned = /^[@$][a-z0-9_][a-z0-9_.-]{2,30}$/;
const underscored = /^_+[a-z0-9]{3,}|^[a-z0-9]{3,}_+$/;
/** Letters of a name that stand one by one: "i g", "l i n e". */
const spelledService = /(?<!\p{L})\p{L}(?: \p{L}){1,6}(?![\p{L}'])/u;
/** Words with a digit, a dot or a dash that are no accounts. */
const ordinary =
  /^(?:iphone|galaxy|windows|covid|psalm|formula|gta|fifa|pixel|xbox|route|level|room|version|android|ryzen|area|type|chapter|day|week|year|page|gate|line|bus|track|season|episode|part|grade|class|unit|number|apollo|boeing|airbus|vitamin|omega|python|node|react|vue|next|asp|vb|mp)[-_.]?\d|^(?:e\.g|i\.e|a\.m|p\.m|u\.s|u\.k|etc)|\.(?:js|net|ts|py|exe|pdf|jpg|png|mp3|mp4|com|org)$|^(?:\d+[a-z]{1,3}|[a-z]-[a-z]+|[a-z]+-[a-z]+(?:-[a-z]+)*)$/;
const han = /\p{Script=Han}/u;
const fullName =
  /(?:look(?:ed)? (?:me )?up|search(?: for)?(?: me)?|find me(?: as| under)?|add(?: me)?(?: as)?|i ?a?'?m|im) (\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+) (?:on|in|at) (\p{L}{5,12})/u;
/** What people say of a name that they spell: "starts with ana, then a dot". */
const spelling =
  /(?<![\p{L}])(?:starts with|spelled|spelt|then (?:a )?(?:dot|underscore|dash)|with (?:an?|two|double|one) (?:dot|underscore|x|z|dash)s?|(?:all )?one word|no spaces?|no numbers|all lowercase|(?:at|is) the google one)(?![\p{L}])/u;
const chineseMention = /@\s?[\p{Script=Han}\p{L}\p{N}_]{2,20}/u;
const chineseId =
  /(?:id|昵称|账号|号|名字|搜|叫)\s{0,2}[:是叫]?\s{0,2}(?:[\p{Script=Han}]{3,12}|[a-z][a-z0-9_.-]{4,29})(?![\p{L}])/u;
const slashed = new RegExp(`(?<![\\p{L}])(?:${services.join("|")})\\s?/\\s?[a-z0-9_.]{3,}`, "u");
const listedName = /(?<!\p{L})(\p{L}{5,12})\s?[:=]\s?\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u;
/** Two services in a row, and then a name: "ig/tg: ana". */
const listed = new RegExp(
  `(?<![\\p{L}])(?:${[...shortServices, ...services].join("|")})(?:\\s?[/,&+]\\s?(?:${[...shortServices, ...services].join("|")}))+(?![\\p{L}])[^:\\n]{0,20}:\\s?[a-z][a-z0-9._-]{3,29}`,
  "u",
);
const spokenLink =
  /[\p{L}\p{N}@-]{1,30}\s{0,2}(?:\.|[([]?(?:dot|d0t|punto|nokta|titik|点)[)\]]?)\s{0,2}(?:me|com|net|org|gg|ee|ly|tv|co|to|be|link|bio|page|io|app|fans|live)\s{0,2}(?:\/|(?:forward |back)?slash|garis miring|taksim|bölü|سلاش|斜杠)\s{0,2}[\p{L}\p{N}_]{2}|(?<![\p{L}\p{N}])(?:vk|fb|ok|ig|t|wa|youtube|instagram|facebook|tiktok|telegram|onlyfans|paypal|discord|snapchat|twitter|reddit|twitch)\s(?:com|me|gg|tv)\s?\/\s?[\p{L}\p{N}_]{2}/u;
const spokenMail =
  /(?:(?<![\p{L}\p{N}])[a-z]*[0-9._][a-z0-9._]*|(?:e-?mail|mail|gmail)(?: is| me)?(?: at)? [a-z0-9._]{3,30})\s{1,3}(?:at|@|\(at\)|[艾爱]特)\s{1,3}(?:gmail|hotmail|icloud|outlook|yahoo|proton|protonmail|yandex|qq|163|126)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:at|@)\s{1,3}(?:gmail|hotmail|icloud|outlook|yahoo|proton|protonmail|yandex|mail)\s{0,2}(?:dot|\.|,)?\s{0,2}com(?![\p{L}\p{N}])|[a-z0-9._]{3,30}\s?#\s?(?:qq|163|126|gmail|outlook|hotmail)\s?\.\s?com/u;
const leet: Readonly<Record<string, string>> = {
  "@": "a",
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  $: "s",
  "!": "i",
  "7": "t",
};

/** A link that is said in words: "paypal dot me slash ana". */
export const spokenLinkIn = (folded: string): Stretch | undefined => stretchOf(spokenLink.exec(folded));

/** A mail address that lacks its sign or its ending: "ana_99 at gmail". */
export const spokenMailIn = (folded: string): Stretch | undefined => stretchOf(spokenMail.exec(folded));

/** Each text with an account of another service, but without a sign of contact data, has one of these words. */
export const outsideWords: readonly string[] = [
  ...services,
  ..."id soul b站 豆瓣 知乎 陌陌 探探 小红书 抖音 快手 微博 绿泡泡 卫星 扣扣 球球 企鹅 贴吧 闲鱼 公众号".split(" "),
];

/** A full name to look for on a service: "look up Ana Lima on Facebook". The text is as it was written. */
export function fullNameIn(text: string): Stretch | undefined {
  const named = fullName.exec(text);
  if (named && isService(named[2]!.toLowerCase())) return stretchOf(named);
  const listed = listedName.exec(text);
  return listed && isService(listed[1]!.toLowerCase()) ? stretchOf(listed) : undefined;
}

/**
 * Where a folded text leads to an account elsewhere by the name of a service in any spelling, or by words such as "add
 * me", with what looks like the name of an account near it.
 */
export function outsideHandleIn(folded: string): Stretch | undefined {
  const said = slashed.exec(folded) ?? listed.exec(folded) ?? (isServiceIn(folded) ? spelling.exec(folded) : null);
  if (said) return stretchOf(said);
  const chineseService = chineseServices.test(folded) || (han.test(folded) && isServiceIn(folded));
  const led = chineseService
    ? (chineseMention.exec(folded) ?? (/找我|搜|id|私|加/u.test(folded) ? chineseId.exec(folded) : null))
    : null;
  if (led) return stretchOf(led);
  const named = [diyeName, announcedName, addedName, numericAccount]
    .map((pattern) => pattern.exec(undotted(folded)))
    .find((found) => found !== null);
  if (named) return stretchOf(named);
  const chinese = chineseName.exec(folded) ?? chineseNumber.exec(folded) ?? spelledNumber.exec(folded);
  if (chinese) return stretchOf(chinese);
  const words = wordsOf(folded);
  const account = words.findIndex(({ text }) => isAccount(text) && !isService(letters(text)));
  if (account === -1) return undefined;
  const at = words[account]!;
  if (chineseServices.test(folded) || han.test(folded) || arabicServices.test(folded)) return at;
  const before = words.slice(Math.max(0, account - handleWordsAway), account);
  const near = [...before, ...words.slice(account + 1, account + 1 + handleWordsAway)];
  if (
    near.some(
      (word, index) =>
        isService(letters(word.text)) || isService(letters(word.text) + letters(near[index + 1]?.text ?? "")),
    )
  )
    return at;
  const isLed = leading.test(folded);
  const isShortNear = near.some(({ text }) => isShortService(text)) || spelledService.test(folded);
  if (isShortNear && (isLed || isFirst(words, account) || isOnShort(words, account))) return at;
  return isLed && (joined.test(bare(at.text)) || mentioned.test(at.text) || tagged.test(at.text)) ? at : undefined;
}

/** Whether a text names a service, also a short one that the writer has an account at. */
function isServiceIn(folded: string): boolean {
  return (
    wordsOf(folded).some(
      ({ text }) => isService(letters(text)) || /^(?:soul|ins|ig|b|wx|vx|qq)$/.test(letters(text)),
    ) || /(?<!\p{L})(?:my|add my|on|mine) (?:ig|snap|tg|sc|tele|kik|fb|dc|gram|chat)(?!\p{L})|google chat/u.test(folded)
  );
}

/** Turkish has an i without a dot. */
const undotted = (folded: string) => folded.replaceAll("ı", "i");

/** Whether nothing but the name of a service stands before an account. */
function isFirst(words: readonly (Stretch & { text: string })[], account: number): boolean {
  return words
    .slice(0, account)
    .every(
      ({ text }) =>
        text.length < 2 ||
        isShortService(text) ||
        /^(?:my|is|me|号|on|ku|aku|gue|gw|saya|nya|aja|id|idm|idim|ismim|adim)$/.test(text),
    );
}

/** Whether "on", and then the short name of a service, stands right behind an account. */
function isOnShort(words: readonly (Stretch & { text: string })[], account: number): boolean {
  const [on, ...rest] = words.slice(account + 1, account + 4).map(({ text }) => text);
  return /^(?:on|at|in|via)$/.test(on ?? "") && rest.some(isShortService);
}

function isShortService(word: string): boolean {
  const name = letters(word).replace(/(?<=^(?:snap|insta|tele|kik))(?:me|us)$/, "");
  return shortServices.has(name);
}

function isAccount(word: string): boolean {
  const text = bare(word);
  if (tagged.test(text) || mentioned.test(text)) return !/^[@$]\d+$/.test(text);
  if (text.length < 5 || ordinary.test(text)) return false;
  return joined.test(text) || numbered.test(text) || underscored.test(text);
}

function isService(name: string): boolean {
  if (name.length < 4 || notServices.has(name)) return false;
  return services.some(
    (service) =>
      name === service ||
      (service.length >= fuzzyMin && Math.abs(name.length - service.length) < 2 && isOneEditAway(name, service)) ||
      (name.startsWith(service) &&
        /^(?:me|us|id|handle|acc|user|im|um|üm|m|ku|nya|is|da|de|ta|te|dan|den|tan|ten|imda|dm)$/.test(
          name.slice(service.length),
        )),
  );
}

/** Whether one letter is wrong, missing or too many, or two neighbours are swapped. */
function isOneEditAway(one: string, other: string): boolean {
  // Wherever the edit is, two of the first letters are the same.
  if (one[0] !== other[0] && one[1] !== other[1] && one[0] !== other[1] && one[1] !== other[0]) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest.slice(2) === otherRest.slice(2) && rest[0] === otherRest[1] && rest[1] === otherRest[0])
  );
}

/** A word without the signs around it. */
function bare(word: string): string {
  return word.replace(/^[^\p{L}\p{N}@$_]+|[^\p{L}\p{N}_]+$/gu, "");
}

/** The letters of a word, with digits and signs that stand for letters. */
function letters(word: string): string {
  // No service that is looked for has another script.
  if (!/[!-~]/.test(word)) return word;
  return Array.from(undotted(word), (sign) => leet[sign] ?? sign)
    .join("")
    .replaceAll(/[^\p{L}]/gu, "");
}

/** Words between spaces, and between Latin and Chinese, with their places. */
function wordsOf(folded: string): (Stretch & { text: string })[] {
  return Array.from(folded.matchAll(/\p{Script=Han}+|[^\s\p{Script=Han}:：,，=→]+/gu), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
}

function stretchOf(found: RegExpExecArray | null): Stretch | undefined {
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}
