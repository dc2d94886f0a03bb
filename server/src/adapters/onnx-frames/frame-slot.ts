import type { Logger } from "pino";
import type { Clock } from "#ports/clock.ts";
import { ClassifierBusyError, FrameUnreadableError } from "#ports/frame-classifier.ts";
import { AwakeLimit } from "#awake-limit.ts";
import { Backoff } from "./backoff.ts";
import type { EngineName } from "./engine.ts";
import type { FrameOrder, FrameReport } from "./frame-messages.ts";
import type { FrameTask } from "./frame-queue.ts";

/** A process that judges; tests put another in its place. */
export interface FrameWorker {
  send(order: FrameOrder): void;
  /** At once, whatever it is doing. Resolves when it is gone. */
  end(): Promise<void>;
}

export interface FrameWorkerListener {
  report(report: FrameReport): void;
  /** Once, when it is gone, also where it was told to. */
  ended(reason: string): void;
}

export interface FrameSlotOptions {
  readonly clock: Clock;
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly holdsInception: boolean;
  /** For one picture, from when the worker has it, milliseconds in which this process ran. */
  readonly judgeLimitMs: (engine: EngineName) => number;
  /** For the engine and the models to be read. */
  readonly openTimeoutMs: number;
  /** For the picture in hand, where the server stops. */
  readonly stopWaitMs: number;
  readonly spawn: (listener: FrameWorkerListener) => FrameWorker;
  /** It can take a picture. */
  readonly onIdle: (slot: FrameSlot) => void;
  /** How long a picture took, milliseconds. */
  readonly onJudged: (tookMs: number) => void;
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

/**
 * A place for one worker, which judges one picture at a time. One that takes too long is ended and replaced at once; one
 * that ended by itself is replaced, later each time (rule SAFE-106).
 */
export class FrameSlot implements AsyncDisposable {
  readonly #options: FrameSlotOptions;
  readonly #backoff = new Backoff();
  #state: State = { kind: "stopped" };
  /** Workers that were told to end. */
  #ending: Promise<void> = Promise.resolve();
  /** Where the server stops: the picture in hand is answered, or its time is over. */
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

  /** What it runs with; null while it starts or is down. */
  get engine(): EngineName | null {
    return this.#state.kind === "idle" || this.#state.kind === "busy" ? this.#state.engine : null;
  }

  /** Gives an idle worker a picture. */
  judge(task: FrameTask): void {
    if (this.#state.kind !== "idle") throw new Error("the worker is not idle");
    const { worker, engine } = this.#state;
    this.#state = { kind: "busy", worker, engine, task, ...this.#begin(engine) };
    worker.send(task.order);
  }

  /** Waits for the picture in hand, so long at most, and ends the worker. */
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

  /** Of a worker that was replaced, nothing counts any more. */
  #runs(worker: FrameWorker): boolean {
    return "worker" in this.#state && this.#state.worker === worker;
  }

  #hear(report: FrameReport): void {
    const state = this.#state;
    if (report.kind === "opening") return this.#allowOpening();
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
    const { clock, judgeLimitMs } = this.#options;
    return { begunAtMs: clock.monotonicMs(), limit: this.#limit(judgeLimitMs(engine)) };
  }

  /** A worker that hangs is replaced at once, unless its successors hang as well. */
  #limit(timeoutMs: number): Disposable {
    return new AwakeLimit(this.#options.clock, timeoutMs, () => this.#fail("it took too long", { firstMs: 0 }));
  }

  #fail(reason: string, { firstMs }: { firstMs?: number } = {}): void {
    const { clock, logger } = this.#options;
    const isStopping = this.#finish !== null;
    this.#leave(reason);
    if (isStopping) return;
    const delayMs = this.#backoff.nextMs(firstMs);
    logger.warn({ reason, delayMs }, "a process that judges pictures ended; it is started again");
    this.#state = { kind: "down", limit: clock.after(delayMs, () => this.#start()) };
  }

  /** Lets go of the worker, of what it worked on, and of every timer. */
  #leave(reason: string): void {
    const state = this.#state;
    // First of all: ending a worker makes it say that it ended.
    this.#state = { kind: "stopped" };
    if ("limit" in state) state.limit[Symbol.dispose]();
    if ("worker" in state) this.#ending = Promise.all([this.#ending, state.worker.end()]).then(() => undefined);
    if (state.kind === "busy") state.task.reject(new ClassifierBusyError(`the picture was not judged: ${reason}`));
    this.#finish?.();
  }
}
