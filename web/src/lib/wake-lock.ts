/**
 * Keeps the screen from going dark until `signal` is aborted. Browsers let go of it whenever the page is
 * hidden, so it is asked for again when the page is back.
 */
export function keepAwake(signal: AbortSignal): void {
  if (!("wakeLock" in navigator)) return;
  let lock: WakeLockSentinel | null = null;
  const request = async () => {
    if (document.hidden || (lock && !lock.released)) return;
    try {
      const given = await navigator.wakeLock.request("screen");
      if (signal.aborted) await given.release();
      else lock = given;
    } catch (error) {
      // Refused, as with a low battery: the screen then goes dark as always.
      console.info("the screen may go dark", error);
    }
  };
  document.addEventListener("visibilitychange", () => void request(), { signal });
  signal.addEventListener("abort", () => void lock?.release());
  void request();
}
