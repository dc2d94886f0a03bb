import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ruleProblems, type RuleSource, rulesOf } from "./rule-check.ts";

/** Checks that the pages of docs/rules agree with tests, comments and documents. Run by `npm run check`. */
const root = join(import.meta.dirname, "..");
const pagesFolder = "docs/rules";
const folders = [
  "wire/src",
  "server/src",
  "server/test",
  "web/src",
  "web/vite",
  "sim",
  "e2e",
  "bench",
  "tools",
  "docs",
];

const pages = sourcesIn(pagesFolder, /\.md$/).filter(({ path }) => !path.endsWith("README.md"));
const sources = [
  ...folders.flatMap((folder) => sourcesIn(folder, /\.(?:tsx?|css|mjs|md)$/)),
  ...readdirSync(root)
    .filter((name) => name.endsWith(".md"))
    .map(sourceAt),
].filter(({ path }) => !path.startsWith(pagesFolder));

const problems = ruleProblems(pages, sources);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${rulesOf(pages).size} rules, each with a test`);

function sourcesIn(folder: string, names: RegExp): RuleSource[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => names.test(name))
    .map((name) => sourceAt(`${folder}/${name}`));
}

function sourceAt(path: string): RuleSource {
  return { path, text: readFileSync(join(root, path), "utf8") };
}
