import { expect, type Page } from "@playwright/test";

declare global {
  interface Window {
    /** Every line of the two regions for screen readers, with its urgency, oldest first. */
    saidOfTheTest: string[];
  }
}

/** Keeps what is said to screen readers; runs before the page's own scripts. */
export function watchSaid(): void {
  window.saidOfTheTest = [];
  document.addEventListener("DOMContentLoaded", () => {
    for (const urgency of ["polite", "assertive"]) {
      const region = document.getElementById(`said-${urgency}`);
      if (!region) continue;
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes)
            window.saidOfTheTest.push(`${urgency}: ${(node.textContent ?? "").replaceAll(/[\u2066-\u2069]/g, "")}`);
      }).observe(region, { childList: true });
    }
  });
}

export function saidOn(page: Page): Promise<string[]> {
  return page.evaluate(() => window.saidOfTheTest);
}

/** Said, and exactly so often. */
export async function expectSaid(page: Page, line: string, times = 1): Promise<void> {
  await expect
    .poll(async () => (await saidOn(page)).filter((one) => one === line).length, { message: line })
    .toBe(times);
}
