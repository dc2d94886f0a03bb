import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { serverProgram } from "./lib/bootstrap.mjs";

const patientMs = 120_000;
const program = serverProgram();

function run(file, env = {}) {
  const { status, stderr } = spawnSync(process.execPath, ["--enable-source-maps", file], { env, encoding: "utf8" });
  return { status, stderr };
}

test(
  "[START-67] the compiled server loads with all of its packages, and says why it cannot start",
  { timeout: patientMs },
  () => {
    const { status, stderr } = run(program, { PORT: "none" });
    expect(stderr).toMatch(/^Fava cannot start: the settings cannot be used:\n {2}- PORT/);
    expect(status).toBe(1);
  },
);

test("[START-67] stacks of compiled programs name the TypeScript", { timeout: patientMs }, () => {
  // Nobody tells it what to judge with.
  const { stderr } = run(join(dirname(program), "frame-worker.js"));
  expect(stderr).toMatch(/server\/src\/adapters\/classifier\/onnx\/frame-worker\.ts:\d+:\d+/);
});

test("[START-67] what has not changed is not compiled again, and every program is there", () => {
  expect(serverProgram()).toBe(program);
  for (const name of ["main.js", "frame-worker.js", "convert-worker.js"]) {
    expect(existsSync(join(dirname(program), name))).toBe(true);
  }
});
