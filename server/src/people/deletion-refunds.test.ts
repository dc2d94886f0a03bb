import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedInContext } from "#ports/handlers.ts";
import { outage } from "#test/fakes/scripted-payments.ts";
import { accountsOver } from "#test/fixtures/account-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { callContext } from "#test/fixtures/session-world.ts";
import { type Person, ShopWorld } from "#test/fixtures/shop-world.ts";

let world: ShopWorld;
let account: Awaited<ReturnType<typeof accountsOver>>;
let ana: Person;
let context: SignedInContext;

beforeAll(async () => {
  world = await ShopWorld.open();
  account = await accountsOver(world);
});
beforeEach(async () => {
  world.payments.onRefund = (refundNo) => ({ providerRefundId: `re-${refundNo}`, state: "done" });
  ana = await world.person();
  const session = { id: "s", userId: ana.userId, externalId: ana.userNo, role: 0, profileComplete: true };
  context = { ...callContext(), session };
  await world.database.db
    .insertInto("identities")
    .values({ login_type: 1, third_party_id: ana.userNo, user_id: ana.userId })
    .execute();
});
afterEach(() => expectSoundLedger(world.database.db));

const deletion = async () => (await account.handlers.accountInfo(context, { user_id: Number(ana.userId) })).deletion;
const remove = () => account.handlers.accountDel(context, { user_id: Number(ana.userId), user_no: ana.userNo });
const spend = (beans: bigint) =>
  world.ledger.post({
    key: `spend-${ana.userNo}`,
    kind: "call",
    from: { userId: ana.userId },
    to: { house: "filter-revenue" },
    amount: beans,
    reference: `call-${ana.userNo}`,
  });

test("reports what a deletion would refund and what it would lose", async () => {
  const until = world.clock.nowMs() + 14 * 86_400_000;
  expect(await deletion()).toEqual({ refunds: [], beans_lost: 0, until });
  await world.paidOrder(ana);
  await spend(1n);
  await world.paidOrder(ana, { pay_type: "sandbox-wallet" });
  expect(await deletion()).toEqual({
    refunds: [{ beans: 10_000, price_minor: 999, currency_code: "USD" }],
    beans_lost: 9_999,
    until,
  });
});

test("[DATA-5] refunds unused purchases on deletion, and keeps the used one", async () => {
  const used = await world.paidOrder(ana);
  await spend(1n);
  const unused = await world.paidOrder(ana, { pay_type: "sandbox-wallet" });
  await remove();
  expect([await world.stateOf(used), await world.stateOf(unused)]).toEqual(["paid", "refunded"]);
  expect(await world.balance(ana)).toBe(9_999n);
});

test("[DATA-5] deletes the account although the provider does not answer, and retries the refund", async () => {
  const orderNo = await world.paidOrder(ana);
  world.payments.onRefund = () => outage();
  await expect(remove()).resolves.toHaveProperty("until");
  const refund = () =>
    world.database.db
      .selectFrom("payment_refunds")
      .select("state")
      .where("refund_no", "=", `${orderNo}r1`)
      .executeTakeFirst();
  expect(await refund()).toEqual({ state: "asked" });
  world.payments.onRefund = () => ({ providerRefundId: "re", state: "done" });
  world.clock.advance(301_000);
  await world.shop.withdrawals.runDue();
  expect(await refund()).toEqual({ state: "done" });
});

test("[DATA-5] deletes the account although the provider rejects the refund", async () => {
  const orderNo = await world.paidOrder(ana);
  world.payments.onRefund = () => outage(false);
  await expect(remove()).resolves.toHaveProperty("until");
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
});
