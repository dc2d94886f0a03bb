import { expect, test } from "vitest";
import type { Language } from "#lib/languages.ts";
import { pageText } from "./page-texts.ts";

test("shows a page in the reader's language", async () => {
  await expect(pageText("privacy", "tr")).resolves.toMatchObject({ language: "tr" });
});

test("shows English, with a note, if a page has no text in the language", async () => {
  const french = await pageText("terms", "fr" as Language);
  expect(french.language).toBe("en");
  expect(french.content).toBe((await pageText("terms", "en")).content);
});
