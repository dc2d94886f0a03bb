import type { Clock } from "#ports/clock.ts";

/** One thing to be done in the ledger. */
export interface MeterTask {
  /** May be called again after it threw, so it must bear repetition. */
  readonly run: () => Promise<void>;
  /** Asked before every try: false drops the task. */
  readonly isWanted: () => boolean;
  readonly failed: (error: unknown, tries: number) => void;
}

export interface MeterQueueOptions {
  clock: Clock;
  /** Tasks that run at the same moment: more would only wait for a database connection, and give up waiting. */
  tasksAtOnce: number;
}

const retryDelaysMs = [200, 500, 1_000, 2_000, 5_000] as const;
/** A stopping server does not wait for a database for ever; what is left is for the recovery at the next start. */
const triesWhileStoppingMax = 3;

/**
 * The ledger work of everybody with a meter: one person's one after the other, as there is at most one open hold a
 * person; different people's beside each other. A failing task is tried again, and what waits behind it waits.
 */
export class MeterQueue implements AsyncDisposable {
  readonly #options: MeterQueueOptions;
  /** Tasks of a person, the current one first; at most what the one running call and one finished before it need. */
  readonly #tasks = new Map<bigint, MeterTask[]>();
  readonly #working = new Map<bigint, Promise<void>>();
  readonly #pauses = new Set<() => void>();
  /** Who waits for one of `tasksAtOnce`, the longest first. */
  readonly #turns = new Set<() => void>();
  #running = 0;
  #stopping = false;

  constructor(options: MeterQueueOptions) {
    this.#options = options;
  }

  add(userId: bigint, task: MeterTask): void {
    const tasks = this.#tasks.get(userId);
    if (tasks) return void tasks.push(task);
    this.#tasks.set(userId, [task]);
    this.#working.set(userId, this.#workFor(userId));
  }

  /** Resolves when this person has no work. */
  async idleFor(userId: bigint): Promise<void> {
    await this.#working.get(userId);
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working.values());
  }

  /** Does what is left, with few tries. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    for (const goOn of this.#pauses) goOn();
    await this.idle();
  }

  /** Never rejects. */
  async #workFor(userId: bigint): Promise<void> {
    const tasks = this.#tasks.get(userId) ?? [];
    // Not before `add` has noted this work.
    await Promise.resolve();
    for (let task = tasks[0]; task !== undefined; task = tasks[0]) {
      await this.#finish(task);
      tasks.shift();
    }
    this.#tasks.delete(userId);
    this.#working.delete(userId);
  }

  async #finish(task: MeterTask): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      await this.#turn();
      try {
        return task.isWanted() ? await task.run() : undefined;
      } catch (error) {
        task.failed(error, tries);
      } finally {
        this.#nextTurn();
      }
      if (this.#stopping && tries >= triesWhileStoppingMax) return;
      if (task.isWanted()) await this.#pause(tries);
    }
  }

  async #turn(): Promise<void> {
    if (this.#running < this.#options.tasksAtOnce) this.#running += 1;
    else await new Promise<void>((resolve) => this.#turns.add(resolve));
  }

  /** The turn goes over to whoever waits. */
  #nextTurn(): void {
    const [longest] = this.#turns;
    if (longest) {
      this.#turns.delete(longest);
      longest();
    } else this.#running -= 1;
  }

  /** Ends early when the server stops. */
  #pause(tries: number): Promise<void> {
    const delayMs = retryDelaysMs[Math.min(tries, retryDelaysMs.length) - 1] ?? 0;
    return new Promise((resolve) => {
      const goOn = () => {
        timer[Symbol.dispose]();
        this.#pauses.delete(goOn);
        resolve();
      };
      const timer = this.#options.clock.after(this.#stopping ? 0 : delayMs, goOn);
      this.#pauses.add(goOn);
    });
  }
}
