/** Names are compared by their skeletons, which unify similar letters, marks, case, spaces and punctuation. */

export const siteName = "Fava";

/** Words for staff in the languages of the interface; each is reserved by itself. */
const staffWords = [
  // English
  "support, supporter, customer support, customer service, customer care, help desk, tech support",
  "moderator, moderators, moderation, mod team, admin, admins, administrator, administrators",
  "administration, staff, staff member, official, official account, security, billing",
  // Chinese, simplified and traditional
  "客服, 客户服务, 客戶服務, 技术支持, 技術支援, 支持, 支援, 版主, 审核员, 審核員, 管理员, 管理員, 系统管理员, 系統管理員, 工作人员, 工作人員, 员工, 員工, 官方",
  "官方账号, 官方帳號, 安全, 安全中心, 账单, 帳單, 賬單, 计费, 計費",
  // Arabic
  "دعم, الدعم, الدعم الفني, فريق الدعم, خدمة العملاء, مشرف, المشرف, المشرفون, المشرفين, مدير, المدير",
  "مسؤول, المسؤول, ادمن, الادمن, إدارة, الإدارة, موظف, الموظف, موظفون, الموظفين, طاقم العمل, رسمي",
  "الرسمي, حساب رسمي, الحساب الرسمي, أمن, الأمن, الأمان, فواتير, الفواتير, الفوترة",
  // Turkish
  "destek, destek ekibi, teknik destek, müşteri hizmetleri, moderatör, moderatörler, yönetici",
  "yöneticiler, yönetim, personel, görevli, resmi hesap, güvenlik, fatura, faturalama, faturalandırma",
  // Indonesian
  "dukungan, layanan pelanggan, bantuan, tim bantuan, staf, karyawan, pengelola, akun resmi, keamanan",
  "penagihan, tagihan",
].flatMap(listed);

/** Reserved only beside a word above or the site's name: alone they are also names of people, or everyday words. */
const companionWords = [
  "team, the, help, helper, center, centre, service, services, desk, account, app, chat, mod, live",
  "online, customer, your, resmi, ekibi, ekip, hesap, hesabı, tim, akun, layanan, فريق, حساب, خدمة",
  "中心, 团队, 團隊, 人员, 人員, 小助手, 助手",
].flatMap(listed);

function listed(words: string): readonly string[] {
  return words.split(", ");
}

/** Similar letters of all scripts; Latin letters that decompose are not needed here. */
const lookAlikes: Readonly<Record<string, string>> = {
  a: "αаɑᴀꭺᎪ4@ɐᗅ",
  b: "βвьʙᏴ8ƀ",
  c: "сϲᴄᏟⅽ¢",
  d: "ԁᴅᎠđɗ",
  e: "еɛεᴇᎬ3€ҽ℮",
  f: "ғƒꜰϝ",
  g: "ɡɢᏀ9ց",
  h: "һнʜᎻհ",
  i: "іɩιıɪӏᎥlʟᏞłƚ1|!¡ⅼ",
  j: "јᴊᎫյ",
  k: "кκᴋᏦ",
  m: "мᴍᎷ",
  n: "ոηɴпΝ",
  o: "оοσօᴏ0øө๐",
  p: "рρᴘᏢ",
  q: "ԛզ",
  r: "гʀᏒɾ",
  s: "ѕꜱᏚ5$ʂ",
  t: "тτᴛᎢ7ŧ†",
  u: "υսᴜцμµ",
  v: "νѵᴠᏙʋ",
  w: "ԝωᴡᎳա",
  x: "хχ×",
  y: "уγүʏ",
  z: "ζᴢᏃ2ʐ",
};

/** Capitals that resemble other letters than their lower-case forms; replaced before lower-casing. */
const capitalLookAlikes: Readonly<Record<string, string>> = {
  h: "ΗН",
  m: "Μ",
  n: "Ν",
  p: "Ρ",
  v: "Ѵ",
  x: "Χ",
  y: "ΥҮ",
};

/** Letter pairs that look like one letter; replaced in names and in reserved words. */
const pairs: readonly (readonly [RegExp, string])[] = [
  [/vv/g, "w"],
  [/rn/g, "m"],
  [/ci/g, "d"],
];

const plainSigns = new Map(
  [capitalLookAlikes, lookAlikes].flatMap((table) =>
    Object.entries(table).flatMap(([letter, signs]) => Array.from(signs, (sign) => [sign, letter] as const)),
  ),
);
const noInk = /[\p{M}\p{Default_Ignorable_Code_Point}\u0640]/gu;
const noLetter = /[^\p{L}\p{N}]/gu;
/** Signs that NFKD turns into letters, but that no reader takes for a part of a word. */
const tradeMarks = /[™℠]/g;
const leading = /^[^\p{L}]+/u;
const trailing = /[^\p{L}]+$/u;
/** Letters in dark discs and squares, and regional indicators: none of them decomposes. */
const discs = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const codeOfA = 0x61;
const discStarts = [0x1_f1e6, 0x1_f170, 0x1_f150];

/** Normal form of a name by its appearance; empty for one without letters and digits. */
function skeleton(name: string): string {
  const letters = name
    .replace(tradeMarks, "")
    .replace(discs, letterOfDisc)
    .normalize("NFKD")
    .replace(noInk, "")
    .replaceAll("ٱ", "ا");
  const read = Array.from(letters, (sign) => plainSigns.get(sign) ?? smallSign(sign)).join("");
  const plain = read.normalize("NFC").replace(noLetter, "");
  return pairs.reduce((text, [pair, letter]) => text.replace(pair, letter), plain);
}

function smallSign(sign: string): string {
  const small = sign.toLowerCase();
  return plainSigns.get(small) ?? small;
}

function letterOfDisc(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const start = discStarts.find((one) => code >= one) ?? code;
  return String.fromCodePoint(codeOfA + code - start);
}

const anyOf = (words: readonly string[]) => [...new Set(words.map(skeleton))].join("|");
const companions = anyOf(companionWords);
const staff = anyOf([siteName, ...staffWords]);
const reserved = new RegExp(`^(?:${companions})*(?:${staff})(?:${staff}|${companions})*$`, "u");

/** True if the whole name looks like the site's or staff's: "Fava Bianchi", "Modesta" and "Adminah" are allowed. */
export function isReservedName(name: string): boolean {
  // Ignores numbers and signs around the word ("Moderator 2"), but "$ecurity!" begins with a letter.
  const bare = name.replace(noInk, "");
  const tail = bare.replace(trailing, "");
  return [bare, tail, bare.replace(leading, ""), tail.replace(leading, "")].some((one) => reserved.test(skeleton(one)));
}
