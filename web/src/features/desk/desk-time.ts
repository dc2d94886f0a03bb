import { deskBreakMs } from "@fava/wire/limits.ts";

/** Away for this long is a break. */
const breakMs = 600_000;

/** When the present spell at the desk began, and when the desk was left; times in milliseconds. */
export interface DeskSpell {
  readonly sinceMs: number;
  readonly leftMs: number | null;
}

/** The desk is opened: a short absence is no break (rule DESK-115). */
export function arriveAtDesk(spell: DeskSpell | null, nowMs: number): DeskSpell {
  const rested = spell === null || (spell.leftMs !== null && nowMs - spell.leftMs >= breakMs);
  return { sinceMs: rested ? nowMs : spell.sinceMs, leftMs: null };
}

/** Whole minutes until a break is suggested; 0 or less: it is due. */
export function minutesToBreak({ sinceMs }: DeskSpell, nowMs: number): number {
  // A clock that was read a moment before the spell began must not make it longer.
  return Math.ceil((sinceMs + deskBreakMs - Math.max(nowMs, sinceMs)) / 60_000);
}
