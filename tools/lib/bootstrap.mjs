// What `npm start` and `npm test` do before anything is installed: plain JavaScript, no packages.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { takeInBuild } from "./web-builds.mjs";

/** Folder of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * For `node`, before the compiled server: stacks name the TypeScript, and the engine compiles a pattern once, for good, instead
 * of for its interpreter first. The large ones of the text rules take 0.6 seconds of a core less that way.
 */
export const serverWords = ["--enable-source-maps", "--no-regexp-tier-up"];

const nodeVersionMin = [20, 19];
/** States of the server's source that stay compiled: the newest, and those that a server may still run from. */
const compiledKept = 3;
const stampDigits = 16;
/** What compiles the server: the program first. */
const compiler = ["tools/compile-server.mjs", "tools/lib/own-mappings.mjs"].map((path) => join(root, path));

/** What tests start in processes of their own, beside the server. */
const testPrograms = [
  "server/src/db/embedded.ts",
  "server/test/fixtures/bound-process.ts",
  "server/test/fixtures/judging-program.ts",
  "server/test/fixtures/metered-calls.ts",
  "tools/backup.ts",
  "tools/ledger-check.ts",
  "tools/lib/backup.ts",
  "tools/site.ts",
];

/** The checkout cannot be made to run; the message is for the person who started it. */
class BootstrapError extends Error {}

/** Brings a fresh or stale checkout to where the server can run. False where it cannot, having said why. */
export function prepare() {
  try {
    requireNode();
    installPackages();
    buildWeb();
    serverProgram();
    return true;
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error;
    console.error(error.message);
    return false;
  }
}

/** Runs npm by the path it was started from, because a shell may find another one, or none. It says errors only. */
export function npm(...args) {
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
  const folder = join(root, "web/dist");
  const stampFile = join(folder, ".stamp");
  const stamp = stampOf(["package-lock.json", "web", "content", "wire"].map((path) => join(root, path)));
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  console.log("Building the web app");
  // Not where servers answer from, which it would empty first.
  if (npm("run", "build", "--workspace", "web", "--", "--outDir", "dist/.unfinished").status !== 0) {
    throw new BootstrapError("The web app could not be built: see the message above.");
  }
  rmSync(stampFile, { force: true });
  takeInBuild(folder, join(folder, ".unfinished"));
  writeFileSync(stampFile, stamp);
}

/**
 * The compiled server of a working tree, for `node`, with the commands of an operator beside it; compiled anew where the
 * source has changed. Every state of the source has a folder of its own, so that nothing changes under a server that runs.
 *
 * @throws Error where it could not be compiled.
 */
export function serverProgram(tree = root) {
  const sources = ["package-lock.json", "server/src", "wire/src", "tools"].map((path) => join(tree, path));
  return join(compiled({ what: "the server", folder: join(tree, "server/dist"), sources, words: [tree] }), "main.js");
}

/**
 * A program that tests start, by its path: compiled like the server, together with the others.
 *
 * @throws Error where it could not be compiled.
 */
export function testProgram(path) {
  if (!testPrograms.includes(path)) throw new Error(`${path} is not compiled`);
  const folders = ["package-lock.json", "server/src", "server/test", "wire/src", "tools", "e2e/support"];
  const sources = folders.map((each) => join(root, each));
  const what = "programs of the tests";
  const made = compiled({ what, folder: join(root, ".cache/programs"), sources, words: [root, ...testPrograms] });
  return join(made, `${compiledName(path)}.js`);
}

/** Of a program that is not the server's: in several folders there are the same names. */
export function compiledName(path) {
  return path.replace(/\.ts$/, "").replaceAll("/", "-");
}

/** The folder of what this state of the sources was compiled to, by these words for the compiler. */
function compiled({ what, folder, sources, words }) {
  const made = join(folder, stampOf([...sources, ...compiler]).slice(0, stampDigits));
  if (existsSync(made)) return made;
  console.log(`Compiling ${what}`);
  const compile = [...compiler.slice(0, 1), made, ...words];
  if (spawnSync(process.execPath, compile, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).status !== 0) {
    throw new BootstrapError(`Compiling ${what} failed: see the message above.`);
  }
  const oldestFirst = readdirSync(folder)
    .map((name) => join(folder, name))
    .toSorted((one, other) => modifiedMs(one) - modifiedMs(other));
  for (const old of oldestFirst.slice(0, -compiledKept)) rmSync(old, { recursive: true, force: true });
  return made;
}

/** Changes when one of the files, or a file in one of the folders, is added, removed or written; reads no contents. */
function stampOf(paths) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(sourceFiles)) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function sourceFiles(path) {
  return statSync(path).isDirectory() ? filesIn(path) : [path];
}

function filesIn(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist" || /\.test\.tsx?$/.test(entry.name)) return [];
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function modifiedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
