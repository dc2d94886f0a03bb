import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { plotsOf } from "../bench/plots.ts";
import { figureTable } from "../bench/results.ts";
import { dataModel } from "./documents/data-model.ts";
import { deadLinks } from "./documents/links.ts";
import { countPhrases } from "./documents/phrases.ts";
import { deadReferences } from "./documents/references.ts";
import { isCurrent, type Section } from "./documents/sections.ts";
import { settingsTables } from "./documents/settings-table.ts";
import { sourceFiles } from "./documents/source-files.ts";
import { misspellings } from "./documents/spelling.ts";

/**
 * Checks what people read in this repository: phrases that hide who acts on what, spelling, and of the documents the links,
 * the files and metrics that they name, and their generated sections. Run by `npm run check`. `npm run documents` writes the
 * sections first.
 */
const root = join(import.meta.dirname, "..");
/** Of all documents without `docs/i18n`: more than that nobody reads. */
const wordsMax = 40_000;
/** Texts of the product, translations, test data and generated files. */
const unread = /^(?:content|web\/locales|docs\/i18n|server\/test\/corpus)\/|\.(?:json|svg|png|ico|onnx|html)$|LICENSE$/;

const isWriting = process.argv.includes("--write");
const files = sourceFiles(root);
const pages = files.filter((path) => /^(?:docs\/.*|[^/]+)\.md$/.test(path));

const problems = [
  ...phraseProblems(),
  ...generatedProblems(),
  ...deadLinks(root, pages),
  ...referenceProblems(),
  ...spellingProblems(),
  ...lengthProblems(),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${pages.length} documents without dead links, and no phrase that hides who acts`);

function phraseProblems(): string[] {
  return files.flatMap((path) => {
    const count = unread.test(path) ? 0 : countPhrases(path, readFileSync(join(root, path), "utf8"));
    return count === 0 ? [] : [`${path} has phrases such as "whoever" or "so many" (${count}): name who acts on what`];
  });
}

/** Generated sections and plots that are stale, and tables of users that the page of personal data does not name. */
function generatedProblems(): string[] {
  const { tables, diagram, personal } = dataModel(root);
  const sections: Section[] = [
    { path: "docs/operations/configure.md", name: "settings", text: settingsTables() },
    { path: "docs/data-model.md", name: "diagram", text: diagram },
    { path: "docs/data-model.md", name: "tables", text: tables },
    { path: "docs/benchmarks.md", name: "figures", text: figureTable() },
  ];
  const stale = sections
    .filter((section) => !isCurrent(root, section, isWriting))
    .map(({ path }) => `${path} is not current: npm run documents`);
  const [, personalData = ""] = readFileSync(join(root, "docs/data-model.md"), "utf8").split("## Personal data");
  const unnamed = personal
    .filter((table) => !personalData.includes(`\`${table}\``))
    .map((table) => `docs/data-model.md: the table ${table} refers to users and is missing under "Personal data"`);
  const plotFolder = join(root, "docs/images/benchmarks");
  const drawn = new Map(readdirSync(plotFolder).map((name) => [name, readFileSync(join(plotFolder, name), "utf8")]));
  const plots = plotsOf();
  const isDrawn = plots.size === drawn.size && [...plots].every(([name, svg]) => drawn.get(name) === svg);
  return [...stale, ...unnamed, ...(isDrawn ? [] : ["docs/images/benchmarks is not current: npm run bench -- plots"])];
}

/** Decisions and the changelog keep the names of their time. */
function referenceProblems(): string[] {
  const present = pages.filter((path) => !/^(?:CHANGELOG\.md|docs\/(?:decisions|i18n)\/)/.test(path));
  const sources = files
    .filter((path) => /^server\/src\/.*\.ts$/.test(path))
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
  return present.flatMap((path) =>
    deadReferences(root, { path, text: readFileSync(join(root, path), "utf8"), sources }),
  );
}

function spellingProblems(): string[] {
  const found = misspellings(root);
  if (found !== null) return found.map((line) => `${line} (words of the project: cspell.json)`);
  const unchecked = "Spelling was not checked: cspell is not installed (npm install)";
  if (process.env["CI"] === "true") return [unchecked];
  console.log(unchecked);
  return [];
}

function lengthProblems(): string[] {
  const texts = pages
    .filter((path) => !path.startsWith("docs/i18n/"))
    .map((path) => readFileSync(join(root, path), "utf8"));
  const words = texts.reduce((sum, text) => sum + (text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0), 0);
  return words > wordsMax ? [`the documents have ${words} words, and at most ${wordsMax} are allowed`] : [];
}
