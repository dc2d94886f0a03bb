import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { activateLanguage, t } from "#lib/i18n.ts";

/** The parts of a document that a change of language uses. */
let page: { documentElement: { lang: string; dir: string; dataset: object }; title: string; head: object };
let metas: Map<string, string>;

beforeEach(() => {
  metas = new Map();
  const querySelector = (selector: string) => ({
    setAttribute: (_name: string, content: string) => void metas.set(selector, content),
  });
  page = { documentElement: { lang: "", dir: "", dataset: {} }, title: "", head: { querySelector } };
  vi.stubGlobal("document", page);
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await activateLanguage("en");
});

test("sets language, direction, title and description of the page on a change of language", async () => {
  await activateLanguage("ar");
  expect(page.documentElement).toMatchObject({ lang: "ar", dir: "rtl" });
  expect(page.title).toBe(t("app.title"));
  expect(metas.get('meta[name="description"]')).toBe(t("app.description"));
  const arabic = page.title;
  await activateLanguage("tr");
  expect(page.documentElement).toMatchObject({ lang: "tr", dir: "ltr" });
  expect(page.title).not.toBe(arabic);
});
