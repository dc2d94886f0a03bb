import { expect, type Page } from "@playwright/test";

declare global {
  interface Window {
    /** Fires all held timers of this delay; returns whether there were any. */
    fireTimers: (delayMs: number) => boolean;
  }
}

/** Shorter timers belong to animations and media. */
const heldFromMs = 4_000;

/** From now on timers of four seconds or more wait for `fireTimers`, so that a view stays as it is. */
export async function holdTimers(page: Page): Promise<void> {
  await page.evaluate((leastMs) => {
    let held: { id: number; run: () => void; delayMs: number }[] = [];
    const set = window.setTimeout.bind(window);
    const clear = window.clearTimeout.bind(window);
    let last = 0;
    const hold = (run: () => void, delayMs = 0) => {
      if (delayMs < leastMs) return set(run, delayMs);
      last -= 1;
      held.push({ id: last, run, delayMs });
      return last;
    };
    const drop = (id?: number) => {
      held = held.filter((one) => one.id !== id);
      clear(id);
    };
    Object.assign(window, { setTimeout: hold, clearTimeout: drop });
    window.fireTimers = (delayMs) => {
      const due = held.filter((one) => one.delayMs === delayMs);
      held = held.filter((one) => one.delayMs !== delayMs);
      for (const one of due) one.run();
      return due.length > 0;
    };
  }, heldFromMs);
}

/** Fires the timers of this delay that `holdTimers` holds, or will hold in a moment. */
export async function fireTimers(page: Page, delayMs: number): Promise<void> {
  await expect.poll(() => page.evaluate((ms) => window.fireTimers(ms), delayMs)).toBe(true);
}
