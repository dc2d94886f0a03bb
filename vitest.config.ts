import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      { test: { name: "wire", root: "wire", include: ["src/**/*.test.ts"] } },
      { test: { name: "server", root: "server", include: ["src/**/*.test.ts"] } },
      { extends: "./web/vite.config.ts", test: { name: "web", root: "web", include: ["src/**/*.test.ts", "src/**/*.test.tsx"] } },
      { test: { name: "sim", root: "sim", include: ["**/*.test.ts"] } },
    ],
  },
});
