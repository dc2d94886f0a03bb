import { useEffect } from "react";
import { arriveAtDesk, type DeskSpell, minutesToBreak } from "./desk-time.ts";
import { useNow } from "./use-now.ts";

/** As long as the page: the tabs of the desk are one spell. */
let spell: DeskSpell | null = null;

/** Whole minutes until a break is suggested. */
export function useMinutesToBreak(): number {
  const nowMs = useNow(30_000);
  useEffect(() => {
    spell = arriveAtDesk(spell, Date.now());
    return () => {
      if (spell) spell = { ...spell, leftMs: Date.now() };
    };
  }, []);
  return minutesToBreak(spell ?? arriveAtDesk(null, nowMs), nowMs);
}
