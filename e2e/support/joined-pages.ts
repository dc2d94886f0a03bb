import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build } from "esbuild";

/** A part of the build, by the manifest. */
interface Chunk {
  file: string;
}

/** Texts of the languages in which hardly anything is asked are fetched as they are built, but for their first ones. */
const foreignTexts = /^(?:locales\/(?!(?:en|ar)\.).*\?(?!first$)|\.\.\/content\/(?!(?:en|ar)\/))/;

/**
 * Puts the built pages into a folder of their own with all scripts in one and all style sheets in one: the same code,
 * part for part begun when it is asked for, without the hundred requests of a page's start.
 */
export async function joinPages(directory: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "fava-joined-"));
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
  return folder;
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

/** What a part needs is there already: Vite's helper is told of no files to fetch beforehand. */
function withoutFiles(code: string): string {
  return code.replace(
    /(__vite__mapDeps=\(i,m=__vite__mapDeps,d=\()m\.f\|\|\(m\.f=\[[^\]]*\]\)(\)\)=>)i\.map\(i=>d\[i\]\)/,
    "$1[]$2[]",
  );
}

/** Those that come at once first. Which one comes before which says nothing: each has a layer of its folder. */
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
    .replaceAll(/<link rel="(?:later-part|later-script|modulepreload|stylesheet)"[^>]*>/g, "")
    .replace(/<script type="module"[^>]*><\/script>/, "");
  const joined =
    '<link rel="stylesheet" href="/assets/joined.css"><script type="module" src="/assets/joined.js"></script>';
  return bare.replace("</head>", `${joined}</head>`);
}
