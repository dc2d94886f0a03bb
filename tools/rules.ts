import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Checks that docs/rules.md and the tests agree: every rule has a test that carries its id in its name, and every id in a
 * test's name is a rule. Run by `npm run check`.
 */
const root = join(import.meta.dirname, "..");
const folders = ["wire/src", "server/src", "web/src", "sim", "e2e"];
const ruleId = /[A-Z][A-Z0-9]*-\d+/g;

function testFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(\.test|\.spec|-contract)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Ids in the brackets that open a test's name: `test("[MATCH-7] ...")`, several as `[MATCH-7, CALL-2]`. */
function provenIds(): Set<string> {
  const proven = new Set<string>();
  for (const file of folders.flatMap(testFiles)) {
    const source = readFileSync(file, "utf8");
    for (const [, ids] of source.matchAll(/["'`]\[((?:[A-Z][A-Z0-9]*-\d+(?:,\s*)?)+)\]/g)) {
      for (const id of (ids ?? "").match(ruleId) ?? []) proven.add(id);
    }
  }
  return proven;
}

/** Ids of the table rows `| MATCH-7 | ...`. */
function listedIds(): string[] {
  const table = readFileSync(join(root, "docs/rules.md"), "utf8");
  return [...table.matchAll(/^\| ([A-Z][A-Z0-9]*-\d+) \|/gm)].map((row) => row[1] ?? "");
}

const listed = listedIds();
const proven = provenIds();
const problems = [
  ...listed.filter((id, index) => listed.indexOf(id) !== index).map((id) => `${id} stands twice in docs/rules.md`),
  ...listed.filter((id) => !proven.has(id)).map((id) => `${id} has no test that carries its id`),
  ...[...proven].filter((id) => !listed.includes(id)).map((id) => `${id} is in a test's name but not in docs/rules.md`),
];
for (const problem of problems.toSorted()) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${listed.length} rules, each with a test`);
