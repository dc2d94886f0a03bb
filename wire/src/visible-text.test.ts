import { describe, expect, test } from "vitest";
import { hasVisibleSign, limitMarks } from "./visible-text.ts";

describe("a visible sign", () => {
  test.each([
    ["nothing", ""],
    ["blanks", " \u00a0\u3000\n\t"],
    ["Hangul fillers", "\u115f\u1160\u3164\uffa0"],
    ["a Braille pattern without dots", "\u2800"],
    ["zero-width signs", "\u200b\u200c\u200d\u2060\ufeff"],
    ["a soft hyphen", "\u00ad"],
    ["a grapheme joiner", "\u034f"],
    ["tag letters", "\u{e0041}\u{e0042}"],
    ["variation selectors", "\ufe0f\u{e0100}"],
    ["a lone accent", "\u0301"],
    ["a lone vowel mark", "\u064e"],
    ["lone surrogates", "\ud800\udc00".split("").reverse().join("")],
    ["private letters", "\ue000"],
    ["controls", "\u0000\u0007"],
  ])("is missing in %s", (_what, text) => {
    expect(hasVisibleSign(text)).toBe(false);
  });

  test.each([
    "a",
    "7",
    "?",
    "👍",
    "❤️",
    "🇹🇷",
    "1️⃣",
    "ı",
    "é",
    "e\u0301",
    "你",
    "أ",
    "हि",
    "กำ",
    "한",
    "\u3164x",
    "+",
    "´",
  ])("is found in %s", (text) => {
    expect(hasVisibleSign(text)).toBe(true);
  });

  test("is not found in 10,000 signs without width", () => {
    const text = "\u200b\u0301".repeat(5_000);
    expect(hasVisibleSign(text)).toBe(false);
    expect(limitMarks(text)).toHaveLength(5_004);
  });
});

describe("combining marks", () => {
  test("keeps four a base", () => {
    expect(limitMarks(`a${"\u0301".repeat(2_000)}b${"\u0323".repeat(5)}`)).toBe(
      `a${"\u0301".repeat(4)}b${"\u0323".repeat(4)}`,
    );
  });

  test("continues to count marks across signs without width", () => {
    for (const sign of ["\u200b", "\u2060", "\u3164", "\u00ad"]) {
      const kept = limitMarks(`a${`\u0301${sign}`.repeat(40)}`);
      expect([sign, kept.split("\u0301").length - 1]).toEqual([sign, 4]);
    }
  });

  test("keeps at most eight of a script that stacks its own", () => {
    expect(limitMarks(`ب${"\u064b".repeat(40)}`)).toBe(`ب${"\u064b".repeat(8)}`);
    expect(limitMarks(`ก${"\u0e47".repeat(40)}`)).toBe(`ก${"\u0e47".repeat(4)}`);
  });

  test("removes marks that override the direction of letters, and keeps those around a script", () => {
    expect(limitMarks("\u202eerohw\u202c \u202d12\u202c")).toBe("erohw\u202c 12\u202c");
    for (const text of ["\u200fشكرا\u200e ok", "\u202a+90\u202c", "\u2067שלום\u2069"])
      expect(limitMarks(text)).toBe(text);
  });

  test.each([
    ["Vietnamese, composed and decomposed", "Nguyễn", "Nguyễn".normalize("NFD")],
    ["Hebrew with vowels and cantillation", "בְּרֵאשִׁ֖ית", "יְרוּשָׁלִַ֗ם"],
    ["Arabic with vowels", "مُحَمَّدٌ", "ٱللَّٰهِ"],
    ["Hindi, Tamil, Burmese, Tibetan, Khmer, Thai", "क्षत्रिय श्री", "கௌ ကြွေး ྲྀ ཧཱུྃ ស្ត្រី น้ำ ที่"],
    ["emoji with their joiners", "👩🏽‍❤️‍💋‍👨🏿 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳️‍🌈"],
  ])("leaves %s as written", (_what, ...texts) => {
    for (const text of texts) expect(limitMarks(text)).toBe(text);
  });
});
