import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { workerPath } from "../../wire/src/installed-app.ts";
import { build, type Plugin, type Rolldown } from "vite";

/**
 * Builds `worker/service-worker.ts` into the one file `/sw.js`, and writes the version of the web app into it and into
 * `index.html`: a page that was open for long compares the two to find a newer version.
 */
export function serviceWorker(): Plugin {
  let root = "";
  let version = "";
  return {
    name: "fava:service-worker",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        version = versionOf(Object.keys(bundle));
        return [{ tag: "meta", attrs: { name: "app-version", content: version }, injectTo: "head" }];
      },
    },
    // The version is in the page by now, and precompressed.ts runs later.
    async writeBundle({ dir = "" }) {
      await writeFile(join(dir, workerPath), await workerCode(root, version));
    },
  };
}

/** The names of built files change with their content. */
function versionOf(names: readonly string[]): string {
  const built = names.filter((name) => /^assets\/.*\.(?:js|css)$/.test(name)).toSorted();
  return createHash("sha256").update(built.join("\n")).digest("base64url").slice(0, 12);
}

async function workerCode(root: string, version: string): Promise<string> {
  const built = (await build({
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    define: { appVersion: JSON.stringify(version) },
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input: join(root, "worker/service-worker.ts"), output: { format: "iife" } },
    },
  })) as Rolldown.RolldownOutput;
  return built.output[0].code;
}
