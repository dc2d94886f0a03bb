import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sourceFiles } from "./source-files.ts";

test("lists files without what git ignores, links and folders", () => {
  const root = mkdtempSync(join(tmpdir(), "sources-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const kept = ["README.md", "docs/a.md", "docs/site/package.json"];
  const ignored = [
    ".git/HEAD",
    "web/dist/a.js",
    "node_modules/a/README.md",
    "docs/site/pages/a.md",
    "test-results-2/a.md",
  ];
  for (const path of [...kept, ...ignored]) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  symlinkSync("README.md", join(root, "LINK.md"));
  expect(sourceFiles(root)).toEqual(kept);
});
