import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openEdge } from "@fava/server/test/fixtures/edge.ts";
import { adoptBuild } from "./web-builds.mjs";

const folders = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), "fava-web-builds-"));
  folders.push(folder);
  return folder;
}

function write(folder, files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** Builds with different chunk names, as after a change of the source. */
function build(folder, version, more = {}) {
  const fresh = join(folder, ".unfinished");
  write(fresh, {
    "index.html": `<html>version ${version}, <script src="/assets/main-${version}.js">`,
    "sw.js": `version ${version}`,
    [`assets/main-${version}.js`]: `part of ${version}`,
    "assets/same.css": "style",
    ...more,
  });
  adoptBuild(folder, fresh);
}

const has = (folder, file) => existsSync(join(folder, file));

test("serves every chunk of a running server's pages after the next build, and those of both builds on a new server", async () => {
  const folder = newFolder();
  write(folder, { "index.html": "<html>", "assets/main-1.js": "part of 1", "assets/later-1.js.br": "packed" });
  const before = await openEdge({}, { webDirectory: folder });
  build(folder, 2);
  build(folder, 3);
  const after = await openEdge({}, { webDirectory: folder });
  for (const { app } of [before, after]) expect((await app.inject("/assets/main-1.js")).body).toBe("part of 1");
  expect((await after.app.inject("/assets/main-3.js")).body).toBe("part of 3");
  expect((await after.app.inject({ url: "/", headers: { accept: "text/html" } })).body).toContain("version 3");
  expect(has(folder, "assets/later-1.js.br")).toBe(true);
  for (const { app } of [before, after]) await app.close();
});

test("keeps chunks for two more builds, and everything else only of the newest", () => {
  const folder = newFolder();
  build(folder, 1, { "pages/xx/index.html": "a language", "sw.js.br": "packed" });
  build(folder, 2);
  expect(readFileSync(join(folder, "sw.js"), "utf8")).toBe("version 2");
  for (const gone of ["pages/xx/index.html", "sw.js.br", ".unfinished"]) expect(has(folder, gone)).toBe(false);
  build(folder, 3);
  // The same build again does not count as another one.
  build(folder, 3);
  expect(has(folder, "assets/main-1.js")).toBe(true);
  build(folder, 4);
  expect(readdirSync(join(folder, "assets")).toSorted()).toEqual(["main-2.js", "main-3.js", "main-4.js", "same.css"]);
});
