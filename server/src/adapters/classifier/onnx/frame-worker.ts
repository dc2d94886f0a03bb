// A separate process that judges pictures: the native engine blocks its thread, and can only be stopped by killing the
// process.
import { systemClock } from "#adapters/local/clock.ts";
import { decodeOnOneThread, measure, type Pixels, planesOf, readPixels } from "#lib/picture-pixels.ts";
import { type FrameModel, FrameUnreadableError, type FrameVerdict } from "#ports/frame-classifier.ts";
import { type Engine, loadEngine, type Network } from "./engine.ts";
import { type FrameOrder, type FrameReport, type FrameWorkerSetup, meanExplicit, nextModel } from "./frame-messages.ts";
import { modelFiles, readModel } from "./frame-models.ts";
import { PictureCodes } from "./picture-codes.ts";

class FrameJudge {
  readonly #setup: FrameWorkerSetup;
  readonly #engine: Engine;
  readonly #report: (report: FrameReport) => void;
  readonly #networks = new Map<FrameModel, Network>();
  readonly #codes = new PictureCodes();

  constructor(setup: FrameWorkerSetup, engine: Engine, report: (report: FrameReport) => void) {
    this.#setup = setup;
    this.#engine = engine;
    this.#report = report;
  }

  /** Opens the two small models; the large one opens on first use. */
  async prepare(): Promise<void> {
    await this.#network("mobilenet");
    await this.#network("mid");
    this.#report({ kind: "ready", engine: this.#engine.name });
  }

  async judge(order: FrameOrder): Promise<void> {
    const beganAtMs = systemClock.processorMs();
    try {
      const pixels = await readPixels(order.picture);
      const { scores, wantsInception } = await this.#ask(pixels, order.ask);
      const code = order.codes ? await this.#codes.read(pixels) : null;
      const explicit = meanExplicit(scores);
      const measured = measure(pixels);
      const verdict = { explicit, scores, ...measured, code, processorMs: systemClock.processorMs() - beganAtMs };
      this.#report({ kind: "judged", verdict, wantsInception });
    } catch (error) {
      if (!(error instanceof FrameUnreadableError)) throw error;
      this.#report({ kind: "unreadable", reason: error.message });
    }
  }

  async #ask(
    pixels: Pixels,
    ask: FrameOrder["ask"],
  ): Promise<{ scores: FrameVerdict["scores"]; wantsInception: boolean }> {
    if (ask === "inception")
      return { scores: { inception: await this.#scores("inception", pixels) }, wantsInception: false };
    let scores: FrameVerdict["scores"] = {};
    for (;;) {
      const model = nextModel(scores, ask, this.#setup.thresholds);
      if (model === null) return { scores, wantsInception: false };
      if (model === "inception" && !this.#setup.holdsInception) return { scores, wantsInception: true };
      scores = { ...scores, [model]: await this.#scores(model, pixels) };
    }
  }

  async #scores(model: FrameModel, pixels: Pixels) {
    const network = await this.#network(model);
    return network.judge(planesOf(pixels, modelFiles[model].edgePx));
  }

  async #network(model: FrameModel): Promise<Network> {
    const open = this.#networks.get(model);
    if (open) return open;
    this.#report({ kind: "opening" });
    const network = await this.#engine.open(await readModel(model), modelFiles[model].edgePx);
    this.#networks.set(model, network);
    return network;
  }
}

decodeOnOneThread();

const setup = JSON.parse(process.argv[3] ?? "") as FrameWorkerSetup;
// If the server is gone, sending fails silently and this process ends as well.
const report = (said: FrameReport) => void process.send?.(said, undefined, undefined, () => undefined);
const judge = new FrameJudge(setup, await loadEngine(setup.engines), report);
await judge.prepare();
// An unexpected failure ends the process; the server starts another one.
process.on("message", (order: FrameOrder) => {
  report({ kind: "begun" });
  void judge.judge(order);
});
