// Starts a TypeScript file as a worker thread: Node.js 20 loads a worker's own file before what `--import` names.
import { workerData } from "node:worker_threads";
import { register } from "tsx/esm/api";

register();
await import(workerData.file);
