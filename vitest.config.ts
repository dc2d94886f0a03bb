import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

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
        test: { name: "web", root: "web", include: ["src/**/*.test.ts", "src/**/*.test.tsx", "vite/**/*.test.ts"] },
      },
      { test: { name: "tools", root: "tools", include: ["**/*.test.ts"] } },
      { test: { name: "sim", root: "sim", include: ["**/*.test.ts"], ...withDatabase } },
    ],
  },
});
