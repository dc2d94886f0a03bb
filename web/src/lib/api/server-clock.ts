/**
 * How far the server's clock is ahead of ours, in milliseconds; corrected by the login answer, by code 460, and by the date of
 * every answer that `fetch` brought.
 */
let offsetMs = 0;

const secondMs = 1_000;

/** Whole milliseconds since the epoch by the server's clock, as far as it is known. */
export function serverNowMs(): number {
  return Date.now() + offsetMs;
}

export function correctServerClock(serverTimeMs: number): void {
  offsetMs = Math.round(serverTimeMs) - Date.now();
}

/**
 * Corrects the clock by the date of an answer that took so long, where what is known until then cannot be. The
 * date says the whole second only, in which the server answered at some moment of the way: within that nothing is known better.
 */
export function heedServerDate(date: string | null, tookMs: number): void {
  const dateMs = Date.parse(date ?? "");
  const nowMs = serverNowMs();
  const isPossible = nowMs >= dateMs && nowMs - tookMs < dateMs + secondMs;
  if (!Number.isNaN(dateMs) && !isPossible) correctServerClock(dateMs + (secondMs + tookMs) / 2);
}
