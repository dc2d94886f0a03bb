import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { browserArguments, chromiumPath } from "./browser.config.ts";

/** One PostgreSQL for the run of a project, and the end of what its test files left open. */
const withDatabase = {
  globalSetup: [fileURLToPath(new URL("server/src/testing/global-setup.ts", import.meta.url))],
  setupFiles: [fileURLToPath(new URL("server/src/testing/setup.ts", import.meta.url))],
  // Only a test that hangs: a shared machine may stall for seconds.
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    projects: [
      { test: { name: "wire", root: "wire", include: ["src/**/*.test.ts"] } },
      { test: { name: "server", root: "server", include: ["src/**/*.test.ts"], ...withDatabase } },
      {
        extends: "./web/vite.config.ts",
        test: {
          name: "web",
          root: "web",
          include: ["src/**/*.test.ts", "src/**/*.test.tsx", "vite/**/*.test.ts"],
          exclude: ["**/*.browser.test.tsx"],
        },
      },
      {
        extends: "./web/vite.config.ts",
        // Everything that the pages import is found before the tests: what is found while they run loads them anew.
        optimizeDeps: { entries: ["src/main.tsx", "src/testing/*.{ts,tsx}", "src/**/*.browser.test.tsx"] },
        test: {
          name: "components",
          root: "web",
          include: ["src/**/*.browser.test.tsx"],
          setupFiles: [fileURLToPath(new URL("web/src/testing/components-setup.ts", import.meta.url))],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: chromiumPath, args: [...browserArguments] },
              contextOptions: { reducedMotion: "reduce", locale: "en-US", permissions: ["camera", "microphone"] },
            }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
      { test: { name: "tools", root: "tools", include: ["**/*.test.ts"] } },
      { test: { name: "sim", root: "sim", include: ["**/*.test.ts"], ...withDatabase } },
    ],
  },
});
