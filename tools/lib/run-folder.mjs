// The temporary folder of one test run, with all its databases, uploads and browser profiles. Removing it also ends the
// processes of the run. The next run cleans up after a killed one.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const namePattern = /^fava-[a-z]+-(\d+)-/;
/**
 * Where root's embedded database stores files that its account could not reach in a closed folder
 * (`server/src/db/embedded-binaries.ts`).
 */
const sharedDirectory = "/var/lib/fava";
const sharedBefore = "shared-before.json";
/** A folder in memory: a disk may take twenty times as long for the 600 small files of a database. */
const memoryDirectory = "/dev/shm";
/** Leaves space for other programs. */
const memoryBytesMin = 8 * 2 ** 30;
const endTries = 100;
const endStepMs = 50;

/** The folder for files of short runs: in memory if there is enough, unless `TMPDIR` is set. */
export function quickDirectory() {
  if (process.env.TMPDIR !== undefined || !existsSync(memoryDirectory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memoryDirectory);
  return Math.min(bavail * bsize, freemem()) < memoryBytesMin ? tmpdir() : memoryDirectory;
}

/** Creates the folder of this process's run, after removing those of ended runs. */
export function openRunFolder(directory = tmpdir()) {
  removeAbandoned();
  const folder = mkdtempSync(join(directory, `fava-test-${process.pid}-`));
  // The database's own system account must reach its data.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, sharedBefore), JSON.stringify(sharedNames()));
  return folder;
}

/** Ends every process that was started for the folder, and removes it. */
export function removeRunFolder(folder) {
  endProcessesOf(folder);
  unmountBelow(folder);
  removeShared(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Unmounts file systems of containers, which would keep the folder from being removed. */
export function unmountBelow(folder) {
  if (!existsSync("/proc/self/mounts")) return;
  for (const [, place] of readFileSync("/proc/self/mounts", "utf8").matchAll(/^\S+ (\S+)/gm))
    if (place.startsWith(`${folder}/`)) spawnSync("umount", ["--lazy", place]);
}

/** Removes folders whose process has ended. */
export function removeAbandoned() {
  removeAbandonedIn(tmpdir());
  if (existsSync(memoryDirectory)) removeAbandonedIn(memoryDirectory);
}

function removeAbandonedIn(directory) {
  for (const name of readdirSync(directory)) {
    const owner = Number(namePattern.exec(name)?.[1] ?? 0);
    if (owner === 0 || isAlive(owner)) continue;
    try {
      removeRunFolder(join(directory, name));
    } catch (error) {
      // It belongs to another user, or another run is removing it now: this run does not need it removed.
      console.info(`left ${name} alone: ${String(error)}`);
    }
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/**
 * Ends processes with the folder in their environment or arguments; each process of the run inherits the environment.
 */
function endProcessesOf(folder) {
  let left = processesWith(folder);
  for (let tries = 0; tries < endTries && left.length > 0; tries += 1) {
    for (const pid of left) end(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, endStepMs);
    left = processesWith(folder);
  }
}

function end(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** Needs /proc: on other systems, processes end with the pipes of their parent. */
function processesWith(text) {
  if (!existsSync("/proc/self/environ")) return [];
  const own = new Set(ancestry());
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => !own.has(pid) && ["environ", "cmdline"].some((file) => readOf(pid, file).includes(text)));
}

/** This process and its ancestors, which must stay. */
function ancestry() {
  const pids = [];
  for (let pid = process.pid; pid > 1;) {
    pids.push(pid);
    pid = Number(/\) \S (\d+)/.exec(readOf(pid, "stat"))?.[1] ?? 0);
  }
  return pids;
}

function readOf(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // Ended meanwhile, or another user's process.
    return "";
  }
}

function sharedNames() {
  return existsSync(sharedDirectory) ? readdirSync(sharedDirectory) : [];
}

/** Removes files of the shared directory that appeared since the run began and that no process uses. */
function removeShared(folder) {
  const list = join(folder, sharedBefore);
  if (!existsSync(list)) return;
  const before = new Set(JSON.parse(readFileSync(list, "utf8")));
  for (const name of sharedNames()) {
    const path = join(sharedDirectory, name);
    if (!before.has(name) && processesWith(path).length === 0) rmSync(path, { recursive: true, force: true });
  }
}
