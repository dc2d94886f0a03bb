import { expect, test } from "vitest";
import { interfaceLanguages } from "./languages.ts";
import { interests, spokenLanguageId, spokenLanguages } from "./talk.ts";

test("[TALK-1] keeps 63 languages, those of the interface first, and 48 interests at their places", () => {
  expect([spokenLanguages.length, new Set(spokenLanguages).size]).toEqual([63, 63]);
  expect([interests.length, new Set(interests).size]).toEqual([48, 48]);
  const ofInterface = interfaceLanguages.map(({ value }) => spokenLanguageId(value));
  expect(ofInterface.toSorted((one, other) => Number(one) - Number(other))).toEqual(Array.from(Array(27).keys()));
  expect([0, 1, 12, 26, 27, 52, 62].map((id) => spokenLanguages[id])).toEqual([
    "zh",
    "en",
    "pt",
    "da",
    "es",
    "no",
    "sgn",
  ]);
  expect([0, 10, 25, 41, 47].map((id) => interests[id])).toEqual([
    "cooking",
    "football",
    "stars",
    "learning_languages",
    "chess",
  ]);
});

test("[TALK-1] has no interest about religion, politics, health, sex, origin or income", () => {
  const never =
    /relig|church|faith|politic|party|health|diet|fitness|therap|sex|dating|flirt|roots|nation|money|invest/;
  expect(interests.filter((interest) => never.test(interest))).toEqual([]);
});

test("maps language tags of browsers and catalogs to the list, whatever their region", () => {
  expect(["pt-BR", "zh-CN", "zh-TW", "PT", "in", "tl", "nb-NO", "iw"].map(spokenLanguageId)).toEqual([
    12, 0, 0, 12, 4, 8, 52, 50,
  ]);
  expect(["", "xx", "eo", "-"].map(spokenLanguageId)).toEqual([null, null, null, null]);
});
