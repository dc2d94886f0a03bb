import { expect, test } from "vitest";
import type { Span } from "#ports/traces.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { Tracer } from "./tracer.ts";

function openTracer(perThousand: number) {
  const clock = new TestClock();
  const spans: Span[] = [];
  const traces = { record: (span: Span) => void spans.push(span), [Symbol.asyncDispose]: async () => {} };
  return { clock, spans, tracer: new Tracer({ traces, perThousand, clock, random: seededRandom(1) }) };
}

const nameOf = (last: number) => `00-${last.toString(16).padStart(32, "0")}-00f067aa0ba902b7-01`;

test("puts a step with its duration into the trace that the page named", () => {
  const { clock, spans, tracer } = openTracer(1_000);
  const sinceMs = clock.monotonicMs();
  clock.advance(7);
  tracer.record(nameOf(255), "match.room", { sinceMs, roomId: "r" });
  tracer.record(undefined, "match.room", { sinceMs });
  const named = { name: "match.room", traceId: `${"0".repeat(30)}ff`, parentId: "00f067aa0ba902b7" };
  const times = { startMs: clock.nowMs() - 7, endMs: clock.nowMs() };
  expect(spans).toEqual([{ ...named, ...times, spanId: spans[0]?.spanId, attributes: { roomId: "r" } }]);
  expect(spans[0]?.spanId).toMatch(/^[0-9a-f]{16}$/);
});

test("records the configured number of a thousand traces, each as a whole", () => {
  for (const [perThousand, expected] of [
    [0, 0],
    [10, 40],
    [1_000, 4_000],
  ] as const) {
    const { spans, tracer } = openTracer(perThousand);
    for (let trace = 0; trace < 4_000; trace += 1)
      for (const step of ["match.wait", "match.settle"] as const) tracer.record(nameOf(trace), step, { sinceMs: 0 });
    expect(spans).toHaveLength(2 * expected);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(expected);
  }
});
