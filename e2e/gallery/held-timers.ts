import { expect, type Page } from "@playwright/test";

declare global {
  interface Window {
    /** Ends the wait of everything that was to come after this time; whether there was anything. */
    letCome: (delayMs: number) => boolean;
  }
}

/** Shorter ones are of animations and of the media. */
const heldFromMs = 4_000;

/** From now on what the page would do after four seconds or more waits for `letCome`: a view stays as it is. */
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
    window.letCome = (delayMs) => {
      const due = held.filter((one) => one.delayMs === delayMs);
      held = held.filter((one) => one.delayMs !== delayMs);
      for (const one of due) one.run();
      return due.length > 0;
    };
  }, heldFromMs);
}

/** Of what `holdTimers` holds, or will hold in a moment, everything that was to come after this time comes now. */
export async function letCome(page: Page, delayMs: number): Promise<void> {
  await expect.poll(() => page.evaluate((ms) => window.letCome(ms), delayMs)).toBe(true);
}
