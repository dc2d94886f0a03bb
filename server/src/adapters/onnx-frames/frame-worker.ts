// A thread of its own that judges pictures: `run()` of the native engine blocks the thread that calls it.
import { parentPort, workerData } from "node:worker_threads";
import sharp from "sharp";
import { loadEngine } from "./engine.ts";
import { FrameJudge } from "./frame-judge.ts";
import type { FrameOrder, FrameThreadSetup } from "./frame-messages.ts";

if (!parentPort) throw new Error("this file runs as a worker thread");
const port = parentPort;
sharp.concurrency(1);
sharp.cache(false);

const { setup } = workerData as { setup: FrameThreadSetup };
const judge = new FrameJudge(setup, await loadEngine(setup.engines), (report) => port.postMessage(report));
await judge.prepare();
// What goes wrong with a picture for no reason of its own ends the thread, and another one is started.
port.on("message", (order: FrameOrder) => void judge.judge(order));
