import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * Checks that the pages of docs/rules, the tests and the comments agree: every rule has a test that carries its id in its
 * name, and the tables name the files of all of them; every id in a test's name or in a comment is a rule; no id stands
 * twice. Run by `npm run check`. With `--write` the files are first written into the tables: `npm run rules`.
 */
const root = join(import.meta.dirname, "..");
const pages = readdirSync(join(root, "docs/rules")).map((name) => join(root, "docs/rules", name));
const folders = ["wire/src", "server/src", "server/test", "web/src", "web/vite", "sim", "e2e", "bench", "tools"];
const ruleId = /[A-Z][A-Z0-9]*-\d+/g;
/** The brackets that open a test's name: `test("[MATCH-7] ...")`, several as `[MATCH-7] ` or `[MATCH-7] `. */
const nameStart = /["'`]((?:\[(?:[A-Z][A-Z0-9]*-\d+(?:, ?)?)+\] ?)+)/g;
const commentRules = /\brules? ((?:[A-Z][A-Z0-9]*-\d+(?:, | and | to )?)+)/g;

interface Row {
  id: string;
  /** Paths that the last column names. */
  files: readonly string[];
}

const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|css|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
);
const proven = idsIn(sources.filter(isTest), nameStart);
if (process.argv.includes("--write")) writeFiles();
const rows = listedRows();
const listed = new Set(rows.map(({ id }) => id));
const mentioned = idsIn(sources, commentRules);

const problems = [
  ...rows
    .filter(({ id }, index) => rows.findIndex((row) => row.id === id) !== index)
    .map(({ id }) => `${id} stands twice`),
  ...rows.filter(({ id }) => !proven.has(id)).map(({ id }) => `${id} has no test that carries its id`),
  ...rows
    .filter(({ id, files }) => files.join() !== filesOf(id).join())
    .map(({ id }) => `${id} is proven elsewhere than the table says: npm run rules`),
  ...[...proven.keys()].filter((id) => !listed.has(id)).map((id) => `${id} is in a test's name but not in docs/rules`),
  ...[...mentioned]
    .filter(([id]) => !listed.has(id))
    .map(([id, files]) => `${id} is not a rule, but ${[...files].join(", ")} names it`),
];
for (const problem of problems.toSorted()) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${rows.length} rules, each with a test`);

function isTest(file: string): boolean {
  return /(?:\.test|\.spec|-contract)\.(?:tsx?|mjs)$/.test(file);
}

/** Files with a test of the rule, in the order of the alphabet. */
function filesOf(id: string): readonly string[] {
  return [...(proven.get(id) ?? [])].toSorted();
}

function writeFiles(): void {
  for (const page of pages) {
    const text = readFileSync(page, "utf8").replaceAll(
      /^(\| ([A-Z][A-Z0-9]*-\d+) \|.*\|) [^|]* \|$/gm,
      (_row, start: string, id: string) =>
        `${start} ${filesOf(id)
          .map((file) => `\`${file}\``)
          .join(", ")} |`,
    );
    writeFileSync(page, text);
  }
}

/** Ids by the files, relative to the root, in which `pattern` finds them. */
function idsIn(files: readonly string[], pattern: RegExp): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of files) {
    for (const [, ids] of readFileSync(file, "utf8").matchAll(pattern)) {
      for (const id of (ids ?? "").match(ruleId) ?? []) {
        const where = found.get(id) ?? new Set<string>();
        found.set(id, where.add(relative(root, file)));
      }
    }
  }
  return found;
}

/** The table rows `| MATCH-7 | rule | source | files |`. */
function listedRows(): Row[] {
  const text = pages.map((page) => readFileSync(page, "utf8")).join("\n");
  return [...text.matchAll(/^\| ([A-Z][A-Z0-9]*-\d+) \|.*\| ([^|]*) \|$/gm)].map(([, id = "", files = ""]) => ({
    id,
    files: files
      .split(", ")
      .map((file) => file.replaceAll("`", ""))
      .filter((file) => file !== ""),
  }));
}
