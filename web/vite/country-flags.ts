import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const folder = join(dirname(createRequire(import.meta.url).resolve("country-flag-icons/package.json")), "3x2");
const flagPath = /^\/flags\/([A-Z]{2})\.svg$/;

/** Serves the flags of the package as `/flags/XX.svg`: copied in the build, read from the package in development. */
export function countryFlags(): Plugin {
  return {
    name: "fava:country-flags",
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const code = flagPath.exec(request.url ?? "")?.[1];
        if (code === undefined || !flagFiles().includes(`${code}.svg`)) return next();
        response.setHeader("content-type", "image/svg+xml");
        response.end(readFileSync(join(folder, `${code}.svg`)));
      });
    },
    generateBundle() {
      for (const file of flagFiles())
        this.emitFile({ type: "asset", fileName: `flags/${file}`, source: readFileSync(join(folder, file)) });
    },
  };
}

function flagFiles(): readonly string[] {
  return readdirSync(folder).filter((file) => /^[A-Z]{2}\.svg$/.test(file));
}
