import fc from "fast-check";
import { expect, test } from "vitest";
import { type Ring, type RingEvent, type RingState, stepRing } from "./ring-machine.ts";

const [ana, bo, cem] = [1n, 2n, 3n];
const begun: Ring = { id: "ring", ringerId: ana, rungId: bo, atMs: 0, untilMs: 30_000, state: "ringing" };

const person = fc.constantFrom(ana, bo, cem);
const happened = fc.oneof(
  person.map((byId): RingEvent => ({ type: "accepted", byId })),
  person.map((byId): RingEvent => ({ type: "ended", byId })),
  person.map((userId): RingEvent => ({ type: "left", userId })),
  fc.constant<RingEvent>({ type: "failed" }),
  fc.constant<RingEvent>({ type: "expired" }),
);

test("[RING-1] whatever happens to a ring, it is taken once at most and not after 30 seconds, and each of the two hears of its end once", () => {
  const events = fc.array(fc.tuple(happened, fc.nat(20_000)), { maxLength: 12 });
  fc.assert(
    fc.property(events, (all) => {
      let ring = begun;
      let nowMs = 0;
      const states: RingState[] = [];
      const told: bigint[] = [];
      for (const [event, laterMs] of all) {
        nowMs += laterMs;
        const step = stepRing(ring, event, nowMs);
        if (!step) continue;
        if (step.state === "accepted") expect([event, nowMs < 30_000]).toEqual([{ type: "accepted", byId: bo }, true]);
        if (step.leavesLine) expect([ring.state, step.state]).toEqual(["ringing", "missed"]);
        ring = { ...ring, state: step.state };
        states.push(step.state);
        told.push(...step.told.map(({ userId }) => userId));
      }
      // It is over with its first change, unless it was accepted in vain.
      expect(states.slice(1)).toEqual(states[0] === "accepted" && states.length > 1 ? ["missed"] : []);
      expect(told.toSorted()).toEqual(states.length === 0 ? [] : states.join() === "accepted" ? [bo] : [ana, bo]);
      if (nowMs >= 30_000) expect(stepRing(ring, { type: "accepted", byId: bo }, nowMs)?.state).not.toBe("accepted");
    }),
  );
});
