import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { appManifest } from "./vite/app-manifest.ts";
import { compiledMessages } from "./vite/compiled-messages.ts";
import { countryFlags } from "./vite/country-flags.ts";
import { layerOrder } from "./vite/layer-order.ts";
import { pageContent } from "./vite/page-content.ts";
import { preloadAgain } from "./vite/preload-again.ts";
import { precompressed } from "./vite/precompressed.ts";
import { prerendered } from "./vite/prerendered.ts";
import { serviceWorker } from "./vite/service-worker.ts";

const server = process.env["FAVA_SERVER"] ?? "http://localhost:3000";

const proxy = {
  "/api": server,
  "/healthz": server,
  "/gateway": server,
  "/pay/": server,
  "/media": server,
  "/sandbox": server,
  "/ws": { target: server, ws: true },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    compiledMessages(),
    pageContent(),
    countryFlags(),
    layerOrder(),
    appManifest(),
    serviceWorker(),
    preloadAgain(),
    prerendered(),
    precompressed(),
  ],
  json: { stringify: true },
  assetsInclude: ["**/*.tflite"],
  build: {
    target: "es2022",
    // Older targets make Lightning CSS lower light-dark(), which silently breaks a nested data-theme.
    cssTarget: ["chrome123", "edge123", "firefox121", "safari17.5"],
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Two large files instead of twenty small ones: 7 KB less after compression, because they share a dictionary.
          groups: [
            {
              name: "vendor",
              priority: 2,
              test: /node_modules[\\/](?:react|react-dom|scheduler|valibot|zustand|@lingui)[\\/]/,
            },
            // The entry with everything it imports without delay.
            { name: "app", priority: 1, test: /src[\\/]main\.tsx$/ },
            // What Start needs until the login dialog is open.
            { name: "dialogs", test: /src[\\/]app[\\/](?:OverlayStack\.tsx|start-steps\.ts)$/ },
          ],
        },
      },
    },
  },
  // Tests of components have no server behind them.
  server: process.env["VITEST"] === undefined ? { proxy } : {},
});
