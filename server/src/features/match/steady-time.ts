import type { Clock } from "#ports/clock.ts";

/** Tells milliseconds since the epoch that never run backwards, as the wall clock may. */
export function steadyTime(clock: Clock): () => number {
  const epochMs = clock.nowMs() - clock.monotonicMs();
  return () => Math.floor(epochMs + clock.monotonicMs());
}
