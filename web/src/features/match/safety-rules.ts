import { rulesReadMs } from "@fava/wire/limits.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** Increase it with every change of the texts in `RulesSheet`: all users then read them again. */
export const rulesVersion = 3;

/**
 * Whether the user need not read the safety rules now: they hid them, or have read this version within `rulesReadMs`
 * (rule HOME-8).
 */
export function areRulesRead(nowMs: number): boolean {
  if (readStored("neverShowRule") === 1) return true;
  const [version, atMs = 0] = (readStored("rulesRead") ?? "").split(" ").map(Number);
  // A clock that was set back must not extend the time.
  return version === rulesVersion && Math.abs(nowMs - atMs) < rulesReadMs;
}

/** Stores that the user pressed "Got it"; `never`: also ticked "Don't show this again". */
export function noteRulesRead(nowMs: number, { never }: { never: boolean }): void {
  writeStored("rulesRead", `${rulesVersion} ${nowMs}`);
  if (never) writeStored("neverShowRule", 1);
}
