import { type ChildProcess, fork } from "node:child_process";
import { tmpdir } from "node:os";

/**
 * Starts a TypeScript file of this folder in a process of its own, which may be killed at any time: native code that
 * fails or hangs there takes nothing of the server with it. It ends when the server is gone.
 */
export function forkFile(file: `./${string}.ts`, setup: object): ChildProcess {
  // Nothing of what the server keeps secret.
  const env = { TMPDIR: tmpdir(), TEMP: tmpdir() };
  return fork(
    new URL("./child-start.mjs", import.meta.url),
    [new URL(file, import.meta.url).href, JSON.stringify(setup)],
    // Without the start options of the server; what a child says on its own account stands in the server's output.
    { execArgv: [], env, serialization: "advanced", stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
}

/** Ends a child, whatever it is doing. Resolves when it is gone. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
