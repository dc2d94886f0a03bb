import { slowDown } from "#http/call-error.ts";

const retryAfterSeconds = 5;

/** Lets so many pieces of work run at once and so many more wait: a decoded picture takes 100 MB for a moment. */
export class DecodeQueue {
  readonly #atOnceMax: number;
  readonly #waitingMax: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: { atOnceMax: number; waitingMax: number }) {
    this.#atOnceMax = limits.atOnceMax;
    this.#waitingMax = limits.waitingMax;
  }

  /** @throws CallError 429 where too many wait already, and whatever the work throws. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#atOnceMax) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Whoever waited takes the place over, so that nobody slips in between.
      if (next) next();
      else this.#running -= 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#waitingMax) {
      throw slowDown(retryAfterSeconds, "too many pictures at once");
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
