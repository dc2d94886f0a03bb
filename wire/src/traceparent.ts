import * as v from "valibot";

/**
 * The name of a trace and of the step that it goes on from, as W3C Trace Context writes it: `00-TRACE-STEP-FLAGS`. It says
 * nothing about who a person is, and opens nothing.
 */
export const traceparentSchema = v.pipe(
  v.string(),
  v.regex(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/),
);

/** The trace that a `traceparent` belongs to: 32 hexadecimal digits. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
