import * as v from "valibot";

/** W3C Trace Context, `00-TRACE-SPAN-FLAGS`. It identifies no user and grants no access. */
export const traceparentSchema = v.pipe(
  v.string(),
  v.regex(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/),
);

/** The trace id of a `traceparent`: 32 hexadecimal digits. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
