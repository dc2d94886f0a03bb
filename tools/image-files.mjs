// `node tools/image-files.mjs FOLDER`: builds, and copies what a server needs at run time. Packages go into
// `FOLDER/node_modules` and everything else into `FOLDER/fava`, since each is a layer of the image.
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { prepare, root, serverProgram } from "./lib/bootstrap.mjs";
import { softwareBill } from "./lib/software-bill.mjs";

/** What the compiled server loads or reads from packages at run time. */
const loaded = ["sharp", "onnxruntime-node", "@ip-location-db/geo-whois-asn-country-mmdb", "zxing-wasm"];
const copied = ["package.json", "server/package.json", "server/src", "web/dist", "web/locales", "content/text-rules"];
/** The models are a layer of their own. */
const notCopied = /\.map$|\.ts$|\/classifier\/onnx\/models$/;

/** npm installs optional packages for this platform only, so some are absent. */
function withDependencies(name, found = new Set()) {
  const manifest = join(root, "node_modules", name, "package.json");
  if (found.has(name) || !existsSync(manifest)) return found;
  found.add(name);
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, "utf8"));
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) withDependencies(each, found);
  return found;
}

function isNeeded(path) {
  // This package has the libraries of every platform.
  const [, platform, processor] = /onnxruntime-node\/bin\/napi-v\d+\/(\w+)(?:\/(\w+))?/.exec(path) ?? [];
  const isForeign =
    (platform !== undefined && platform !== process.platform) ||
    (processor !== undefined && processor !== process.arch);
  return !isForeign && !notCopied.test(path);
}

if (!prepare()) process.exit(1);
const folder = resolve(process.argv[2]);
const copy = (from, to) => {
  const options = { recursive: true, preserveTimestamps: true, filter: isNeeded };
  cpSync(join(root, from), join(folder, to), options);
};
const compiled = relative(root, dirname(serverProgram()));
for (const path of [...copied, compiled]) copy(path, join("fava", path));
symlinkSync(relative("server", compiled), join(folder, "fava/server/current"));
for (const name of loaded.flatMap((each) => [...withDependencies(each)])) {
  const path = join("node_modules", name);
  copy(path, path);
}
writeFileSync(join(folder, "fava/sbom.spdx.json"), JSON.stringify(softwareBill()));
