import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const bytesMin = 1_024;

/** Writes `.br` and `.gz` beside every built text file, so that the server does not compress responses. */
export function precompressed(): Plugin {
  let folder = "";
  return {
    name: "fava:precompressed",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir.startsWith("/") ? config.build.outDir : join(config.root, config.build.outDir);
    },
    async closeBundle(error) {
      if (error) return;
      const names = await readdir(folder, { recursive: true });
      // The server fills in and compresses pages itself.
      await Promise.all(names.filter((name) => /\.(?:js|css|svg|json)$/.test(name)).map(compress));
    },
  };

  async function compress(name: string): Promise<void> {
    const path = join(folder, name);
    const bytes = await readFile(path);
    if (bytes.length < bytesMin) return;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
    await Promise.all([
      promisify(brotliCompress)(bytes, { params }).then((packed) => writeFile(`${path}.br`, packed)),
      promisify(gzip)(bytes, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
    ]);
  }
}
