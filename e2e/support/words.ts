import { readFileSync } from "node:fs";

const catalog = JSON.parse(readFileSync(new URL("../../web/locales/en.json", import.meta.url), "utf8")) as Readonly<
  Record<string, string>
>;

/**
 * What the page says for a key of the catalog, as an expression that matches the whole text. A placeholder without a
 * value matches anything; the signs that isolate a name's direction are let through.
 */
export function words(key: string, values: Readonly<Record<string, string>> = {}): RegExp {
  const text = english(key);
  if (text.includes(", plural")) throw new Error(`${key} depends on a number`);
  const parts = text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return escaped(part.replace(/<\/?\w+>/g, ""));
    const value = values[part];
    return `[\u2066-\u2069]?${value === undefined ? ".+?" : escaped(value)}[\u2066-\u2069]?`;
  });
  return new RegExp(`^${parts.join("")}$`, "u");
}

/** The English text of a key, as the catalog has it. */
export function english(key: string): string {
  const text = catalog[key];
  if (text === undefined) throw new Error(`no text ${key}`);
  return text;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
