import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { eventAbout } from "#test/fakes/scripted-payments.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { type Person, ShopWorld } from "#test/fixtures/shop-world.ts";

let world: ShopWorld;
let ana: Person;

beforeAll(async () => {
  world = await ShopWorld.open();
});
beforeEach(async () => {
  ana = await world.person();
  world.payments.onQuery = () => null;
});
afterEach(() => expectSoundLedger(world.database.db));

async function findings(orderNo: string): Promise<string[]> {
  const rows = await world.database.db
    .selectFrom("reconciliation_findings")
    .select("kind")
    .where("order_no", "=", orderNo)
    .execute();
  return rows.map(({ kind }) => kind);
}

test("finds nothing about a paid order with its purchase, however often it runs", async () => {
  const orderNo = await world.paidOrder(ana);
  world.payments.onQuery = (order) => eventAbout(order.orderNo, { kind: "paid" });
  expect(await world.shop.reconciliation.run()).toBe(0);
  expect(await world.shop.reconciliation.run()).toBe(0);
  expect([await world.stateOf(orderNo), await findings(orderNo)]).toEqual(["paid", []]);
});

test("[BEANS-181] sends a paid order without a purchase to review, where it can be credited", async () => {
  const orderNo = await world.order(ana);
  await world.database.db
    .updateTable("payment_orders")
    .set({ state: "paid", transaction_id: `txn-${orderNo}`, paid_at: new Date(world.clock.nowMs()) })
    .where("order_no", "=", orderNo)
    .execute();
  await world.shop.reconciliation.run();
  expect([await world.stateOf(orderNo), await findings(orderNo)]).toEqual([
    "review: credit_missing",
    ["credit_missing"],
  ]);
  await world.shop.orders.act(orderNo, { kind: "resolved", decision: "credit", refundNo: "x" });
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
  expect(await world.shop.reconciliation.run()).toBe(0);
});

test("[BEANS-181] reports a purchase without a paid order", async () => {
  const orderNo = await world.order(ana);
  const purchase = { key: `pay:sandbox:txn-${orderNo}`, kind: "purchase", from: { house: "sales:sandbox" } } as const;
  await world.ledger.post({ ...purchase, to: { userId: ana.userId }, amount: 10_000n, reference: orderNo });
  await world.shop.reconciliation.run();
  expect(await findings(orderNo)).toEqual(["credit_without_order"]);
  await world.report(orderNo, { kind: "paid" });
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
});

test("credits what the provider reports as paid, and sends what it reports as unpaid to review", async () => {
  const lost = await world.order(ana);
  await world.report(lost, { kind: "expired" });
  const bo = await world.person();
  const doubtful = await world.paidOrder(bo);
  world.payments.onQuery = ({ orderNo }) => {
    if (orderNo === lost) return eventAbout(orderNo, { kind: "paid" });
    return orderNo === doubtful ? eventAbout(orderNo, { kind: "failed" }) : null;
  };
  await world.shop.reconciliation.run();
  expect([await world.stateOf(lost), await findings(lost)]).toEqual(["paid", ["provider_says_paid"]]);
  expect(await world.balance(ana)).toBe(10_000n);
  expect([await world.stateOf(doubtful), await findings(doubtful)]).toEqual([
    "review: provider_disagrees",
    ["provider_says_unpaid"],
  ]);
});

test("uses no connection of the request pool, whose statements time out after ten seconds", async () => {
  await world.paidOrder(ana);
  const requests = vi.spyOn(world.database.pool, "connect");
  expect(await world.shop.reconciliation.run()).toBe(0);
  expect(requests).not.toHaveBeenCalled();
  requests.mockRestore();
});

test("runs all other comparisons after one fails, and reports the failure", async () => {
  const uncredited = await world.order(ana);
  const { db } = world.database;
  const paid = { state: "paid", transaction_id: `txn-${uncredited}`, paid_at: new Date(world.clock.nowMs()) } as const;
  await db.updateTable("payment_orders").set(paid).where("order_no", "=", uncredited).execute();
  const bo = await world.person();
  const withdrawn = await world.paidOrder(bo);
  world.payments.onRefund = (refundNo) => ({ providerRefundId: refundNo, state: "pending" });
  await world.shop.withdrawals.withdraw(bo.userId, withdrawn);
  world.clock.advance(4 * 86_400_000);
  await world.order(await world.person());
  world.payments.onQuery = () => {
    throw new Error("unforeseen");
  };
  const failures = await world.shop.reconciliation.run().catch((error: unknown) => error);
  expect(failures).toMatchObject({ errors: [{ message: "unforeseen" }] });
  expect(await findings(uncredited)).toEqual(["credit_missing"]);
  expect(await findings(withdrawn)).toEqual(["refund_open"]);
  await world.shop.orders.act(uncredited, { kind: "resolved", decision: "credit", refundNo: "x" });
});

test("sends a different amount at the provider to review without crediting beans", async () => {
  const orderNo = await world.order(ana);
  world.payments.onQuery = (order) =>
    order.orderNo === orderNo ? eventAbout(orderNo, { kind: "paid", amountMinor: 1n }) : null;
  await world.shop.reconciliation.run();
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["review: amount_mismatch", 0n]);
});
