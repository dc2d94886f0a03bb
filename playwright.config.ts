import { defineConfig } from "@playwright/test";
import { firefox, headlessShell } from "./browser.config.ts";

/** Options of our fixtures. */
interface OwnOptions {
  paints: boolean;
  environment: Record<string, string>;
  offered: { pages: "joined" };
}

/** Nearly all tests share one server, on which the country filter is free and the gender filter is paid. */
const environment = { PRICE_COUNTRY: "0", PRICE_GENDER: "1600", PRICE_BOTH: "1600" };

const calls = { testDir: "e2e/stories/calls", use: { paints: false, environment } };
const stories = {
  testDir: "e2e/stories",
  testIgnore: "**/stories/calls/**",
  // All tests share one server, which offers more languages than the default.
  use: { paints: false, environment: { OFFERED_LANGUAGES: "zh-CN,en,ar,tr,id,de,ur,ga" } },
};
const pages = {
  testDir: "e2e/pages",
  use: {
    // No hinting, as on phones: it would round each letter of small text to whole pixels.
    launchOptions: { ...headlessShell, args: [...headlessShell.args, "--font-render-hinting=none"] },
    // Tests of how parts are fetched override it.
    offered: { pages: "joined" as const },
  },
};
/** Tests that only `npm run test:deep` runs. */
const deep = /@deep(?!-)/;

/** Stories with the tag of the project, in Firefox; partners have Chromium. */
const inFirefox = {
  testMatch: ["firefox/**", "stories/**"],
  retries: 0,
  use: { ...firefox, paints: false, environment },
};

export default defineConfig<OwnOptions, OwnOptions>({
  testDir: "e2e",
  outputDir: "test-results",
  // Parallel calls would lose frames on two cores.
  workers: 1,
  projects: [
    /** Users in calls: the processor encodes and decodes two videos. */
    { ...calls, name: "calls", grepInvert: deep },
    { ...stories, name: "stories", grepInvert: deep },
    /** Calls in which one or both users have Firefox. */
    { ...inFirefox, name: "firefox", grep: /@firefox(?!-)/ },
    /** Pages with fixture responses instead of a server. */
    { ...pages, name: "pages", grepInvert: deep },
    { name: "gallery", testDir: "e2e/gallery", fullyParallel: true },
    /** From here on only for `npm run test:deep`. */
    { ...calls, name: "calls-deep", grep: deep },
    { ...stories, name: "stories-deep", grep: deep },
    { ...pages, name: "pages-deep", grep: deep },
    { ...inFirefox, name: "firefox-deep", grep: /@firefox-deep/ },
    {
      ...inFirefox,
      name: "firefox-network",
      testDir: "e2e/deep",
      testMatch: "firefox-network.spec.ts",
    },
    { name: "calls-network", testDir: "e2e/deep", testMatch: "calls-network.spec.ts" },
    { name: "paid-minute", testDir: "e2e/deep", testMatch: "paid-minute.spec.ts", use: { paints: false, environment } },
    {
      name: "age-check",
      testDir: "e2e/deep",
      testMatch: "age-check.spec.ts",
      // Addresses of this machine are of the default country.
      use: { environment: { AGE_POLICY: "US:checked" } },
    },
    { name: "notice", testDir: "e2e/deep", testMatch: "notice.spec.ts", use: { environment } },
    { name: "background-blur", testDir: "e2e/deep", testMatch: "background-blur.spec.ts" },
    { name: "compared-frames", testDir: "e2e/deep", testMatch: /(compared|forged)-frames/, use: { paints: false } },
    { name: "slow-pictures", testDir: "e2e/deep", testMatch: "slow-pictures.spec.ts" },
    { name: "webkit", testDir: "e2e/deep", testMatch: "webkit.spec.ts", timeout: 240_000 },
  ],
  forbidOnly: true,
  // A shared machine may stall for seconds; a test that passes on retry is listed as flaky.
  retries: process.env["CI"] ? 1 : 0,
  timeout: 120_000,
  // Five parts share the machine, so even an immediate result may take seconds.
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 30_000,
    // Requests of a service worker bypass a test's fixture responses; tests of the worker itself allow it.
    serviceWorkers: "block",
    // Traces of every test would slow the run down, and screenshots of video cost more than the call.
    trace: { mode: "on-first-retry", screenshots: false },
    launchOptions: headlessShell,
  },
});
