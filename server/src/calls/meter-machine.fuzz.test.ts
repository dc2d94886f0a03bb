import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { byOther, byPayer, endMeter, liveMeter, MeterBench, price, unseen } from "#test/fixtures/meter-bench.ts";
import { beansOf, type Funds, type MeterEnd, type MeterPause } from "./meter-machine.ts";

const pauses: (MeterPause | null)[] = [null, null, byPayer, byOther, unseen, { why: "blurred", budget: "own-word" }];
const fundsArbitrary: fc.Arbitrary<Funds> = fc
  .tuple(fc.bigInt(0n, 8_000n), fc.bigInt(0n, 3_200n))
  .map(([have, held]) => ({ balance: have + held, have, limit: "balance" }));
const actionArbitrary = fc.oneof(
  fc.record({ do: fc.constant("run" as const), ms: fc.integer({ min: 0, max: 90_000 }) }),
  fc.record({ do: fc.constant("sleep" as const), ms: fc.integer({ min: 0, max: 90_000 }) }),
  fc.record({ do: fc.constant("tick" as const) }),
  fc.record({ do: fc.constantFrom("live" as const, "seen" as const) }),
  fc.record({ do: fc.constant("picture" as const), pause: fc.constantFrom(...pauses) }),
  fc.record({
    do: fc.constant("answer" as const),
    how: fc.constantFrom("done", "done", "failed", "unconfirmed", "refused"),
  }),
  fc.record({ do: fc.constant("funds" as const), funds: fundsArbitrary }),
);
type Action = typeof actionArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

function act(bench: MeterBench, action: Action): void {
  switch (action.do) {
    case "run":
      return bench.run(action.ms);
    case "sleep":
      return bench.sleep(action.ms);
    case "tick":
      return bench.send({ type: "tick" });
    case "live":
    case "seen":
      return bench.send({ type: action.do });
    case "picture":
      return bench.send({ type: "picture", pause: action.pause });
    case "answer":
      return bench.answer(action.how as "done" | "failed" | "unconfirmed" | "refused");
    case "funds":
      return bench.send({ type: "funds", funds: action.funds });
  }
}

const endArbitrary = fc.constantFrom<MeterEnd>("left", "left", "other_lost", "failure", "moderated");

describe("in any order of events", () => {
  test("[BEANS-268] charges no second twice or uncounted, makes no second hold, and leaves none open", () => {
    fc.assert(
      fc.property(fc.array(actionArbitrary, { maxLength: 60 }), endArbitrary, (actions, why) => {
        const bench = new MeterBench();
        for (const action of actions) {
          act(bench, action);
          for (const { reading } of bench.told.splice(0)) {
            const { counted_ms, free_ms, spent, left_ms } = reading.meter;
            expect(counted_ms).toBeLessThanOrEqual(bench.trulyCountedMs);
            expect(BigInt(spent)).toBeLessThanOrEqual(beansOf(price, Math.max(0, counted_ms - free_ms)));
            expect(left_ms).toBeGreaterThanOrEqual(0);
          }
        }
        const net = endMeter(bench, why);
        expect(bench.openHolds).toBe(0);
        // A call that ends because the payer ran out of beans has not failed, even if a failure follows.
        const paidMs =
          (why === "failure" || why === "moderated") && !bench.closed
            ? 0
            : bench.trulyCountedMs - (bench.freeGranted ? 10_000 : 0);
        expect(net).toBeLessThanOrEqual(beansOf(price, Math.max(0, paidMs)));
      }),
      fuzz(2_000),
    );
  });

  test("[BEANS-268] charges every counted second after the free ones once, without faults", () => {
    const pause = fc.tuple(fc.integer({ min: 0, max: 200_000 }), fc.constantFrom(...pauses));
    fc.assert(
      fc.property(fc.array(pause, { maxLength: 12 }), (stretches) => {
        const bench = liveMeter();
        for (const [ms, next] of stretches) {
          bench.run(ms);
          bench.send({ type: "picture", pause: next });
        }
        expect(endMeter(bench)).toBe(beansOf(price, Math.max(0, bench.trulyCountedMs - 10_000)));
      }),
      fuzz(100),
    );
  });
});
