import * as v from "valibot";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type GatewayRequest, gatewayRequestSchema } from "@fava/wire/gateway.ts";
import { keepSignKey } from "#lib/api/sign-keys.ts";
import { clearForSignOut, readStored, writeStored } from "#lib/storage.ts";
import { ownUser } from "#testing/own-user.ts";
import { card, listOf } from "#testing/shop-world.ts";
import { fetchPriceList, GatewayFailure, requestPayment } from "./gateway.ts";

const pack = { packId: 6, beans: 10_000, priceMinor: 999, currencyCode: "USD" };
const link = { status: 200, data: "https://pay.example/1", order_no: "ord1" };
let tokens: number;
let asked: GatewayRequest[];
let answers: unknown[];
/** Each test has its own user, because a token is cached for the life of the page. */
let userId = 100;

beforeEach(async () => {
  userId += 1;
  tokens = 0;
  asked = [];
  answers = [];
  writeStored("loginToken", "tok");
  await keepSignKey("tok", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  vi.stubGlobal("location", { origin: "https://fava.example" });
  vi.stubGlobal("fetch", (address: string) => {
    if (address === "/api/get/token") {
      tokens += 1;
      return Promise.resolve(
        Response.json({ code: 200, data: { token: `recharge-${tokens}`, expires_at: 0, entry: "/gateway/entry" } }),
      );
    }
    const { pathname, searchParams } = new URL(address, "https://fava.example");
    if (pathname !== "/gateway/entry" || searchParams.get("Api_name") !== "third_recharge") throw new Error(address);
    // What the server accepts, by the shared contract.
    asked.push(v.parse(gatewayRequestSchema, JSON.parse(searchParams.get("Api_data") ?? "")));
    const answer = answers.shift();
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(Response.json(answer));
  });
});
afterEach(() => {
  clearForSignOut();
  vi.unstubAllGlobals();
});

const user = () => ownUser({ user_id: userId, user_no: "1048" });

test("requests the price list with the fields of the specification, and stores the token", async () => {
  answers = [{ status: 200, data: listOf([[6, 10_000, 999]]) }];
  const list = await fetchPriceList(user(), 5);
  expect(list.list).toHaveLength(1);
  expect(asked[0]).toEqual({
    op: "price_list",
    country_id: 5,
    user_id: "1048",
    token: "recharge-1",
    language: "en",
    recharge_type: 4,
    back_type: 2,
    platform: "web",
  });
  expect(readStored("rechargeToken")).toBe("recharge-1");
});

test("requests a payment with the fields of the specification, from the method's provider", async () => {
  answers = [link, link, link];
  expect(await requestPayment(user(), pack, card)).toEqual({ url: "https://pay.example/1", orderNo: "ord1" });
  expect(asked[0]).toEqual({
    op: "recharge_payermax",
    user_id: "1048",
    token: "recharge-1",
    language: "en",
    country_type: 0,
    amount: "9.99",
    recharge_id: 6,
    country_code: "US",
    pay_type: "card",
    back_type: 2,
    jump_url: "https://fava.example/chargeReturn",
    origin_type: 1,
  });
  await requestPayment(user(), pack, { ...card, channel_type: 9 });
  await requestPayment(user(), { ...pack, packId: 0, beans: 3_200, priceMinor: 320 }, { ...card, channel_type: 20 });
  expect(asked[1]).toMatchObject({ op: "recharge_coda" });
  expect(asked[2]).toMatchObject({ op: "recharge_stripe", recharge_id: 0, golds: 3_200, amount: "3.20" });
  expect(tokens).toBe(1);
});

test("renews a rejected token once", async () => {
  answers = [{ status: 403, msg: "bad_token" }, link];
  await requestPayment(user(), pack, card);
  expect(asked.map(({ token }) => token)).toEqual(["recharge-1", "recharge-2"]);
  answers = [
    { status: 403, msg: "bad_token" },
    { status: 403, msg: "bad_token" },
  ];
  await expect(requestPayment(user(), pack, card)).rejects.toMatchObject({ reason: "bad_token" });
});

test.each([
  ["wrong_amount", { status: 400, msg: "wrong_amount" }],
  ["slow_down", { status: 429, msg: "slow_down" }],
  ["provider_failed", { status: 502, msg: "a future reason" }],
  ["silence", { hello: "world" }],
  ["silence", new TypeError("no network")],
  ["provider_failed", { ...link, data: "javascript:alert(1)" }],
])("reports %s for a payment that cannot be opened", async (reason, answer) => {
  answers = [answer];
  const failure = await requestPayment(user(), pack, card).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(GatewayFailure);
  expect(failure).toMatchObject({ reason });
});
