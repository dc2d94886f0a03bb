// A process of its own that judges pictures: the native engine blocks the thread that calls it, and may not be ended in
// the middle of a picture without ending the process that it runs in.
import { decodeSingly } from "#lib/picture-pixels.ts";
import { loadEngine } from "./engine.ts";
import { FrameJudge } from "./frame-judge.ts";
import type { FrameOrder, FrameReport, FrameWorkerSetup } from "./frame-messages.ts";

decodeSingly();

const setup = JSON.parse(process.argv[3] ?? "") as FrameWorkerSetup;
// A server that is gone hears nothing any more, and this process ends with it.
const report = (said: FrameReport) => void process.send?.(said, undefined, undefined, () => undefined);
const judge = new FrameJudge(setup, await loadEngine(setup.engines), report);
await judge.prepare();
// What goes wrong with a picture for no reason of its own ends the process, and another one is started.
process.on("message", (order: FrameOrder) => {
  report({ kind: "begun" });
  void judge.judge(order);
});
