import { afterAll, beforeAll, expect, test } from "vitest";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { interests, spokenLanguages } from "@fava/wire/talk.ts";
import { activateLanguage, t } from "#lib/i18n.ts";
import { interestName, sharedText, spokenName } from "./shared-tags.ts";

beforeAll(() => activateLanguage("en"));
afterAll(() => activateLanguage("en"));

test("names what two users have in common, in their order, or nothing", () => {
  expect(sharedText(t, { languages: [12, 1], interests: [7, 47] })).toBe(
    "You both speak Portuguese and English and like cycling and chess",
  );
  expect(sharedText(t, { languages: [12], interests: [] })).toBe("You both speak Portuguese");
  expect(sharedText(t, { languages: [62], interests: [] })).toBe("You both speak a sign language");
  expect(sharedText(t, { languages: [], interests: [7, 0, 47] })).toBe("You both like cycling, cooking, and chess");
  expect(sharedText(t, undefined)).toBeNull();
});

test("leaves out what only a later version knows", () => {
  expect(sharedText(t, { languages: [63], interests: [60, 7] })).toBe("You both like cycling");
  expect(sharedText(t, { languages: [63], interests: [48] })).toBeNull();
});

test.each(interfaceLanguages)("has a name for every language and interest in $value", async ({ value }) => {
  await activateLanguage(value, { remember: false });
  const spoken = spokenLanguages.map((_, id) => spokenName(t, id));
  const liked = interests.map((_, id) => interestName(t, id));
  expect([new Set(spoken).size, new Set(liked).size]).toEqual([63, 48]);
  expect([...spoken, ...liked].filter((name) => name === "" || name.startsWith("talk."))).toEqual([]);
});
