import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import {
  beansTaken,
  type OrderEffect,
  type OrderEvent,
  type OrderMachineState,
  stepOrder,
  type Terms,
} from "./order-machine.ts";

const terms: Terms = { beans: 10_000n, amountMinor: 999n, currencyCode: "USD" };

const transaction = fc.constantFrom("txn-1", "txn-1", "txn-1", "txn-2");
const amount = fc.oneof(fc.constant(999n), fc.bigInt({ min: 0n, max: 1_100n }));
const own = fc
  .constantFrom("opened", "open_failed", "timed_out", "failed", "expired", "early_fraud")
  .map((kind) => ({ kind }));
const paid = fc.record({
  kind: fc.constant("paid"),
  transactionId: transaction,
  amountMinor: fc.oneof(fc.constant(999n), fc.constant(999n), fc.constant(1n)),
  currencyCode: fc.constantFrom("USD", "USD", "USD", "JPY"),
  usedElsewhere: fc.constantFrom(false, false, false, true),
});
const refund = fc.record({
  kind: fc.constantFrom("refunded", "refund_failed"),
  transactionId: transaction,
  refundNo: fc.constantFrom("r1", "r2", "r3"),
  amountMinor: amount,
});
const dispute = fc.record({
  kind: fc.constantFrom("dispute_opened", "dispute_won", "dispute_lost"),
  transactionId: transaction,
  caseId: fc.constantFrom("c1", "c2"),
  amountMinor: amount,
});
const withdrawn = fc.record({ kind: fc.constant("withdrawn"), refundNo: fc.constantFrom("w1", "w2") });
const resolved = fc.record({
  kind: fc.constant("resolved"),
  decision: fc.constantFrom("credit", "close"),
  refundNo: fc.constant("close"),
});
const contradicted = fc.constant({ kind: "contradicted", reason: "provider_disagrees" });
const anyEvent = fc.oneof(
  own,
  paid,
  paid,
  refund,
  dispute,
  withdrawn,
  resolved,
  contradicted,
) as fc.Arbitrary<OrderEvent>;

/** The user's beans as the ledger would count them: each effect's key counts once. */
function ledgerOf(effects: readonly OrderEffect[]): { beans: bigint; credits: number } {
  const keys = new Map<string, OrderEffect>();
  for (const effect of effects)
    keys.set(effect.kind === "credit" ? "credit" : `${effect.kind} ${effect.cause} ${effect.id}`, effect);
  const posted = [...keys.values()];
  const sum = posted.reduce((total, { kind, beans }) => (kind === "take" ? total - beans : total + beans), 0n);
  return { beans: sum, credits: posted.filter(({ kind }) => kind === "credit").length };
}

test("credits exactly the beans of the payments, once, for any events in any order", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 25 }), (said) => {
      let state: OrderMachineState = { name: "created" };
      const effects: OrderEffect[] = [];
      for (const event of said) {
        const before = state;
        const step = stepOrder(terms, state, event);
        const standsStill = step.result === "ignored" || step.result === "parked";
        expect(step.state === before || !standsStill).toBe(true);
        expect(step.effects.length === 0 || step.result === "applied").toBe(true);
        for (const effect of step.effects) expect(effect.beans).toBeGreaterThan(0n);
        state = step.state;
        effects.push(...step.effects);
      }
      const { beans, credits } = ledgerOf(effects);
      const payment = "payment" in state ? state.payment : null;
      expect(credits).toBe(payment ? 1 : 0);
      expect(beans).toBe(payment ? terms.beans - beansTaken(terms, payment) : 0n);
      expect(beans >= 0n && beans <= terms.beans).toBe(true);
    }),
    fuzz(3_000),
  );
});

test("credits only for a payment of exactly the ordered amount and currency, or for an administrator's decision", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 15 }), (said) => {
      const unfit = said.filter(
        (event) =>
          event.kind !== "resolved" &&
          !(
            event.kind === "paid" &&
            event.amountMinor === 999n &&
            event.currencyCode === "USD" &&
            !event.usedByOtherOrder
          ),
      );
      let state: OrderMachineState = { name: "pending" };
      for (const event of unfit) {
        const step = stepOrder(terms, state, event);
        expect(step.effects).toEqual([]);
        state = step.state;
      }
    }),
    fuzz(100),
  );
});

test("[BEANS-160] never takes more beans for partial refunds than for a full one, and the rest with the last", () => {
  const order = fc.record({
    beans: fc.bigInt({ min: 1n, max: 2_000_000n }),
    amountMinor: fc.bigInt({ min: 1n, max: 100_000n }),
  });
  fc.assert(
    fc.property(order, fc.array(fc.bigInt({ min: 1n, max: 5_000n }), { maxLength: 10 }), (ordered, parts) => {
      const own: Terms = { ...ordered, currencyCode: "USD" };
      let state: OrderMachineState = { name: "paid", payment: { transactionId: "t", refunds: [], disputes: [] } };
      let [left, taken] = [own.amountMinor, 0n];
      for (const [index, part] of [...parts, own.amountMinor].entries()) {
        const amountMinor = part < left ? part : left;
        if (amountMinor === 0n) break;
        const step = stepOrder(own, state, {
          kind: "refunded",
          transactionId: "t",
          refundNo: `r${index}`,
          amountMinor,
        });
        state = step.state;
        left -= amountMinor;
        taken += step.effects.reduce((sum, { beans }) => sum + beans, 0n);
        // At least in proportion, and at most one bean more by rounding.
        const exact = own.beans * (own.amountMinor - left);
        expect(taken * own.amountMinor - exact >= 0n && taken * own.amountMinor - exact < own.amountMinor).toBe(true);
      }
      expect([state.name, taken]).toEqual(["refunded", own.beans]);
    }),
    fuzz(100),
  );
});

test("credits nothing for a payment reported after an administrator closed the order", () => {
  const closed: OrderMachineState = { name: "failed", closedByPerson: true };
  const step = stepOrder(terms, closed, {
    kind: "paid",
    transactionId: "t",
    amountMinor: 999n,
    currencyCode: "USD",
    usedByOtherOrder: false,
  });
  expect(step).toMatchObject({ state: { name: "review", reason: "paid_after_close" }, effects: [] });
});

test("[BEANS-162] does not repeat a failed refund under the same number", () => {
  let state: OrderMachineState = { name: "paid", payment: { transactionId: "t", refunds: [], disputes: [] } };
  const refundOf = (kind: "refunded" | "refund_failed"): OrderEvent => ({
    kind,
    transactionId: "t",
    refundNo: "r",
    amountMinor: 999n,
  });
  const names: string[] = [];
  for (const kind of ["refunded", "refund_failed", "refunded"] as const) {
    state = stepOrder(terms, state, refundOf(kind)).state;
    names.push(state.name);
  }
  expect(names).toEqual(["refunded", "paid", "review"]);
});
