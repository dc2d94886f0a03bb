import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { compileText } from "../web/vite/compiled-messages.ts";
import { interfaceLanguages } from "../wire/src/languages.ts";
import { sameAsEnglish } from "./catalog-same-as-english.ts";
import { shapeOf, type TextShape } from "./catalog-shape.ts";
import {
  buttonKeys,
  buttonWidthMax,
  isWordless,
  shownWidth,
  signFaults,
  voiceFaults,
  wordsInAttributes,
} from "./catalog-words.ts";

/**
 * Checks the catalogs of the interface against English and against the source: same keys and placeholders, complete
 * plurals, no empty, untranslated, unused or missing text, no forbidden sign, no button that is too wide.
 * docs/i18n/README.md explains how to fix each problem.
 */
const root = join(import.meta.dirname, "..");
const web = join(root, "web");
const source = "en";
const languages = readdirSync(join(web, "locales")).map((file) => file.replace(/\.json$/, ""));
const catalogs = new Map(languages.map((language) => [language, readCatalog(language)]));
const english = catalogs.get(source) ?? new Map<string, string>();
const problems: string[] = [];

const onButtons = new Set(sourceFiles("web").flatMap((file) => buttonKeys(readFileSync(file, "utf8"))));

checkLanguages();
for (const [language, catalog] of catalogs) checkCatalog(language, catalog);
checkUse();
for (const problem of problems) console.error(problem);
console.log(`${english.size} texts in ${languages.join(", ")}: ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;

function readCatalog(language: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(
      JSON.parse(readFileSync(join(web, "locales", `${language}.json`), "utf8")) as Record<string, string>,
    ),
  );
}

function checkLanguages(): void {
  const known: readonly string[] = interfaceLanguages.map(({ value }) => value);
  for (const language of known) if (!catalogs.has(language)) problems.push(`${language}: has no catalog`);
  for (const language of languages)
    if (!known.includes(language)) problems.push(`${language}: is not in wire/src/languages.ts`);
  for (const [language, keys] of sameAsEnglish)
    for (const key of keys)
      if (catalogs.get(language)?.get(key) !== english.get(key) || isWordless(english.get(key) ?? ""))
        problems.push(`${language}: ${key} need not be listed as the same as in English`);
}

function checkCatalog(language: string, catalog: ReadonlyMap<string, string>): void {
  for (const key of english.keys()) if (!catalog.has(key)) problems.push(`${language}: ${key} is missing`);
  for (const [key, text] of catalog) {
    const report = (fault: string) => problems.push(`${language}: ${key} ${fault}`);
    const original = english.get(key);
    if (original === undefined) {
      report("is not in English");
      continue;
    }
    if (text.trim() === "") report("is empty");
    if (text !== text.trim()) report("begins or ends with a space");
    const isSame = text === original && language !== source && !isWordless(text);
    if (isSame && !sameAsEnglish.get(language)?.has(key))
      report("is the same as in English: translate it, or list it in tools/catalog-same-as-english.ts");
    for (const fault of signFaults(text)) report(fault);
    if (language === source) for (const fault of voiceFaults(text)) report(fault);
    if (onButtons.has(key) && shownWidth(text) > buttonWidthMax(original))
      report(`is too long for its button: ${text} (at most ${Math.floor(buttonWidthMax(original))} letters)`);
    checkShape(language, { text, original }, report);
  }
}

function checkShape(
  language: string,
  texts: { text: string; original: string },
  report: (fault: string) => void,
): void {
  let shape: TextShape;
  let expected: TextShape;
  try {
    shape = shapeOf(compileText(texts.text), texts.text);
    expected = shapeOf(compileText(texts.original), texts.original);
  } catch (error) {
    report(`cannot be read: ${String(error)}`);
    return;
  }
  for (const part of ["placeholders", "plurals", "tags"] as const) {
    const [own, theirs] = [[...shape[part]].toSorted().join(" "), [...expected[part]].toSorted().join(" ")];
    if (own !== theirs) report(`has the ${part} "${own}" instead of "${theirs}"`);
  }
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  for (const given of shape.pluralCategories)
    for (const category of categories)
      if (!given.includes(category)) report(`lacks the plural form "${category}" of its language`);
}

/** A key counts as used if it is a complete string of the source, or matches a template such as `birth.${part}`. */
function checkUse(): void {
  const literals = new Set<string>();
  const templates: RegExp[] = [];
  for (const file of [...sourceFiles("web"), ...sourceFiles("server"), ...sourceFiles("wire")]) {
    const code = readFileSync(file, "utf8");
    for (const match of code.matchAll(/"([a-zA-Z][\w-]*(?:\.[\w-]+)+)"/g)) literals.add(match[1] ?? "");
    for (const match of code.matchAll(/`([a-zA-Z][\w-]*\.[^`\n]*\$\{[^`\n]*)`/g))
      templates.push(templatePattern(match[1]));
    for (const [, key = ""] of code.matchAll(/(?:\bt\(|<RichText\s+id=|\bcatalogText\(\w+,)\s*"([^"]+)"/g))
      if (!english.has(key)) problems.push(`${relative(root, file)}: uses ${key}, which is in no catalog`);
    for (const words of wordsInAttributes(code)) problems.push(`${relative(root, file)}: has ${words} of its own`);
  }
  for (const key of english.keys())
    if (!literals.has(key) && !templates.some((template) => template.test(key)))
      problems.push(`${key} is used nowhere`);
}

function templatePattern(template = ""): RegExp {
  const fixed = template.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${fixed.join(".+")}$`);
}

function sourceFiles(workspace: "web" | "server" | "wire"): readonly string[] {
  const source = join(root, workspace, "src");
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(source, name));
}
