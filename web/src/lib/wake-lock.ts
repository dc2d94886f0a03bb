/**
 * Keeps the screen on until `signal` aborts. Browsers release the lock whenever the page is hidden, so it is requested
 * again when the page returns.
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
      // Denied, as with a low battery: the screen may turn off as usual.
      console.info("no wake lock", error);
    }
  };
  document.addEventListener("visibilitychange", () => void request(), { signal });
  signal.addEventListener("abort", () => void lock?.release());
  void request();
}
