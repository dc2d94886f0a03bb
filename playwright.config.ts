import { defineConfig } from "@playwright/test";

const chromium = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/** Files in which people see each other: two videos are encoded and decoded without help of a graphics card. */
const calls =
  /\/(?:announcements|appeal|desk-people|call-\w+|device-layouts|devices|everyone|keyboard|languages|messages(?:-over-call|-people)?|meter-call|people|safety-\w+|screens-(?:call|meter|people|safety))\.spec\.ts$/;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  fullyParallel: false,
  // `npm test` runs the one after the other: two real browsers with cameras share two cores, and one test at a time
  // keeps every frame honest. Whoever runs both at once gets one worker for all.
  workers: 1,
  projects: [
    { name: "calls", testMatch: calls },
    { name: "pages", testIgnore: calls },
  ],
  forbidOnly: true,
  // A shared machine may stall for seconds; what needed its second chance is listed as flaky.
  retries: process.env["CI"] ? 1 : 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 15_000,
    // Requests that a worker makes escape a test's own answers; the tests of the worker itself let it in.
    serviceWorkers: "block",
    // Without pictures: taking them of pages that show video costs more than the call itself.
    trace: { mode: "retain-on-failure", screenshots: false },
    launchOptions: {
      executablePath: chromium,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--mute-audio",
        // Few frames: they are encoded and decoded without help of a graphics card.
        "--use-fake-device-for-media-stream=fps=10",
        "--autoplay-policy=no-user-gesture-required",
        "--allow-loopback-in-peer-connection",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-domain-reliability",
        "--disable-background-timer-throttling",
        "--disable-renderer-backgrounding",
        "--disable-backgrounding-occluded-windows",
      ],
    },
  },
});
