import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** Where and when figures were measured: without it they mean nothing. */
export interface MachineStamp {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly platform: string;
  /** ISO 8601, UTC. */
  readonly date: string;
  /**
   * Load averages of 1, 5 and 15 minutes when the run began; if they exceed the number of cores, other work disturbed
   * the figures.
   */
  readonly loadAverage: readonly number[];
  /** Commit of the working tree, with `+` if files differ from it. */
  readonly commit: string;
}

export function stampMachine(): MachineStamp {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    date: new Date().toISOString(),
    loadAverage: loadavg().map((load) => Math.round(load * 100) / 100),
    commit: commit(),
  };
}

function commit(): string {
  try {
    const head = git("rev-parse", "--short", "HEAD");
    return git("status", "--porcelain") === "" ? head : `${head}+`;
  } catch {
    // A copy without git history can be measured, too.
    return "unknown";
  }
}

function git(...words: string[]): string {
  return execFileSync("git", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}
