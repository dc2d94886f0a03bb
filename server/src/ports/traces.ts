/** The steps from a press of Start to the push that tells of the match. */
export type SpanName = "match.start" | "match.wait" | "match.settle" | "match.room" | "match.push";

/** What is said of a step besides its time: numbers of rooms and what came of it, and nothing about a person. */
export interface SpanAttributes {
  readonly roomId?: string;
  /** How a step ended that can end in several ways. */
  readonly outcome?: string;
  /** The user's page came from another server for the pair. */
  readonly hasMoved?: boolean;
}

/** A step of a trace, once it is over (W3C Trace Context). */
export interface Span {
  readonly name: SpanName;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Of what it is a step: 16 hexadecimal digits. */
  readonly parentId: string;
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
}

/** Where steps of traces go, so that somebody can look at them (decision 041). */
export interface Traces extends AsyncDisposable {
  /** Takes a step in this turn. Never throws and never waits: one that finds no room, or no way out, is lost. */
  record(span: Span): void;
}
