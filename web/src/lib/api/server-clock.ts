/** How far the server's clock is ahead of ours, in milliseconds; corrected by the login answer and by code 460. */
let offsetMs = 0;

/** Milliseconds since the epoch by the server's clock, as far as it is known. */
export function serverNowMs(): number {
  return Date.now() + offsetMs;
}

export function correctServerClock(serverTimeMs: number): void {
  offsetMs = serverTimeMs - Date.now();
}
