import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** A new process is not stopped meanwhile, because it loads its models. */
const startingMs = 15_000;
const runningMs = 300;

/**
 * Slows down the classifier processes of a server: each of them is stopped for most of the time. The real models
 * classify, as on a busy machine.
 */
export class SlowClassifier implements AsyncDisposable {
  readonly #serverPid: number;
  readonly #stoodMs: number;
  readonly #seenMs = new Map<number, number>();
  readonly #turning: Promise<void>;
  #isOver = false;

  /** @param pictureMs approximate time per frame, in milliseconds */
  constructor(serverPid: number, pictureMs: number) {
    this.#serverPid = serverPid;
    this.#stoodMs = pictureMs - runningMs;
    this.#turning = this.#turn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#turning;
  }

  async #turn(): Promise<void> {
    while (!this.#isOver) {
      const classifiers = this.#classifiers();
      for (const pid of classifiers) signal(pid, "SIGSTOP");
      await pause(this.#stoodMs);
      for (const pid of classifiers) signal(pid, "SIGCONT");
      await pause(runningMs);
    }
  }

  /** Classifier processes of the server that have run for some time. */
  #classifiers(): readonly number[] {
    const nowMs = performance.now();
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => isClassifierOf(pid, this.#serverPid))
      .filter((pid) => {
        if (!this.#seenMs.has(pid)) this.#seenMs.set(pid, nowMs);
        return nowMs - (this.#seenMs.get(pid) ?? nowMs) > startingMs;
      });
  }
}

function isClassifierOf(pid: number, serverPid: number): boolean {
  try {
    const parent = /^PPid:\s(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(parent) === serverPid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("frame-worker");
  } catch {
    // The process has already ended.
    return false;
  }
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already ended.
  }
}
