import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The living server that PostgreSQL's lock file names, or null. Its port is 0 while it starts. */
export function livingServer(dataDirectory: string): { pid: number; port: number } | null {
  const lockFile = join(dataDirectory, "postmaster.pid");
  const [pid, , , port] = readIfThere(lockFile)?.split("\n") ?? [];
  if (!pid || !isAlive(Number(pid))) return null;
  const program = readIfThere(`/proc/${pid}/comm`)?.trim() ?? "postgres";
  if (program === "postgres") return { pid: Number(pid), port: Number(port ?? 0) };
  // After a power cut, or in a restarted container, another program of this user can have the old number: PostgreSQL
  // would then wait for it for ever. Its shared memory still guards the data against a second server.
  rmSync(lockFile, { force: true });
  return null;
}

/** Whether a process with this number exists, of whatever user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // It can go between any look at it and this one.
    if (!existsSync(file)) return null;
    throw error;
  }
}
