import { expect, test } from "vitest";
import { isReservedName } from "./reserved-names.ts";

const words = [
  "Fava, support, Moderator, ADMIN, Staff, official, Security, Billing, 客服, 管理员, 版主, 官方, 工作人员, 安全, 账单",
  "الدعم, مشرف, المدير, الإدارة, الأمن, الفواتير, destek, Moderatör, Yönetici, GÜVENLİK, güvenlik",
  "Fatura, personel, dukungan, Keamanan, penagihan, Staf",
].flatMap((line) => line.split(", "));

test.each(words)("reserves %s, alone and with the site's name", (word) => {
  for (const name of [word, `Fava ${word}`, `${word} Fava`, `Fava${word}`, ` ${word}. `, `✅ ${word} ✅`, `${word} 24`])
    expect([name, isReservedName(name)]).toEqual([name, true]);
});

test.each([
  ["case and blanks", "f A v A  s u p p o r t"],
  ["marks", "Fává Süppört"],
  ["stacked marks", "A\u0301\u0302\u0303dmin"],
  ["Cyrillic letters", "Ѕuрроrt"],
  ["Cyrillic capitals", "МОDЕRАТОR"],
  ["Greek letters", "Αdmιn"],
  ["Greek capitals", "ΜΟDΕRΑΤΟR"],
  ["small capitals", "ꜱᴜᴘᴘᴏʀᴛ"],
  ["full width", "Ｆａｖａ Ｓｕｐｐｏｒｔ"],
  ["mathematical letters", "𝐌𝐨𝐝𝐞𝐫𝐚𝐭𝐨𝐫"],
  ["circled letters", "Ⓢⓣⓐⓕⓕ"],
  ["letters in dark discs and squares", "🅐🅓🅜🅘🅝 🆂🆄🅿🅿🅾🆁🆃"],
  ["letters of flags", "🇦🇩🇲🇮🇳"],
  ["digits and signs", "5upp0r7 @dm1n $ecurity"],
  ["an l for an i", "0fficlal Bllllng"],
  ["pairs that look like one letter", "Adrnin"],
  ["a dotless i", "Admın"],
  ["zero-width signs", "Sup\u200bport\u2060"],
  ["a number", "Moderator 007"],
  ["punctuation", "[F.A.V.A] official-support™"],
  ["signs around it", "★ $upport! ★"],
  ["other alifs", "الادارة"],
  ["a stretched letter", "مـشـرف"],
  ["words that go with it", "The Official Fava Support Team"],
  ["Turkish words that go with it", "Fava Destek Ekibi"],
  ["Indonesian words that go with it", "Akun Resmi Fava"],
  ["Chinese words that go with it", "Fava 官方客服中心"],
])("reserves %s", (_what, name) => {
  expect(isReservedName(name)).toBe(true);
});

const free = [
  "Modesta, Adminah, Fava Bianchi, Favara, Favaro, Modra, Amin, Aman, أمان, أمين, Benjamin",
  "Supportive Sam, Resmi, Resmi Nair, Ahmet Resmî, برويز مشرف, Help, Tim, Team Rocket, Stafford",
  "Security Guard Bo, Officially Ana, Billings, Admiral, 安全第一, 小安, 10483122, 👍, ana, Chat",
].flatMap((line) => line.split(", "));

test.each([...free, ""])("allows %s", (name) => {
  expect(isReservedName(name)).toBe(false);
});

test("checks a name of 40 letters and 2,000 marks in under 5 ms", () => {
  const name = `fava${"\u0301".repeat(2_000)}${"admin".repeat(7)}x`;
  // The fastest of some: another program may take the processor during any one.
  const tookMs = Array.from({ length: 20 }, () => {
    const beganMs = performance.now();
    expect(isReservedName(name)).toBe(false);
    return performance.now() - beganMs;
  });
  expect(Math.min(...tookMs)).toBeLessThan(5);
});
