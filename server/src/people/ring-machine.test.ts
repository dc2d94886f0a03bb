import fc from "fast-check";
import { expect, test } from "vitest";
import { type Ring, type RingEvent, stepRing } from "./ring-machine.ts";

const [ana, bo, cem] = [1n, 2n, 3n];
const begun: Ring = {
  id: "ring",
  callerId: ana,
  calleeId: bo,
  atMs: 0,
  untilMs: 30_000,
  state: "ringing",
  isAway: false,
};

const person = fc.constantFrom(ana, bo, cem);
const happened = fc.oneof(
  person.map((byId): RingEvent => ({ type: "accepted", byId })),
  person.map((byId): RingEvent => ({ type: "ended", byId })),
  person.map((userId): RingEvent => ({ type: "left", userId })),
  fc.constant<RingEvent>({ type: "failed" }),
  fc.constant<RingEvent>({ type: "expired" }),
);

test("[RING-1] accepts a ring at most once and not after 30 seconds, and notifies both users of its end once", () => {
  const events = fc.array(fc.tuple(happened, fc.nat(20_000)), { maxLength: 12 });
  fc.assert(
    fc.property(events, fc.boolean(), (all, isAway) => {
      let ring: Ring = { ...begun, isAway };
      let nowMs = 0;
      const steps = [];
      for (const [event, laterMs] of all) {
        nowMs += laterMs;
        const step = stepRing(ring, event, nowMs);
        if (!step) continue;
        steps.push({ ...step, before: ring.state, event, nowMs });
        ring = { ...ring, state: step.state };
      }
      const taken = steps.filter(({ state }) => state === "accepted");
      expect(
        taken.every(({ event, nowMs: atMs }) => event.type === "accepted" && event.byId === bo && atMs < 30_000),
      ).toBe(true);
      // A ring changes once, except that an accepted ring can still become missed.
      expect(steps.map(({ state }) => state).slice(1)).toEqual(
        taken.length === 1 && steps.length > 1 ? ["missed"] : [],
      );
      const lines = steps.filter(({ leavesLine }) => leavesLine);
      // If the friend is absent, a cancelled ring leaves a line like a missed one.
      const endsUnheard = (state: string) => state === "missed" || (isAway && state === "cancelled");
      expect(lines).toEqual(steps.filter(({ before, state }) => before === "ringing" && endsUnheard(state)));
      const notified = steps.flatMap((step) => step.notified.map(({ userId }) => userId));
      expect(new Set(notified).size).toBe(notified.length);
      expect(notified.length).toBe(steps.length === 0 ? 0 : ring.state === "accepted" ? 1 : 2);
      expect(stepRing(ring, { type: "accepted", byId: bo }, nowMs + 30_000)?.state).not.toBe("accepted");
    }),
  );
});
