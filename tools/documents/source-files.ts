import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Of `.gitignore`, by name anywhere and by path. */
const skippedNames = /^(?:\.git|node_modules|dist|\.data|\.cache|test-results.*|playwright-report|.*\.tsbuildinfo)$/;
const skippedPaths = new Set([
  "server/current",
  "deploy/.env",
  "docs/site/pages",
  "docs/site/.vitepress/cache",
  "docs/site/.vitepress/.temp",
]);

/** Paths of the repository's files, relative to `root`, in the order of their names. Needs no git. */
export function sourceFiles(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (skippedNames.test(entry.name) || skippedPaths.has(path)) return [];
      if (entry.isDirectory()) return sourceFiles(root, path);
      return entry.isFile() ? [path] : [];
    });
}
