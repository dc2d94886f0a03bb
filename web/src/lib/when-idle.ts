const idleWithinMs = 5_000;
/** For browsers that cannot tell when they are idle (Safari). */
const guessedIdleMs = 2_000;

/** Does something once the browser has nothing else to do, within 5 s; answers how to leave it undone. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act, guessedIdleMs);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: idleWithinMs });
  return () => cancelIdleCallback(handle);
}

/** Ends the task that is running: what follows comes in one of its own, after what people did meanwhile. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
