// Runs programs side by side, each with its own log.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { dirname } from "node:path";

/**
 * Runs every lane, started in order and at most `sideBySide` at once; a failed lane stops no other. More lanes may be added
 * to the array while lanes still wait to be started. A lane is `{ name, program, arguments, environment, niceness, log }`.
 * `abort` ends all of them. Returns the end of each started lane by its name: its exit code, null for a signal, or why it
 * could not start.
 */
export async function runLanes(lanes, { sideBySide, cwd, abort }) {
  const endings = new Map();
  const waiting = lanes.values();
  const work = async () => {
    for (const lane of waiting) {
      if (abort.aborted) return;
      endings.set(lane.name, await run(lane, { cwd, signal: abort }));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  return endings;
}

async function run({ name, program, arguments: words, environment, niceness = 0, log }, { cwd, signal }) {
  console.log(`begins  ${name}`);
  const beganMs = performance.now();
  mkdirSync(dirname(log), { recursive: true });
  const output = openSync(log, "w");
  const stdio = ["ignore", output, output];
  const child = spawn(program, words, { cwd, signal, stdio, env: { ...process.env, ...environment } });
  // Its child processes inherit the priority.
  if (child.pid !== undefined && niceness > 0) setPriority(child.pid, niceness);
  const [status] = await once(child, "exit").catch((error) => [error.message]);
  closeSync(output);
  console.log(
    `${status === 0 ? "passed " : "FAILED "} ${name} in ${Math.round((performance.now() - beganMs) / 1_000)} s`,
  );
  if (status !== 0) console.log(whatFailed(readFileSync(log, "utf8")).replaceAll(/^/gm, `${name} | `));
  return status;
}

/** The log from the first failure that vitest or Playwright lists; the whole log of other programs. */
export function whatFailed(log) {
  const begin = log.search(/^.*(?:⎯ Failed (?:Tests|Suites) |⎯ Unhandled (?:Errors|Rejection) |^ {2}1\) \[)/m);
  return log.slice(Math.max(begin, 0));
}
