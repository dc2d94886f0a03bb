import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism, tmpdir } from "node:os";
import type { Logger } from "pino";
import { PauseTolerantTimeout } from "#lib/pause-tolerant-timeout.ts";
import type { Clock } from "#ports/clock.ts";
import {
  ClassifierBusyError,
  type FrameClassifier,
  type FrameQuestion,
  FrameUnreadableError,
  type FrameVerdict,
} from "#ports/frame-classifier.ts";
import type { Random } from "#ports/random.ts";
import { type EngineName, engineNames } from "./engine.ts";
import {
  cascadeThresholdsDefault,
  type FrameOrder,
  type FrameReport,
  type FrameWorkerSetup,
  meanExplicit,
} from "./frame-messages.ts";
import { modelsName, openNsfwName } from "./frame-models.ts";

export interface OnnxClassifierSettings {
  /** Worker processes; the first one also holds the largest model. */
  readonly workers: number;
  /** Waiting pictures per worker, and how long they wait; up to `slowWaitMaxMs` where judgements are slow. */
  readonly waitingMax: number;
  readonly waitMaxMs: number;
  readonly slowWaitMaxMs: number;
  readonly judgeTimeoutMs: Readonly<Record<EngineName, number>>;
  readonly judgeTimeoutMaxMs: number;
  /** The timeout is at least this multiple of the recent median. */
  readonly judgeTimeoutMedians: number;
  readonly openTimeoutMs: number;
  readonly stopWaitMs: number;
  /** Share of pictures that would pass after the cheapest model, but run through all three, 0 to 1. */
  readonly auditShare: number;
  /** `off`: open_nsfw is not used. `shadow`: it runs beside the others. `on`: in their place, if it is sure. */
  readonly openNsfw: OpenNsfwMode;
  /** Share of other pictures that open_nsfw judges, at random, 0 to 1. */
  readonly openNsfwShare: Readonly<Record<Exclude<OpenNsfwMode, "off">, number>>;
  /** Whether workers open the face models. */
  readonly readsFaces: boolean;
}

export type OpenNsfwMode = "off" | "shadow" | "on";

interface OnnxClassifierOptions {
  readonly settings: OnnxClassifierSettings;
  readonly model: string;
  readonly clock: Clock;
  readonly random: Pick<Random, "integer">;
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly spawn: (holdsInception: boolean, listener: FrameWorkerListener) => FrameWorker;
}

const waitMedians = 3;
const wholeShare = 1_000_000;
const judgementsRemembered = 50;

/** Runs three models for nudity and sexual acts, in separate processes. */
export class OnnxClassifier implements FrameClassifier {
  readonly model: string;
  readonly #options: OnnxClassifierOptions;
  readonly #queue: FrameQueue;
  readonly #judgementMs = new RecentMedian(judgementsRemembered);
  readonly #limit: JudgeLimit;
  readonly #slots: readonly FrameSlot[];
  #engine: EngineName = "onnx-native";
  #told: EngineName | null = null;

  constructor(options: OnnxClassifierOptions) {
    const { clock, settings, model } = options;
    this.#options = options;
    this.model = model;
    this.#limit = new JudgeLimit(settings);
    this.#queue = new FrameQueue(clock, {
      waitingMax: settings.waitingMax * settings.workers,
      waitMaxMs: () =>
        Math.min(settings.slowWaitMaxMs, Math.max(settings.waitMaxMs, waitMedians * this.#judgementMs.value)),
    });
    this.#slots = this.#startWorkers();
  }

  /** The preferred engine; once ready, the actual one. */
  get engine(): EngineName {
    return this.#engine;
  }

  isReady(): boolean {
    return this.#slots.some(({ engine }) => engine !== null);
  }

  backlog(): { waiting: number; oldestMs: number } {
    return this.#queue.backlog();
  }

  async classify(picture: Buffer, { depth, codes, faces = false, priority }: FrameQuestion): Promise<FrameVerdict> {
    if (!this.isReady()) throw new ClassifierBusyError("the models are not loaded yet");
    const ask = depth === "all" || this.#isDrawn(this.#options.settings.auditShare) ? "all" : "cascade";
    const openNsfw = this.#whenOpenNsfw(ask, faces);
    const { verdict, wantsInception } = await this.#ask(priority, { picture, ask, openNsfw, codes, faces });
    if (!wantsInception) return verdict;
    const followUp = { picture, ask: "inception", openNsfw: "none", codes: false, faces: false } as const;
    const { verdict: last } = await this.#ask("followUp", followUp);
    const scores = { ...verdict.scores, ...last.scores };
    const processorMs = (verdict.processorMs ?? 0) + (last.processorMs ?? 0);
    return { ...verdict, scores, explicit: meanExplicit(scores), processorMs };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#queue.clear();
    await Promise.all(this.#slots.map((slot) => slot[Symbol.asyncDispose]()));
  }

  /** A browser cannot know which frames open_nsfw judges. In shadow mode a frame has one further question at most. */
  #whenOpenNsfw(ask: FrameOrder["ask"], faces: boolean): FrameOrder["openNsfw"] {
    const { openNsfw: mode, openNsfwShare: shares } = this.#options.settings;
    if (mode === "off") return "none";
    if (ask === "all") return "beside";
    if ((mode === "shadow" && faces) || !this.#isDrawn(shares[mode])) return "none";
    return mode === "on" ? "first" : "beside";
  }

  #isDrawn(share: number): boolean {
    return this.#options.random.integer(1, wholeShare) <= share * wholeShare;
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

  #startWorkers(): FrameSlot[] {
    const { clock, logger, settings, spawn } = this.#options;
    return Array.from({ length: settings.workers }, (_, index) => {
      const holdsInception = index === 0;
      return new FrameSlot({
        clock,
        logger,
        holdsInception,
        judgeLimitMs: (engine) => this.#limit.ms(engine, this.#judgementMs.value),
        openTimeoutMs: settings.openTimeoutMs,
        stopWaitMs: settings.stopWaitMs,
        onJudged: (tookMs) => {
          this.#judgementMs.add(tookMs);
          this.#limit.judged(tookMs);
        },
        onTimeout: (limitMs) => this.#limit.timedOut(limitMs),
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
    logger.info({ engine, model, workers: settings.workers }, "picture classifier is ready");
  }
}

/** A worker process; tests replace it. */
export interface FrameWorker {
  send(order: FrameOrder): void;
  /** Resolves when the worker process has ended. */
  end(): Promise<void>;
}

export interface FrameWorkerListener {
  report(report: FrameReport): void;
  ended(reason: string): void;
}

interface FrameSlotOptions {
  readonly clock: Clock;
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly holdsInception: boolean;
  /** Counts only time in which this process runs, in milliseconds, from when the worker has the picture. */
  readonly judgeLimitMs: (engine: EngineName) => number;
  readonly openTimeoutMs: number;
  readonly stopWaitMs: number;
  readonly spawn: (listener: FrameWorkerListener) => FrameWorker;
  readonly onIdle: (slot: FrameSlot) => void;
  readonly onJudged: (tookMs: number) => void;
  readonly onTimeout: (limitMs: number) => void;
}

type State =
  | { readonly kind: "starting"; readonly worker: FrameWorker; readonly limit: Disposable }
  | { readonly kind: "idle"; readonly worker: FrameWorker; readonly engine: EngineName }
  | {
      readonly kind: "busy";
      readonly worker: FrameWorker;
      readonly engine: EngineName;
      readonly task: FrameTask;
      readonly begunAtMs: number;
      readonly limit: Disposable;
    }
  | { readonly kind: "down"; readonly limit: Disposable }
  | { readonly kind: "stopped" };

/** Judges one picture at a time. A worker that times out is replaced at once, one that crashes with back-off. */
class FrameSlot implements AsyncDisposable {
  readonly #options: FrameSlotOptions;
  readonly #backoff = new Backoff();
  #state: State = { kind: "stopped" };
  #ending: Promise<void> = Promise.resolve();
  /** For shutdown: resolves the wait for the running judgement. */
  #finish: (() => void) | null = null;

  constructor(options: FrameSlotOptions) {
    this.#options = options;
    this.#start();
  }

  get holdsInception(): boolean {
    return this.#options.holdsInception;
  }

  get isIdle(): boolean {
    return this.#state.kind === "idle" && this.#finish === null;
  }

  /** Null while the worker starts or is down. */
  get engine(): EngineName | null {
    return this.#state.kind === "idle" || this.#state.kind === "busy" ? this.#state.engine : null;
  }

  judge(task: FrameTask): void {
    if (this.#state.kind !== "idle") throw new Error("the worker is not idle");
    const { worker, engine } = this.#state;
    this.#state = { kind: "busy", worker, engine, task, ...this.#begin(engine) };
    worker.send(task.order);
  }

  /** Waits up to `stopWaitMs` for the running judgement, then kills the worker. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { clock, stopWaitMs } = this.#options;
    if (this.#state.kind === "busy") {
      await new Promise<void>((resolve) => {
        const late = clock.after(stopWaitMs, resolve);
        this.#finish = () => {
          late[Symbol.dispose]();
          resolve();
        };
      });
    }
    this.#leave("the server stops");
    await this.#ending;
  }

  #start(): void {
    const worker: FrameWorker = this.#options.spawn({
      report: (report) => {
        if (this.#runs(worker)) this.#hear(report);
      },
      ended: (reason) => {
        if (this.#runs(worker)) this.#fail(reason);
      },
    });
    this.#state = { kind: "starting", worker, limit: this.#limit(this.#options.openTimeoutMs) };
  }

  #runs(worker: FrameWorker): boolean {
    return "worker" in this.#state && this.#state.worker === worker;
  }

  #hear(report: FrameReport): void {
    const state = this.#state;
    if (report.kind === "opening") return this.#allowOpening();
    if (report.kind === "withoutOpenNsfw")
      return this.#options.logger.warn({ reason: report.reason }, "picture worker judges without open_nsfw");
    if (report.kind === "withoutFaces")
      return this.#options.logger.warn({ reason: report.reason }, "picture worker judges without age hints");
    if (state.kind === "starting" && report.kind === "ready") {
      state.limit[Symbol.dispose]();
      this.#becomeIdle(state.worker, report.engine);
    } else if (state.kind === "busy") {
      if (report.kind === "begun") {
        state.limit[Symbol.dispose]();
        this.#state = { ...state, ...this.#begin(state.engine) };
      } else if (report.kind !== "ready") this.#answer(state, report);
    }
  }

  #answer(state: State & { kind: "busy" }, report: Extract<FrameReport, { kind: "judged" | "unreadable" }>): void {
    state.limit[Symbol.dispose]();
    this.#backoff.reset();
    if (report.kind === "judged") {
      this.#options.onJudged(this.#options.clock.monotonicMs() - state.begunAtMs);
      state.task.resolve(report);
    } else state.task.reject(new FrameUnreadableError(report.reason));
    this.#becomeIdle(state.worker, state.engine);
  }

  #becomeIdle(worker: FrameWorker, engine: EngineName): void {
    this.#state = { kind: "idle", worker, engine };
    if (this.#finish) this.#finish();
    else this.#options.onIdle(this);
  }

  #allowOpening(): void {
    const state = this.#state;
    if (state.kind !== "starting" && state.kind !== "busy") return;
    state.limit[Symbol.dispose]();
    this.#state = { ...state, limit: this.#limit(this.#options.openTimeoutMs) };
  }

  #begin(engine: EngineName): { begunAtMs: number; limit: Disposable } {
    const { clock, judgeLimitMs, onTimeout } = this.#options;
    const limitMs = judgeLimitMs(engine);
    return { begunAtMs: clock.monotonicMs(), limit: this.#limit(limitMs, () => onTimeout(limitMs)) };
  }

  /** A hanging worker is replaced at once, unless its successors hang as well. */
  #limit(timeoutMs: number, passed: () => void = () => undefined): Disposable {
    return new PauseTolerantTimeout(this.#options.clock, timeoutMs, () => {
      passed();
      this.#fail("timeout", { firstMs: 0 });
    });
  }

  #fail(reason: string, { firstMs }: { firstMs?: number } = {}): void {
    const { clock, logger } = this.#options;
    const isStopping = this.#finish !== null;
    this.#leave(reason);
    if (isStopping) return;
    const delayMs = this.#backoff.nextMs(firstMs);
    logger.warn({ reason, delayMs }, "picture worker ended, restarting");
    this.#state = { kind: "down", limit: clock.after(delayMs, () => this.#start()) };
  }

  #leave(reason: string): void {
    const state = this.#state;
    // Set first: killing a worker makes it report its end.
    this.#state = { kind: "stopped" };
    if ("limit" in state) state.limit[Symbol.dispose]();
    if ("worker" in state) this.#ending = Promise.all([this.#ending, state.worker.end()]).then(() => undefined);
    if (state.kind === "busy") state.task.reject(new ClassifierBusyError(`the picture was not judged: ${reason}`));
    this.#finish?.();
  }
}

type Judged = Extract<FrameReport, { kind: "judged" }>;

export interface FrameTask {
  readonly order: FrameOrder;
  readonly resolve: (judged: Judged) => void;
  readonly reject: (error: Error) => void;
}

interface Waiting extends FrameTask {
  readonly sinceMs: number;
  readonly expiry: Disposable;
}

/** Follow-ups have been in another worker already and go first; they need the worker with the largest model. */
type Lane = "followUp" | FrameQuestion["priority"];
const ordinaryLanes = [0, 1, 2] as const;

interface FrameQueueLimits {
  readonly waitingMax: number;
  /** Evaluated for each picture. */
  readonly waitMaxMs: () => number;
}

export class FrameQueue {
  readonly #clock: Clock;
  readonly #limits: FrameQueueLimits;
  readonly #lanes: Record<Lane, Waiting[]> = { followUp: [], 0: [], 1: [], 2: [] };

  constructor(clock: Clock, limits: FrameQueueLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** @throws ClassifierBusyError if full; pictures that wait too long are rejected with it as well. */
  add(lane: Lane, task: FrameTask): void {
    if (this.backlog().waiting >= this.#limits.waitingMax)
      throw new ClassifierBusyError("too many pictures are waiting");
    const waiting: Waiting = {
      ...task,
      sinceMs: this.#clock.monotonicMs(),
      expiry: this.#clock.after(this.#limits.waitMaxMs(), () => {
        this.#lanes[lane].splice(this.#lanes[lane].indexOf(waiting), 1);
        task.reject(new ClassifierBusyError("the picture waited too long"));
      }),
    };
    this.#lanes[lane].push(waiting);
  }

  take(holdsInception: boolean): FrameTask | null {
    const lanes = holdsInception ? (["followUp", ...ordinaryLanes] as const) : ordinaryLanes;
    for (const lane of lanes) {
      const task = this.#lanes[lane].shift();
      if (!task) continue;
      task.expiry[Symbol.dispose]();
      return task;
    }
    return null;
  }

  backlog(): { waiting: number; oldestMs: number } {
    const all = Object.values(this.#lanes);
    const nowMs = this.#clock.monotonicMs();
    const ages = all.flatMap(([oldest]) => (oldest ? [nowMs - oldest.sinceMs] : []));
    return { waiting: all.reduce((sum, lane) => sum + lane.length, 0), oldestMs: Math.max(0, ...ages) };
  }

  clear(): void {
    for (const lane of Object.values(this.#lanes)) {
      for (const task of lane.splice(0)) {
        task.expiry[Symbol.dispose]();
        task.reject(new ClassifierBusyError("the classifier has shut down"));
      }
    }
  }
}

const shortestMs = 1_000;
const longestMs = 60_000;

class Backoff {
  #failures = 0;

  /** @param firstMs delay after the first failure, by default one second. */
  nextMs(firstMs = shortestMs): number {
    const delayMs = this.#failures === 0 ? firstMs : Math.min(longestMs, shortestMs * 2 ** this.#failures);
    this.#failures += 1;
    return delayMs;
  }

  reset(): void {
    this.#failures = 0;
  }
}

/** A slow worker must not count as hanging: after a timeout the limit doubles until a picture succeeds. */
class JudgeLimit {
  readonly #settings: Pick<OnnxClassifierSettings, "judgeTimeoutMs" | "judgeTimeoutMaxMs" | "judgeTimeoutMedians">;
  #grownMs = 0;

  constructor(settings: Pick<OnnxClassifierSettings, "judgeTimeoutMs" | "judgeTimeoutMaxMs" | "judgeTimeoutMedians">) {
    this.#settings = settings;
  }

  ms(engine: EngineName, medianMs: number): number {
    const { judgeTimeoutMs, judgeTimeoutMaxMs, judgeTimeoutMedians } = this.#settings;
    const usualMs = Math.max(judgeTimeoutMs[engine], judgeTimeoutMedians * medianMs);
    return Math.min(judgeTimeoutMaxMs, Math.max(usualMs, this.#grownMs));
  }

  timedOut(limitMs: number): void {
    this.#grownMs = Math.max(this.#grownMs, 2 * limitMs);
  }

  judged(tookMs: number): void {
    if (tookMs * 4 < this.#grownMs) this.#grownMs /= 2;
  }
}

/** The median of the last `count` values; 0 for none. */
export class RecentMedian {
  readonly #count: number;
  readonly #values: number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  add(value: number): void {
    this.#values.push(value);
    if (this.#values.length > this.#count) this.#values.shift();
  }

  get value(): number {
    const sorted = this.#values.toSorted((one, other) => one - other);
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  }
}

interface OpenOnnxClassifierOptions extends Pick<OnnxClassifierOptions, "clock" | "random" | "logger"> {
  readonly settings?: Partial<OnnxClassifierSettings>;
  readonly engines?: readonly EngineName[];
  /** By default the worker program in this folder. */
  readonly program?: URL;
}

const ownProgram = new URL("./frame-worker.ts", import.meta.url);

const workersMax = 4;

/** One core is left for the rest of the server. */
function defaultSettings(): OnnxClassifierSettings {
  return {
    workers: Math.min(workersMax, Math.max(1, availableParallelism() - 1)),
    // Four seconds of work at 60 pictures a second.
    waitingMax: 250,
    waitMaxMs: 4_000,
    slowWaitMaxMs: 15_000,
    judgeTimeoutMs: { "onnx-native": 2_000, "onnx-wasm": 8_000 },
    judgeTimeoutMaxMs: 30_000,
    judgeTimeoutMedians: 10,
    openTimeoutMs: 60_000,
    stopWaitMs: 2_000,
    auditShare: 0.05,
    openNsfw: "off",
    openNsfwShare: { shadow: 0.25, on: 0.5 },
    readsFaces: false,
  };
}

/** Starts loading the models and returns at once; `isReady` tells when they are loaded. */
export function openOnnxClassifier(options: OpenOnnxClassifierOptions): OnnxClassifier {
  const { settings, engines = engineNames, program = ownProgram } = options;
  const whole = { ...defaultSettings(), ...settings };
  const { openNsfw } = whole;
  const setup = {
    engines,
    thresholds: cascadeThresholdsDefault,
    holdsOpenNsfw: openNsfw !== "off",
    holdsFaces: whole.readsFaces,
  };
  return new OnnxClassifier({
    ...options,
    settings: whole,
    model: openNsfw === "on" ? `${modelsName}, ${openNsfwName}` : modelsName,
    spawn: (holdsInception, listener) => startWorker(program, { ...setup, holdsInception }, listener),
  });
}

function startWorker(program: URL, setup: FrameWorkerSetup, listener: FrameWorkerListener): FrameWorker {
  const child = forkProgram(program, setup);
  child.on("message", (report: FrameReport) => listener.report(report));
  // The process failed to start, or sending failed because it is ending.
  child.on("error", (error) => {
    if (child.pid === undefined) listener.ended(String(error));
  });
  child.on("exit", (code, signal) => listener.ended(`it ended with ${signal ?? `code ${code}`}`));
  return {
    // Sending to a child that has just ended fails; its `exit` event follows.
    send: (order) => void child.send(order, () => undefined),
    end: () => killChild(child),
  };
}

/** Native code that crashes or hangs does not affect the server. The process ends when the server is gone. */
function forkProgram(program: URL, setup: object): ChildProcess {
  // Without the server's secrets.
  const env = { TMPDIR: tmpdir(), TEMP: tmpdir() };
  return fork(
    new URL("./child-start.mjs", import.meta.url),
    [program.href, JSON.stringify(setup)],
    // Without the server's Node.js options. The child's output goes to the server's output.
    { execArgv: [], env, serialization: "advanced", stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
}

async function killChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
