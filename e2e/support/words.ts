import { readFileSync } from "node:fs";

type Values = Readonly<Record<string, string>>;
/** The text of a catalog key, as an expression that matches the whole text. */
export type Words = (key: string, values?: Values) => RegExp;

const catalogs = new Map<string, Readonly<Record<string, string>>>();

/**
 * The English text of a catalog key, as an expression that matches the whole text. A placeholder without a value
 * matches anything, except for a number that the text depends on; allows the marks that isolate a name's direction.
 */
export const words: Words = wordsOf("en");

/** As `words`, in another language. */
export function wordsOf(language: string): Words {
  return (key, values = {}) => {
    const text = ofNumber(language, wordsIn(language, key), values);
    const parts = text.split(/\{(\w+)\}/).map((part, index) => {
      if (index % 2 === 0) return escaped(part.replace(/<\/?\w+>/g, ""));
      const value = values[part];
      return `[\u2066-\u2069]?${value === undefined ? ".+?" : escaped(value)}[\u2066-\u2069]?`;
    });
    return new RegExp(`^${parts.join("")}$`, "u");
  };
}

/** The variant of a plural text (ICU) for its number. @throws Error if the number is missing */
function ofNumber(language: string, text: string, values: Values): string {
  const [, name = "", choices = ""] = /^\{(\w+), plural, (.+)\}$/su.exec(text) ?? [];
  if (name === "") return text;
  const number = values[name];
  if (number === undefined) throw new Error(`${text} needs a number`);
  const chosen = new Map(Array.from(choices.matchAll(/(\w+) \{([^{}]*)\}/gu), ([, which, said]) => [which, said]));
  const said = chosen.get(new Intl.PluralRules(language).select(Number(number))) ?? chosen.get("other");
  if (said === undefined) throw new Error(`${text} has no plural form for ${number}`);
  return said.replaceAll("#", number);
}

/** The text of a key in a catalog. */
export function wordsIn(language: string, key: string): string {
  let catalog = catalogs.get(language);
  if (!catalog) {
    const file = new URL(`../../web/locales/${language}.json`, import.meta.url);
    catalog = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, string>>;
    catalogs.set(language, catalog);
  }
  const text = catalog[key];
  if (text === undefined) throw new Error(`no text ${key}`);
  return text;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
