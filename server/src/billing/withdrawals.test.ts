import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { orderWithdraw } from "@fava/wire/endpoints/shop.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { outage } from "#test/fakes/scripted-payments.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { type Person, ShopWorld } from "#test/fixtures/shop-world.ts";
import { signedCall } from "#test/fixtures/signed-call.ts";

const dayMs = 86_400_000;
const askAgainMs = 300_000;
let world: ShopWorld;
let ana: Person;
let orderNo: string;

beforeAll(async () => {
  world = await ShopWorld.open({ publicOrigin: "http://fava.test" });
});
beforeEach(async () => {
  ana = await world.person();
  orderNo = await world.paidOrder(ana);
  world.payments.onRefund = (refundNo) => ({ providerRefundId: `re-${refundNo}`, state: "done" });
});
afterEach(() => expectSoundLedger(world.database.db));

const withdraw = (person = ana) =>
  signedCall(person.caller, orderWithdraw, { user_id: Number(person.userId), order_no: orderNo });
const spend = (beans: bigint) =>
  world.ledger.post({
    key: `spend-${orderNo}`,
    kind: "call",
    from: { userId: ana.userId },
    to: { house: "filter-revenue" },
    amount: beans,
    reference: `call-${orderNo}`,
  });

test("[BEANS-165] withdraws an unused purchase: first the beans, then the money", async () => {
  expect((await world.status(ana, orderNo)).data.withdraw_until).toBe(world.clock.nowMs() + 14 * dayMs);
  const answer = await withdraw();
  expect(answer).toMatchObject({ code: 200, data: { state: "refunded", balance: 0, withdraw_until: null } });
  expect(world.payments.refunds.filter((refund) => refund.orderNo === orderNo)).toEqual([
    { orderNo, refundNo: `${orderNo}r1`, amountMinor: 999n, notifyUrl: "http://fava.test/pay/webhook/sandbox" },
  ]);
  // The provider reports the refund under its own number, which changes nothing.
  await world.report(orderNo, { kind: "refunded", refundNo: `re-${orderNo}r1` });
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["refunded", 0n]);
});

test("[BEANS-165] rejects a withdrawal after 14 days, of a used purchase, of another user, or a second time", async () => {
  const refused = { code: 406, data: { reason: "not_withdrawable" } };
  expect(await withdraw(await world.person())).toMatchObject(refused);
  await spend(1n);
  expect((await world.status(ana, orderNo)).data.withdraw_until).toBe(null);
  expect(await withdraw()).toMatchObject(refused);
  orderNo = await world.paidOrder(ana, { pay_type: "sandbox-wallet" });
  world.clock.advance(14 * dayMs);
  expect(await withdraw()).toMatchObject(refused);
  world.clock.advance(61_000);
  orderNo = await world.paidOrder(ana);
  expect((await withdraw()).code).toBe(200);
  expect(await withdraw()).toMatchObject(refused);
});

test("[BEANS-165] withdraws an older purchase while an age check stops the buyer", async () => {
  world.clock.advance(40 * dayMs);
  expect((await world.status(ana, orderNo)).data.withdraw_until).toBe(null);
  world.stoppedByAge.add(ana.userId);
  expect((await world.status(ana, orderNo)).data.withdraw_until).toBe(world.clock.nowMs() + 14 * dayMs);
  expect(await withdraw()).toMatchObject({ code: 200, data: { state: "refunded", balance: 0 } });
});

test("accepts one of two concurrent withdrawals", async () => {
  const codes = (await Promise.all([withdraw(), withdraw()])).map(({ code }) => code);
  expect(new Set(codes)).toEqual(new Set([200, 406]));
  expect(await world.balance(ana)).toBe(0n);
});

test("keeps the purchase when the provider rejects the refund, and allows another attempt", async () => {
  world.payments.onRefund = () => outage(false);
  expect(await withdraw()).toMatchObject({ code: 406, data: { reason: "refund_failed" } });
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
  world.payments.onRefund = () => ({ providerRefundId: "re", state: "done" });
  expect(await withdraw()).toMatchObject({ code: 200, data: { state: "refunded", balance: 0 } });
});

test("retries the same refund when the provider does not respond, since the money may be on its way", async () => {
  world.payments.onRefund = () => outage();
  expect(await withdraw()).toMatchObject({ code: 200, data: { state: "refunded", balance: 0 } });
  world.clock.advance(240_000);
  await world.shop.withdrawals.runDue();
  const asked = () => world.payments.refunds.filter((refund) => refund.orderNo === orderNo);
  expect(asked()).toHaveLength(1);
  world.payments.onRefund = (refundNo) => ({ providerRefundId: `re-${refundNo}`, state: "done" });
  world.clock.advance(61_000);
  await world.shop.withdrawals.runDue();
  expect(asked().map(({ refundNo }) => refundNo)).toEqual([`${orderNo}r1`, `${orderNo}r1`]);
  world.clock.advance(dayMs);
  await world.shop.withdrawals.runDue();
  expect(asked()).toHaveLength(2);
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["refunded", 0n]);
});

test("returns the beans at the next check when a rejection could not be stored", async () => {
  world.payments.onRefund = () => {
    vi.spyOn(world.shop.orders, "act").mockRejectedValueOnce(new DatabaseUnavailableError("away"));
    return outage(false);
  };
  expect((await withdraw()).code).not.toBe(200);
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["refunded", 0n]);
  world.payments.onRefund = () => outage(false);
  world.clock.advance(askAgainMs);
  await world.shop.withdrawals.runDue();
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
});

test("applies a rejection received during a review once the order is decided", async () => {
  world.payments.onRefund = () => outage();
  await withdraw();
  await world.report(orderNo, { kind: "paid", transactionId: `second-${orderNo}` });
  world.payments.onRefund = () => outage(false);
  world.clock.advance(askAgainMs);
  await world.shop.withdrawals.runDue();
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["review: second_transaction", 0n]);
  await world.shop.orders.act(orderNo, { kind: "resolved", decision: "credit", refundNo: `${orderNo}close` });
  world.clock.advance(dayMs);
  await world.shop.withdrawals.runDue();
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
});

test("queries an accepted refund until it has ended, also when nothing is reported", async () => {
  world.payments.onRefund = (refundNo) => ({ providerRefundId: `re-${refundNo}`, state: "pending" });
  await withdraw();
  const asked = () => world.payments.refunds.filter((refund) => refund.orderNo === orderNo).length;
  const countAfter = async (ms: number) => {
    world.clock.advance(ms);
    await world.shop.withdrawals.runDue();
    return asked();
  };
  expect([await countAfter(299_000), await countAfter(1_000), await countAfter(299_000)]).toEqual([1, 2, 2]);
  expect([await countAfter(10 * dayMs), await countAfter(dayMs - 1_000), await countAfter(1_000)]).toEqual([3, 3, 4]);
  // A failed query decides nothing: the provider may still refund.
  world.payments.onRefund = () => outage(false);
  expect(await countAfter(dayMs)).toBe(5);
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["refunded", 0n]);
  world.payments.onRefund = (refundNo) => ({ providerRefundId: `re-${refundNo}`, state: "failed" });
  expect(await countAfter(dayMs)).toBe(6);
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
  expect(await countAfter(10 * dayMs)).toBe(6);
});

test("returns the beans when a refund fails later", async () => {
  world.payments.onRefund = (refundNo) => ({ providerRefundId: `re-${refundNo}`, state: "pending" });
  await withdraw();
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["refunded", 0n]);
  await world.report(orderNo, { kind: "refund_failed", refundNo: `re-${orderNo}r1` });
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
});
