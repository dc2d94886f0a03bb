import { expect, test } from "vitest";
import { directionOf, pickLanguage } from "#lib/languages.ts";

test("[I18N-1] the browser's language is taken if it is offered, otherwise English", () => {
  expect(pickLanguage(["tr-TR", "en"])).toBe("tr");
  expect(pickLanguage(["zh-TW"])).toBe("zh-CN");
  expect(pickLanguage(["ar-EG"])).toBe("ar");
  expect(pickLanguage(["in-ID"])).toBe("id");
  expect(pickLanguage(["de-DE", "id-ID"])).toBe("id");
  expect(pickLanguage(["de-DE", "fr"])).toBe("en");
  expect(pickLanguage([])).toBe("en");
});

test("[I18N-2] Arabic and Urdu run from right to left", () => {
  expect(directionOf("ar")).toBe("rtl");
  expect(directionOf("ur")).toBe("rtl");
  expect(directionOf("zh-CN")).toBe("ltr");
});
