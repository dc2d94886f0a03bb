import { afterEach, expect, test, vi } from "vitest";
import { directionOf, initialLanguage, languageChoices, offeredLanguages } from "#lib/languages.ts";

const first = (preferred: readonly string[], search = "", stored: string | null = null) =>
  initialLanguage({ stored, search, preferred });

/** The page as the server sends it when it offers these languages. */
const offer = (content: string) =>
  vi.stubGlobal("document", { querySelector: () => ({ getAttribute: () => content }) });

afterEach(() => vi.unstubAllGlobals());

test("offers zh-CN, en, ar, tr and id unless the server says otherwise", () => {
  expect(offeredLanguages()).toEqual(["zh-CN", "en", "ar", "tr", "id"]);
  offer("{languages}");
  expect(offeredLanguages()).toEqual(["zh-CN", "en", "ar", "tr", "id"]);
});

test("offers exactly the languages that the server names, under their own names", () => {
  offer("de en ur xx");
  expect(languageChoices()).toEqual([
    { value: "de", text: "Deutsch", lang: "de" },
    { value: "en", text: "English", lang: "en" },
    { value: "ur", text: "اردو", lang: "ur" },
  ]);
  expect(first(["de-AT"])).toBe("de");
  expect(first(["tr"])).toBe("en");
  expect(first(["en"], "?lang=tr")).toBe("en");
  // The stored choice counts although the installation no longer offers that language.
  expect(first(["ur"], "", "id")).toBe("ur");
});

test("[I18N-1] chooses the browser's language if it is offered, otherwise English", () => {
  expect(first(["tr-TR", "en"])).toBe("tr");
  expect(first(["zh-TW"])).toBe("zh-CN");
  expect(first(["ar-EG"])).toBe("ar");
  expect(first(["in-ID"])).toBe("id");
  expect(first(["xx-XX", "id-ID"])).toBe("id");
  expect(first(["xx-XX", "yy"])).toBe("en");
  expect(first([])).toBe("en");
});

test("prefers the language of the address to the browser's, and a stored choice to both", () => {
  expect(first(["en"], "?lang=tr")).toBe("tr");
  expect(first(["en"], "?order=1&lang=zh-CN")).toBe("zh-CN");
  expect(first(["tr"], "?lang=xx")).toBe("tr");
  expect(first(["en"], "?lang=tr", "ar")).toBe("ar");
  expect(first(["en"], "?lang=tr", "xx")).toBe("tr");
});

test("[I18N-2] writes Arabic and Urdu from right to left", () => {
  expect(directionOf("ar")).toBe("rtl");
  expect(directionOf("ur")).toBe("rtl");
  expect(directionOf("zh-CN")).toBe("ltr");
});
