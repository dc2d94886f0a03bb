import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// `npm run dev`: the server restarts and the browser reloads on every change. Vite serves the pages, and forwards
// requests and the WebSocket to the server. When one of the two ends, the other is stopped.
const root = fileURLToPath(new URL("..", import.meta.url));
const server = run(packageFile(root, "tsx", "dist/cli.mjs"), ["watch", "--clear-screen=false", "server/src/main.ts"]);
const pages = run(packageFile(join(root, "web/"), "vite", "bin/vite.js"), ["web"]);
const children = [server, pages];

function run(program: string, programArguments: string[]): ChildProcess {
  return spawn(process.execPath, [program, ...programArguments], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** A file of a package as the workspace in this folder resolves it: npm may have installed it there or at the root. */
function packageFile(workspace: string, name: string, file: string): string {
  return join(dirname(createRequire(workspace).resolve(`${name}/package.json`)), file);
}

function stop(): void {
  for (const child of children) child.kill("SIGTERM");
}

// Ctrl-C reaches the children directly, and tsx ends at once on a second signal.
let interrupted = false;
process.on("SIGINT", () => (interrupted = true));
process.on("SIGTERM", stop);
const ends = children.map((child) => once(child, "exit"));
await Promise.race(ends);
if (!interrupted) stop();
await Promise.all(ends);
