import { afterEach, expect, test, vi } from "vitest";
import { directionOf, initialLanguage, languageChoices, offeredLanguages } from "#lib/languages.ts";

const first = (preferred: readonly string[], search = "", stored: string | null = null) =>
  initialLanguage({ stored, search, preferred });

/** The page as the server sends it where it offers these. */
const offer = (content: string) =>
  vi.stubGlobal("document", { querySelector: () => ({ getAttribute: () => content }) });

afterEach(() => vi.unstubAllGlobals());

test("zh-CN, en, ar, tr and id are offered unless the server says otherwise", () => {
  expect(offeredLanguages()).toEqual(["zh-CN", "en", "ar", "tr", "id"]);
  offer("{languages}");
  expect(offeredLanguages()).toEqual(["zh-CN", "en", "ar", "tr", "id"]);
});

test("what the server offers is chosen from, under its own names, and nothing else", () => {
  offer("de en ur xx");
  expect(languageChoices()).toEqual([
    { value: "de", text: "Deutsch", lang: "de" },
    { value: "en", text: "English", lang: "en" },
    { value: "ur", text: "اردو", lang: "ur" },
  ]);
  expect(first(["de-AT"])).toBe("de");
  expect(first(["tr"])).toBe("en");
  expect(first(["en"], "?lang=tr")).toBe("en");
  // A choice of earlier, which is not on offer any more.
  expect(first(["ur"], "", "id")).toBe("ur");
});

test("[I18N-1] the browser's language is taken if it is offered, otherwise English", () => {
  expect(first(["tr-TR", "en"])).toBe("tr");
  expect(first(["zh-TW"])).toBe("zh-CN");
  expect(first(["ar-EG"])).toBe("ar");
  expect(first(["in-ID"])).toBe("id");
  expect(first(["xx-XX", "id-ID"])).toBe("id");
  expect(first(["xx-XX", "yy"])).toBe("en");
  expect(first([])).toBe("en");
});

test("the language of the address goes before the browser's, and a stored choice before both", () => {
  expect(first(["en"], "?lang=tr")).toBe("tr");
  expect(first(["en"], "?order=1&lang=zh-CN")).toBe("zh-CN");
  expect(first(["tr"], "?lang=xx")).toBe("tr");
  expect(first(["en"], "?lang=tr", "ar")).toBe("ar");
  expect(first(["en"], "?lang=tr", "xx")).toBe("tr");
});

test("[I18N-2] Arabic and Urdu run from right to left", () => {
  expect(directionOf("ar")).toBe("rtl");
  expect(directionOf("ur")).toBe("rtl");
  expect(directionOf("zh-CN")).toBe("ltr");
});
