import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { serverProgram, serverWords } from "../../tools/lib/bootstrap.mjs";
import { freePort } from "./free-port.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const startTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;

export interface Product extends AsyncDisposable {
  url: string;
  /** The folder of its database. */
  readonly dataDirectory: string;
  /** The started process. */
  readonly pid: number;
  /** Log lines of the server, newest last. */
  readonly log: readonly string[];
  /** Kills the server, as when its machine fails. */
  kill(): Promise<void>;
  /** Starts it again, at the same port and with the same data. */
  restart(): Promise<void>;
}

/** What is started: the server itself, or its supervisor. */
export type Program = "server" | "npm start";

/** The real server as `npm start` runs it, with its own embedded database in a temporary folder. */
export async function startProduct(
  environment: Record<string, string> = {},
  program: Program = "server",
): Promise<Product> {
  const dataDirectory = await mkdtemp(join(tmpdir(), `fava-stories-${process.pid}-`));
  // The database's own account needs access to its data; a shared folder would outlive a killed run.
  await chmod(dataDirectory, 0o755);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const log: string[] = [];
  const start = async () => {
    const child = startServer(
      program,
      { PORT: String(port), DATA_DIR: dataDirectory, MODERATION: "marker", ...environment },
      log,
    );
    await untilReady(url, child, log);
    return child;
  };
  const removeData = () => rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 });
  let child = await start().catch(async (error: unknown) => {
    await removeData();
    throw error;
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    url,
    dataDirectory,
    get pid() {
      return child.pid ?? 0;
    },
    log,
    async kill() {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGKILL");
      await ended;
    },
    async restart() {
      child = await start();
    },
    async [Symbol.asyncDispose]() {
      try {
        // The next server ends a database that outlived its server.
        if (hasEnded()) child = await start();
        await stopChild(child);
      } finally {
        await removeData();
      }
    },
  };
}

function startServer(program: Program, environment: Record<string, string>, log: string[]): ChildProcess {
  const words = program === "server" ? [...serverWords, serverProgram()] : ["tools/start.mjs"];
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      log.push(line);
      if (log.length > 5_000) log.shift();
    });
  }
  return child;
}

async function untilReady(url: string, child: ChildProcess, log: readonly string[]): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server stopped while starting:\n${log.join("\n")}`);
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stopChild(child);
  throw new Error(`the server was not ready in ${startTimeoutMs} ms:\n${log.join("\n")}`);
}

/** SIGTERM, then SIGKILL for a process that does not stop. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}
