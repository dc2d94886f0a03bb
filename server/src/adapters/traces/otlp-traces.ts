import { type Attributes, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { Span, Traces } from "#ports/traces.ts";

interface OtlpTracesOptions {
  /** Address of the collector, without `/v1/traces`. */
  endpoint: string;
  instanceId: string;
  logger: Pick<Logger, "warn">;
}

type Resource = ReadableSpan["resource"];

const waitingSpansMax = 2_048;
const spansAtOnceMax = 512;
const sendEveryMs = 2_000;
const sendMsMax = 5_000;
const flushMsMax = 3_000;
/** Minimum interval between log lines about an unreachable collector. */
const complainEveryMs = 60_000;

/** Sends spans by OTLP over HTTP, in batches. */
export class OtlpTraces implements Traces {
  readonly #processor: BatchSpanProcessor;
  readonly #resource: Resource;

  constructor({ endpoint, instanceId, logger }: OtlpTracesOptions) {
    this.#resource = resourceOf({ "service.name": "fava", "service.instance.id": instanceId });
    const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
    this.#processor = new BatchSpanProcessor({
      exporter: complaining(new OTLPTraceExporter({ url, timeoutMillis: sendMsMax }), logger),
      maxQueueSize: waitingSpansMax,
      maxExportBatchSize: spansAtOnceMax,
      scheduledDelayMillis: sendEveryMs,
      exportTimeoutMillis: sendMsMax,
    });
  }

  record(span: Span): void {
    this.#processor.onEnd(this.#asExported(span));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const flushed = this.#processor.shutdown().catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, flushMsMax)));
    await Promise.race([flushed, late]);
    clearTimeout(timer);
  }

  #asExported({ name, traceId, spanId, parentId, startMs, endMs, attributes }: Span): ReadableSpan {
    const context = (id: string): SpanContext => ({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED });
    const own = context(spanId);
    return {
      name,
      kind: SpanKind.INTERNAL,
      spanContext: () => own,
      parentSpanContext: { ...context(parentId), isRemote: true },
      startTime: asHrTime(startMs),
      endTime: asHrTime(endMs),
      duration: asHrTime(endMs - startMs),
      ended: true,
      status: { code: SpanStatusCode.UNSET },
      attributes: { ...attributes },
      links: [],
      events: [],
      resource: this.#resource,
      instrumentationScope: { name: "fava" },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }
}

/** Equivalent to OpenTelemetry's own function, without a further package. */
function resourceOf(attributes: Attributes): Resource {
  return {
    attributes,
    getRawAttributes: () => Object.entries(attributes),
    merge: (other) => resourceOf({ ...attributes, ...other?.attributes }),
  };
}

/** Logs lost spans occasionally; the library never does. */
function complaining(exporter: SpanExporter, logger: Pick<Logger, "warn">): SpanExporter {
  let complainAtMs = 0;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const nowMs = performance.now();
        if (result.error && nowMs >= complainAtMs) {
          complainAtMs = nowMs + complainEveryMs;
          logger.warn({ err: result.error, spans: spans.length }, "trace collector rejected spans");
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function asHrTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
