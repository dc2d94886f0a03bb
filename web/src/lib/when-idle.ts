const idleWithinMs = 5_000;
/** For browsers without `requestIdleCallback` (Safari). */
const guessedIdleMs = 2_000;

/** Calls `act` once the browser is idle, within 5 s; returns how to cancel it. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act, guessedIdleMs);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: idleWithinMs });
  return () => cancelIdleCallback(handle);
}

/** Ends the current task: what follows runs in a task of its own, after pending input. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
