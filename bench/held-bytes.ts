import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A module to load with `--import` before a server. */
export const memoryProbe = fileURLToPath(new URL("memory-probe.mjs", import.meta.url));
const memoryTries = 500;
const memoryPollMs = 20;

/** The bytes that a server with the probe holds after a garbage collection. */
export async function heldBytes(pid: number): Promise<number> {
  const file = join(tmpdir(), `fava-bench-memory-${pid}.json`);
  await rm(file, { force: true });
  process.kill(pid, "SIGUSR2");
  for (let tries = 0; tries < memoryTries; tries += 1) {
    await sleep(memoryPollMs);
    try {
      const { heapUsed, external } = JSON.parse(await readFile(file, "utf8")) as { heapUsed: number; external: number };
      await rm(file);
      return heapUsed + external;
    } catch {
      // The file is missing or incomplete so far.
    }
  }
  throw new Error("the server did not write its held bytes");
}
