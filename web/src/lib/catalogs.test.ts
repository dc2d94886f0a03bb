import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import { expect, test } from "vitest";
import { pictureReasonIds } from "@fava/wire/moderation.ts";
import { evidenceKeptMs } from "@fava/wire/limits.ts";
import { interfaceLanguages, offeredLanguagesDefault } from "@fava/wire/languages.ts";
import { banReasonIds } from "@fava/wire/reasons.ts";
import { interests } from "@fava/wire/talk.ts";

const all = interfaceLanguages.map(({ value }) => value);
const files = import.meta.glob<string>("../../locales/*.json", { eager: true, query: "?raw", import: "default" });
const catalog = (language: string) =>
  JSON.parse(files[`../../locales/${language}.json`] ?? "{}") as Record<string, string>;
const english = catalog("en");
const placeholders = (text: string) => [...namesIn(compileMessageOrThrow(text))].toSorted();

/** The names of the values that a text needs, also inside its plurals and choices. */
function namesIn(tokens: ReturnType<typeof compileMessageOrThrow>, names = new Set<string>()): ReadonlySet<string> {
  for (const token of tokens) {
    if (typeof token === "string") continue;
    const [name, , format] = token;
    names.add(name);
    if (typeof format !== "object" || format === null) continue;
    for (const choice of Object.values(format)) if (Array.isArray(choice)) namesIn(choice, names);
  }
  return names;
}

test.each(all)("has one icebreaker question per interest in %s, and twenty general ones", (language) => {
  const keys = [...interests, ...Array.from({ length: 20 }, (_, at) => String(at + 1))].map((name) => `ask.${name}`);
  const texts = Object.entries(catalog(language)).filter(([key]) => key.startsWith("ask."));
  expect(texts.map(([key]) => key).toSorted()).toEqual(keys.toSorted());
  expect(new Set(texts.map(([, text]) => text)).size).toBe(keys.length);
});

test("has one catalog for each of the 27 languages, and no other", () => {
  expect(all).toHaveLength(27);
  expect(Object.keys(files).toSorted()).toEqual(all.map((language) => `../../locales/${language}.json`).toSorted());
});

test("marks 22 catalogs as not reviewed by a native reader: all that are not offered by default", () => {
  const unreviewed = interfaceLanguages.filter(({ reviewed }) => !reviewed).map(({ value }) => value);
  expect(unreviewed).toHaveLength(22);
  expect(offeredLanguagesDefault.filter((language) => unreviewed.includes(language as never))).toEqual([]);
});

test.each(all)("has every text of English in the catalog %s", (language) => {
  const own = catalog(language);
  expect(Object.keys(own).toSorted()).toEqual(Object.keys(english).toSorted());
  expect(Object.entries(own).filter(([, text]) => text.trim() === "")).toEqual([]);
  for (const [key, text] of Object.entries(own))
    expect([key, placeholders(text)]).toEqual([key, placeholders(english[key] ?? "")]);
});

test.each(all)("[BAN-3] has a text for every ban reason, and the default, in %s", (language) => {
  const own = catalog(language);
  for (const id of banReasonIds) expect([id, own[`ban.reason.${id}`]]).toEqual([id, expect.stringMatching(/\S/)]);
  expect(own["ban.reason.other"]).toMatch(/\S/);
});

test.each(all)("has a text for every reason to reject an image in %s", (language) => {
  const own = catalog(language);
  for (const id of pictureReasonIds)
    expect([id, own[`photo.rejected.${id}`]]).toEqual([id, expect.stringMatching(/\S/)]);
});

test.each(all)("states in %s for how many days evidence is kept where it explains recording and checks", (language) => {
  const own = catalog(language);
  for (const key of ["home.foot.recorded", "perm.recordedText", "rules.evidence", "transparency.softwareCan"])
    expect([key, own[key]]).toEqual([
      key,
      expect.stringMatching(new RegExp(`(?<!\\d)${evidenceKeptMs / 86_400_000}(?!\\d)`)),
    ]);
});

test("[BAN-3] shows Incorrect content for an unknown ban reason", () => {
  expect(english["ban.reason.other"]).toBe("Incorrect content");
});

test.each([
  ["error.server", "Server error"],
  ["kick.text", /logged in elsewhere/],
  ["beans.notEnoughTitle", /do not have enough beans/],
  ["pay.cancelTitle", /are you sure you want to cancel your payment/i],
  ["pay.soon", /gold beans will soon be added to your wallet/i],
  ["notice.noProfiles", /no matching profiles in the selected country/],
  ["ban.title", /Failed to log in/],
  ["ban.until", /banned until/i],
  ["common.copyFailed", /error/i],
  ["contact.hoursText", /Monday to Friday, 02:00 to 10:00 GMT\+0/],
  ["rules.adults", /must be 18/],
  ["rules.adultsText", /17\+/],
])("has the text of the specification for %s", (key, said) => {
  expect(english[key]).toMatch(said);
});
