import type { Clock } from "#ports/clock.ts";

/** Where failures of what nobody waits for are told. */
interface TaskLog {
  error(details: object, message: string): void;
}

/**
 * Work in the background that nobody waits for. It begins at once, and beside what runs already: whatever a caller could
 * add without end it bounds by `size`. A set of promises, since this stands in the way of every match and every arrival:
 * a task costs 1 us here and 3 us in `p-queue`, which is for work of which only so much may run at once.
 */
export class Tasks implements AsyncDisposable {
  readonly #logger: TaskLog;
  readonly #running = new Set<Promise<void>>();

  constructor(options: { logger: TaskLog }) {
    this.#logger = options.logger;
  }

  /** Tasks that run. */
  get size(): number {
    return this.#running.size;
  }

  /** Begins the work. `failed` is what the log says, in a sentence, where it does not come about. */
  add(failed: string, work: () => Promise<void>): void {
    const running = this.#run(failed, work).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when no task runs, those among them that began meanwhile. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** The same: tasks are not broken off. Whoever disposes takes care that no more are added without end. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.idle();
  }

  /** Never rejects. */
  async #run(failed: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#logger.error({ err: error }, failed);
    }
  }
}

/** Work that is done once, each after its own delay; disposing calls off what is left of it. */
export class Timers implements Disposable {
  readonly #clock: Clock;
  readonly #waiting = new Set<Disposable>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Timers that neither ran nor were called off. */
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

/** Waits between tries. Disposing ends all of them, and there are none from then on. */
export class Pauses implements Disposable {
  readonly #clock: Clock;
  readonly #goOn = new Set<() => void>();
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves after `delayMs`, or at once where pauses are over. */
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
 * Does the work until it succeeds.
 *
 * @param delayMs asked after every failure for the pause before the next try, in milliseconds; null gives up.
 * @throws whatever the last try threw.
 */
export async function retry<Result>(
  work: () => Promise<Result>,
  { pauses, delayMs }: { pauses: Pick<Pauses, "wait">; delayMs: (error: unknown) => number | null },
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
  /** For the log. */
  name: string;
  /** Milliseconds until the next run, asked after each one. */
  pauseMs: (nowMs: number) => number;
  /** The first run comes at once, not after a pause. */
  atOnce?: boolean;
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
    if (options.atOnce) this.#run();
    else this.#wait();
  }

  /** Resolves when the work that runs is done; no more of it comes. */
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
