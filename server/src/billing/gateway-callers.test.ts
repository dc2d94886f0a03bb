import * as v from "valibot";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type PriceList, priceListSchema } from "@fava/wire/gateway.ts";
import { unavailable } from "#lib/errors.ts";
import { type Person, ShopWorld } from "#test/fixtures/shop-world.ts";

let world: ShopWorld;
let ana: Person;

beforeAll(async () => {
  world = await ShopWorld.open({ trustedProxies: ["127.0.0.1"] });
});
beforeEach(async () => {
  ana = await world.person();
});

const badToken = expect.objectContaining({ status: 403, msg: "bad_token" });
const from = (ip: string) => ({ "x-forwarded-for": ip });

/** Requests the smallest pack as a client does that implements only the specification. */
const rechargeWithoutToken = (person: Person, ip: string, change: Record<string, unknown> = {}) =>
  world.recharge(person, { token: undefined, ...change }, from(ip));

describe("a recharge without a token", () => {
  test("is accepted for ten minutes after the same address requested this user's prices", async () => {
    expect(await rechargeWithoutToken(ana, "192.0.2.1")).toEqual(badToken);
    await world.priceList(ana, {}, from("192.0.2.1"));
    world.clock.advance(599_999);
    const answer = await rechargeWithoutToken(ana, "192.0.2.1");
    expect(answer).toMatchObject({ status: 200, data: expect.stringMatching(/^https:/) as string });
    expect((await world.status(ana, answer.order_no ?? "")).data).toMatchObject({ state: "pending", beans: 10_000 });
    world.clock.advance(1);
    expect(await rechargeWithoutToken(ana, "192.0.2.1")).toEqual(badToken);
  });

  test("is accepted for that address and that user only", async () => {
    const bo = await world.person();
    await world.priceList(ana, {}, from("2001:db8::1"));
    expect(await rechargeWithoutToken(ana, "2001:db8::2")).toMatchObject({ status: 200 });
    expect(await rechargeWithoutToken(ana, "2001:db8:0:1::1")).toEqual(badToken);
    expect(await rechargeWithoutToken(bo, "2001:db8::1")).toEqual(badToken);
    expect(await rechargeWithoutToken(ana, "2001:db8::1", { user_id: String(ana.userId) })).toEqual(badToken);
    expect(await rechargeWithoutToken(ana, "2001:db8::1", { token: "made-up" })).toEqual(badToken);
  });

  test("is rejected once the session ends, and after a price list that was rejected", async () => {
    const bo = await world.person();
    await world.priceList(bo, { token: "made-up" }, from("192.0.2.2"));
    expect(await rechargeWithoutToken(bo, "192.0.2.2")).toEqual(badToken);
    await world.priceList(ana, {}, from("192.0.2.2"));
    await world.signIn(ana);
    expect(await rechargeWithoutToken(ana, "192.0.2.2")).toEqual(badToken);
  });
});

test("responds 503 with Retry-After while payment tokens can neither be stored nor read", async () => {
  const token = await world.token(ana);
  await world.priceList(ana, {}, from("192.0.2.3"));
  const { temporaryStore } = world;
  using _recalled = vi.spyOn(temporaryStore, "recall").mockRejectedValue(unavailable(1));
  using _kept = vi.spyOn(temporaryStore, "remember").mockRejectedValue(unavailable(1));
  for (const answer of [
    await world.priceList(ana, { token }),
    await world.recharge(ana, { token }),
    await rechargeWithoutToken(ana, "192.0.2.3"),
  ]) {
    expect([answer.http.statusCode, answer.http.headers["retry-after"], answer.data]).toEqual([
      503,
      "1",
      expect.anything(),
    ]);
  }
});

test("accepts user_id and amount as numbers or texts, and user_id also as the internal id when a token comes with it", async () => {
  for (const userId of [ana.userNo, Number(ana.userNo), String(ana.userId), Number(ana.userId)]) {
    expect(await world.priceList(ana, { user_id: userId })).toMatchObject({ status: 200 });
    expect(await world.recharge(ana, { user_id: userId, amount: 9.99 })).toMatchObject({ status: 200 });
  }
  expect(await world.recharge(ana, { amount: 9.98 })).toMatchObject({ status: 400, msg: "wrong_amount" });
  for (const userId of [null, true, {}, "", Number(ana.userNo) + 1]) {
    expect((await world.priceList(ana, { user_id: userId })).status).toBeGreaterThanOrEqual(400);
  }
});

describe("a payment method", () => {
  const methods = async (change: Record<string, unknown> = {}) =>
    (v.parse(priceListSchema, (await world.priceList(ana, change)).data) satisfies PriceList).paytype_list;

  test("has a readable name in the user's language or the requested one", async () => {
    const names = async (change?: Record<string, unknown>) => (await methods(change)).map(({ pay_name }) => pay_name);
    expect(await names()).toEqual(["Kredi veya banka kartı", "Wallet", "Kredi veya banka kartı", "Wallet"]);
    expect((await names({ language: "de" }))[0]).toBe("Kredit- oder Debitkarte");
    expect((await names({ language: "tlh" }))[0]).toBe("Kredi veya banka kartı");
    const order = await world.status(ana, await world.order(ana));
    expect(order.data.pay_name).toBe("Kredi veya banka kartı");
  });

  test("has an image that this server serves", async () => {
    for (const { image_url: address } of await methods()) {
      expect(address).toMatch(/^http:\/\/fava\.test\//);
      const picture = await world.edge.app.inject(new URL(address).pathname);
      expect([picture.statusCode, picture.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
      expect(picture.body).toMatch(/^<svg xmlns=/);
    }
  });
});
