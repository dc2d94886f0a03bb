import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { anchorsOf, deadLinks, linksOf } from "./links.ts";

function repository(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "links-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test("accepts links to files, folders and headings", () => {
  const root = repository({
    "README.md": "# Fava\n[docs](docs) [page](docs/a.md#two-words) [own](#fava)",
    "docs/a.md": "## Two words\n[up](../README.md) [code](../b.ts#L3)",
    "b.ts": "",
  });
  expect(deadLinks(root, ["README.md", "docs/a.md"])).toEqual([]);
});

test("names links to missing files and headings, and links out of the repository", () => {
  const root = repository({ "docs/a.md": "[one](b.md) [two](#none) [three](../../etc/hosts)", "docs/c.md": "" });
  expect(deadLinks(root, ["docs/a.md"])).toEqual([
    "docs/a.md: b.md leads to no file",
    "docs/a.md: #none leads to no heading",
    "docs/a.md: ../../etc/hosts leaves the repository",
  ]);
});

test("reads links of every form and leaves external links and code alone", () => {
  const document = [
    '[a](one.md "title") ![b](<two.png>) <img src="three.svg" /> `[c](code.md)` [d](https://fava.example)',
    "[e]: four.md",
    "```",
    "[f](fenced.md)",
    "```",
  ].join("\n");
  expect(linksOf(document)).toEqual(["one.md", "two.png", "three.svg", "four.md"]);
});

test("makes anchors as code hosts do", () => {
  const document = "# What's `here`, now?\n## Same\n## Same\n### [Linked](a.md) title\n```\n# comment\n```";
  expect([...anchorsOf(document)]).toEqual(["whats-here-now", "same", "same-1", "linked-title"]);
});
