import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second, whatever its timer does (`getconf CLK_TCK`). */
const tickMs = 10;

/** Processor time since their start, in milliseconds: of one process, and of all that it started. */
export interface CpuUse {
  readonly ownMs: number;
  readonly childrenMs: number;
}

/** Read from `/proc`; null where there is none. */
export function cpuUse(pid: number): CpuUse | null {
  try {
    const processes = new Map(
      readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .flatMap(readStat),
    );
    const own = processes.get(pid);
    if (!own) return null;
    // What a process used is its parent's once it has ended: otherwise the sum would fall with each one that ends.
    let childrenMs = own.endedChildrenMs;
    for (const [candidate, { cpuMs, endedChildrenMs }] of processes) {
      if (candidate !== pid && descendsFrom(candidate, pid, processes)) childrenMs += cpuMs + endedChildrenMs;
    }
    return { ownMs: own.cpuMs, childrenMs };
  } catch {
    // Not Linux: the figures that need this are left out.
    return null;
  }
}

/** Resident memory in bytes; null where there is no `/proc`. */
export function residentBytes(pid: number): number | null {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
  } catch {
    // Not Linux.
    return null;
  }
}

interface Stat {
  parent: number;
  cpuMs: number;
  /** Of children that have ended, and theirs. */
  endedChildrenMs: number;
}

function readStat(pid: string): [number, Stat][] {
  try {
    // The name in parentheses may hold spaces; what is wanted comes after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]));
    const endedChildrenMs = (endedUser! + endedSystem!) * tickMs;
    return [[Number(pid), { parent: parent!, cpuMs: (user! + system!) * tickMs, endedChildrenMs }]];
  } catch {
    // It ended between the list and now.
    return [];
  }
}

function descendsFrom(pid: number, ancestor: number, processes: ReadonlyMap<number, Stat>): boolean {
  let parent = processes.get(pid)?.parent ?? 0;
  while (parent > 1 && parent !== ancestor) parent = processes.get(parent)?.parent ?? 0;
  return parent === ancestor;
}
