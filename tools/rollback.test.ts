import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ownMigrations } from "@fava/server/db/migrate.ts";
import { root } from "./lib/bootstrap.mjs";
import { rollBack } from "./lib/rollback.ts";

const migrations = "server/src/db/migrations";
const [baseline = ""] = Object.keys(ownMigrations());
const [second, third] = ["0002-motto.fits-0001", "0003-mottoes"];
let checkout = "";

function git(...words: string[]): string {
  const author = ["-c", "user.name=ana", "-c", "user.email=ana@fava.test"];
  return execFileSync("git", [...author, ...words], { cwd: checkout, encoding: "utf8" }).trim();
}

function release(version: string, file: string): void {
  writeFileSync(join(checkout, file), `-- ${version}\n`);
  git("add", "--all");
  git("commit", "--quiet", "--message", version);
  git("tag", version);
}

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "fava-rollback-"));
  mkdirSync(join(checkout, migrations), { recursive: true });
  cpSync(join(root, migrations, "0001-baseline"), join(checkout, migrations, "0001-baseline"), { recursive: true });
  git("init", "--quiet");
  release("v1.0.0", "version");
  release("v1.1.0", `${migrations}/${second}.sql`);
  release("v1.2.0", `${migrations}/${third}.sql`);
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const applied = [baseline, second];

test("checks out an earlier version whose servers can use the schema", () => {
  git("checkout", "--quiet", "v1.1.0");
  rollBack({ root: checkout, version: "v1.0.0", applied });
  expect(git("describe", "--tags")).toBe("v1.0.0");
});

test("rejects a version that cannot use the schema, and says what to do", () => {
  const back = () => rollBack({ root: checkout, version: "v1.1.0", applied: [...applied, third] });
  expect(back).toThrow(/v1.1.0 would not start: .*newer schema "0003-mottoes".*restore the backup/);
  expect(git("describe", "--tags")).toBe("v1.2.0");
});

test("rejects a version with another baseline, an unknown version, and a checkout with changes", () => {
  const back = (version: string) => () => rollBack({ root: checkout, version, applied });
  expect(back("v9.0.0")).toThrow('"v9.0.0" is no version of this checkout, which has v1.2.0, v1.1.0, v1.0.0');
  release("v1.3.0", `${migrations}/0001-baseline/calls.sql`);
  expect(back("v1.2.0")).toThrow(`another version of Fava: it has the migration "${baseline}"`);
  writeFileSync(join(checkout, "version"), "changed");
  expect(back("v1.2.0")).toThrow("the checkout has changed files");
  expect(readFileSync(join(checkout, "version"), "utf8")).toBe("changed");
});
