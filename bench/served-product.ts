import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serverProgram, serverWords } from "../tools/lib/bootstrap.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const readyTimeoutMs = 60_000;
const readyPollMs = 10;
const stopTimeoutMs = 20_000;
const outputKeptMax = 200;
const archiveBytesMax = 1_000_000_000;

export interface ServedProduct extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Folder of its database. */
  readonly dataDirectory: string;
  /** From the start of the process to the first good answer of `/readyz`. */
  readonly readyMs: number;
}

/** The `node` arguments that `npm start` uses, for the compiled server of this working tree or another. */
export function compiledServer(tree = root): readonly string[] {
  return [...serverWords, serverProgram(tree)];
}

/**
 * The working tree of an earlier server: an existing folder, or a commit or tag, which is extracted once under
 * `.cache/` with the packages that are installed now.
 */
export function earlierTree(folderOrCommit: string): string {
  if (existsSync(join(folderOrCommit, "package.json"))) return folderOrCommit;
  const git = (...words: string[]) => execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
  const commit = git("rev-parse", "--verify", `${folderOrCommit}^{commit}`);
  const tree = join(root, ".cache", "before", commit);
  if (existsSync(tree)) return tree;
  const unfinished = `${tree}.unfinished`;
  execFileSync("rm", ["-rf", unfinished]);
  mkdirSync(unfinished, { recursive: true });
  const files = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: archiveBytesMax });
  execFileSync("tar", ["-x", "-C", unfinished], { input: files });
  for (const folder of [".", "server", "wire", "web"]) {
    const packages = join(root, folder, "node_modules");
    // Hard links to the same files. The packages' links between the workspaces lead to those of the earlier tree.
    if (existsSync(packages)) execFileSync("cp", ["-al", packages, join(unfinished, folder, "node_modules")]);
  }
  execFileSync("mv", [unfinished, tree]);
  return tree;
}

export interface ServeOptions {
  /** The program for `node`; by default the server. */
  program?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /** The working tree of the server; by default this one. */
  directory?: string;
  /** By default a temporary folder. */
  dataDirectory?: string;
}

/** The real server on a free port of loopback, with the embedded database. Disposing stops it and waits for its end. */
export async function serveProduct(options: ServeOptions = {}): Promise<ServedProduct> {
  const ownDirectory = options.dataDirectory === undefined ? await ownDataDirectory() : null;
  const dataDirectory = options.dataDirectory ?? ownDirectory ?? "";
  const port = await freePort();
  const output: string[] = [];
  const beganMs = performance.now();
  const tree = options.directory ?? root;
  const child = spawn(process.execPath, [...(options.program ?? compiledServer(tree))], {
    cwd: tree,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDirectory,
      LOG_LEVEL: "warn",
      // A benchmark of its own measures the classifier (bench/inspection.ts).
      MODERATION: "off",
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output.push(text);
      if (output.length > outputKeptMax) output.shift();
    });
  }
  const end = async () => {
    await stopChild(child);
    if (ownDirectory !== null) await rm(ownDirectory, { recursive: true, force: true });
  };
  const url = `http://localhost:${port}`;
  try {
    await untilReady(url, child);
  } catch (error) {
    await end();
    throw new Error(`the server did not start:\n${output.join("")}`, { cause: error });
  }
  const readyMs = performance.now() - beganMs;
  return { url, pid: child.pid ?? 0, dataDirectory, readyMs, [Symbol.asyncDispose]: end };
}

async function ownDataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `fava-bench-${process.pid}-`));
  // The database's own system account must reach its data.
  await chmod(directory, 0o755);
  return directory;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadlineMs = performance.now() + readyTimeoutMs;
  while (performance.now() < deadlineMs) {
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`);
    if (await isReady(url)) return;
    await new Promise((resolve) => setTimeout(resolve, readyPollMs));
  }
  throw new Error(`the server was not ready after ${readyTimeoutMs} ms`);
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    // The server does not listen yet.
    return false;
  }
}

/** SIGTERM, then SIGKILL for a process that does not end. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
