import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { removeRunFolder } from "../lib/run-folder.mjs";
import type { Mutant } from "./mutant.ts";

/** How a run of tests ended. */
export type Outcome =
  | { readonly kind: "passed"; readonly secondsByFile: ReadonlyMap<string, number> }
  | { readonly kind: "failed"; readonly test: string; readonly output: string }
  /** No test failed, and yet they did not pass: the code could not even be loaded, or a database not be made. */
  | { readonly kind: "broke"; readonly output: string }
  | { readonly kind: "timed out" };

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** What the tests of the server need; what is broken must be among it. */
const copied = ["server", "wire", "tools", "package.json", "vitest.config.ts", "browser.config.ts"] as const;
const copiedEndings = /^tsconfig.*\.json$/;
const workspaces = ["wire", "server", "web"] as const;
const notCopied = new Set(["node_modules", "dist"]);
const outputKeptMax = 4_000;

/**
 * A copy of the checkout as it lies there, uncommitted changes included, in which lines are broken and tests run. Its
 * packages are the checkout's, but for our own: `@fava/server` and `@fava/wire` are the copies.
 */
export class Workbench {
  readonly #copy: string;
  /** Where what a run makes lies, databases above all. */
  readonly #temporary: string;
  readonly #report: string;
  #running: ChildProcess | null = null;

  /** Copies `root` into a new folder. */
  constructor(root: string, folder: string) {
    this.#copy = join(folder, "copy");
    this.#temporary = join(folder, "temporary");
    this.#report = join(folder, "report.json");
    const modules = join(this.#copy, "node_modules");
    mkdirSync(join(modules, "@fava"), { recursive: true });
    for (const name of [...copied, ...readdirSync(root).filter((entry) => copiedEndings.test(entry))]) {
      cpSync(join(root, name), join(this.#copy, name), {
        recursive: true,
        filter: (source) => !notCopied.has(basename(source)),
      });
    }
    // Only looked at by the configuration of the tests.
    symlinkSync(join(root, "web"), join(this.#copy, "web"));
    for (const name of readdirSync(join(root, "node_modules"))) {
      if (!name.startsWith(".") && name !== "@fava") symlinkSync(join(root, "node_modules", name), join(modules, name));
    }
    for (const name of workspaces) symlinkSync(join("../..", name), join(modules, "@fava", name));
  }

  /** Runs tests on the code as it is. */
  check(tests: readonly string[], timeoutMs: number): Promise<Outcome> {
    return this.#runTests(tests, timeoutMs);
  }

  /** Breaks one line, runs the mutant's tests until the first fails, and mends the line. */
  async try({ file, find, replace, tests }: Mutant, timeoutMs: number): Promise<Outcome> {
    const path = join(this.#copy, file);
    const whole = readFileSync(path, "utf8");
    writeFileSync(
      path,
      whole.replace(find, () => replace),
    );
    try {
      return await this.#runTests(tests, timeoutMs);
    } finally {
      writeFileSync(path, whole);
    }
  }

  /** Ends what runs. */
  stop(): void {
    if (this.#running) endGroup(this.#running);
  }

  async #runTests(tests: readonly string[], timeoutMs: number): Promise<Outcome> {
    rmSync(this.#report, { force: true });
    mkdirSync(this.#temporary);
    // The database's own account has to get through to its data.
    chmodSync(this.#temporary, 0o755);
    const { status, output, timedOut } = await this.#vitest(tests, timeoutMs);
    // A run that was killed leaves its database behind, which ends with the folder.
    removeRunFolder(this.#temporary);
    if (timedOut) return { kind: "timed out" };
    const results = existsSync(this.#report)
      ? (JSON.parse(readFileSync(this.#report, "utf8")) as Report).testResults
      : [];
    const failed = results.flatMap((result) => result.assertionResults).find((test) => test.status === "failed");
    if (failed) return { kind: "failed", test: failed.fullName, output };
    if (status !== 0) return { kind: "broke", output };
    const seconds = results.map(
      ({ name, startTime, endTime }) => [relative(this.#copy, name), (endTime - startTime) / 1_000] as const,
    );
    return { kind: "passed", secondsByFile: new Map(seconds) };
  }

  #vitest(
    tests: readonly string[],
    timeoutMs: number,
  ): Promise<{ status: number | null; output: string; timedOut: boolean }> {
    const child = spawn(
      process.execPath,
      [
        "node_modules/vitest/vitest.mjs",
        "run",
        "--project=server",
        "--bail=1",
        "--maxWorkers=1",
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${this.#report}`,
        ...tests,
      ],
      {
        cwd: this.#copy,
        env: { ...process.env, NO_COLOR: "1", TMPDIR: this.#temporary },
        stdio: ["ignore", "pipe", "pipe"],
        // A group of its own, so that its end ends what it has started.
        detached: process.platform !== "win32",
      },
    );
    this.#running = child;
    let output = "";
    const keep = (text: string) => void (output = (output + text).slice(-outputKeptMax));
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    return new Promise((resolve, reject) => {
      let timedOut = false;
      const timer = setTimeout(() => {
        timedOut = true;
        endGroup(child);
      }, timeoutMs);
      child.once("error", reject);
      // Not `close`: a database that outlived its run would hold the pipes open.
      child.once("exit", (status) => {
        clearTimeout(timer);
        this.#running = null;
        resolve({ status, output, timedOut });
      });
    });
  }
}

function endGroup(child: ChildProcess): void {
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // Ended in this moment.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
