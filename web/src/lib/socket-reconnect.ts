/** The first tries come fast, because most drops are short; later ones spread out. */
const stepsMs = [0, 300, 1_200, 2_700, 4_800, 7_000] as const;
/** From this try on the wait is anything up to its step, so that a crowd does not come back at once. */
export const jitterFromAttempt = 2;

/** How long to wait before try number `attempt`, counted from 0; `random` is 0 to 1. */
export function reconnectDelayMs(attempt: number, random: number): number {
  const step = stepsMs[Math.min(attempt, stepsMs.length - 1)] ?? 0;
  return attempt < jitterFromAttempt ? step : Math.round(step * (0.2 + 0.8 * random));
}
