import type { Clock } from "#ports/clock.ts";

interface TaskLog {
  error(details: object, message: string): void;
}

/** Background work that starts at once and that no caller awaits. Callers that could add too much check `size`. */
export class Tasks implements AsyncDisposable {
  readonly #logger: TaskLog;
  readonly #running = new Set<Promise<void>>();

  constructor(options: { logger: TaskLog }) {
    this.#logger = options.logger;
  }

  get size(): number {
    return this.#running.size;
  }

  add(failed: string, work: () => Promise<void>): void {
    const running = this.#run(failed, work).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when no task runs, including tasks that started meanwhile. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Waits for running tasks without aborting them. The owner must add no more. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.idle();
  }

  async #run(failed: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#logger.error({ err: error }, failed);
    }
  }
}

/** Delayed work that runs once. Disposing cancels what has not run. */
export class Timers implements Disposable {
  readonly #clock: Clock;
  readonly #waiting = new Set<Disposable>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  after(delayMs: number, work: () => void): void {
    const timer = this.#clock.after(delayMs, () => {
      this.#waiting.delete(timer);
      work();
    });
    this.#waiting.add(timer);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#waiting) timer[Symbol.dispose]();
    this.#waiting.clear();
  }
}

/** Pauses between retries. Disposing ends all pauses at once, also later ones. */
export class RetryPauses implements Disposable {
  readonly #clock: Clock;
  readonly #goOn = new Set<() => void>();
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves after `delayMs`, or at once if disposed. */
  wait(delayMs: number): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const goOn = () => {
        timer[Symbol.dispose]();
        this.#goOn.delete(goOn);
        resolve();
      };
      const timer = this.#clock.after(delayMs, goOn);
      this.#goOn.add(goOn);
    });
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const goOn of this.#goOn) goOn();
  }
}

/**
 * Tries `work` until it succeeds.
 * @param delayMs returns the pause after a failure in milliseconds; null gives up.
 * @throws the error of the last attempt.
 */
export async function retry<Result>(
  work: () => Promise<Result>,
  { pauses, delayMs }: { pauses: Pick<RetryPauses, "wait">; delayMs: (error: unknown) => number | null },
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = delayMs(error);
      if (pauseMs === null) throw error;
      await pauses.wait(pauseMs);
    }
  }
}

export interface PeriodicOptions {
  clock: Clock;
  logger: TaskLog;
  name: string;
  /** Milliseconds until the next run, computed after each run. */
  pauseMs: (nowMs: number) => number;
  atOnce?: boolean;
  work: () => Promise<void>;
}

/** Runs work repeatedly, one run at a time. Logs a failure and goes on. */
export class Periodic implements AsyncDisposable {
  readonly #options: PeriodicOptions;
  #timer: Disposable | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: PeriodicOptions) {
    this.#options = options;
    if (options.atOnce) this.#run();
    else this.#wait();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#timer?.[Symbol.dispose]();
    await this.#running;
  }

  #wait(): void {
    if (this.#stopped) return;
    const { clock, pauseMs } = this.#options;
    this.#timer = clock.after(pauseMs(clock.nowMs()), () => this.#run());
  }

  #run(): void {
    const { work, logger, name } = this.#options;
    this.#running = work()
      .catch((error: unknown) => logger.error({ err: error, work: name }, "periodic work failed"))
      .then(() => this.#wait());
  }
}
