import { expect, test } from "vitest";
import { countries, countryByCode } from "@fava/wire/countries.ts";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { countryName } from "./country-name.ts";

const languages = interfaceLanguages.map(({ value }) => value);
const name = (code: string, language: string) => countryName(countryByCode(code)?.id ?? 0, language);

test.each(languages)("gives every country a distinct name in %s, and never a code", (language) => {
  const names = countries.map(({ id }) => countryName(id, language));
  expect(new Set(names).size).toBe(countries.length);
  expect(names.filter((text) => /^[A-Z]{2}$/.test(text))).toEqual([]);
  expect(names.filter((text) => text.charAt(0) !== text.charAt(0).toLocaleUpperCase(language))).toEqual([]);
});

test.each([
  ["az", ["Almaniya", "Azərbaycan", "Amerika Birləşmiş Ştatları", "Kot-d’İvuar", "Honq Konq"]],
  ["uz", ["Germaniya", "Ozarbayjon", "Amerika Qoʻshma Shtatlari", "Kot-d’Ivuar", "Gonkong"]],
  ["ga", ["An Ghearmáin", "An Asarbaiseáin", "Stáit Aontaithe Mheiriceá", "Côte d’Ivoire", "Hong Cong"]],
  ["is", ["Þýskaland", "Aserbaídsjan", "Bandaríkin", "Fílabeinsströndin", "Hong Kong"]],
  ["fil", ["Germany", "Azerbaijan", "Estados Unidos", "Côte d’Ivoire", "Hong Kong"]],
  ["de", ["Deutschland", "Aserbaidschan", "Vereinigte Staaten", "Côte d’Ivoire", "Hongkong"]],
  ["zh-CN", ["德国", "阿塞拜疆", "美国", "科特迪瓦", "香港"]],
])("uses common names of countries in %s", (language, expected) => {
  expect(["DE", "AZ", "US", "CI", "HK"].map((code) => name(code, language))).toEqual(expected);
});

test("leaves most names as in English only in Filipino", () => {
  const left = (language: string) =>
    countries.filter(({ code }) => name(code, language) === name(code, "en")).length / countries.length;
  const most = languages.filter((language) => language !== "en" && left(language) > 0.75);
  expect(most).toEqual(["fil"]);
});

test("has no name for an unknown id", () => {
  expect(countryName(0, "en")).toBe("");
});
