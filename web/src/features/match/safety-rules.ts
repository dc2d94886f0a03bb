import { rulesReadMs } from "@fava/wire/limits.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** Raise it with every change of what the rules say (`rules.1` to `rules.3t`): everyone then reads them again. */
export const rulesVersion = 1;

/**
 * Whether this person need not read the safety rules now: they never want to see them again, or have read this version
 * within `rulesReadMs` (rule HOME-8).
 */
export function areRulesRead(nowMs: number): boolean {
  if (readStored("neverShowRule") === 1) return true;
  const [version, atMs = 0] = (readStored("rulesRead") ?? "").split(" ").map(Number);
  // A clock that was set back must not stretch the time.
  return version === rulesVersion && Math.abs(nowMs - atMs) < rulesReadMs;
}

/** Got it was pressed; `never`: with "Don't show this again". */
export function noteRulesRead(nowMs: number, { never }: { never: boolean }): void {
  writeStored("rulesRead", `${rulesVersion} ${nowMs}`);
  if (never) writeStored("neverShowRule", 1);
}
