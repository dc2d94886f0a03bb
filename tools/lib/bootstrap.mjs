// Steps of `npm start` and `npm test` before packages are installed: plain JavaScript without packages.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { adoptBuild } from "./web-builds.mjs";

/** Folder of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Arguments of `node` for the compiled server. Stack traces name the TypeScript, and the engine compiles a pattern
 * directly instead of interpreting it first, which saves 0.6 seconds of processor time for the large ones of the text
 * rules.
 */
export const serverWords = ["--enable-source-maps", "--no-regexp-tier-up"];

const nodeVersionMin = [20, 19];
/** How many compiled states of the source are kept: the newest, and those that a running server may use. */
const compiledKept = 3;
const stampDigits = 16;
/** The compiler of the server; the program comes first. */
const compiler = ["tools/compile-server.mjs", "tools/lib/own-mappings.mjs"].map((path) => join(root, path));

/** Programs other than the server that tests start as processes. */
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

/** The checkout cannot be made to run; the message is for the user. */
class BootstrapError extends Error {}

/** Prepares a fresh or stale checkout so that the server can run. Returns false after printing why it cannot. */
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

/** Runs npm by the path it was started from, because a shell may find another one, or none. It prints only errors. */
export function npm(...args) {
  const started = process.env.npm_execpath ?? "";
  const viaNode = started.endsWith("npm-cli.js");
  const command = viaNode ? process.execPath : "npm";
  const shell = !viaNode && process.platform === "win32";
  const stdio = ["ignore", "inherit", "inherit"];
  // An npm that does not know `allowScripts` would make the engine download its CUDA files.
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
  // Not `npm ci`: it refuses the whole lock file if a registry mirror lacks an optional package of another platform.
  if (npm("install", "--no-save", "--include=dev", "--no-audit", "--no-fund").status !== 0) {
    throw new BootstrapError("The packages could not be installed: see npm's message above.");
  }
  // npm does not touch the file if nothing was to be installed.
  const now = new Date();
  utimesSync(installed, now, now);
}

function buildWeb() {
  const folder = join(root, "web/dist");
  const stampFile = join(folder, ".stamp");
  const stamp = stampOf(["package-lock.json", "web", "content", "wire"].map((path) => join(root, path)));
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  console.log("Building the web app");
  // Not into the served folder, which the build would empty first.
  if (npm("run", "build", "--workspace", "web", "--", "--outDir", "dist/.unfinished").status !== 0) {
    throw new BootstrapError("The web app could not be built: see the message above.");
  }
  rmSync(stampFile, { force: true });
  adoptBuild(folder, join(folder, ".unfinished"));
  writeFileSync(stampFile, stamp);
}

/**
 * The compiled server of a working tree, for `node`, with the operator's commands beside it. It compiles if the source
 * has changed, into a folder for each state of the source, so that no file of a running server changes.
 *
 * @throws Error if the compilation fails.
 */
export function serverProgram(tree = root) {
  const sources = ["package-lock.json", "server/src", "wire/src", "tools"].map((path) => join(tree, path));
  return join(compiled({ what: "the server", folder: join(tree, "server/dist"), sources, words: [tree] }), "main.js");
}

/**
 * A program that tests start, by its path: compiled like the server, together with the others.
 *
 * @throws Error if the compilation fails.
 */
export function testProgram(path) {
  if (!testPrograms.includes(path)) throw new Error(`${path} is not compiled`);
  const folders = ["package-lock.json", "server/src", "server/test", "wire/src", "tools", "e2e/support"];
  const sources = folders.map((each) => join(root, each));
  const what = "programs of the tests";
  const made = compiled({ what, folder: join(root, ".cache/programs"), sources, words: [root, ...testPrograms] });
  return join(made, `${compiledName(path)}.js`);
}

/** Of a program other than the server's, with its folders, since several have the same name. */
export function compiledName(path) {
  return path.replace(/\.ts$/, "").replaceAll("/", "-");
}

/** The folder with the compiled output of the current sources, by these arguments of the compiler. */
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
