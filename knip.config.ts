import type { KnipConfig } from "knip";

const config: KnipConfig = {
  workspaces: {
    ".": {
      // Debian's own; `npm test` asks for them.
      ignoreBinaries: ["apt-get", "dpkg-query", "openssl", "redis-cli"],
      // Started by its path, in tools/documents/spelling.ts.
      ignoreDependencies: ["cspell"],
      entry: ["tools/*.mjs", "tools/*.ts", "sim/**/*.test.ts", "e2e/**/*.spec.ts"],
      stryker: { config: "tools/mutants/stryker.json" },
      vitest: { config: ["vitest.config.ts", "tools/mutants/vitest.config.ts"] },
      project: ["tools/**", "bench/**/*.ts", "sim/**/*.ts", "e2e/**/*.ts"],
      // Types of the scripts beside them, which nothing imports by name.
      ignoreFiles: ["tools/lib/*.d.mts"],
    },
    // Its exports are its product: without this each of them counts as used.
    wire: { entry: [], includeEntryExports: true, project: ["src/**/*.ts"] },
    server: {
      project: ["{src,test}/**/*.ts"],
      // Data files, found by their paths.
      ignoreDependencies: ["@ip-location-db/geo-whois-asn-country-mmdb"],
      // Generated: a type for every table, asked for by name or not.
      ignoreIssues: { "src/db/schema.ts": ["types"] },
    },
    web: {
      entry: ["src/early.ts", "src/prerender.tsx", "worker/service-worker.ts", "src/**/*.browser.test.tsx"],
      project: ["src/**/*.{ts,tsx}", "vite/**/*.ts", "worker/**/*.ts"],
    },
  },
};

export default config;
