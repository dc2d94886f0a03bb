import type { SignInRow } from "./use-account.ts";

/** Ended sign-ins that are shown before somebody asks for the earlier ones. */
const endedShownFirst = 4;

/** The sign-in that asks first, then the others, newest first (rule DATA-50). */
export function orderedSignIns(rows: readonly SignInRow[]): readonly SignInRow[] {
  return rows.toSorted((one, other) => other.current - one.current || other.at - one.at);
}

/** The rows that are shown at first, and how many stay behind a button; a button for a single row is not worth it. */
export function firstSignIns(rows: readonly SignInRow[]): { shown: readonly SignInRow[]; hidden: number } {
  const shown = 1 + endedShownFirst;
  return rows.length <= shown + 1
    ? { shown: rows, hidden: 0 }
    : { shown: rows.slice(0, shown), hidden: rows.length - shown };
}
