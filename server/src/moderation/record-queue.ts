import PQueue from "p-queue";
import type { Logger } from "pino";
import { Tasks } from "#lib/tasks.ts";

/** Work beyond this limit is dropped, so that a flood does not exhaust memory and the database connections. */
const waitingMax = 1_000;
/** Low, because recording is not urgent and matching needs the database connections. */
const atOnceMax = 4;

export class RecordQueue implements AsyncDisposable {
  readonly #tasks: Tasks;
  readonly #queue = new PQueue({ concurrency: atOnceMax });

  constructor(options: { logger: Pick<Logger, "error"> }) {
    this.#tasks = new Tasks(options);
  }

  /** Resolves when the work is done, has failed (logged), or was dropped. `isKept`: the queue never drops it. */
  add(work: () => Promise<void>, { isKept = false } = {}): Promise<void> {
    if (this.#tasks.size >= waitingMax && !isKept) return Promise.resolve();
    return new Promise((done) => {
      this.#tasks.add("failed to record conduct", () => this.#queue.add(work).finally(done));
    });
  }

  idle(): Promise<void> {
    return this.#tasks.idle();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.idle();
  }
}
