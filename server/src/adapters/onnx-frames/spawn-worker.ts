import { Worker } from "node:worker_threads";

/** Starts a TypeScript file of this folder in a thread of its own, without the start options of the server. */
export function spawnWorker(file: `./${string}.ts`, setup: object): Worker {
  const workerData = { file: new URL(file, import.meta.url).href, setup };
  return new Worker(new URL("./worker-start.mjs", import.meta.url), { workerData, execArgv: [] });
}
