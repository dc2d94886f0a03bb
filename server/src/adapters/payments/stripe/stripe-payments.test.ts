import { expect, test } from "vitest";
import type { OrderSnapshot } from "#ports/payments.ts";
import { contractUrls, orderFixture, paymentProviderContract } from "#test/contracts/payment-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { FakeStripe } from "#test/fakes/fake-stripe.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { minorFromStripe, stripeAmount, StripePayments } from "./stripe-payments.ts";

const clock = new TestClock(Date.now());
const nowMs = () => clock.nowMs();

async function start() {
  const fake = await FakeStripe.start(nowMs);
  leftovers.push(fake);
  const stripe = new StripePayments({ ...fake.settings, clock });
  const open = async (change: Partial<OrderSnapshot> = {}) => {
    const order = orderFixture({ orderNo: "o7k2m9", createdAt: new Date(nowMs()), ...change });
    const { providerRef } = await stripe.create(order, contractUrls);
    return { ...order, providerRef };
  };
  const paid = async (change: Partial<OrderSnapshot> = {}) => {
    const order = await open(change);
    const session = fake.finish(order.providerRef);
    return { order: { ...order, transactionId: String(session["payment_intent"]) }, session };
  };
  const eventsOf = async (type: string, object: Record<string, unknown>) =>
    (await stripe.readWebhook(fake.event(type, object))).events;
  return { stripe, fake, open, paid, eventsOf };
}

paymentProviderContract(
  "Stripe",
  async () => {
    const fake = await FakeStripe.start(nowMs);
    const provider = new StripePayments({ ...fake.settings, clock });
    const again = (body: Buffer, options: { secret?: string; sentMs?: number }) =>
      fake.signed(body.toString(), options);
    return {
      provider,
      pay: async (_order, { providerRef }) => fake.event("checkout.session.completed", fake.finish(providerRef)),
      tampered: (request) => [
        { ...request, body: Buffer.from(request.body.toString().replace('"amount_total":999', '"amount_total":1')) },
        { ...request, headers: { "stripe-signature": `${String(request.headers["stripe-signature"]).slice(0, -1)}g` } },
        { ...request, headers: { "stripe-signature": "t=1,v1=" } },
      ],
      foreign: ({ body }) => again(body, { secret: "whsec_another" }),
      stale: ({ body }) => again(body, { sentMs: nowMs() - 301_000 }),
      refunded: async () => fake.event("refund.updated", fake.refunds.get("re_1") ?? {}),
      refundState: "done",
      goDown: () => fake[Symbol.asyncDispose](),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
  {
    amounts: [
      ["USD", 999n],
      ["EUR", 1_999n],
      ["JPY", 1_600n],
      ["KWD", 1_010n],
      ["XOF", 65_500n],
      ["USD", 99_999_999n],
    ],
  },
);

test("puts the order's number into every object of a session whose events need it, under one key", async () => {
  const { fake, open } = await start();
  await open();
  const [call] = fake.calls;
  expect(call?.name).toBe("POST /v1/checkout/sessions");
  expect(call?.idempotencyKey).toBe("order:o7k2m9");
  const named = ["client_reference_id", "metadata[orderNo]", "payment_intent_data[metadata][orderNo]"];
  expect(named.map((name) => call?.form.get(name))).toEqual(["o7k2m9", "o7k2m9", "o7k2m9"]);
  expect(call?.form.get("success_url")).toBe(contractUrls.returnUrl);
  expect(call?.form.get("adaptive_pricing[enabled]")).toBe("false");
});

test("treats a completed session as paid only if Stripe reports it as paid", async () => {
  const { fake, stripe, open, eventsOf } = await start();
  const order = await open();
  const waiting = fake.finish(order.providerRef, "unpaid");
  expect(await eventsOf("checkout.session.completed", waiting)).toEqual([]);
  await expect(stripe.query(order)).resolves.toBeNull();
  const session = fake.finish(order.providerRef, "paid");
  const [event] = await eventsOf("checkout.session.async_payment_succeeded", session);
  const transactionId = String(session["payment_intent"]);
  expect(event).toMatchObject({ kind: "paid", orderNo: "o7k2m9", transactionId, eventId: `paid:${transactionId}` });
  expect((await stripe.query(order))?.eventId).toBe(event?.eventId);
});

test("reports the failure of a slow payment method, and an expired page", async () => {
  const { fake, stripe, open, eventsOf } = await start();
  const order = await open();
  const failed = await eventsOf("checkout.session.async_payment_failed", fake.finish(order.providerRef, "unpaid"));
  expect(failed).toMatchObject([{ kind: "failed", orderNo: "o7k2m9" }]);
  const expired = { ...fake.sessions.get(order.providerRef), status: "expired", payment_intent: null };
  fake.sessions.set(order.providerRef, expired);
  expect(await eventsOf("checkout.session.expired", expired)).toMatchObject([{ kind: "expired", orderNo: "o7k2m9" }]);
  await expect(stripe.query(order)).resolves.toMatchObject({ kind: "expired" });
});

test("acknowledges and ignores events of other products and of other types", async () => {
  const { fake, open, eventsOf } = await start();
  const order = await open();
  const session = fake.finish(order.providerRef);
  expect(await eventsOf("checkout.session.completed", { ...session, metadata: {} })).toEqual([]);
  expect(await eventsOf("invoice.paid", {})).toEqual([]);
  fake.paymentIntents.set("pi_other", { id: "pi_other", metadata: {} });
  const dispute = { id: "dp_1", amount: 999, currency: "usd", status: "needs_response", payment_intent: "pi_other" };
  expect(await eventsOf("charge.dispute.created", dispute)).toEqual([]);
  expect(await eventsOf("charge.dispute.created", { ...dispute, payment_intent: null })).toEqual([]);
});

test("lets Stripe resend an event with an unexpected object", async () => {
  const { eventsOf } = await start();
  await expect(eventsOf("checkout.session.completed", { id: "cs_1" })).rejects.toMatchObject({
    name: "PaymentProviderError",
    isTemporary: true,
  });
});

test("reports a refund once, by the first of its events", async () => {
  const { fake, stripe, paid, eventsOf } = await start();
  const { order } = await paid();
  await stripe.refund(order, { refundNo: "o7k2m9r1", amountMinor: 500n, reason: "withdrawn" });
  const refund = fake.refunds.get("re_1") ?? {};
  const [first] = await eventsOf("refund.updated", refund);
  const charge = { id: "ch_1", payment_intent: order.transactionId, amount_refunded: 500 };
  expect(await eventsOf("charge.refunded", charge)).toEqual([first]);
  expect(first).toMatchObject({
    kind: "refunded",
    orderNo: "o7k2m9",
    transactionId: order.transactionId,
    refundNo: "o7k2m9r1",
    amountMinor: 500n,
  });
  const [failed] = await eventsOf("refund.failed", { ...refund, status: "failed" });
  expect(failed).toMatchObject({ kind: "refund_failed", refundNo: "o7k2m9r1" });
  expect(failed?.eventId).not.toBe(first?.eventId);
  expect(await eventsOf("refund.created", { ...refund, status: "pending" })).toEqual([]);
});

test("identifies a refund that was made at Stripe by Stripe's id", async () => {
  const { paid, eventsOf } = await start();
  const { order } = await paid();
  const refund = { id: "re_9", amount: 999, currency: "usd", status: "succeeded", payment_intent: order.transactionId };
  const expected = { kind: "refunded", orderNo: "o7k2m9", refundNo: "re_9" };
  expect(await eventsOf("refund.updated", { ...refund, metadata: null })).toMatchObject([expected]);
});

test("makes a refund once, also after Stripe has forgotten its idempotency key", async () => {
  const { fake, stripe, paid } = await start();
  const { order } = await paid();
  fake.refundStatus = "pending";
  const refund = { refundNo: "o7k2m9r1", amountMinor: 500n, reason: "withdrawn" };
  await expect(stripe.refund(order, refund)).resolves.toEqual({ providerRefundId: "re_1", state: "pending" });
  fake.refunds.set("re_1", { ...fake.refunds.get("re_1"), status: "failed" });
  await expect(stripe.refund(order, refund)).resolves.toEqual({ providerRefundId: "re_1", state: "failed" });
  expect(fake.calls.filter(({ name }) => name === "POST /v1/refunds")).toHaveLength(1);
});

test("rejects a refund of an unpaid order", async () => {
  const { stripe, open } = await start();
  const order = await open();
  const refunding = stripe.refund(order, { refundNo: "r1", amountMinor: 999n, reason: "" });
  await expect(refunding).rejects.toThrow("order o7k2m9 was not paid at Stripe");
});

test.each([
  ["charge.dispute.created", "needs_response", "dispute_opened"],
  ["charge.dispute.funds_withdrawn", "needs_response", "dispute_opened"],
  ["charge.dispute.created", "warning_needs_response", null],
  ["charge.dispute.closed", "won", "dispute_won"],
  ["charge.dispute.closed", "lost", "dispute_lost"],
  ["charge.dispute.closed", "warning_closed", null],
])("reads %s with status %s as %s", async (type, status, kind) => {
  const { paid, eventsOf } = await start();
  const { order } = await paid();
  const dispute = { id: "dp_1", amount: 999, currency: "usd", status, payment_intent: order.transactionId };
  const { transactionId } = order;
  const event = { kind, eventId: `${kind}:dp_1`, orderNo: "o7k2m9", transactionId, caseId: "dp_1", amountMinor: 999n };
  expect(await eventsOf(type, dispute)).toMatchObject(kind === null ? [] : [event]);
});

test("names the order of an early fraud warning", async () => {
  const { paid, eventsOf } = await start();
  const { order } = await paid();
  const warning = { id: "issfr_1", payment_intent: order.transactionId };
  const expected = { kind: "early_fraud", orderNo: "o7k2m9", transactionId: order.transactionId };
  expect(await eventsOf("radar.early_fraud_warning.created", warning)).toMatchObject([expected]);
});

test("defers an event that needs a query while Stripe does not answer", async () => {
  const { fake, stripe, paid } = await start();
  const { order } = await paid();
  const warning = fake.event("radar.early_fraud_warning.created", { id: "1", payment_intent: order.transactionId });
  fake.override = { status: 503, body: {} };
  await expect(stripe.readWebhook(warning)).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary: true });
});

test.each([
  ["USD", 999n, 999],
  ["JPY", 1_600n, 1_600],
  ["KWD", 1_010n, 1_010],
  ["XOF", 65_500n, 655],
  ["IDR", 1_600_000n, 1_600_000],
  ["ISK", 22_100n, 22_100],
])("writes %s %s as %s for Stripe, and reads it back", (currencyCode, amountMinor, amount) => {
  expect(stripeAmount(amountMinor, currencyCode)).toBe(amount);
  expect(minorFromStripe(BigInt(amount), currencyCode.toLowerCase())).toEqual({ amountMinor, currencyCode });
});

test.each([
  ["KWD", 1_005n],
  ["XOF", 65_501n],
  ["ISK", 22_101n],
  ["UGX", 1_650n],
  ["USD", 0n],
  ["USD", 2n ** 60n],
])("rejects %s %s instead of rounding", (currencyCode, amountMinor) => {
  expect(() => stripeAmount(amountMinor, currencyCode)).toThrow("Stripe does not take");
});

test("has no key in its error messages, and does not retry a rejected request", async () => {
  const { fake, open } = await start();
  const order = await open();
  const another = new StripePayments({ ...fake.settings, secretKey: "sk_test_another", clock });
  const error: unknown = await another.query(order).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "PaymentProviderError", isTemporary: false });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("sk_test");
});

test("is live only with a live key", () => {
  const modeOf = (secretKey: string) => new StripePayments({ secretKey, webhookSecret: "whsec_1", clock }).mode;
  expect(["sk_live_1", "rk_live_1", "sk_test_1", "rk_test_1"].map(modeOf)).toEqual([
    "live",
    "live",
    "sandbox",
    "sandbox",
  ]);
});
