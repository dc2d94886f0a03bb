import { traceIdOf } from "@fava/wire/traceparent.ts";
import type { Clock } from "#ports/clock.ts";
import type { Random } from "#ports/random.ts";
import type { SpanAttributes, SpanName, Traces } from "#ports/traces.ts";

interface TracerOptions {
  /** Null where nobody would read them. */
  traces: Traces | null;
  /** Of a thousand traces so many are recorded: the same ones at every process of a site. */
  perThousand: number;
  clock: Pick<Clock, "nowMs" | "monotonicMs">;
  random: Pick<Random, "bytes">;
}

const spanIdBytes = 8;

/** What is said of a step. */
interface Step extends SpanAttributes {
  /** When it began, by `Clock.monotonicMs`. */
  readonly sinceMs: number;
}

/** Records the steps of those traces that are to be recorded; for the others nothing is done. */
export class Tracer implements AsyncDisposable {
  readonly #options: TracerOptions;

  constructor(options: TracerOptions) {
    this.#options = options;
  }

  /**
   * A step that ends now.
   *
   * @param traceparent of whose trace it is a step; undefined where the client named none.
   */
  record(traceparent: string | undefined, name: SpanName, step: Step): void {
    const { traces, clock, random } = this.#options;
    if (traces === null || traceparent === undefined || !this.#isRecorded(traceparent)) return;
    const { sinceMs, ...attributes } = step;
    const endMs = clock.nowMs();
    traces.record({
      name,
      traceId: traceIdOf(traceparent),
      spanId: random.bytes(spanIdBytes).toString("hex"),
      parentId: traceparent.slice(36, 52),
      startMs: endMs - (clock.monotonicMs() - sinceMs),
      endMs,
      attributes,
    });
  }

  /** Ends what it records into. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#options.traces?.[Symbol.asyncDispose]();
  }

  /** By the random end of its name. What its client wishes does not count: it must not fill the store. */
  #isRecorded(traceparent: string): boolean {
    return Number.parseInt(traceIdOf(traceparent).slice(-8), 16) % 1_000 < this.#options.perThousand;
  }
}
