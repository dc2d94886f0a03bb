import { countryById } from "@fava/wire/countries.ts";
import { boundedCache } from "./cache.ts";

const languagesKeptMax = 64;
const regionNames = boundedCache<string, { long: Intl.DisplayNames; short: Intl.DisplayNames }>({
  entriesMax: languagesKeptMax,
});

/** Countries whose long names are the official ones and whose short names are the usual ones. */
const shortNamed: ReadonlySet<string> = new Set(["HK", "MO", "PS"]);

/** Names that the locale data of Node.js has wrong, by language and ISO 3166-1 alpha-2 code. */
const corrections: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  az: { CI: "Kot-d’İvuar" },
  fil: { SZ: "Eswatini" },
  id: { SZ: "Eswatini" },
  ms: { CI: "Côte d’Ivoire", TR: "Türkiye" },
  ur: { SZ: "ایسواتینی" },
  uz: { EH: "Gʻarbiy Sahroi Kabir", SZ: "Esvatini", US: "Amerika Qoʻshma Shtatlari" },
};

/** Enough for all countries in all languages, because reading the locale data is slow. */
const namesKeptMax = 8_192;
const names = boundedCache<string, string>({ entriesMax: namesKeptMax });

/**
 * Name of a country for a list, with a capital, which some locale data lack. Empty for an unknown id. The page cannot
 * make it: Chromium has no country names in some of our languages, such as Irish.
 */
export function countryName(countryId: number, language: string): string {
  const key = `${countryId} ${language}`;
  const known = names.get(key);
  if (known !== undefined) return known;
  const country = countryById(countryId);
  if (!country) return "";
  const name = nameOf(country.code, language);
  names.set(key, name);
  return name;
}

function nameOf(code: string, language: string): string {
  const corrected = corrections[language]?.[code];
  if (corrected !== undefined) return corrected;
  const { long, short } = namesIn(language);
  const name = (shortNamed.has(code) ? short : long).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

function namesIn(language: string): { long: Intl.DisplayNames; short: Intl.DisplayNames } {
  const known = regionNames.get(language);
  if (known) return known;
  const make = (style: "long" | "short") => new Intl.DisplayNames([language, "en"], { type: "region", style });
  const names = { long: make("long"), short: make("short") };
  regionNames.set(language, names);
  return names;
}
