/**
 * How far the server's clock is ahead of this device, in milliseconds; corrected by the login response, by code 460,
 * and by the date of every response to `fetch`.
 */
let offsetMs = 0;

const secondMs = 1_000;

/** The current time by the server's clock, in whole milliseconds since the epoch. */
export function serverNowMs(): number {
  return Date.now() + offsetMs;
}

export function correctServerClock(serverTimeMs: number): void {
  offsetMs = Math.round(serverTimeMs) - Date.now();
}

/**
 * Corrects the clock by the date header of a response, if the date proves the current offset wrong. The header has
 * whole seconds, and the server set it at some moment of the round trip: within that range the offset stays.
 *
 * @param tookMs duration of the round trip
 */
export function noteServerDate(date: string | null, tookMs: number): void {
  const dateMs = Date.parse(date ?? "");
  const nowMs = serverNowMs();
  const isPossible = nowMs >= dateMs && nowMs - tookMs < dateMs + secondMs;
  if (!Number.isNaN(dateMs) && !isPossible) correctServerClock(dateMs + (secondMs + tookMs) / 2);
}
