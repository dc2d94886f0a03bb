import { readdirSync, readFileSync } from "node:fs";

/** Process ids of what `pid` has started, where the command has these words in it. Linux only: read from `/proc`. */
export function childrenOf(pid: number, words: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => {
      try {
        // The name in parentheses may hold spaces; the parent is the second field after it.
        const parent = readFileSync(`/proc/${one}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1];
        return parent === String(pid) && readFileSync(`/proc/${one}/cmdline`, "utf8").includes(words);
      } catch {
        // It ended between the list and now.
        return false;
      }
    });
}
