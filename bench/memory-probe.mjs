import { writeFileSync } from "node:fs";

/**
 * Loaded before the server: at SIGUSR2 it writes what the process holds after a collection of garbage, in bytes, to
 * `BENCH_MEMORY_FILE`. Resident memory says little of it: a heap grows in steps, and a system takes pages back.
 */
process.on("SIGUSR2", () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(process.env["BENCH_MEMORY_FILE"], JSON.stringify({ heapUsed, external }));
});
