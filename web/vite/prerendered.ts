import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build, type InlineConfig, type Plugin, type Rolldown } from "vite";
import { compiledMessages } from "./compiled-messages.ts";
import { layerOrder } from "./layer-order.ts";
import { pageContent } from "./page-content.ts";
import { earlyScriptTag, inlined, type PageFiles, pageHtml, type PrerenderedPage } from "./page-html.ts";

interface Chunk {
  file: string;
  name?: string;
  css?: readonly string[];
  imports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

/** `src/prerender.tsx`, which is built for Node.js and then run. */
interface Prerender {
  paths: readonly string[];
  pageLanguages: readonly string[];
  prerenderPage: (path: string, language: string) => Promise<PrerenderedPage>;
}

interface Place {
  root: string;
  /** The folder of the built web app. */
  folder: string;
}

const routes = "src/app/OtherRoutes.tsx";
/** The chunk that the buttons of the home screen need, by its name in `vite.config.ts`. */
const pressChunk = "dialogs";
const part = (name: string) => `src/features/pages/${name}.tsx`;
/** The components of a page, and its long text, which exists only in some languages. */
const sources: Readonly<Record<string, { parts: readonly string[]; text?: string }>> = {
  "/": { parts: [] },
  "/safety": { parts: [routes, part("SafetyPage")], text: "safety" },
  "/notice": { parts: [routes, part("NoticePage")] },
  "/aboutUs": { parts: [routes, part("AboutPage")], text: "about" },
  "/communityRules": { parts: [routes, part("LegalPage")], text: "rules" },
  "/transparency": { parts: [routes, part("TransparencyPage")] },
  "/userAgreement": { parts: [routes, part("LegalPage")], text: "terms" },
  "/privacyPolicy": { parts: [routes, part("LegalPage")], text: "privacy" },
  "/accessibility": { parts: [routes, part("LegalPage")], text: "accessibility" },
};

/**
 * Writes the public pages as HTML, once per language, into `pages/<language>/<name>.html` of the built web app, and the
 * script that runs before their first paint (docs/decisions/015-prerendered-pages.md).
 */
export function prerendered(): Plugin {
  let place: Place = { root: "", folder: "" };
  return {
    name: "fava:prerendered",
    apply: "build",
    configResolved({ root, build: { outDir } }) {
      place = { root, folder: resolve(root, outDir) };
    },
    // Not in `closeBundle`, which also runs after a failure.
    async writeBundle() {
      const indexFile = join(place.folder, "index.html");
      const early = earlyScriptTag(await writeEarlyScript(place));
      const template = (await readFile(indexFile, "utf8")).replace("<!--page-->", () => `${early}\n    <!--page-->`);
      await writePages(place, template);
      await writeFile(indexFile, template.replace("<!--page-->", ""));
    },
  };
}

async function writePages({ root, folder }: Place, template: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(folder, ".vite/manifest.json"), "utf8")) as Manifest;
  await withPrerender(root, async ({ paths, pageLanguages, prerenderPage }) => {
    for (const language of pageLanguages) {
      await mkdir(join(folder, "pages", language), { recursive: true });
      for (const path of paths) {
        const files = filesOf(manifest, path, language);
        if (!files) continue;
        const page = await prerenderPage(path, language);
        refuseForbidden(page.html + page.sheet, `${path} in ${language}`);
        const name = path === "/" ? "index" : path.slice(1);
        const html = inlined(pageHtml(template, { language, page, files }), (file) => builtText(folder, file));
        await writeFile(join(folder, "pages", language, `${name}.html`), html);
      }
    }
  });
}

function builtText(folder: string, file: string): string {
  return readFileSync(join(folder, file), "utf8").trim();
}

/** The page's own files; null if it has no text in the language. */
function filesOf(manifest: Manifest, path: string, language: string): PageFiles | null {
  const page = sources[path];
  if (!page) throw new Error(`web/vite/prerendered.ts has no component for ${path}`);
  const text = page.text === undefined ? [] : [`../content/${language}/${page.text}.md`];
  const isHome = page.parts.length === 0;
  const texts = [`locales/${language}.json?first`, ...(isHome ? [] : [`locales/${language}.json?later`])];
  if ([...text, ...texts].some((name) => !manifest[name])) return null;
  const files = { scripts: new Set<string>(), styles: new Set<string>() };
  const known = chunksOf(manifest, "index.html");
  const press = Object.keys(manifest).filter((key) => isHome && manifest[key]?.name === pressChunk);
  if (isHome && press.length !== 1) throw new Error(`there is no chunk ${pressChunk}: has the build changed?`);
  for (const name of [...texts, ...page.parts, ...text]) {
    for (const chunk of chunksOf(manifest, name)) {
      if (known.has(chunk)) continue;
      files.scripts.add(chunk.file);
      for (const style of chunk.css ?? []) files.styles.add(style);
    }
  }
  return {
    scripts: [...files.scripts],
    styles: [...files.styles],
    press: press.flatMap((key) =>
      [...chunksOf(manifest, key)].filter((chunk) => !known.has(chunk)).flatMap(({ file, css = [] }) => [file, ...css]),
    ),
  };
}

/** A chunk with all its static imports. */
function chunksOf(manifest: Manifest, name: string, found = new Set<Chunk>()): Set<Chunk> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the manifest: has the build changed?`);
  if (found.has(chunk)) return found;
  found.add(chunk);
  for (const imported of chunk.imports ?? []) chunksOf(manifest, imported, found);
  return found;
}

/** The page policy allows inline scripts and styles only if they come from the build. */
function refuseForbidden(html: string, name: string): void {
  const forbidden = /<script|<template|\sstyle="|\son\w+="/.exec(html);
  if (!forbidden) return;
  const { index } = forbidden;
  throw new Error(`${name} contains ${forbidden[0]} in its HTML: ${html.slice(Math.max(0, index - 100), index + 100)}`);
}

/** Builds the renderer of the pages; deletes it after its use. */
async function withPrerender(root: string, use: (prerender: Prerender) => Promise<void>): Promise<void> {
  // Inside the package, so that imports outside of the bundle resolve from there.
  const cache = join(root, "node_modules/.vite");
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, "prerender-"));
  try {
    await build({
      ...ignoreErrors(root),
      plugins: [react(), compiledMessages(), pageContent(), layerOrder()],
      build: {
        ssr: "src/prerender.tsx",
        outDir,
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" } },
      },
    });
    await use((await import(pathToFileURL(join(outDir, "prerender.mjs")).href)) as Prerender);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** Builds `early.ts` into one classic script and returns its file name inside the built web app. */
async function writeEarlyScript({ root, folder }: Place): Promise<string> {
  const built = (await build({
    ...ignoreErrors(root),
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input: join(root, "src/early.ts"), output: { format: "iife" } },
    },
  })) as Rolldown.RolldownOutput;
  const [{ code }] = built.output;
  const file = `assets/early-${createHash("sha256").update(code).digest("base64url").slice(0, 8)}.js`;
  await writeFile(join(folder, file), code);
  return file;
}

function ignoreErrors(root: string): InlineConfig {
  return { root, configFile: false, logLevel: "warn" };
}
