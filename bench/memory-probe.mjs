import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Loaded before the server. At SIGUSR2 it collects garbage and writes the held bytes to a file of that process.
 * Resident memory is no measure of it: a heap grows in steps, and the system reclaims pages.
 */
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

process.on("SIGUSR2", () => {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(join(tmpdir(), `fava-bench-memory-${process.pid}.json`), JSON.stringify({ heapUsed, external }));
});
