import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";

/** Linux counts the time of ended children in hundredths of a second, whatever its timer does (`getconf CLK_TCK`). */
const tickMs = 10;

/** Processor time since the start, in milliseconds: of one process, and of all its children. */
export interface CpuUse {
  readonly ownMs: number;
  readonly childrenMs: number;
}

/**
 * From the scheduler's count of each thread in nanoseconds (`/proc/PID/task/TID/schedstat`); null without one. For
 * children that have ended only ticks are known.
 */
export function cpuUse(pid: number): CpuUse | null {
  try {
    let childrenMs = endedChildrenMs(pid);
    for (const child of descendantsOf(pid)) childrenMs += threadsMs(child) + endedChildrenMs(child);
    return { ownMs: threadsMs(pid), childrenMs };
  } catch {
    // Not Linux, or the process has ended: the figures that need this are omitted.
    return null;
  }
}

/** Priorities of the threads of each process; -20: first, 19: last. */
export interface ThreadPriorities {
  /** Of the thread whose id is that of its process. */
  readonly main: number;
  readonly others: number;
}

/**
 * Sets the priorities of a process and of its children. Returns whether the system allowed it: a higher one needs root.
 */
export function setTreePriority(pid: number, { main, others }: ThreadPriorities): boolean {
  try {
    // Linux has a priority for each thread; a new thread gets that of its maker.
    for (const one of [pid, ...descendantsOf(pid)])
      for (const thread of listed(`/proc/${one}/task`).map(Number))
        setThreadPriority(thread, thread === one ? main : others);
    return true;
  } catch {
    return false;
  }
}

/** @throws Error if the system does not allow it */
function setThreadPriority(thread: number, priority: number): void {
  try {
    setPriority(thread, priority);
  } catch (error) {
    const hasEnded = (error as NodeJS.ErrnoException).code === "ESRCH";
    if (!hasEnded) throw error;
  }
}

/** How long the main thread was ready to run without a core, in milliseconds; null if the system does not count it. */
export function waitedMs(pid: number): number | null {
  const nanoseconds = Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(" ")[1] ?? Number.NaN);
  return Number.isNaN(nanoseconds) ? null : nanoseconds / 1_000_000;
}

/**
 * The last known time of each thread, by process: it keeps the time of ended threads, without which the sum would fall.
 */
const seenThreads = new Map<number, Map<string, number>>();

function threadsMs(pid: number): number {
  const seen = seenThreads.get(pid) ?? new Map<string, number>();
  seenThreads.set(pid, seen);
  for (const thread of listed(`/proc/${pid}/task`)) {
    const nanoseconds = Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(" ", 1)[0]);
    if (nanoseconds > 0) seen.set(thread, nanoseconds);
  }
  return [...seen.values()].reduce((sum, each) => sum + each, 0) / 1_000_000;
}

/** The time of children that have ended counts for their parent: without it the sum would fall whenever one ends. */
function endedChildrenMs(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * tickMs;
}

function descendantsOf(pid: number): number[] {
  const names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parents = new Map(names.flatMap(parentOf));
  return [...parents.keys()].filter((one) => one !== pid && descendsFrom(one, pid, parents));
}

function parentOf(name: string): [number, number][] {
  const parent = statOf(Number(name))[1];
  return parent === undefined ? [] : [[Number(name), Number(parent)]];
}

/** The fields after the name, which stands in parentheses and may contain spaces. */
function statOf(pid: number): string[] {
  const text = read(`/proc/${pid}/stat`);
  return text === "" ? [] : text.slice(text.lastIndexOf(") ") + 2).split(" ");
}

/** Empty for a process that ended after the list was read. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function descendsFrom(pid: number, ancestor: number, parents: ReadonlyMap<number, number>): boolean {
  let parent = parents.get(pid) ?? 0;
  while (parent > 1 && parent !== ancestor) parent = parents.get(parent) ?? 0;
  return parent === ancestor;
}
