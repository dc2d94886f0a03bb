import { reachEveryMs } from "@fava/wire/limits.ts";
import { askForAnswer, hasSocket } from "#lib/socket/connection.ts";

/** Nobody has touched the page for this long: it asks no more, until somebody does. */
const restAfterMs = 60_000;

/**
 * Asks now and then whether Fava answers where no socket tells it, as long as somebody uses the page and until `signal`
 * is aborted.
 */
export function askWhileUsed(signal: AbortSignal): void {
  let usedAtMs = performance.now();
  const ask = () => {
    if (!document.hidden && !hasSocket()) void askForAnswer();
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
  }, reachEveryMs);
  signal.addEventListener("abort", () => clearInterval(timer));
}
