// A separate process that judges pictures: the native engine blocks its thread, and can only be stopped by killing the
// process.
import { systemClock } from "#adapters/local/clock.ts";
import type { Pixels } from "@fava/wire/picture-hash.ts";
import { decodeOnOneThread, measure, planesOf, readPixels } from "#lib/picture-pixels.ts";
import { type FrameModel, type FrameScores, FrameUnreadableError, type FrameVerdict } from "#ports/frame-classifier.ts";
import { type Engine, loadEngine, type Network } from "./engine.ts";
import {
  type FrameOrder,
  type FrameReport,
  type FrameWorkerSetup,
  meanExplicit,
  nextModel,
  openNsfwCleanScore,
} from "./frame-messages.ts";
import { modelFiles, type ModelName, readModel } from "./frame-models.ts";
import { FaceReader } from "./face-reader.ts";
import { PictureCodes } from "./picture-codes.ts";

interface Answers extends Pick<FrameVerdict, "scores" | "openNsfw"> {
  readonly wantsInception: boolean;
}

class FrameJudge {
  readonly #setup: FrameWorkerSetup;
  readonly #engine: Engine;
  readonly #report: (report: FrameReport) => void;
  readonly #networks = new Map<ModelName, Network>();
  readonly #codes = new PictureCodes();
  #hasOpenNsfw = false;
  #faces: FaceReader | null = null;

  constructor(setup: FrameWorkerSetup, engine: Engine, report: (report: FrameReport) => void) {
    this.#setup = setup;
    this.#engine = engine;
    this.#report = report;
  }

  /** Opens the small models; the largest one opens on first use. Only nsfwjs is indispensable. */
  async prepare(): Promise<void> {
    await this.#network("mobilenet");
    await this.#network("mid");
    if (this.#setup.holdsOpenNsfw) await this.#prepareOpenNsfw();
    if (this.#setup.holdsFaces) await this.#prepareFaces();
    this.#report({ kind: "ready", engine: this.#engine.name });
  }

  async judge(order: FrameOrder): Promise<void> {
    const beganAtMs = systemClock.processorMs();
    try {
      const pixels = await readPixels(order.picture);
      const { wantsInception, ...answers } = await this.#ask(pixels, order);
      const code = order.codes ? await this.#codes.read(pixels) : null;
      const faces = order.faces && this.#faces ? { faces: await this.#faces.read(pixels) } : {};
      const explicit = meanExplicit(answers.scores);
      const seen = { ...answers, ...faces, ...measure(pixels) };
      const verdict = { explicit, ...seen, code, processorMs: systemClock.processorMs() - beganAtMs };
      this.#report({ kind: "judged", verdict, wantsInception });
    } catch (error) {
      if (!(error instanceof FrameUnreadableError)) throw error;
      this.#report({ kind: "unreadable", reason: error.message });
    }
  }

  async #ask(pixels: Pixels, { ask, openNsfw: wanted }: FrameOrder): Promise<Answers> {
    if (ask === "inception")
      return { scores: { inception: await this.#scores("inception", pixels) }, wantsInception: false };
    let scores: FrameVerdict["scores"] = {};
    let second = wanted === "none" ? {} : await this.#openNsfw(pixels);
    if (wanted === "first" && second.openNsfw !== undefined && second.openNsfw < openNsfwCleanScore)
      return { scores, ...second, wantsInception: false };
    for (;;) {
      const model = nextModel(scores, ask, this.#setup.thresholds);
      if (model === null) return { scores, ...second, wantsInception: false };
      if (model === "inception") {
        if (second.openNsfw === undefined) second = await this.#openNsfw(pixels);
        if (!this.#setup.holdsInception) return { scores, ...second, wantsInception: true };
      }
      scores = { ...scores, [model]: await this.#scores(model, pixels) };
    }
  }

  async #prepareFaces(): Promise<void> {
    try {
      this.#faces = new FaceReader(await this.#network("blazeface"), await this.#network("dlib-age"));
    } catch (error) {
      this.#report({ kind: "withoutFaces", reason: error instanceof Error ? error.message : String(error) });
    }
  }

  async #prepareOpenNsfw(): Promise<void> {
    try {
      await this.#network("open-nsfw");
      this.#hasOpenNsfw = true;
    } catch (error) {
      this.#report({ kind: "withoutOpenNsfw", reason: error instanceof Error ? error.message : String(error) });
    }
  }

  async #openNsfw(pixels: Pixels): Promise<Pick<FrameVerdict, "openNsfw">> {
    if (!this.#hasOpenNsfw) return {};
    const [, explicit] = await this.#judge("open-nsfw", pixels);
    if (explicit === undefined) throw new Error("open_nsfw answered fewer than two scores");
    return { openNsfw: explicit };
  }

  /** The scores are in the order of the models' training. */
  async #scores(model: FrameModel, pixels: Pixels): Promise<FrameScores> {
    const [drawing = 0, hentai = 0, neutral = 0, porn = 0, sexy] = await this.#judge(model, pixels);
    if (sexy === undefined) throw new Error("a model answered fewer than five scores");
    return { drawing, hentai, neutral, porn, sexy };
  }

  async #judge(model: ModelName, pixels: Pixels): Promise<Float32Array> {
    const network = await this.#network(model);
    return network.judge(planesOf(pixels, modelFiles[model].edgePx));
  }

  async #network(model: ModelName): Promise<Network> {
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
