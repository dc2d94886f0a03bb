import type { Logger } from "pino";
import type { Clock } from "#ports/clock.ts";
import { ClassifierBusyError, FrameUnreadableError } from "#ports/frame-classifier.ts";
import { Backoff } from "./backoff.ts";
import type { EngineName } from "./engine.ts";
import type { FrameOrder, FrameReport } from "./frame-messages.ts";
import type { FrameTask } from "./frame-queue.ts";

/** What runs behind a thread; tests put another in its place. */
export interface FrameWorker {
  send(order: FrameOrder): void;
  end(): Promise<void>;
}

export interface FrameWorkerListener {
  report(report: FrameReport): void;
  /** Once, when it ended by itself. */
  ended(reason: string): void;
}

export interface FrameThreadOptions {
  readonly clock: Clock;
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly holdsInception: boolean;
  /** For one picture. */
  readonly judgeTimeoutMs: Readonly<Record<EngineName, number>>;
  /** For the engine and the models to be read. */
  readonly openTimeoutMs: number;
  readonly spawn: (listener: FrameWorkerListener) => FrameWorker;
  /** The thread can take a picture. */
  readonly onIdle: (thread: FrameThread) => void;
}

type State =
  | { readonly kind: "starting"; readonly worker: FrameWorker; readonly timer: Disposable }
  | { readonly kind: "idle"; readonly worker: FrameWorker; readonly engine: EngineName }
  | {
      readonly kind: "busy";
      readonly worker: FrameWorker;
      readonly engine: EngineName;
      readonly task: FrameTask;
      readonly timer: Disposable;
    }
  | { readonly kind: "down"; readonly timer: Disposable }
  | { readonly kind: "stopped" };

/**
 * One thread that judges one picture at a time. It is ended when it takes too long, and started again, later each
 * time, when it ended (rule SAFE-106).
 */
export class FrameThread implements AsyncDisposable {
  readonly #options: FrameThreadOptions;
  readonly #backoff = new Backoff();
  #state: State = { kind: "stopped" };
  /** Workers that were told to end. */
  #ending: Promise<void> = Promise.resolve();

  constructor(options: FrameThreadOptions) {
    this.#options = options;
    this.#start();
  }

  get holdsInception(): boolean {
    return this.#options.holdsInception;
  }

  get isIdle(): boolean {
    return this.#state.kind === "idle";
  }

  /** What it runs with; null while it starts or is down. */
  get engine(): EngineName | null {
    return this.#state.kind === "idle" || this.#state.kind === "busy" ? this.#state.engine : null;
  }

  /** Gives an idle thread a picture. */
  judge(task: FrameTask): void {
    if (this.#state.kind !== "idle") throw new Error("the thread is not idle");
    const { worker, engine } = this.#state;
    const timer = this.#limit(this.#options.judgeTimeoutMs[engine]);
    this.#state = { kind: "busy", worker, engine, task, timer };
    worker.send(task.order);
  }

  async [Symbol.asyncDispose](): Promise<void> {
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
    this.#state = { kind: "starting", worker, timer: this.#limit(this.#options.openTimeoutMs) };
  }

  /** Of a worker that was replaced, nothing counts any more. */
  #runs(worker: FrameWorker): boolean {
    return "worker" in this.#state && this.#state.worker === worker;
  }

  #hear(report: FrameReport): void {
    const state = this.#state;
    if (report.kind === "opening") return this.#allowOpening();
    if (state.kind === "starting" && report.kind === "ready") {
      state.timer[Symbol.dispose]();
      this.#becomeIdle(state.worker, report.engine);
    } else if (state.kind === "busy" && report.kind !== "ready") {
      state.timer[Symbol.dispose]();
      this.#backoff.reset();
      if (report.kind === "judged") state.task.resolve(report);
      else state.task.reject(new FrameUnreadableError(report.reason));
      this.#becomeIdle(state.worker, state.engine);
    }
  }

  #becomeIdle(worker: FrameWorker, engine: EngineName): void {
    this.#state = { kind: "idle", worker, engine };
    this.#options.onIdle(this);
  }

  #allowOpening(): void {
    const state = this.#state;
    if (state.kind !== "starting" && state.kind !== "busy") return;
    state.timer[Symbol.dispose]();
    this.#state = { ...state, timer: this.#limit(this.#options.openTimeoutMs) };
  }

  #limit(timeoutMs: number): Disposable {
    return this.#options.clock.after(timeoutMs, () => this.#fail("it took too long"));
  }

  #fail(reason: string): void {
    const { clock, logger } = this.#options;
    this.#leave(reason);
    const delayMs = this.#backoff.nextMs();
    logger.warn({ reason, delayMs }, "a thread that judges pictures ended; it is started again");
    this.#state = { kind: "down", timer: clock.after(delayMs, () => this.#start()) };
  }

  /** Lets go of the worker, of what it worked on, and of every timer. */
  #leave(reason: string): void {
    const state = this.#state;
    // First of all: ending a worker makes it say that it ended.
    this.#state = { kind: "stopped" };
    if ("timer" in state) state.timer[Symbol.dispose]();
    if ("worker" in state) this.#ending = Promise.all([this.#ending, state.worker.end()]).then(() => undefined);
    if (state.kind === "busy") state.task.reject(new ClassifierBusyError(`the picture was not judged: ${reason}`));
  }
}
