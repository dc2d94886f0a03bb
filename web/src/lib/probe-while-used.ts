import { reachabilityCheckIntervalMs } from "@fava/wire/limits.ts";
import { probeServer, hasSocket } from "#lib/socket/connection.ts";

/** Without input for this long the page stops probing, until the next input. */
const restAfterMs = 60_000;

/**
 * Probes now and then whether the server responds while the page has no socket, as long as the user is active and until
 * `signal` aborts.
 */
export function probeWhileUsed(signal: AbortSignal): void {
  let usedAtMs = performance.now();
  const ask = () => {
    if (!document.hidden && !hasSocket()) void probeServer();
  };
  const use = () => {
    const rested = performance.now() - usedAtMs > restAfterMs;
    usedAtMs = performance.now();
    if (rested) ask();
  };
  for (const sign of ["pointerdown", "pointermove", "keydown", "focus"])
    window.addEventListener(sign, use, { signal, passive: true });
  document.addEventListener("visibilitychange", ask, { signal });
  const timer = setInterval(() => {
    if (performance.now() - usedAtMs <= restAfterMs) ask();
  }, reachabilityCheckIntervalMs);
  signal.addEventListener("abort", () => clearInterval(timer));
}
