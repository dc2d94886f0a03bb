import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const checked = [
  "README.md",
  "CONTRIBUTING.md",
  "STYLE.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "docs/**/*.md",
  "web/locales/en.json",
];

/** Unknown words by file and line, one each; null where the package is not installed. `cspell.json` has the words of the project. */
export function misspellings(root: string): string[] | null {
  const program = join(root, "node_modules/cspell/bin.mjs");
  if (!existsSync(program)) return null;
  const words = ["--no-progress", "--no-summary", "--no-color", "--cache", "--cache-strategy", "content"];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, "lint", ...words, "--cache-location", join(root, ".cache/cspell"), ...checked],
    { cwd: root, encoding: "utf8" },
  );
  const lines = stdout.split("\n").filter((line) => line !== "");
  return status === 0 || lines.length > 0 ? lines : [stderr];
}
