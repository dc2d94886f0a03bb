import type { Logger } from "pino";
import type { Clock } from "#ports/clock.ts";

interface StepLimits {
  clock: Pick<Clock, "after">;
  logger: Pick<Logger, "error">;
}

interface StepOptions {
  /** For the log; the name of its class unless given. */
  name?: string;
  /** How long its end may take, in milliseconds. */
  limitMs?: number;
}

interface Step {
  readonly name: string;
  readonly limitMs: number;
  readonly end: () => unknown;
}

const stepMsMax = 6_000;

/**
 * What has to be ended, in the order in which it began: disposing ends the latest first, each before the one before it,
 * as `await using` does. The language's own `AsyncDisposableStack` comes with Node.js 24.
 */
export class DisposalStack implements AsyncDisposable {
  readonly #steps: Step[] = [];
  readonly #limits: StepLimits | null;
  #ending: string | null = null;

  /** @param limits given, a part that does not end in time is logged and left, and counts as failed. */
  constructor(limits: StepLimits | null = null) {
    this.#limits = limits;
  }

  /** Names of what has not ended, the one that is ended now or next first. */
  get unended(): readonly string[] {
    const later = this.#steps.map(({ name }) => name).toReversed();
    return this.#ending === null ? later : [this.#ending, ...later];
  }

  /** Disposes this too; returns it. */
  use<Part extends AsyncDisposable | Disposable>(part: Part, options: StepOptions = {}): Part {
    const end = () => (Symbol.asyncDispose in part ? part[Symbol.asyncDispose]() : part[Symbol.dispose]());
    this.defer(options.name ?? part.constructor.name, end, options);
    return part;
  }

  /** Calls `end` when it is its turn. */
  defer(name: string, end: () => unknown, { limitMs = stepMsMax }: Pick<StepOptions, "limitMs"> = {}): void {
    this.#steps.push({ name, limitMs, end });
  }

  /**
   * Ends everything, once, also where some of it fails.
   *
   * @throws what failed; an `AggregateError` where that was more than one.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      this.#ending = step.name;
      try {
        await this.#inTime(step);
      } catch (error) {
        errors.push(error);
      }
      this.#ending = null;
    }
    if (errors.length > 1) throw new AggregateError(errors, "several parts could not be ended");
    if (errors.length === 1) throw errors[0];
  }

  async #inTime({ name, limitMs, end }: Step): Promise<void> {
    const limits = this.#limits;
    if (!limits) return void (await end());
    let timer: Disposable | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = limits.clock.after(limitMs, () => {
        limits.logger.error({ part: name, limitMs }, "a part did not end in time and is left behind");
        reject(new Error(`${name} did not end in ${limitMs} ms`));
      });
    });
    try {
      await Promise.race([end(), late]);
    } finally {
      timer?.[Symbol.dispose]();
    }
  }
}
