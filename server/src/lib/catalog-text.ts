import { readFileSync } from "node:fs";
import { interfaceLanguages } from "@fava/wire/languages.ts";

type Catalog = Readonly<Record<string, string>>;

const directory = new URL("../../../web/locales/", import.meta.url);
const languages: ReadonlySet<string> = new Set(interfaceLanguages.map(({ value }) => value));
const languageDefault = "en";
const catalogs = new Map<string, Catalog>();

/** The text of a key; in English if the language has no catalog. `values` replace placeholders such as `{reason}`. */
export function catalogText(language: string, key: string, values: Readonly<Record<string, string>> = {}): string {
  const text = catalogIn(languages.has(language) ? language : languageDefault)[key];
  if (text === undefined) throw new Error(`the catalog ${language} has no text ${key}`);
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

function catalogIn(language: string): Catalog {
  const known = catalogs.get(language);
  if (known) return known;
  const read = JSON.parse(readFileSync(new URL(`${language}.json`, directory), "utf8")) as Catalog;
  catalogs.set(language, read);
  return read;
}
