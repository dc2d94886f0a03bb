// `npm start`: installs and builds what is missing, then runs the server until it is told to stop.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { prepare, root } from "./lib/bootstrap.mjs";

const parentCheckMs = 500;

if (!prepare()) process.exit(1);

// A group of its own: Ctrl-C reaches every process of the terminal, and npm passes it on once more. The server is to
// hear it once, from here.
const server = spawn(
  process.execPath,
  ["--import", "tsx", "--import", "./tools/follow-parent.mjs", "server/src/main.ts", ...process.argv.slice(2)],
  { cwd: root, stdio: ["ignore", "inherit", "inherit", "ipc"], detached: process.platform !== "win32" },
);
server.once("error", (error) => {
  console.error(`The server could not be started: ${error.message}`);
  process.exit(1);
});
server.once("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  // Windows has no signals to pass on: losing its parent is what stops the server there.
  if (process.platform === "win32") server.disconnect();
  else server.kill("SIGTERM");
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);

// npm killed by -9 passes nothing on, and whoever killed it believes that everything has ended.
const ancestry = npmAncestry();
if (process.env.npm_lifecycle_event) {
  setInterval(() => {
    if (npmAncestry() !== ancestry) stop();
  }, parentCheckMs).unref();
}

/** Changes when npm is gone: it is the parent, or the parent of the shell between. */
function npmAncestry() {
  const parentFile = `/proc/${process.ppid}/stat`;
  const [, name = "", grandparent] =
    (existsSync(parentFile) && /\((.*)\) \S (\d+)/.exec(readFileSync(parentFile, "utf8"))) || [];
  return name.endsWith("sh") ? `${process.ppid} ${grandparent}` : `${process.ppid}`;
}
