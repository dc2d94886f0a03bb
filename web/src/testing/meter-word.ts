import type { Meter } from "@fava/wire/meter.ts";

/** A word of the server on the meter: the second paid minute runs, ten seconds were free. */
export function meterWord(change: Partial<Meter> = {}): Meter {
  return {
    price: 1_600,
    clock: "running",
    stopped: null,
    counted_ms: 80_000,
    free_ms: 10_000,
    spent: 1_867,
    balance: 48_133,
    left_ms: 1_790_000,
    limit: "balance",
    ...change,
  };
}
