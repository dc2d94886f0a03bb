import { defineConfig } from "@playwright/test";
import { headlessShell } from "./browser.config.ts";

/** Options of tests that are not Playwright's own. */
interface OwnOptions {
  paints: boolean;
  environment: Record<string, string>;
  offered: { pages: "joined" };
}

export default defineConfig<OwnOptions, OwnOptions>({
  testDir: "e2e",
  outputDir: "test-results",
  // `npm test` says how many; one test at a time keeps every frame of a call honest.
  workers: 1,
  projects: [
    /** People who see each other: two videos are encoded and decoded without help of a graphics card. */
    {
      name: "calls",
      testDir: "e2e/stories/calls",
      // One server for nearly all of them. A country costs nothing there; a gender does.
      use: { paints: false, environment: { PRICE_COUNTRY: "0", PRICE_GENDER: "1600", PRICE_BOTH: "1600" } },
    },
    {
      name: "stories",
      testDir: "e2e/stories",
      testIgnore: "**/stories/calls/**",
      // One server for all of them: more languages than are offered without a setting.
      use: { paints: false, environment: { OFFERED_LANGUAGES: "zh-CN,en,ar,tr,id,de,ur,ga" } },
    },
    /** Before fixtures instead of a server. */
    {
      name: "pages",
      testDir: "e2e/pages",
      use: {
        // As on phones and high-density screens: hinting rounds each letter of small text to whole pixels.
        launchOptions: { ...headlessShell, args: [...headlessShell.args, "--font-render-hinting=none"] },
        // Where it is asked how parts are fetched, a spec says otherwise.
        offered: { pages: "joined" },
      },
    },
    /** Of `npm run test:deep` alone. */
    { name: "calls-network", testDir: "e2e/deep", testMatch: "calls-network.spec.ts" },
    { name: "slow-pictures", testDir: "e2e/deep", testMatch: "slow-pictures.spec.ts" },
    { name: "gallery", testDir: "e2e/gallery", fullyParallel: true },
  ],
  forbidOnly: true,
  // A shared machine may stall for seconds; what needed its second chance is listed as flaky.
  retries: process.env["CI"] ? 1 : 0,
  timeout: 120_000,
  // What comes comes at once, but five parts share the machine: two people took eleven seconds to be found once.
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 30_000,
    // Requests that a worker makes escape a test's own answers; the tests of the worker itself let it in.
    serviceWorkers: "block",
    // A trace of every test would cost a third more; pictures of pages that show video cost more than the call itself.
    trace: { mode: "on-first-retry", screenshots: false },
    launchOptions: headlessShell,
  },
});
