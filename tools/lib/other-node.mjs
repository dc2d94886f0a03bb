// The other Node.js that Fava supports, for tests that run on both.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./bootstrap.mjs";

const oldest = "20.19.6";
const newest = "24.21.0";

/** Not the version of this process: the oldest supported one on newer ones, otherwise the one of the image. */
export const otherVersion = Number.parseInt(process.versions.node, 10) < Number.parseInt(newest, 10) ? newest : oldest;

/**
 * Path of the other Node.js, which npm installs into a folder below `folder` the first time; null if none exists for
 * this machine.
 */
export function otherNode(folder) {
  return installed(folder, otherVersion);
}

/** The same for the Node.js of the image. */
export function nodeOfImage(folder) {
  return installed(folder, newest);
}

function installed(folder, version) {
  const place = join(folder, `node-${version}`);
  const name = `node-linux-${process.arch}`;
  const program = join(place, "node_modules", name, "bin/node");
  if (!existsSync(program) && process.platform === "linux")
    npm("install", "--no-save", "--no-audit", "--no-fund", `--prefix=${place}`, `${name}@${version}`);
  return existsSync(program) ? program : null;
}
