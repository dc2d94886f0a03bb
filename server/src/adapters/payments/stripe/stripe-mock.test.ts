import { Stripe } from "stripe";
import { beforeAll, describe, expect, test } from "vitest";
import { contractUrls, orderFixture } from "#test/contracts/payment-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { startStripeMock, stripeMockIsInstalled } from "#test/fixtures/real-peers.ts";
import { StripePayments } from "./stripe-payments.ts";

const clock = new TestClock(Date.now());
const keys = { secretKey: "sk_test_1", webhookSecret: "whsec_1" };

/** Every answer of stripe-mock is a sample: it knows no order of ours. */
describe.skipIf(!stripeMockIsInstalled)("requests that Stripe's own description of its API accepts", () => {
  let stripe: StripePayments;
  let origin: string;

  beforeAll(async () => {
    const mock = await startStripeMock();
    leftovers.push(mock);
    stripe = new StripePayments({ ...keys, clock, address: mock.address });
    origin = `http://${mock.address.host}:${mock.address.port}`;
  });

  test.each([
    ["USD", 999n],
    ["JPY", 1_600n],
    ["KWD", 1_010n],
  ])("opens a payment page for %s %s", async (currencyCode, amountMinor) => {
    const order = orderFixture({ orderNo: "o1", createdAt: new Date(clock.nowMs()), currencyCode, amountMinor });
    const created = await stripe.create(order, contractUrls);
    expect(created.redirectUrl).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect(created.providerRef).toMatch(/^cs_test_/);
  });

  test("reads a session, and rejects it as another order's", async () => {
    await expect(stripe.query(orderFixture({ orderNo: "o1", providerRef: "cs_test_1" }))).rejects.toThrow(
      "about another order",
    );
  });

  test("reads the refunds of a payment, and makes a new one", async () => {
    const refund = { refundNo: "r1", amountMinor: 500n, reason: "withdrawn" };
    const answer = await stripe.refund(orderFixture({ orderNo: "o1", transactionId: "pi_1" }), refund);
    expect(answer).toEqual({ providerRefundId: expect.stringMatching(/^re_/) as string, state: "done" });
  });

  test.each([
    ["charge.refunded", { payment_intent: "pi_1" }],
    ["radar.early_fraud_warning.created", { id: "issfr_1", payment_intent: "pi_1" }],
  ])("reads %s, and what it asks Stripe for about it", async (type, object) => {
    const payload = JSON.stringify({ type, created: Math.floor(clock.nowMs() / 1_000), data: { object } });
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: keys.webhookSecret });
    const headers = { "stripe-signature": signature };
    const read = await stripe.readWebhook({ body: Buffer.from(payload), headers, query: {} });
    expect(read.events).toEqual([]);
  });

  test("would refuse a parameter that Stripe does not have", async () => {
    const headers = { authorization: `Bearer ${keys.secretKey}`, "content-type": "application/x-www-form-urlencoded" };
    const body = "mode=payment&success_url=https://fava.example&pay_later=1";
    const answer = await fetch(`${origin}/v1/checkout/sessions`, { method: "POST", headers, body });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("additional properties")]);
  });
});
