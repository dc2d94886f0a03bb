import { beforeEach, expect, test } from "vitest";
import { readConfig } from "#config.ts";
import type { PriceBook } from "#ports/billing.ts";
import { countryHandlers } from "./country-routes.ts";
import { CountryService } from "./country-service.ts";

const settings = { ...readConfig({ COUNTRIES: "DE,TR,SA,US" }).settings };
const prices: PriceBook = {
  filterPrices: () => ({ gender: 1_700, country: 900, both: 2_100 }),
  smallestPack: () => ({ id: 6, countryId: 18, golds: 10_000n, priceMinor: 999n, currencyCode: "USD" }),
};
const context = (language: string) => ({ session: null, ip: "", userAgent: "", language });
const nowhere = { countryOf: () => null };
let calls: ReturnType<typeof countryHandlers>;

beforeEach(() => {
  calls = countryHandlers(new CountryService(settings, prices, "official"), { presentCount: () => 7 }, nowhere);
});

test("lists the countries of the settings, named and sorted in the caller's language", async () => {
  const names = async (language: string) =>
    (await calls.countryList(context(language), {})).map(({ languageText }) => languageText);
  await expect(names("en")).resolves.toEqual(["Germany", "Saudi Arabia", "Türkiye", "United States"]);
  await expect(names("tr")).resolves.toEqual(["Almanya", "Amerika Birleşik Devletleri", "Suudi Arabistan", "Türkiye"]);
  await expect(names("ar")).resolves.toEqual(["ألمانيا", "المملكة العربية السعودية", "الولايات المتحدة", "تركيا"]);
  await expect(names("zh-CN")).resolves.toEqual(["德国", "美国", "沙特阿拉伯", "土耳其"]);
});

test("lists id, code and flag of a country; 18 is the United States", async () => {
  const list = await calls.countryList(context("en"), {});
  expect(list.at(-1)).toEqual({ id: 18, code: "US", languageText: "United States", flag: "/flags/US.svg" });
});

test.each([
  ["de", ["Deutschland", "Saudi-Arabien", "Türkei", "Vereinigte Staaten"]],
  ["pl", ["Arabia Saudyjska", "Niemcy", "Stany Zjednoczone", "Turcja"]],
  ["ga", ["An Araib Shádach", "An Ghearmáin", "An Tuirc", "Stáit Aontaithe Mheiriceá"]],
  ["az", ["Almaniya", "Amerika Birləşmiş Ştatları", "Səudiyyə Ərəbistanı", "Türkiyə"]],
  ["is", ["Bandaríkin", "Sádi-Arabía", "Tyrkland", "Þýskaland"]],
])("sorts the countries by the collation of a language that a setting offers: %s", async (language, names) => {
  const list = await calls.countryList(context(language), {});
  expect(list.map(({ languageText }) => languageText)).toEqual(names);
});

test("offers the languages of OFFERED_LANGUAGES in its order, each by its own name", async () => {
  const { settings: asked } = readConfig({ OFFERED_LANGUAGES: "de, en ,ur,de" });
  const service = new CountryService(asked, prices, "official");
  expect(service.publicSettings(0, null).languages).toEqual([
    { value: "de", text: "Deutsch" },
    { value: "en", text: "English" },
    { value: "ur", text: "اردو" },
  ]);
});

test("[I18N-9] offers five languages under their own names", async () => {
  const { languages } = await calls.getLanguage(context("en"), {});
  expect(languages).toEqual([
    { value: "zh-CN", text: "简体中文" },
    { value: "en", text: "English" },
    { value: "ar", text: "العربية" },
    { value: "tr", text: "Türkçe" },
    { value: "id", text: "Bahasa Indonesia" },
  ]);
});

test("[HOME-5] reports the true number of users online only if the operator chose to", async () => {
  await expect(calls.getLanguage(context("en"), {})).resolves.toMatchObject({
    online_count_mode: "display",
    online_count: 0,
  });
  const open = new CountryService({ ...settings, onlineCountMode: "real" }, prices, "official");
  const real = countryHandlers(open, { presentCount: () => 7 }, nowhere);
  await expect(real.getLanguage(context("en"), {})).resolves.toMatchObject({
    online_count_mode: "real",
    online_count: 7,
  });
});

test("reports the current prices of filters and beans", async () => {
  await expect(calls.getLanguage(context("en"), {})).resolves.toMatchObject({
    prices: { gender: 1_700, country: 900, both: 2_100 },
    smallest_pack: { golds: 10_000, price_minor: 999, currency_code: "USD" },
  });
});

test("reports the chat id of the official account", async () => {
  await expect(calls.getLanguage(context("en"), {})).resolves.toMatchObject({ contact: { official_id: "official" } });
});

test("reports the help lines of the caller's country and those for all countries", async () => {
  const read = readConfig({
    HELP_LINES: "DE|Hilfe-Telefon|116 016|https://help.test/; US|Line|988|; *|Everywhere||https://all.test/",
  });
  const names = async (code: string | null) => {
    const service = new CountryService(read.settings, prices, "official");
    const { getLanguage } = countryHandlers(service, { presentCount: () => 0 }, { countryOf: () => code });
    return (await getLanguage(context("en"), {})).help_lines.map(({ name }) => name);
  };
  await expect(names("DE")).resolves.toEqual(["Hilfe-Telefon", "Everywhere"]);
  // A user of unknown country gets the help lines of the default country.
  await expect(names(null)).resolves.toEqual(["Line", "Everywhere"]);
  await expect(names("TR")).resolves.toEqual(["Everywhere"]);
  await expect(calls.getLanguage(context("en"), {})).resolves.toMatchObject({ help_lines: [] });
});
