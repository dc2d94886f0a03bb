import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { moneyProblems } from "./money-scan.ts";

/** Checks that code with money uses no floating point. Run by `npm run check`. */
const root = join(import.meta.dirname, "..");
const places = [
  "server/src/billing",
  "server/src/calls/meter-machine.ts",
  "server/src/calls/meter-service.ts",
  "server/src/calls/meter-store.ts",
  "server/src/adapters/payments",
  "wire/src/money.ts",
];

const missing = places.filter((place) => !existsSync(join(root, place)));
const files = places.filter((place) => !missing.includes(place)).flatMap(sourcesIn);
const problems = files.flatMap((file) =>
  moneyProblems(readFileSync(file, "utf8")).map(({ line, what }) => `${relative(root, file)}:${line} ${what}`),
);
for (const place of missing) console.error(`${place} is gone: name its new place in tools/money.ts`);
for (const problem of problems) console.error(problem);
if (problems.length > 0 || missing.length > 0) {
  console.error("Money stays in bigint; wireInteger is its way out. What is no amount says `// not money: <reason>`.");
  process.exitCode = 1;
} else console.log(`${files.length} files handle money in integers only`);

function sourcesIn(place: string): string[] {
  const path = join(root, place);
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}
