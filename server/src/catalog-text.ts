import { readFileSync } from "node:fs";

type Catalog = Readonly<Record<string, string>>;

const directory = new URL("../../web/locales/", import.meta.url);
const catalogs = new Map<string, Catalog>();

/**
 * A text that the server says to a person, out of the catalogs of the interface, which are the one home of such texts.
 *
 * @param language one that has a catalog.
 */
export function catalogText(language: string, key: string): string {
  const text = catalogIn(language)[key];
  if (text === undefined) throw new Error(`the catalog ${language} has no text ${key}`);
  return text;
}

/** Each is read once, when somebody first asks in its language. */
function catalogIn(language: string): Catalog {
  const known = catalogs.get(language);
  if (known) return known;
  const read = JSON.parse(readFileSync(new URL(`${language}.json`, directory), "utf8")) as Catalog;
  catalogs.set(language, read);
  return read;
}
