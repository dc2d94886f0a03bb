import type { Logger } from "pino";
import type { Clock } from "#ports/clock.ts";

export interface PeriodicOptions {
  clock: Clock;
  logger: Logger;
  /** For the log. */
  name: string;
  /** Milliseconds until the next run, asked after each one. */
  pauseMs: (nowMs: number) => number;
  work: () => Promise<void>;
}

/** Runs work again and again, never twice at once; a failure is logged and the next run comes all the same. */
export class Periodic implements AsyncDisposable {
  readonly #options: PeriodicOptions;
  #timer: Disposable | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: PeriodicOptions) {
    this.#options = options;
    this.#wait();
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
