import { traceIdOf } from "@fava/wire/traceparent.ts";
import type { Clock } from "#ports/clock.ts";
import type { Random } from "#ports/random.ts";
import type { SpanAttributes, SpanName, Traces } from "#ports/traces.ts";

interface TracerOptions {
  /** Null without a trace collector. */
  traces: Traces | null;
  /** How many of a thousand traces are recorded. All servers record the same ones. */
  perThousand: number;
  clock: Pick<Clock, "nowMs" | "monotonicMs">;
  random: Pick<Random, "bytes">;
}

const spanIdBytes = 8;

interface Step extends SpanAttributes {
  /** On the monotonic clock, in milliseconds. */
  readonly sinceMs: number;
}

export class Tracer implements AsyncDisposable {
  readonly #options: TracerOptions;

  constructor(options: TracerOptions) {
    this.#options = options;
  }

  /**
   * Records a span that ends now.
   * @param traceparent the trace; undefined if the client sent none.
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#options.traces?.[Symbol.asyncDispose]();
  }

  /** Samples by the trace id instead of the client's flag, because clients could fill the store. */
  #isRecorded(traceparent: string): boolean {
    return Number.parseInt(traceIdOf(traceparent).slice(-8), 16) % 1_000 < this.#options.perThousand;
  }
}
