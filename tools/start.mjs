// `npm start`: installs and builds what is missing, then runs the server until it is stopped. A server that was ready
// and dies is restarted, with a longer delay each time until it lasts.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { prepare, root, serverProgram, serverWords } from "./lib/bootstrap.mjs";

const parentCheckMs = 500;
const restartDelayMsMin = 500;
const restartDelayMsMax = 30_000;
/** A server that ran this long has started well. */
const lastingMs = 60_000;

if (!prepare()) process.exit(1);

const program = serverProgram();
let server;
let wasReady = false;
let isStopping = false;
let failures = 0;
let restart;
startServer();

function startServer() {
  const startedMs = performance.now();
  // In its own process group: Ctrl-C reaches every process of the terminal, and npm forwards it again. The server must
  // receive it once, from here.
  server = spawn(
    process.execPath,
    [...serverWords, "--import", "./tools/follow-parent.mjs", program, ...process.argv.slice(2)],
    { cwd: root, stdio: ["ignore", "inherit", "inherit", "ipc"], detached: process.platform !== "win32" },
  );
  server.once("message", () => (wasReady = true));
  server.once("error", (error) => {
    console.error(`The server could not be started: ${error.message}`);
    process.exit(1);
  });
  server.once("exit", (code, signal) => {
    const status = code ?? 128 + constants.signals[signal];
    if (isStopping || !wasReady || status === 0) process.exit(status);
    if (performance.now() - startedMs > lastingMs) failures = 0;
    const delayMs = Math.min(restartDelayMsMax, restartDelayMsMin * 2 ** failures);
    failures += 1;
    console.error(`The server ended with ${signal ?? `code ${code}`}. It is started again in ${delayMs / 1_000} s.`);
    restart = setTimeout(startServer, delayMs);
  });
}

function stop() {
  if (isStopping) return;
  isStopping = true;
  // Between two starts there is nothing to stop.
  if (server.exitCode !== null || server.signalCode !== null) {
    clearTimeout(restart);
    process.exit(0);
  }
  // Windows has no signals to forward; the server stops when its parent disconnects.
  if (process.platform === "win32") server.disconnect();
  else server.kill("SIGTERM");
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);

// npm killed with -9 forwards nothing, and its user expects that everything has ended.
const ancestry = npmAncestry();
if (process.env.npm_lifecycle_event) {
  setInterval(() => {
    if (npmAncestry() !== ancestry) stop();
  }, parentCheckMs).unref();
}

/** Changes when npm ends, which is the parent, or the parent of the shell between. */
function npmAncestry() {
  const parentFile = `/proc/${process.ppid}/stat`;
  const [, name = "", grandparent] =
    (existsSync(parentFile) && /\((.*)\) \S (\d+)/.exec(readFileSync(parentFile, "utf8"))) || [];
  return name.endsWith("sh") ? `${process.ppid} ${grandparent}` : `${process.ppid}`;
}
