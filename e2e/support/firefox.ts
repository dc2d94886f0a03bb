import type { Browser, PlaywrightWorkerArgs } from "@playwright/test";
import { firefox } from "../../browser.config.ts";

/** A Firefox of its own, with more preferences. */
export function launchFirefox(
  playwright: PlaywrightWorkerArgs["playwright"],
  preferences: Record<string, string | number | boolean>,
): Promise<Browser> {
  const { channel, launchOptions } = firefox;
  const firefoxUserPrefs = { ...launchOptions.firefoxUserPrefs, ...preferences };
  return playwright.firefox.launch({ channel, ...launchOptions, firefoxUserPrefs });
}
