import type { Logger } from "pino";
import type { Span, Traces } from "#ports/traces.ts";

export class LoggedTraces implements Traces {
  readonly #logger: Pick<Logger, "debug">;

  constructor({ logger }: { logger: Pick<Logger, "debug"> }) {
    this.#logger = logger;
  }

  record({ name, traceId, spanId, parentId, startMs, endMs, attributes }: Span): void {
    const ms = Math.round((endMs - startMs) * 1_000) / 1_000;
    this.#logger.debug({ traceId, spanId, parentId, span: name, startMs, ms, ...attributes }, "span");
  }

  /** The logger belongs to its owner. */
  async [Symbol.asyncDispose](): Promise<void> {}
}
