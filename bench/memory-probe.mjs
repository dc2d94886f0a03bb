import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Loaded before the server: at SIGUSR2 it writes what the process holds after a collection of garbage, in bytes, to a file
 * of that process. Resident memory says little of it: a heap grows in steps, and a system takes pages back.
 */
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

process.on("SIGUSR2", () => {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(join(tmpdir(), `fava-bench-memory-${process.pid}.json`), JSON.stringify({ heapUsed, external }));
});
