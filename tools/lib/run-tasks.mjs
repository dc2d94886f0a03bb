// Runs programs side by side, each into a log of its own.
import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";

const stopTimeoutMs = 10_000;

/**
 * Runs every task, begun in their order and at most `sideBySide` at once, and answers how each ended: `{ task, status,
 * seconds }`, in the order of the tasks. A task is `{ name, program, arguments, environment, niceness }`; `status` is
 * null for a signal. A task that fails stops no other. What it wrote of its failure is shown, and all of it lies in
 * `logFolder`.
 */
export async function runTasks(tasks, { sideBySide, cwd, logFolder }) {
  mkdirSync(logFolder, { recursive: true });
  const running = new Map();
  const ended = new Map();
  const waiting = [...tasks];
  const stop = () => {
    waiting.length = 0;
    for (const { child } of running.values()) endGroup(child);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, stop);
  while (waiting.length > 0 || running.size > 0) {
    if (waiting.length > 0 && running.size < sideBySide) {
      const task = waiting.shift();
      running.set(task, begin(task, { cwd, logFolder }));
      continue;
    }
    const result = await Promise.race([...running.values()].map(({ end }) => end));
    running.delete(result.task);
    ended.set(result.task, result);
    tell(result, logFolder);
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, stop);
  return tasks.flatMap((task) => ended.get(task) ?? []);
}

function begin(task, { cwd, logFolder }) {
  console.log(`begins  ${task.name}`);
  const beganMs = performance.now();
  const log = createWriteStream(logOf(task, logFolder));
  const child = spawn(task.program, task.arguments, {
    cwd,
    env: { ...process.env, ...task.environment },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that its end ends what it has started.
    detached: process.platform !== "win32",
  });
  // What it starts is as nice as itself.
  if (child.pid !== undefined && task.niceness) setPriority(child.pid, task.niceness);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const end = new Promise((resolve) => {
    const settle = (status) => {
      const seconds = (performance.now() - beganMs) / 1_000;
      log.end(() => resolve({ task, status, seconds }));
    };
    child.once("error", (error) => {
      log.write(`${error.message}\n`);
      settle(null);
    });
    child.once("close", settle);
  });
  return { child, end };
}

function tell({ task, status, seconds }, logFolder) {
  console.log(`${status === 0 ? "passed " : "FAILED "} ${task.name} in ${Math.round(seconds)} s`);
  if (status === 0) return;
  const log = readFileSync(logOf(task, logFolder), "utf8");
  console.log(whatFailed(log).replaceAll(/^/gm, `${task.name} | `));
}

/** From where vitest or Playwright begins to tell of its failures; the whole log of others. */
export function whatFailed(log) {
  const begin = log.search(/^.*(?:⎯ Failed (?:Tests|Suites) |⎯ Unhandled (?:Errors|Rejection) |^ {2}1\) \[)/m);
  return log.slice(Math.max(begin, 0));
}

function logOf(task, logFolder) {
  return join(logFolder, `${task.name.replaceAll(/\W+/g, "-")}.log`);
}

function endGroup(child) {
  const kill = (signal) => {
    try {
      if (process.platform === "win32") child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  };
  kill("SIGTERM");
  setTimeout(() => kill("SIGKILL"), stopTimeoutMs).unref();
}
