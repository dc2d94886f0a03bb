import { expect, type Page } from "@playwright/test";
import { chosenAlikeInPage } from "./chosen.ts";
import { expectLegible } from "./legible.ts";
import { expectLargeTargets } from "./targets.ts";

/** Text of any size and spacing, targets for fingers, and how it looks in the colours of the system. */
export async function forEveryone(page: Page, name: string): Promise<void> {
  await expectLegible(page, name);
  await expectLargeTargets(page, name);
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await page.screenshot({ path: `test-results/screens/everyone-${name}-forced-phone.png` });
  expect.soft(await page.evaluate<string[]>(chosenAlikeInPage), `chosen in forced colours, ${name}`).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.screenshot({ path: `test-results/screens/everyone-${name}-forced.png` });
  await page.emulateMedia({ forcedColors: "none", contrast: "more", reducedMotion: "reduce" });
  await page.screenshot({ path: `test-results/screens/everyone-${name}-contrast.png` });
  await page.emulateMedia({ forcedColors: "none", contrast: "no-preference", reducedMotion: "reduce" });
}
