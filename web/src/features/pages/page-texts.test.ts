import { expect, test } from "vitest";
import type { Language } from "#lib/languages.ts";
import { pageText } from "./page-texts.ts";

test("a page is read in the reader's language", async () => {
  await expect(pageText("privacy", "tr")).resolves.toMatchObject({ language: "tr" });
});

test("where a page has no text in a language, it is English and says so", async () => {
  const french = await pageText("terms", "fr" as Language);
  expect(french.language).toBe("en");
  expect(french.content).toBe((await pageText("terms", "en")).content);
});
