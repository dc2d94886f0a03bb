import { describe, expect, test } from "vitest";
import type { Span, Traces } from "#ports/traces.ts";

export interface TracesWorld extends AsyncDisposable {
  traces: Traces;
  /** Spans that have arrived. */
  arrived(): readonly Span[];
}

const span: Span = {
  name: "match.settle",
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  parentId: "00f067aa0ba902b7",
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_012.5,
  attributes: { outcome: "ready", hasMoved: true },
};

/** Contract of `Traces`; `makeWorld` opens an empty one for each test. */
export function tracesContract(name: string, makeWorld: () => Promise<TracesWorld>): void {
  describe(`traces: ${name}`, () => {
    test("delivers spans as recorded, at the latest on shutdown", async () => {
      await using world = await makeWorld();
      world.traces.record(span);
      world.traces.record({ ...span, name: "match.room", spanId: "00000000000000ff", attributes: { roomId: "r" } });
      await world.traces[Symbol.asyncDispose]();
      expect(world.arrived()).toEqual([
        span,
        { ...span, name: "match.room", spanId: "00000000000000ff", attributes: { roomId: "r" } },
      ]);
    });

    test("drops spans above its capacity without an error", async () => {
      await using world = await makeWorld();
      for (let count = 0; count < 5_000; count += 1) world.traces.record(span);
      await world.traces[Symbol.asyncDispose]();
      const arrived = world.arrived();
      expect(arrived.length).toBeGreaterThan(500);
      expect(arrived.at(-1)).toEqual(span);
    });
  });
}
