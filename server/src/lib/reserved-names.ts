/** Compares names by their skeletons, in which similar letters, marks, case, spaces and punctuation are equal. */

export const siteName = "Fava";

/** Words for staff in the languages of the interface. Each is reserved even alone. */
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

/** Reserved only beside a word above or the site's name. Alone these are also people's names or everyday words. */
const companionWords = [
  "team, the, help, helper, center, centre, service, services, desk, account, app, chat, mod, live",
  "online, customer, your, resmi, ekibi, ekip, hesap, hesabı, tim, akun, layanan, فريق, حساب, خدمة",
  "中心, 团队, 團隊, 人员, 人員, 小助手, 助手",
].flatMap(listed);

function listed(words: string): readonly string[] {
  return words.split(", ");
}

/** Letters of all scripts by the Latin letter that they resemble. Letters that decompose need no entry. */
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

/** Capitals that resemble another letter than their lower-case form does. Replaced before lower-casing. */
const capitalLookAlikes: Readonly<Record<string, string>> = {
  h: "ΗН",
  m: "Μ",
  n: "Ν",
  p: "Ρ",
  v: "Ѵ",
  x: "Χ",
  y: "ΥҮ",
};

/** Pairs of letters that look like one letter. Replaced in names and in reserved words. */
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
/** Signs that NFKD would turn into letters, though no reader takes them for part of a word. */
const tradeMarks = /[™℠]/g;
const leading = /^[^\p{L}]+/u;
const trailing = /[^\p{L}]+$/u;
/** Letters in dark discs and squares, and regional indicators, which do not decompose. */
const discs = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const codeOfA = 0x61;
const discStarts = [0x1_f1e6, 0x1_f170, 0x1_f150];

/** The name's normal form by appearance; empty if it has no letter or digit. */
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

/** Whether the whole name looks like reserved words. "Fava Bianchi", "Modesta" and "Adminah" are not reserved. */
export function isReservedName(name: string): boolean {
  // Numbers and signs around the word are ignored ("Moderator 2"). The "$" of "$ecurity!" stands for a letter.
  const bare = name.replace(noInk, "");
  const tail = bare.replace(trailing, "");
  return [bare, tail, bare.replace(leading, ""), tail.replace(leading, "")].some((one) => reserved.test(skeleton(one)));
}
