// Finds the changed files, and the tests for them that no import graph contains.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Files that differ from the last commit, or without any, those of the last commit: `{ since, files }`. */
export function lastChanges(root) {
  const git = (...words) => {
    const { status, stdout, stderr } = spawnSync("git", words, { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return stdout.split("\n").filter((line) => line !== "");
  };
  const open = [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
  const since = open.length > 0 ? "HEAD" : "HEAD~1";
  const files = open.length > 0 ? open : git("diff", "--name-only", since, "HEAD");
  return { since, files: files.filter((file) => existsSync(join(root, file))) };
}

/**
 * By changed files: `components`, the folders with their component tests; `scenes`, the tags of the gallery's scenes,
 * which are named like the features; `specs`, changed specs of stories and pages.
 */
export function touchedTests(files) {
  const matches = (pattern) => new Set(files.flatMap((file) => pattern.exec(file)?.[1] ?? []));
  const features = matches(/^web\/src\/features\/([^/]+)\//);
  return {
    components: [...matches(/^(web\/src\/(?:features\/[^/]+|app|ui))\//)],
    scenes: [...new Set([...features, ...matches(/^e2e\/gallery\/scenes\/([^/]+)\.ts$/)])],
    specs: [...matches(/^(e2e\/(?:stories|pages)\/.*\.spec\.ts)$/)],
  };
}
