import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isCurrent, withSection } from "./sections.ts";
import { settingsTables } from "./settings-table.ts";

const page = "# Page\n<!-- generated: table -->\nold\n<!-- end -->\nafter\n";

test("replaces the text between the marks of its name", () => {
  const renewed = "# Page\n<!-- generated: table -->\n\nnew\n\n<!-- end -->\nafter\n";
  expect(withSection(page, "table", "new\n")).toBe(renewed);
  expect(withSection(renewed, "table", "new")).toBe(renewed);
});

test("rejects a document without the marks", () => {
  expect(() => withSection("# Page\n", "table", "new")).toThrow('no section "table"');
});

test("finds a stale section, and writes it only when told to", () => {
  const root = mkdtempSync(join(tmpdir(), "sections-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const section = { path: "page.md", name: "table", text: "new" };
  writeFileSync(join(root, "page.md"), page);
  expect(isCurrent(root, section, false)).toBe(false);
  expect(readFileSync(join(root, "page.md"), "utf8")).toBe(page);
  expect(isCurrent(root, section, true)).toBe(true);
  expect(isCurrent(root, section, false)).toBe(true);
});

test("lists settings with defaults of both modes, ranges and what production requires", () => {
  const tables = settingsTables();
  expect(tables).toContain("| `HOST` | `localhost`; production `0.0.0.0` |");
  expect(tables).toMatch(/\| `PORT` \| `3000` \|.*Values: 0 to 65,535\. \|/);
  expect(tables).toContain("| `STRIPE_SECRET_KEY`, `STRIPE_WEBHOOK_SECRET` |");
  expect(tables).toContain("- production needs DATABASE_URL");
  expect(tables).toContain("- production needs CONTACT_EMAIL, CONTACT_ACCOUNT,");
});
