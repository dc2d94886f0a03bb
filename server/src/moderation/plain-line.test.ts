import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { numberSigns, numberWords } from "@fava/wire/personal-data-spoken.ts";
import { contactsInWords } from "@fava/wire/personal-data.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { abusePatterns, englishInsultWords, englishLook, scanAbuse } from "./abuse-scan.ts";
import { isPlainLine, requiredWords } from "./plain-line.ts";
import { scanText } from "./text-scan.ts";

/** What the scanners make of a line that was called plain: nothing, or the line was let through by mistake. */
function findings(line: string): readonly string[] {
  return [...scanText(line, "TR"), ...scanText(line, undefined), ...scanAbuse(line).findings];
}

test.each([
  "hi, where are you from?",
  "I'm from a small town near the sea; a bit like this one...",
  "what do you want to do today? :)",
  "no way!! I love that song - really",
  "selam nasilsin",
  "apa kabar kamu",
  "I was born in the best year",
])("[TEXT-158] %j is plain, and the scanners need not look", (line) => {
  expect(isPlainLine(line)).toBe(true);
  expect(findings(line)).toEqual([]);
});

test.each([
  ["kill yourself", "threats"],
  ["KILL yourself", "capitals"],
  ["you are a bitch", "an insult"],
  ["you are a bbbitchhh", "drawn out letters"],
  ["b!tch", "a sign for a letter"],
  ["f u c k", "letters one by one"],
  ["w-h-o-r-e", "letters with hyphens"],
  ["oh s l u t, bye", "letters one by one before a comma"],
  ["ana at gmail dot com", "a spoken address"],
  ["ana at gmail. com", "an ending behind a space"],
  ["example.org", "a link"],
  ["my insta is anabanana", "a name elsewhere"],
  ["five five five one two three four", "a number in words"],
  ["call 5321234567", "digits"],
  ["hi. net of all that, see you", "an ending behind a full stop"],
])("[TEXT-158] %j is looked through: %s", (line) => {
  expect(isPlainLine(line)).toBe(false);
});

/** Words of what the scanners look for, in whatever script, and lines that they find or leave alone. */
const vocabulary = [
  ...[...abusePatterns, ...contactsInWords].flatMap(({ source }) => source.match(/[\p{L}\p{M}']{2,14}/gu) ?? []),
  ...englishInsultWords.map((word) => word.trim()),
  ...numberWords,
  ...numberSigns.split(""),
  ...["phrases", "abuse-scan", "text-rules", "conduct-service"].flatMap(quoted),
  ..."the you and hello sea town I'm we all of people сука хуй 傻逼 操你妈 씨발 ควย रंडी गांडू πουτάνα".split(" "),
];

/** The texts of a file of tests that are no longer than a line. */
function quoted(name: string): string[] {
  const text = readFileSync(new URL(`${name}.test.ts`, import.meta.url), "utf8");
  return Array.from(text.matchAll(/"([^"\\\n]{3,80})"/g), ([, line]) => line!);
}

/** Signs that look like a letter of ASCII to the English list, by that letter. */
const lookAlikes = new Map<string, string[]>();
for (let code = 0x80; code < 0x1_fb00; code += 1) {
  const sign = String.fromCodePoint(code);
  const look = englishLook(sign);
  if (look !== sign) lookAlikes.set(look, [...(lookAlikes.get(look) ?? []), sign]);
}
const joints = [
  ..." |  |, |. |...|! |!|-|'|| - |; |.|: |، |。|，|！|：|…|\u00a0|\u3000|～|؟ |·|“|’| ❤️ |❤|😂|🇹🇷|\u200b".split("|"),
  ...Array.from({ length: 6 }, () => " "),
];
const hidden = Array.from("\u200b\u200c\u200d\u00ad\u0640\ufeff\ufe0f\u20e3");
const marks = Array.from("\u0301\u0307\u0308\u064b\u0651\u093c\u094d\u093f\u0e48\u0e31\u3099\ufe0e");
const neighbours = Array.from("sяиα你んㅋㅠ가اनीกั");
/** What people do to a word that is looked for, each by a number between 0 and 1 besides. */
const changes: readonly ((word: string, by: number) => string)[] = [
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.replaceAll(/(.)/gu, "$1$1"),
  (word) => Array.from(word).join(" "),
  (word) => Array.from(word).join("-"),
  (word) => word.slice(0, -1),
  (word) => word.normalize("NFD"),
  (word) => word.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(0xff41 - 97 + letter.charCodeAt(0))),
  (word, by) => word.replaceAll(/[a-z]/g, (letter) => of(lookAlikes.get(letter) ?? [letter], by)),
  (word, by) =>
    word.replace(/[a-z]/g, (letter, at) => (at === 1 ? of(lookAlikes.get(letter) ?? [letter], by).repeat(2) : letter)),
  (word) => word.replaceAll("i", "İ").replaceAll("a", "@"),
  (word) => word.replaceAll("i", "ı").replaceAll("ا", "أ").replaceAll("ه", "ة"),
  ...[hidden, marks, neighbours].map((signs) => (word: string, by: number) => {
    const at = Math.floor(by * 1000) % (word.length + 1);
    return word.slice(0, at) + of(signs, by) + word.slice(at);
  }),
];

function of<T>(list: readonly T[], by: number): T {
  return list[Math.floor(by * list.length)]!;
}

const part = fc.record({
  word: fc.constantFrom(...new Set(vocabulary)),
  joint: fc.constantFrom(...joints),
  change: fc.constantFrom(...changes, ...changes.slice(0, 1), ...changes.slice(0, 1)),
  by: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});
const line = fc
  .array(part, { maxLength: 6 })
  .map((parts) => parts.map(({ word, joint, change, by }) => change(word, by) + joint).join(""));

test.each([
  "hallo, wie geht's dir heute? Schön, dich zu sehen",
  "İyi geceler, nasılsın? Çok güzel bir gün",
  "xin chào, bạn khỏe không?",
  "xin chào, bạn khỏe không?".normalize("NFD"),
  "привет, как дела? Что делаешь сегодня...",
  "γεια σου, τι κάνεις; ΚΑΛΗΜΕΡΑ ΣΑΣ",
  "مرحبا كيف حالك اليوم؟ شكراً جزيلاً",
  "سلام، حالت چطوره؟ می\u200cخواهم حرف بزنم",
  "नमस्ते, आप कैसे हैं? मैं ठीक हूँ, लड़का बड़ा है",
  "สวัสดีครับ วันนี้ทำอะไรอยู่ น้ำเย็นมาก",
  "你好，你是哪里人？今天天气很好！我们一起聊聊吧～",
  "こんにちは、元気ですか？コーヒーが好きです。",
  "안녕하세요, 오늘 날씨가 참 좋네요ㅠㅠ ㅋㅋㅋ",
  "love this ❤️ so much 😂😂 from 🇹🇷",
])("[TEXT-170] %j is plain, and the scanners need not look", (text) => {
  expect(isPlainLine(text)).toBe(true);
  expect(findings(text)).toEqual([]);
});

test.each([
  ["ты сука", "an insult"],
  ["傻逼", "an insult without spaces"],
  ["씨ㅂㅏㄹ", "letters that folding puts together"],
  ["कीरंडी", "a word behind a vowel"],
  ["वह गांडूं", "a word before a mark"],
  ["रंडीwhore", "a word of another script behind a vowel"],
  ["wһоrе", "letters that only look like those of ASCII"],
  ["❤🇼🇭🇴🇷🇪", "pictures that look like letters"],
  ["😂!bitch", "a word behind a sign that looks like a letter"],
  ["ｗｈｏｒｅ", "wide letters"],
  ["ki\u200dll yourself", "a hidden sign"],
  ["İnsta anabanana", "a capital whose dot is left behind"],
  ["şarkı x.com", "a link"],
  ["да.рф", "a link in Cyrillic"],
  ["مرحبا ٠٥٣٢١٢٣٤٥٦٧", "digits of Arabic"],
  ["一 三 五 七 九 二 四 六", "digits of Chinese"],
  ["عندي انستا", "a service"],
  ["сук\u0307а", "a mark that the scan for abuse leaves out"],
  ["с у к а", "letters one by one"],
  ["न व क", "letters one by one without vowels"],
])("[TEXT-170] %j is looked through: %s", (text) => {
  expect(isPlainLine(text)).toBe(false);
});

test.each(interfaceLanguages.map(({ value }) => value))(
  "[TEXT-170] nearly all that is said in %s is plain",
  (language) => {
    const catalog = readFileSync(new URL(`../../../web/locales/${language}.json`, import.meta.url), "utf8");
    const texts = Object.values(JSON.parse(catalog) as Record<string, string>).filter(
      (text) => !/[\d{}<>()/@&%]/.test(text),
    );
    const plain = texts.filter(isPlainLine);
    expect(plain.length / texts.length).toBeGreaterThan(0.95);
    // That none of them is abuse is proven for all texts of the interface (TEXT-156).
    expect(plain.filter((text) => scanText(text, "TR").length > 0)).toEqual([]);
  },
);

test("[TEXT-158] [TEXT-170] nothing that the scanners find is in a line that is called plain", () => {
  let plain = 0;
  fc.assert(
    fc.property(line, (text) => {
      if (!isPlainLine(text)) return;
      plain += 1;
      expect(findings(text)).toEqual([]);
    }),
    fuzz(10_000),
  );
  expect(plain).toBeGreaterThan(700);
});

test("[TEXT-158] any line of the signs that a plain one may have is judged as the scanners do", () => {
  const signs = fc.constantFrom(...Array.from("abcdeiklnorstuy  .,!'-"));
  const isMissed = (text: string) => isPlainLine(text) && findings(text).length > 0;
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 60 }), (parts) => {
      expect(isMissed(parts.join(""))).toBe(false);
    }),
    fuzz(5_000),
  );
});

test("[TEXT-158] the words that a pattern requires stand in whatever it matches", () => {
  expect(requiredWords(/(?<![\p{L}\p{N}])(?:kill|hit)[\s,]{1,3}(?:all )?(?:them|us)(?![\p{L}\p{N}])/u)).toEqual(
    expect.arrayContaining([" kill them ", "l all them ", " hit us ", "hit all us "]),
  );
  expect(requiredWords(/пошёл|shows? \d{1,3} (?:me|you)|rare(?:word)?\p{L}{0,9}/u)).toEqual([
    "пошёл",
    "rare",
    "rareword",
  ]);
  expect(() => requiredWords(/(?:a|b)?\p{L}{2}/u)).toThrow("nothing stands");
});
