import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { headlessShell } from "./browser.config.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** For random tests: `npm run test:deep` gives them more attempts and another seed. */
const provide = {
  depth: Number(process.env["TEST_DEPTH"] ?? 1),
  seed: Number(process.env["TEST_SEED"] ?? 1),
};

/** Only for `npm run test:deep`. */
const deepTests = provide.depth > 1 ? [] : ["**/*.deep.test.ts"];

/** Files of the server's tests that another process of `npm test` runs, relative to its folder. */
const leftOut = (process.env["TEST_LEFT_OUT"] ?? "").split(" ").filter(Boolean);

/** Files share loaded modules: loading them for each file would take longer than all tests together. */
const shared = { provide, isolate: false } as const;

/** One PostgreSQL for the whole run; the setup closes what a test file left open. */
const withDatabase = {
  ...shared,
  provide: { ...provide, installedPostgres: process.env["TEST_POSTGRES"] ?? "" },
  globalSetup: [path("server/test/fixtures/global-setup.ts")],
  setupFiles: [path("server/test/fixtures/setup.ts")],
  // Long enough for a shared machine that stalls for seconds; only a hanging test reaches it.
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

const capableBrowser = path("web/src/testing/capable-browser.ts");
const componentTests = "src/**/*.browser.test.tsx";

export default defineConfig({
  test: {
    projects: [
      { test: { name: "wire", root: "wire", include: ["src/**/*.test.ts"], ...shared } },
      {
        test: {
          name: "tools",
          root: "tools",
          include: ["**/*.test.ts", "**/*.test.mjs"],
          exclude: deepTests,
          ...shared,
        },
      },
      {
        extends: "./web/vite.config.ts",
        test: {
          name: "web",
          root: "web",
          include: ["src/**/*.test.ts", "src/**/*.test.tsx", "vite/**/*.test.ts"],
          exclude: [componentTests],
          setupFiles: [path("web/src/testing/own-modules.ts"), capableBrowser],
          ...shared,
        },
      },
      {
        test: {
          name: "server",
          root: "server",
          include: ["{src,test}/**/*.test.ts"],
          exclude: [...deepTests, ...leftOut],
          ...withDatabase,
        },
      },
      {
        test: { name: "sim", root: "sim", include: ["*.test.ts"], exclude: ["*.deep.test.ts"], ...withDatabase },
      },
      { test: { name: "soak", root: "sim", include: provide.depth > 1 ? ["*.deep.test.ts"] : [], provide } },
      {
        extends: "./web/vite.config.ts",
        // Finds all imports before the tests: an import found later would reload the page.
        optimizeDeps: {
          entries: ["src/main.tsx", "src/testing/*.{ts,tsx}", componentTests],
          // Production React: the development build is slower, and users do not have it.
          rolldownOptions: { transform: { define: { "process.env.NODE_ENV": JSON.stringify("production") } } },
        },
        oxc: { jsx: { development: false } },
        // All files share one page (isolate: false); these two reset the state of modules between tests.
        resolve: {
          alias: [
            { find: /^zustand$/, replacement: path("web/src/testing/reset-stores.ts") },
            { find: "#lib/remote-value.ts", replacement: path("web/src/testing/renewed-values.ts") },
          ],
        },
        test: {
          name: "components",
          root: "web",
          isolate: false,
          include: [componentTests],
          setupFiles: [path("web/src/testing/components-setup.ts")],
          // A shared machine may stall for seconds.
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 60_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              actionTimeout: 15_000,
              launchOptions: headlessShell,
              contextOptions: { reducedMotion: "reduce", locale: "en-US", permissions: ["camera", "microphone"] },
            }),
            commands: { press: ({ page }, x: number, y: number) => page.mouse.click(x, y) },
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
