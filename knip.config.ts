import type { KnipConfig } from "knip";

const config: KnipConfig = {
  workspaces: {
    ".": {
      // Programs of Debian that the tests call.
      ignoreBinaries: ["apt-get", "dpkg-query", "go", "openssl", "redis-cli", "unshare", "iptables-restore", "umount"],
      // Started by its path, in tools/documents/spelling.ts.
      ignoreDependencies: ["cspell"],
      entry: ["tools/*.mjs", "tools/*.ts", "sim/**/*.test.ts", "e2e/**/*.spec.ts"],
      stryker: { config: "tools/mutants/stryker.json" },
      vitest: { config: ["vitest.config.ts", "tools/mutants/vitest.config.ts"] },
      project: ["tools/**", "bench/**/*.ts", "sim/**/*.ts", "e2e/**/*.ts"],
      // Types of the scripts beside them; no file imports them by name.
      ignoreFiles: ["tools/lib/*.d.mts"],
    },
    // Without this, every export of wire would count as used.
    wire: { entry: [], includeEntryExports: true, project: ["src/**/*.ts"] },
    server: {
      project: ["{src,test}/**/*.ts"],
      // Data files that are opened by path.
      ignoreDependencies: ["@ip-location-db/geo-whois-asn-country-mmdb"],
      // Generated: a type for every table, used or not.
      ignoreIssues: { "src/db/schema.ts": ["types"] },
    },
    web: {
      entry: ["src/early.ts", "src/prerender.tsx", "worker/service-worker.ts", "src/**/*.browser.test.tsx"],
      project: ["src/**/*.{ts,tsx}", "vite/**/*.ts", "worker/**/*.ts"],
    },
  },
};

export default config;
