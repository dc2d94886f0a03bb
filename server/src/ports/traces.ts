/** Steps from a press of Start to the match push. */
export type SpanName = "match.start" | "match.wait" | "match.settle" | "match.room" | "match.push";

/** Room ids and outcomes. Never data of a user. */
export interface SpanAttributes {
  readonly roomId?: string;
  readonly outcome?: string;
  /** The user's page moved to this server for the pair. */
  readonly hasMoved?: boolean;
}

/** A finished step of a trace (W3C Trace Context). */
export interface Span {
  readonly name: SpanName;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** 16 hexadecimal digits. */
  readonly parentId: string;
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
}

/** Destination of trace spans. */
export interface Traces extends AsyncDisposable {
  /** Never throws and never waits. Drops the span if the buffer is full or the collector unreachable. */
  record(span: Span): void;
}
