import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const built = process.env["WEB_DIR"] ?? fileURLToPath(new URL("../../web/dist", import.meta.url));

/** A copy of the built web app, which a test may change without anybody else noticing. */
export async function copyBuild(): Promise<AsyncDisposable & { directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), "fava-build-"));
  await cp(built, directory, { recursive: true });
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}

/** What a release does to the worker's file: it comes with another version of the web app. */
export async function releaseAnother(directory: string): Promise<void> {
  const html = await readFile(join(directory, "index.html"), "utf8");
  const version = /name="app-version" content="([^"]+)"/.exec(html)?.[1];
  if (version === undefined) throw new Error("index.html names no version");
  const file = join(directory, "sw.js");
  const code = await readFile(file, "utf8");
  if (!code.includes(version)) throw new Error("the worker names no version");
  await writeFile(file, code.replaceAll(version, `${version}-next`));
  await Promise.all([rm(`${file}.br`, { force: true }), rm(`${file}.gz`, { force: true })]);
}
