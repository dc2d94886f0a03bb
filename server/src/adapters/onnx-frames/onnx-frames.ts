import type { Logger } from "pino";
import type { Clock } from "#ports/clock.ts";
import {
  ClassifierBusyError,
  type FrameClassifier,
  type FrameQuestion,
  type FrameVerdict,
} from "#ports/frame-classifier.ts";
import type { Random } from "#ports/random.ts";
import { Backoff } from "./backoff.ts";
import { meanExplicit } from "./cascade.ts";
import type { EngineName } from "./engine.ts";
import type { FrameOrder } from "./frame-messages.ts";
import { FrameQueue, type Judged } from "./frame-queue.ts";
import { FrameSlot, type FrameWorker, type FrameWorkerListener } from "./frame-slot.ts";
import { RecentMedian } from "./recent-median.ts";

export interface OnnxFramesSettings {
  /** Processes that judge; the first one holds the largest model too. */
  readonly workers: number;
  /** Pictures that may wait for each of them, and for how long. */
  readonly waitingMax: number;
  readonly waitMaxMs: number;
  /** For one picture, at least. */
  readonly judgeTimeoutMs: Readonly<Record<EngineName, number>>;
  /** A picture may take so many times the median of the last ones, where that is more. */
  readonly judgeTimeoutMedians: number;
  readonly openTimeoutMs: number;
  /** For the pictures in hand, where the server stops. */
  readonly stopWaitMs: number;
  /** Of pictures that the cheapest model would pass, this share is shown to all three, 0 to 1. */
  readonly auditShare: number;
}

export interface OnnxFramesOptions {
  readonly settings: OnnxFramesSettings;
  /** Name and version of the models. */
  readonly model: string;
  readonly clock: Clock;
  readonly random: Pick<Random, "integer">;
  readonly logger: Pick<Logger, "info" | "warn">;
  /** Brings the models into a form that the engine reads; done already after the first start. */
  readonly convert: (signal: AbortSignal) => Promise<void>;
  readonly spawn: (holdsInception: boolean, listener: FrameWorkerListener) => FrameWorker;
}

const wholeShare = 1_000_000;
const judgementsRemembered = 50;

/** Three models that look for nudity and sexual acts, in processes of their own (rules SAFE-100 to SAFE-110). */
export class OnnxFrames implements FrameClassifier {
  readonly model: string;
  readonly #options: OnnxFramesOptions;
  readonly #queue: FrameQueue;
  readonly #backoff = new Backoff();
  readonly #judgementMs = new RecentMedian(judgementsRemembered);
  #slots: readonly FrameSlot[] = [];
  #engine: EngineName = "onnx-native";
  #retry: Disposable | null = null;
  #preparing: Promise<void>;
  readonly #stop = new AbortController();
  /** The engine that the log was told of. */
  #told: EngineName | null = null;

  constructor(options: OnnxFramesOptions) {
    const { clock, settings, model } = options;
    this.#options = options;
    this.model = model;
    this.#queue = new FrameQueue(clock, { ...settings, waitingMax: settings.waitingMax * settings.workers });
    this.#preparing = this.#prepare();
  }

  /** What it will run with, and once it is ready, what it does run with. */
  get engine(): EngineName {
    return this.#engine;
  }

  isReady(): boolean {
    return this.#slots.some(({ engine }) => engine !== null);
  }

  backlog(): { waiting: number; oldestMs: number } {
    return this.#queue.backlog();
  }

  async classify(picture: Buffer, { depth, codes, priority }: FrameQuestion): Promise<FrameVerdict> {
    if (!this.isReady()) throw new ClassifierBusyError("the models are not there yet");
    const ask = depth === "all" || this.#isAudited() ? "all" : "cascade";
    const { verdict, wantsInception } = await this.#ask(priority, { picture, ask, codes });
    if (!wantsInception) return verdict;
    const { verdict: last } = await this.#ask("followUp", { picture, ask: "inception", codes: false });
    const scores = { ...verdict.scores, ...last.scores };
    return { ...verdict, scores, explicit: meanExplicit(scores) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#retry?.[Symbol.dispose]();
    await this.#preparing;
    this.#queue.clear();
    await Promise.all(this.#slots.map((slot) => slot[Symbol.asyncDispose]()));
  }

  #isAudited(): boolean {
    const { random, settings } = this.#options;
    return random.integer(1, wholeShare) <= settings.auditShare * wholeShare;
  }

  #ask(lane: FrameQuestion["priority"] | "followUp", order: FrameOrder): Promise<Judged> {
    return new Promise((resolve, reject) => {
      this.#queue.add(lane, { order, resolve, reject });
      for (const slot of this.#slots) this.#feed(slot);
    });
  }

  #feed(slot: FrameSlot): void {
    if (!slot.isIdle) return;
    const task = this.#queue.take(slot.holdsInception);
    if (task) slot.judge(task);
  }

  async #prepare(): Promise<void> {
    const { convert, logger, clock } = this.#options;
    try {
      await convert(this.#stop.signal);
      if (!this.#stop.signal.aborted) this.#startWorkers();
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      const delayMs = this.#backoff.nextMs();
      logger.warn({ err: error, delayMs }, "the models that judge pictures could not be prepared");
      this.#retry = clock.after(delayMs, () => {
        this.#preparing = this.#prepare();
      });
    }
  }

  #startWorkers(): void {
    const { clock, logger, settings, spawn } = this.#options;
    this.#slots = Array.from({ length: settings.workers }, (_, index) => {
      const holdsInception = index === 0;
      return new FrameSlot({
        clock,
        logger,
        holdsInception,
        judgeLimitMs: (engine) =>
          Math.max(settings.judgeTimeoutMs[engine], settings.judgeTimeoutMedians * this.#judgementMs.value),
        openTimeoutMs: settings.openTimeoutMs,
        stopWaitMs: settings.stopWaitMs,
        onJudged: (tookMs) => this.#judgementMs.add(tookMs),
        spawn: (listener) => spawn(holdsInception, listener),
        onIdle: (slot) => {
          this.#tell(slot.engine);
          this.#feed(slot);
        },
      });
    });
  }

  #tell(engine: EngineName | null): void {
    if (engine === null || engine === this.#told) return;
    const { logger, model, settings } = this.#options;
    this.#engine = engine;
    this.#told = engine;
    logger.info({ engine, model, workers: settings.workers }, "pictures are judged");
  }
}
