import * as v from "valibot";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { filterPricesDefault } from "@fava/wire/beans.ts";
import { priceListSchema, rechargeAnswerSchema } from "@fava/wire/gateway.ts";
import { outage } from "#test/fakes/scripted-payments.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { type Person, ShopWorld } from "#test/fixtures/shop-world.ts";
import { insertPack } from "./price-store.ts";

let world: ShopWorld;
let ana: Person;

beforeAll(async () => {
  world = await ShopWorld.open();
});
beforeEach(async () => {
  ana = await world.person();
});
afterEach(() => expectSoundLedger(world.database.db));

const refused = (status: number, msg: string) => expect.objectContaining({ status, msg });

describe("price list", () => {
  test("returns the specification's packs and every channel's payment methods for country 18", async () => {
    const { data } = await world.priceList(ana);
    const { list, paypal_list, paytype_list, currency_code } = v.parse(priceListSchema, data);
    expect(list.map(({ golds, money }) => [golds, money])).toEqual([
      [1_030_000, "999.99"],
      [770_000, "749.99"],
      [510_000, "499.99"],
      [203_000, "199.99"],
      [101_000, "99.99"],
      [10_000, "9.99"],
    ]);
    expect([paypal_list, currency_code]).toEqual([[], "USD"]);
    expect(paytype_list.map(({ id, channel_type, country_code }) => [id, channel_type, country_code])).toEqual([
      ["sandbox-card", 2, "US"],
      ["sandbox-wallet", 2, "US"],
      ["coda-card", 9, "US"],
      ["coda-wallet", 9, "US"],
    ]);
  });

  test("returns an empty list for any other country, so that the page requests country 18", async () => {
    expect(await world.priceList(ana, { country_id: 77 })).toMatchObject({ status: 200, data: { list: [] } });
  });

  test("[BEANS-151] requires a fresh token of the user it names", async () => {
    const bo = await world.person();
    expect(await world.priceList(ana, { token: "made-up" })).toEqual(refused(403, "bad_token"));
    expect(await world.priceList(ana, { token: await world.token(bo) })).toEqual(refused(403, "bad_token"));
    const token = await world.token(ana);
    expect(await world.priceList(ana, { token })).toMatchObject({ status: 200 });
    world.clock.advance(600_000);
    expect(await world.priceList(ana, { token })).toEqual(refused(403, "bad_token"));
    const later = await world.token(ana);
    await world.signOut(ana.userId);
    expect(await world.priceList(ana, { token: later })).toEqual(refused(403, "bad_token"));
    await world.signIn(ana);
    expect(await world.priceList(ana, { token: later })).toEqual(refused(403, "bad_token"));
    expect(await world.priceList(ana)).toMatchObject({ status: 200 });
  });

  test("is never cached, sends no referrer, and responds to POST as to GET", async () => {
    const { http } = await world.priceList(ana);
    expect(http.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    const data = { op: "price_list", country_id: 18, user_id: ana.userNo, token: await world.token(ana) };
    const posted = await world.edge.app.inject({
      method: "POST",
      url: "/gateway/entry",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams({
        Api_name: "third_recharge",
        Api_data: JSON.stringify({ ...data, recharge_type: 4, back_type: 2, platform: "web" }),
      }).toString(),
    });
    expect(posted.json()).toMatchObject({ status: 200, data: { currency_code: "USD" } });
    expect(world.edge.logged.join("")).not.toContain("Api_data");
  });

  test("responds 400 to malformed requests", async () => {
    expect(await world.entry({ op: "price_list" })).toEqual(refused(400, "bad_request"));
    const answer = await world.edge.app.inject({
      url: "/gateway/entry",
      query: { Api_name: "third_recharge", Api_data: "{" },
    });
    expect(answer.json()).toEqual({ status: 400, msg: "bad_request" });
  });
});

describe("recharge", () => {
  test("returns the provider's page and an order with our price, return URL and webhook URL", async () => {
    const answer = await world.recharge(ana);
    expect(v.is(rechargeAnswerSchema, { ...answer, http: undefined })).toBe(true);
    const orderNo = answer.order_no ?? "";
    expect(answer.data).toBe(`https://pay.test/sandbox/${orderNo}`);
    expect(orderNo).toMatch(/^[a-z0-9]{4,32}$/);
    const { order, urls } = world.payments.opened.at(-1)!;
    expect(order).toMatchObject({
      orderNo,
      userNo: ana.userNo,
      beans: 10_000n,
      amountMinor: 999n,
      currencyCode: "USD",
      language: "tr",
    });
    expect(urls).toEqual({
      returnUrl: `http://fava.test/chargeReturn?order_no=${orderNo}`,
      notifyUrl: "http://fava.test/pay/webhook/sandbox",
    });
    expect((await world.status(ana, orderNo)).data).toMatchObject({
      state: "pending",
      pay_url: answer.data,
      beans: 10_000,
      price_minor: 999,
    });
  });

  test("offers the methods of each channel's own provider", async () => {
    expect(await world.recharge(ana, { op: "recharge_coda", pay_type: "coda-card" })).toMatchObject({ status: 200 });
    expect(world.coda.opened).toHaveLength(1);
    expect(await world.recharge(ana, { op: "recharge_coda" })).toEqual(refused(400, "unknown_method"));
    expect(await world.recharge(ana, { op: "recharge_stripe" })).toEqual(refused(400, "unknown_method"));
    expect(await world.recharge(ana, { country_code: "QQ" })).toEqual(refused(400, "unknown_method"));
  });

  test("[BEANS-152] rejects any amount but ours, however it is written", async () => {
    for (const amount of ["9.98", "0.01", "9.995", "1e1", "-9.99", "09.99x"]) {
      expect(await world.recharge(ana, { amount })).toEqual(refused(400, "wrong_amount"));
    }
    expect(await world.recharge(ana, { recharge_id: 4_711 })).toEqual(refused(400, "unknown_pack"));
    expect(await world.recharge(ana, { amount: "9.990" })).toMatchObject({ status: 200 });
  });

  test("[BEANS-152] prices an exact number of beans at the smallest pack's rate, rounded up to a minor unit", async () => {
    const exact = { recharge_id: 0, golds: 1_600 };
    expect(await world.recharge(ana, { ...exact, amount: "1.59" })).toEqual(refused(400, "wrong_amount"));
    expect(await world.recharge(ana, { ...exact, amount: "1.60" })).toMatchObject({ status: 200 });
    expect(world.payments.opened.at(-1)?.order).toMatchObject({ beans: 1_600n, amountMinor: 160n });
    expect(await world.recharge(ana, { ...exact, golds: 1_601, amount: "1.60" })).toMatchObject({ status: 200 });
    for (const golds of [1_599, 100_001, undefined]) {
      expect(await world.recharge(ana, { ...exact, golds, amount: "1.60" })).toEqual(refused(400, "unknown_pack"));
    }
  });

  test("prices an exact number of beans in whole units in a currency that providers take in whole units only", async () => {
    const at = new Date(world.clock.nowMs());
    const pack = { countryId: 76, golds: 10_000n, priceMinor: 16_500_000n, currencyCode: "IDR" };
    await insertPack(world.database.db, pack, at);
    await world.prices.refresh();
    const bo = await world.person({ countryId: 76 });
    const exact = { recharge_id: 0, golds: 1_601 };
    expect(await world.recharge(bo, { ...exact, amount: "26416.50" })).toEqual(refused(400, "wrong_amount"));
    expect(await world.recharge(bo, { ...exact, amount: "26417" })).toMatchObject({ status: 200 });
    expect(world.payments.opened.at(-1)?.order).toMatchObject({ amountMinor: 2_641_700n, currencyCode: "IDR" });
  });

  test("[BEANS-151] rejects another user's token", async () => {
    const bo = await world.person();
    expect(await world.recharge(ana, { token: await world.token(bo) })).toEqual(refused(403, "bad_token"));
    expect(await world.recharge(ana, { user_id: bo.userNo })).toEqual(refused(403, "bad_token"));
  });

  test.each([
    "http://evil.test/chargeReturn",
    "http://fava.test.evil.test/chargeReturn",
    "http://fava.test@evil.test/chargeReturn",
    "http://someone@fava.test/chargeReturn",
    "https://fava.test/chargeReturn",
    "http://fava.test/chargeReturn/../admin",
    "//fava.test/chargeReturn",
    "javascript:alert(1)",
  ])("[BEANS-156] returns only to our own page, not to %s", async (address) => {
    expect(await world.recharge(ana, { jump_url: address })).toEqual(refused(400, "bad_return"));
  });

  test("creates one order and one payment page for a double click, even while the provider has not responded", async () => {
    const opened = world.payments.opened.length;
    const clicks = await Promise.all(Array.from({ length: 5 }, () => world.recharge(ana)));
    expect(new Set(clicks.map(({ data, order_no: orderNo }) => `${String(data)} ${orderNo}`)).size).toBe(1);
    expect(world.payments.opened).toHaveLength(opened + 1);
    const orderNo = clicks[0]?.order_no;
    expect(await world.order(ana, { pay_type: "sandbox-wallet" })).not.toBe(orderNo);
    expect(await world.order(await world.person())).not.toBe(orderNo);
    world.clock.advance(59_999);
    expect(await world.order(ana)).toBe(orderNo);
    world.clock.advance(1);
    expect(await world.order(ana)).not.toBe(orderNo);
  });

  test("never returns a finished order for a new purchase", async () => {
    const first = await world.paidOrder(ana);
    expect(await world.order(ana)).not.toBe(first);
  });

  test("fails the order when the provider does not respond, and creates a new one for the next click", async () => {
    world.payments.onCreate = async () => outage();
    const answer = await world.recharge(ana);
    expect([answer.status, answer.msg, answer.http.statusCode]).toEqual([502, "provider_failed", 502]);
    world.payments.onCreate = async () => {};
    expect(await world.recharge(ana)).toMatchObject({ status: 200 });
  });

  test("credits a payment reported before its page was created", async () => {
    world.payments.onCreate = async () => {
      const { order_no: orderNo } = await world.database.db
        .selectFrom("payment_orders")
        .select("order_no")
        .where("user_id", "=", ana.userId)
        .executeTakeFirstOrThrow();
      await world.report(orderNo, { kind: "paid" });
    };
    const orderNo = await world.order(ana);
    world.payments.onCreate = async () => {};
    expect((await world.status(ana, orderNo)).data).toMatchObject({ state: "paid", pay_url: "", balance: 10_000 });
  });
});

describe("limits", () => {
  test("allows ten orders an hour per user, and twenty per address", async () => {
    const strict = await ShopWorld.open({ limitFactor: 1 });
    const orderTimes = async (person: Person, times: number) => {
      const statuses: number[] = [];
      for (let count = 0; count < times; count += 1) {
        strict.clock.advance(60_000);
        statuses.push((await strict.recharge(person)).status);
      }
      return statuses.filter((status) => status === 200).length;
    };
    const [one, other, third] = [await strict.person(), await strict.person(), await strict.person()];
    expect(await orderTimes(one, 11)).toBe(10);
    expect(await orderTimes(other, 11)).toBe(10);
    expect(await orderTimes(third, 1)).toBe(0);
  });

  test("blocks a user for an hour after the fifth declined payment", async () => {
    const strict = await ShopWorld.open({ limitFactor: 1 });
    const cem = await strict.person();
    for (let count = 0; count < 5; count += 1) {
      strict.clock.advance(60_000);
      await strict.report(await strict.order(cem), { kind: "failed" });
    }
    const answer = await strict.recharge(cem);
    expect([answer.status, answer.msg, answer.http.statusCode]).toEqual([429, "slow_down", 429]);
    expect(await strict.recharge(await strict.person())).toMatchObject({ status: 200 });
  });
});

test("sets the initial filter prices from the settings", async () => {
  expect(world.prices.filterPrices()).toEqual(filterPricesDefault);
});
