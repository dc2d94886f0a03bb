// What `npm start` and `npm test` do before anything is installed: plain JavaScript, no packages.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

const nodeVersionMin = [20, 19];

/** The checkout cannot be made to run; the message is for the person who started it. */
class BootstrapError extends Error {}

/** Brings a fresh or stale checkout to where the server can run. False where it cannot, having said why. */
export function prepare() {
  try {
    requireNode();
    installPackages();
    buildWeb();
    return true;
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error;
    console.error(error.message);
    return false;
  }
}

/**
 * Runs npm by the path it was started from, because a shell may find another one, or none. It says errors only: the one
 * package that warns, nsfwjs, asks for another Node.js, and none of its code runs here (docs/decisions/013).
 */
function npm(...args) {
  const started = process.env.npm_execpath ?? "";
  const viaNode = started.endsWith("npm-cli.js");
  const command = viaNode ? process.execPath : "npm";
  const shell = !viaNode && process.platform === "win32";
  const stdio = ["ignore", "inherit", "inherit"];
  // An npm that does not know `allowScripts` would have the engine fetch its CUDA files.
  const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" };
  const options = ["--loglevel=error", ...args];
  return spawnSync(command, viaNode ? [started, ...options] : options, { cwd: root, stdio, shell, env });
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [majorMin, minorMin] = nodeVersionMin;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return;
  throw new BootstrapError(
    `Fava needs Node.js ${nodeVersionMin.join(".")} or newer, and this is ${process.versions.node}.`,
  );
}

function installPackages() {
  // npm writes the hidden file last, so an interrupted installation counts as none.
  const installed = join(root, "node_modules/.package-lock.json");
  if (modifiedMs(installed) >= modifiedMs(join(root, "package-lock.json"))) return;
  console.log("Installing packages");
  // Not `npm ci`: it refuses the whole lock file where a registry mirror lacks an optional package of another platform.
  if (npm("install", "--no-save", "--include=dev", "--no-audit", "--no-fund").status !== 0) {
    throw new BootstrapError("The packages could not be installed: see npm's message above.");
  }
  // npm leaves the file alone where nothing was to be done.
  const now = new Date();
  utimesSync(installed, now, now);
}

function buildWeb() {
  const stampFile = join(root, "web/dist/.stamp");
  const stamp = sourceStamp();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  console.log("Building the web app");
  if (npm("run", "build", "--workspace", "web").status !== 0) {
    throw new BootstrapError("The web app could not be built: see the message above.");
  }
  writeFileSync(stampFile, stamp);
}

/** Changes when a file of the web app, its long texts or the wire is added, removed or written; reads no contents. */
function sourceStamp() {
  const hash = createHash("sha256");
  const files = [
    join(root, "package-lock.json"),
    ...sourceFiles(join(root, "web")),
    ...sourceFiles(join(root, "content")),
    ...sourceFiles(join(root, "wire")),
  ];
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function sourceFiles(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist" || /\.test\.tsx?$/.test(entry.name)) return [];
    const path = join(directory, entry.name);
    return entry.isDirectory() ? sourceFiles(path) : [path];
  });
}

function modifiedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
