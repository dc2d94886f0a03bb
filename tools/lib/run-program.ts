import { execFile } from "node:child_process";
import { promisify } from "node:util";

export type Run = (program: string, words: readonly string[]) => Promise<string | null>;

const timeoutMs = 10_000;

/** What a program prints; null if it is missing, fails or takes longer than 10 s. */
export const runProgram: Run = async (program, words) => {
  try {
    const { stdout } = await promisify(execFile)(program, words, { timeout: timeoutMs });
    return stdout;
  } catch {
    // Missing, failed and late mean the same here: there is no answer.
    return null;
  }
};
