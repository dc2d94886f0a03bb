import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { partOf } from "../web/vite/compiled-messages.ts";

/** Initial JavaScript of `/`: what a first visitor downloads before the home screen works. */
const initialJavaScriptBytesMax = 112 * 1024;
/** The home screen and the texts of one language are loaded beside the entry. */
const loadedAtOnce = ["index.html", "locales/en.json?first"];

interface Chunk {
  file: string;
  imports?: readonly string[];
}

const folder = join(import.meta.dirname, "../web/dist");
const manifest = JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
const files = new Map<string, number>();
for (const name of loadedAtOnce) collect(name);
const total = [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;

for (const [file, bytes] of [...files].toSorted(([, a], [, b]) => b - a).slice(0, 8))
  console.log(`  ${kilobytes(bytes).padStart(8)}  ${file}`);
console.log(`initial JavaScript of /: ${kilobytes(total)} gzip, limit ${kilobytes(initialJavaScriptBytesMax)}`);
if (total > initialJavaScriptBytesMax) process.exitCode = 1;

const texts = JSON.parse(readFileSync(join(import.meta.dirname, "../web/locales/en.json"), "utf8")) as object;
const code = [...files.keys()].map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
const early = Object.keys(texts).filter(
  (key) => partOf(key) !== "first" && new RegExp(`["'\`]${key}["'\`]`).test(code),
);
if (early.length > 0) {
  console.log(`the home screen needs texts that are loaded later (web/vite/compiled-messages.ts): ${early.join(", ")}`);
  process.exitCode = 1;
}

function collect(name: string): void {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the manifest: has the build changed?`);
  if (files.has(chunk.file)) return;
  files.set(chunk.file, gzipSync(readFileSync(join(folder, chunk.file)), { level: 9 }).length);
  for (const imported of chunk.imports ?? []) collect(imported);
}
