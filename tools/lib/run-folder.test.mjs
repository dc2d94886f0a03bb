import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { removeAbandoned } from "./run-folder.mjs";

// Only stops a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 60_000 });

const module = fileURLToPath(new URL("run-folder.mjs", import.meta.url));

/** A run that starts an endless program, and prints its folder and the program's process id. */
const script = `
  import { spawn } from "node:child_process";
  import { openRunFolder, quickDirectory } from ${JSON.stringify(module)};
  const folder = openRunFolder(quickDirectory());
  const forever = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
    env: { ...process.env, TMPDIR: folder }, stdio: "ignore", detached: true });
  console.log(JSON.stringify({ folder, pid: forever.pid }));
  setInterval(() => {}, 1_000);`;

/** A process that has ended stays listed until its parent waits for it, which may never happen in a container. */
function isRunning(pid) {
  const state = existsSync(`/proc/${pid}/stat`)
    ? /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1]
    : "Z";
  return state !== "Z";
}

test("removes folder and processes of a killed run at the next", async () => {
  const run = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(run.stdout.setEncoding("utf8"), "data");
  const { folder, pid } = JSON.parse(line);
  removeAbandoned();
  expect([existsSync(folder), isRunning(pid)]).toEqual([true, true]);
  run.kill("SIGKILL");
  await once(run, "exit");
  removeAbandoned();
  expect(existsSync(folder)).toBe(false);
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 30_000 });
});
