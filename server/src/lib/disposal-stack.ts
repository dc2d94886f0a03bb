import type { Logger } from "pino";
import type { Clock } from "#ports/clock.ts";

interface StepLimits {
  clock: Pick<Clock, "after">;
  logger: Pick<Logger, "error">;
}

interface StepOptions {
  name?: string;
  limitMs?: number;
}

interface Step {
  readonly name: string;
  readonly limitMs: number;
  readonly end: () => unknown;
}

const stepMsMax = 6_000;

/** Ends parts in reverse order, one after the other. Node.js has `AsyncDisposableStack` only from version 24 on. */
export class DisposalStack implements AsyncDisposable {
  readonly #steps: Step[] = [];
  readonly #limits: StepLimits | null;
  #ending: string | null = null;

  /** @param limits time limits. A part that exceeds its limit is logged, left running and counted as failed. */
  constructor(limits: StepLimits | null = null) {
    this.#limits = limits;
  }

  /** Names of the parts that have not ended. The first one is ending or is next. */
  get unended(): readonly string[] {
    const later = this.#steps.map(({ name }) => name).toReversed();
    return this.#ending === null ? later : [this.#ending, ...later];
  }

  use<Part extends AsyncDisposable | Disposable>(part: Part, options: StepOptions = {}): Part {
    const end = () => (Symbol.asyncDispose in part ? part[Symbol.asyncDispose]() : part[Symbol.dispose]());
    this.defer(options.name ?? part.constructor.name, end, options);
    return part;
  }

  defer(name: string, end: () => unknown, { limitMs = stepMsMax }: Pick<StepOptions, "limitMs"> = {}): void {
    this.#steps.push({ name, limitMs, end });
  }

  /**
   * Ends each part once, also if others fail.
   * @throws the error of a part, or an `AggregateError` of several.
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
    if (errors.length > 1) throw new AggregateError(errors, "several parts failed to end");
    if (errors.length === 1) throw errors[0];
  }

  async #inTime({ name, limitMs, end }: Step): Promise<void> {
    const limits = this.#limits;
    if (!limits) return void (await end());
    let timer: Disposable | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = limits.clock.after(limitMs, () => {
        limits.logger.error({ part: name, limitMs }, "part did not end in time");
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
