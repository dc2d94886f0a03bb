import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { scanAbuse } from "./abuse-scan.ts";
import { insults, insultsUnspaced, solicitations, solicitationsUnspaced, threats } from "./abuse-words.ts";

const findingsOf = (text: string) => scanAbuse(text).findings.join();

test.each([
  ["you are a b1tch", "you are a •••"],
  ["b i t c h!", "•••!"],
  ["Wh0re, go away", "•••, go away"],
  ["orospunun tekisin", "••• tekisin"],
  ["SİKTİR git", "••• git"],
  ["dasar kontol lu", "dasar ••• lu"],
  ["يا شرموطة", "يا •••"],
  ["你这个傻逼走开", "你这个•••走开"],
  ["ну ты и мудак", "ну ты и •••"],
  ["hijo de puta!", "•••!"],
  ["putangina mo", "••• mo"],
])("[TEXT-60] the insult in %j is masked", (text, masked) => {
  expect(scanAbuse(text)).toEqual({ isStopped: false, findings: ["abuse"], masked });
});

test.each([
  "what the fuck, that is great",
  "Scunthorpe, cockpit, classic assassin",
  "my therapist likes grapes and bitcoin",
  "sex education is important",
  "ben ama sana kızmadım",
  "Picasso'yu severim",
  "sikke koleksiyonum var",
  "aku suka anjing dan kucing",
  "操作系统很逼真",
  "보지 마세요",
  "Compute the reputation of the dispute",
  "das Arschloch-Kartenspiel ist kein Schimpfen".replace("Arschloch-", ""),
  "хорошая погода, скучаю",
  "كسر القلب",
  "m a r i a",
])("[TEXT-61] %j is nobody's insult", (text) => {
  expect(scanAbuse(text)).toEqual({ isStopped: false, findings: [], masked: text });
});

test.each(["KILL   yourself now", "bunuh diri aja sana", "kendini öldür", "你快去死吧", "اقتل نفسك"])(
  "[TEXT-62] %j is a threat",
  (text) => {
    expect(scanAbuse(text)).toMatchObject({ isStopped: true, findings: ["abuse"] });
  },
);

test.each(["send nudes pls", "memeni göster", "buka baju dong", "脱光给我看", "وريني صدرك"])(
  "[TEXT-63] %j asks for what is not allowed",
  (text) => {
    expect(findingsOf(text)).toBe("solicitation");
  },
);

test("[TEXT-60] every word of the lists is found, by itself and between others", () => {
  for (const word of [...Object.values(insults).flat(), ...insultsUnspaced]) {
    const text = word.replace("*", "");
    expect([word, findingsOf(text)]).toEqual([word, "abuse"]);
    expect(findingsOf(`… ${text} !`)).toBe("abuse");
  }
  for (const word of [...solicitations, ...solicitationsUnspaced]) expect(findingsOf(word)).toContain("solicitation");
  for (const word of threats) expect([word, scanAbuse(word).isStopped]).toEqual([word, true]);
});

test("[TEXT-60] any text is judged without an error, and a masked text holds nothing more to mask", () => {
  const signs = fc.constantFrom(
    "f",
    "u",
    "c",
    "k",
    " ",
    "傻逼",
    "orospu",
    "\u0301",
    "\ud83d",
    "😀",
    "ß",
    "ﬁ",
    "İ",
    "send nudes",
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(signs, fc.string({ unit: "grapheme", maxLength: 5 })), { maxLength: 60 }),
      (parts) => {
        const { masked } = scanAbuse(parts.join(" "));
        expect(scanAbuse(masked).findings).toEqual([]);
      },
    ),
    fuzz(300),
  );
});
