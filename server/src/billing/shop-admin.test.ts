import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  adminOrderResolve,
  adminPackAdd,
  adminPackRemove,
  adminPricesUpdate,
  adminShopInfo,
} from "@fava/wire/endpoints/shop.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { type Person, ShopWorld } from "#test/fixtures/shop-world.ts";
import { signedCall } from "#test/fixtures/signed-call.ts";
import { ShopPriceBook } from "./price-book.ts";

let world: ShopWorld;
let admin: Person;
let ana: Person;

beforeAll(async () => {
  world = await ShopWorld.open();
  admin = await world.person({ role: 3 });
});
beforeEach(async () => {
  ana = await world.person();
});
afterEach(() => expectSoundLedger(world.database.db));

const info = async () => (await signedCall(admin.caller, adminShopInfo, {})).data;
const pack = { country_id: 77, golds: 20_000, price_minor: 1_500, currency_code: "EUR" };

test("rejects changes of prices by moderators and users", async () => {
  for (const role of [0, 2]) {
    const { caller } = await world.person({ role });
    expect(await signedCall(caller, adminShopInfo, {})).toMatchObject({ code: 403 });
    expect(await signedCall(caller, adminPricesUpdate, { gender: 1, country: 1, both: 1 })).toMatchObject({
      code: 403,
    });
  }
});

test("applies new filter prices at once, keeps them over a restart and records who changed them", async () => {
  const before = world.prices.filterPrices();
  const answer = await signedCall(admin.caller, adminPricesUpdate, { gender: 1_000, country: 500, both: 1_200 });
  expect(answer.data).toEqual({ gender: 1_000, country: 500, both: 1_200 });
  expect(world.prices.filterPrices()).toEqual({ gender: 1_000, country: 500, both: 1_200 });
  const seed = { prices: before, at: new Date(world.clock.nowMs()) };
  expect((await ShopPriceBook.open(world.database.db, seed)).filterPrices().gender).toBe(1_000);
  expect((await info()).history[0]).toMatchObject({
    user_no: admin.userNo,
    change: "prices",
    before: "1600 / 800 / 2000",
    after: "1000 / 500 / 1200",
  });
});

test("rejects a price for both filters above the sum of the two", async () => {
  const answer = await signedCall(admin.caller, adminPricesUpdate, { gender: 10, country: 10, both: 21 });
  expect(answer).toMatchObject({ code: 400, data: { field: "both" } });
});

describe("packs", () => {
  test("gives a country its own list in one currency, from which its users buy", async () => {
    const { data: added } = await signedCall(admin.caller, adminPackAdd, pack);
    expect(added).toMatchObject(pack);
    const dollars = await signedCall(admin.caller, adminPackAdd, { ...pack, golds: 30_000, currency_code: "USD" });
    expect(dollars).toMatchObject({ code: 400, data: { field: "currency_code" } });
    const shillings = { ...pack, country_id: 1, currency_code: "UGX", price_minor: 3_700_050 };
    const parts = await signedCall(admin.caller, adminPackAdd, shillings);
    expect(parts).toMatchObject({ code: 400, data: { field: "price_minor" } });
    const bo = await world.person({ countryId: 77 });
    expect(await world.recharge(bo)).toMatchObject({ status: 400, msg: "unknown_pack" });
    expect(await world.recharge(bo, { recharge_id: added.id, amount: "15.00" })).toMatchObject({ status: 200 });
    expect(await world.recharge(ana, { recharge_id: added.id, amount: "15.00" })).toMatchObject({
      msg: "unknown_pack",
    });
    expect(await signedCall(admin.caller, adminPackRemove, { id: added.id })).toMatchObject({ code: 200 });
    expect(await world.recharge(bo)).toMatchObject({ status: 200 });
    expect((await info()).history.slice(0, 2).map(({ change, before, after }) => [change, before, after])).toEqual([
      ["pack_removed", expect.stringContaining("20000 = 15.00 EUR"), null],
      ["pack_added", null, expect.stringContaining("20000 = 15.00 EUR")],
    ]);
  });

  test("[BEANS-10] keeps packs of 5,000,000 beans or more without listing or selling them", async () => {
    const huge = { ...pack, country_id: 18, golds: 5_000_000, price_minor: 400_000, currency_code: "USD" };
    const { data: added } = await signedCall(admin.caller, adminPackAdd, huge);
    expect((await info()).packs.map(({ id }) => id)).toContain(added.id);
    const { data } = await world.priceList(ana);
    expect(JSON.stringify(data)).not.toContain("5000000");
    expect(await world.recharge(ana, { recharge_id: added.id, amount: "4000.00" })).toMatchObject({
      msg: "unknown_pack",
    });
    await signedCall(admin.caller, adminPackRemove, { id: added.id });
  });

  test("keeps the last pack of country 18, and credits an order whose pack was removed", async () => {
    const orderNo = await world.order(ana);
    const ids = (await info()).packs.map(({ id }) => id);
    const codes: number[] = [];
    for (const id of ids) codes.push((await signedCall(admin.caller, adminPackRemove, { id })).code);
    expect(codes).toEqual([...ids.slice(1).map(() => 200), 400]);
    await world.report(orderNo, { kind: "paid" });
    expect(await world.balance(ana)).toBe(10_000n);
    const smallest = { country_id: 18, golds: 10_000, price_minor: 999, currency_code: "USD" };
    await signedCall(admin.caller, adminPackAdd, smallest);
  });
});

describe("orders in review", () => {
  const resolve = (orderNo: string, decision: 1 | 2) =>
    signedCall(admin.caller, adminOrderResolve, { order_no: orderNo, decision, note: "seen at the provider" });

  async function inReview(): Promise<string> {
    const orderNo = await world.order(ana);
    await world.report(orderNo, { kind: "paid", amountMinor: 998n });
    return orderNo;
  }

  test("lists the order with its reason until an administrator credits it, once", async () => {
    const orderNo = await inReview();
    expect((await info()).reviews).toContainEqual(
      expect.objectContaining({ order_no: orderNo, user_no: ana.userNo, reason: "amount_mismatch", beans: 10_000 }),
    );
    expect(await resolve(orderNo, 1)).toMatchObject({ code: 200, data: { state: "paid" } });
    expect(await world.balance(ana)).toBe(10_000n);
    expect(await resolve(orderNo, 1)).toMatchObject({ code: 400 });
    const { reason, note } = await world.database.db
      .selectFrom("order_decisions")
      .select(["reason", "note"])
      .executeTakeFirstOrThrow();
    expect([reason, note]).toEqual(["amount_mismatch", "seen at the provider"]);
  });

  test("credits nothing after closing without beans, whatever the provider reports", async () => {
    const orderNo = await inReview();
    expect(await resolve(orderNo, 2)).toMatchObject({ data: { state: "failed" } });
    await world.report(orderNo, { kind: "paid" });
    expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["review: paid_after_close", 0n]);
  });

  test("applies the events held back by the review after the decision", async () => {
    const orderNo = await world.paidOrder(ana);
    await world.report(orderNo, { kind: "paid", transactionId: `second-${orderNo}` });
    await world.report(orderNo, { kind: "refunded", refundNo: `r-${orderNo}`, amountMinor: 333n });
    expect(await world.balance(ana)).toBe(10_000n);
    expect(await resolve(orderNo, 1)).toMatchObject({ data: { state: "paid" } });
    expect(await world.balance(ana)).toBe(6_666n);
  });

  test("takes credited beans back when the order is closed", async () => {
    const orderNo = await world.paidOrder(ana);
    await world.report(orderNo, { kind: "paid", transactionId: `second-${orderNo}` });
    expect(await resolve(orderNo, 2)).toMatchObject({ data: { state: "refunded" } });
    expect(await world.balance(ana)).toBe(0n);
  });

  test("[BEANS-143] rejects a payment already credited for another order", async () => {
    const first = await world.paidOrder(ana);
    const second = await world.order(ana, { pay_type: "sandbox-wallet" });
    await world.report(second, { kind: "paid", transactionId: `txn-${first}` });
    expect(await resolve(second, 1)).toMatchObject({ code: 400, data: { field: "decision" } });
    expect(await resolve(second, 2)).toMatchObject({ data: { state: "failed" } });
    expect(await world.balance(ana)).toBe(10_000n);
  });
});
