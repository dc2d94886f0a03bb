import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** A chunk of the build's manifest. */
interface Chunk {
  file: string;
}

/** Texts of rarely tested languages stay separate files, except for their first parts. */
const foreignTexts = /^(?:locales\/(?!(?:en|ar)\.).*\?(?!first$)|\.\.\/content\/(?!(?:en|ar)\/))/;

/** Joined builds, each in a folder named by its files; all test processes of a checkout share them. */
const cache = fileURLToPath(new URL("../../.cache/joined", import.meta.url));
const keptBuilds = 3;
const unfinished = "unfinished-";
const unfinishedMs = 3_600_000;

/**
 * The folder of the built pages with all scripts in one file and all style sheets in another: the same code, with each
 * part run on demand, but without the hundred requests at the start of a page. Only the first call for a build writes it.
 */
export async function joinPages(directory: string): Promise<string> {
  const folder = join(cache, stampOf(directory));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(join(cache, unfinished));
  await writeJoined(directory, made);
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another test process has joined the same build meanwhile, and its folder stays.
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true });
  }
  removeOld();
  return folder;
}

/** Changes with every file of the build, and with this source. */
function stampOf(directory: string): string {
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted()) {
    const { size, mtimeMs } = statSync(join(directory, name));
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** Keeps the newest builds, and for an hour what another process may still write. */
function removeOld(): void {
  const newestFirst = readdirSync(cache)
    .map((name) => ({ name, path: join(cache, name), ageMs: Date.now() - statSync(join(cache, name)).mtimeMs }))
    .toSorted((one, other) => one.ageMs - other.ageMs);
  const old = newestFirst.filter(({ name }) => !name.startsWith(unfinished)).slice(keptBuilds);
  const left = newestFirst.filter(({ name, ageMs }) => name.startsWith(unfinished) && ageMs > unfinishedMs);
  for (const { path } of [...old, ...left]) rmSync(path, { recursive: true, force: true });
}

async function writeJoined(directory: string, folder: string): Promise<void> {
  cpSync(directory, folder, { recursive: true, filter: (path) => !/\.(?:br|gz)$/.test(path) });
  const index = readFileSync(join(directory, "index.html"), "utf8");
  writeFileSync(join(folder, "assets/joined.js"), await joinedScript(directory));
  writeFileSync(join(folder, "assets/joined.css"), joinedStyles(directory, index));
  writeFileSync(join(folder, "index.html"), withJoined(index));
  for (const language of readdirSync(join(folder, "pages"))) {
    for (const name of readdirSync(join(folder, "pages", language))) {
      const page = join(folder, "pages", language, name);
      writeFileSync(page, withJoined(readFileSync(page, "utf8")));
    }
  }
}

async function joinedScript(directory: string): Promise<string> {
  const manifest = JSON.parse(readFileSync(join(directory, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
  const foreign = new Set(
    Object.entries(manifest).flatMap(([name, { file }]) => (foreignTexts.test(name) ? `./${basename(file)}` : [])),
  );
  const entry = manifest["index.html"]?.file;
  if (!entry) throw new Error(`${directory} is not built`);
  const { outputFiles } = await build({
    entryPoints: [join(directory, entry)],
    bundle: true,
    format: "esm",
    charset: "utf8",
    write: false,
    logLevel: "error",
    plugins: [
      {
        name: "joined-pages",
        setup: (joining) => {
          joining.onResolve({ filter: /^\.\// }, ({ path }) => (foreign.has(path) ? { path, external: true } : null));
          joining.onLoad({ filter: /\.js$/ }, ({ path }) => ({ contents: withoutFiles(readFileSync(path, "utf8")) }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? "";
}

/** Vite's helper has nothing to preload, because every part is loaded already. */
function withoutFiles(code: string): string {
  return code.replace(
    /(__vite__mapDeps=\(i,m=__vite__mapDeps,d=\()m\.f\|\|\(m\.f=\[[^\]]*\]\)(\)\)=>)i\.map\(i=>d\[i\]\)/,
    "$1[]$2[]",
  );
}

/** The style sheets of the first load first. Their order has no meaning, because each has the layer of its folder. */
function joinedStyles(directory: string, index: string): string {
  const atOnce = Array.from(
    index.matchAll(/<link rel="stylesheet"[^>]* href="\/assets\/([^"]+)"/g),
    ([, name = ""]) => name,
  );
  const all = readdirSync(join(directory, "assets")).filter((name) => name.endsWith(".css"));
  const names = new Set([...atOnce, ...all]);
  return [...names].map((name) => readFileSync(join(directory, "assets", name), "utf8")).join("\n");
}

function withJoined(html: string): string {
  const bare = html
    .replaceAll(/<style data-file="[^"]*">[^<]*<\/style>/g, "")
    .replaceAll(/<link rel="(?:later-part|later-script|press-part|modulepreload|stylesheet)"[^>]*>/g, "")
    .replace(/<script type="module"[^>]*><\/script>/, "");
  const joined =
    '<link rel="stylesheet" href="/assets/joined.css"><script type="module" src="/assets/joined.js"></script>';
  return bare.replace("</head>", `${joined}</head>`);
}
