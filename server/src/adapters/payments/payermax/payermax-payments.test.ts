import { describe, expect, test } from "vitest";
import type { WebhookRequest } from "#ports/payments.ts";
import { contractUrls, orderFixture, paymentProviderContract, refundOf } from "#test/contracts/payment-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { foreignPayermaxKey, FakePayerMax } from "#test/fakes/fake-payermax.ts";
import { startPayermax } from "#test/fixtures/payermax-world.ts";
import { payermaxLiveUrl, payermaxTestUrl } from "./payermax-gateway.ts";
import { PayerMaxPayments } from "./payermax-payments.ts";

paymentProviderContract(
  "PayerMaxPayments",
  async () => {
    const clock = new TestClock(Date.now());
    const fake = await FakePayerMax.start(() => clock.nowMs());
    const changed = (request: WebhookRequest, from: string, to: string) => ({
      ...request,
      body: Buffer.from(request.body.toString().replace(from, to)),
    });
    return {
      provider: new PayerMaxPayments({ ...fake.settings, clock }),
      pay: async (order) => fake.finish(order.orderNo, "SUCCESS"),
      tampered: (request) => [
        changed(request, "o7k2m9", "o7k2m8"),
        changed(request, "9.99", "9.98"),
        changed(request, ":9.99", ": 9.99"),
        { ...request, body: Buffer.from(JSON.stringify(JSON.parse(request.body.toString()), null, 1)) },
        { ...request, headers: { sign: "AAAA" } },
        { ...request, headers: { sign: "" } },
      ],
      foreign: (request) => fake.signed(request.body.toString(), foreignPayermaxKey()),
      stale: null,
      refunded: async (_order, refundNo) => fake.refundNotification(refundNo, "REFUND_SUCCESS"),
      refundState: "pending",
      goDown: () => fake[Symbol.asyncDispose](),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
  {
    amounts: [
      ["USD", 1n],
      ["EUR", 1_999n],
      ["JPY", 1_600n],
      ["KWD", 1_230n],
      ["IDR", 1_600_000n],
      ["USD", 99_999_999n],
    ],
  },
);

describe("requests", () => {
  test("sends the documented fields, the amount as a number with its digits, and the current time", async () => {
    const { payments, fake } = await startPayermax();
    const created = await payments.create(
      orderFixture({ orderNo: "o7k2m9", amountMinor: 990n, language: "zh-CN", countryCode: "SG" }),
      contractUrls,
    );
    expect(created.expiresAt).toEqual(new Date(Date.UTC(2026, 10, 21, 10, 30, 0, 5)));
    const [body = ""] = fake.bodies;
    expect(body).toContain(`"totalAmount":9.90,`);
    expect(JSON.parse(body)).toEqual({
      version: "1.4",
      keyVersion: "1",
      requestTime: "2026-11-21T10:00:00.005Z",
      appId: fake.settings.appId,
      merchantNo: fake.settings.merchantNo,
      data: {
        outTradeNo: "o7k2m9",
        integrate: "Hosted_Checkout",
        subject: "Fava: 1600 beans",
        totalAmount: 9.9,
        currency: "USD",
        country: "SG",
        userId: "204817",
        language: "zh",
        frontCallbackUrl: contractUrls.returnUrl,
        notifyUrl: contractUrls.notifyUrl,
        expireTime: "1800",
        paymentDetail: { paymentMethodType: "CARD" },
      },
    });
  });

  test.each([
    ["SYSTEM_ERROR", 200, true],
    ["REQUEST_TIMEOUT", 200, true],
    ["AMOUNT_LIMIT", 200, false],
    ["SIGN_VERIFY_FAILED", 401, false],
    ["AMOUNT_LIMIT", 503, true],
  ])("treats the error %s with status %s as temporary: %s", async (code, status, isTemporary) => {
    const { payments, fake } = await startPayermax();
    fake.override = { status, body: JSON.stringify({ msg: "The amount doesn't match.", code }) };
    const creating = payments.create(orderFixture({ orderNo: "o7k2m9" }), contractUrls);
    await expect(creating).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary });
  });

  test.each([
    ["no JSON", "<html>502</html>"],
    ["nothing", ""],
    ["more than it may say", `"${"x".repeat(300_000)}"`],
    ["success without a signature", JSON.stringify({ code: "APPLY_SUCCESS", data: { status: "SUCCESS" } })],
  ])("treats a response that is %s as a temporary failure", async (_what, body) => {
    const { payments, fake } = await startPayermax();
    fake.override = { status: 200, body };
    const asking = payments.query(orderFixture({ orderNo: "o7k2m9" }));
    await expect(asking).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary: true });
  });

  test("rejects a response about another order", async () => {
    const { payments, fake, paid } = await startPayermax();
    const { order } = await paid();
    const data = { outTradeNo: "another", tradeToken: "T1", totalAmount: 9.99, currency: "USD", status: "SUCCESS" };
    fake.override = { status: 200, body: JSON.stringify({ code: "APPLY_SUCCESS", data }), isSigned: true };
    await expect(payments.query(order)).rejects.toMatchObject({ isTemporary: true });
  });

  test.each([
    ["FAILED", "failed"],
    ["CLOSED", "expired"],
  ] as const)("reports a payment that ended %s as %s, by notification and by query", async (status, kind) => {
    const { payments, fake } = await startPayermax();
    const order = orderFixture({ orderNo: "o7k2m9" });
    await payments.create(order, contractUrls);
    const { events } = await payments.readWebhook(fake.finish(order.orderNo, status));
    expect(events).toMatchObject([{ kind, orderNo: "o7k2m9" }]);
    await expect(payments.query(order)).resolves.toMatchObject({ kind });
  });

  test("sends test keys to the test host, which is no live provider", async () => {
    const { fake, clock } = await startPayermax();
    const mode = (baseUrl: string) => new PayerMaxPayments({ ...fake.settings, baseUrl, clock }).mode;
    expect([mode(payermaxLiveUrl), mode(payermaxTestUrl)]).toEqual(["live", "sandbox"]);
    expect(() => new PayerMaxPayments({ ...fake.settings, privateKey: "bm8ga2V5", clock })).toThrow(Error);
  });

  test("returns the state of a repeated refund, although PayerMax rejects repetitions", async () => {
    const { payments, fake, paid } = await startPayermax();
    const { order } = await paid();
    const refund = refundOf("r1");
    await expect(payments.refund(order, refund)).resolves.toEqual({ providerRefundId: "R1", state: "pending" });
    fake.refundNotification("r1", "REFUND_SUCCESS");
    await expect(payments.refund(order, refund)).resolves.toEqual({ providerRefundId: "R1", state: "done" });
    fake.refundNotification("r1", "REFUND_FAILED");
    await expect(payments.refund(order, refund)).resolves.toEqual({ providerRefundId: "R1", state: "failed" });
  });

  test("sends the address for notifications of a refund, if there is one", async () => {
    const { payments, fake, paid } = await startPayermax();
    const { order } = await paid();
    await payments.refund(order, refundOf("r1"));
    await payments.refund(order, { ...refundOf("r2"), notifyUrl: null });
    const sent = fake.bodies.slice(-2).map((body) => (JSON.parse(body) as { data: object }).data);
    const common = {
      refundAmount: 9.99,
      refundCurrency: "USD",
      outTradeNo: "o7k2m9",
      comments: "withdrawn",
    };
    expect(sent).toEqual([
      { ...common, outRefundNo: "r1", refundNotifyUrl: contractUrls.notifyUrl },
      { ...common, outRefundNo: "r2" },
    ]);
  });

  test("treats an accepted refund with an incomplete response as possibly made", async () => {
    const { payments, fake, paid } = await startPayermax();
    const { order } = await paid();
    const data = { outRefundNo: "r1", refundTradeNo: "R1" };
    fake.override = { status: 200, body: JSON.stringify({ code: "APPLY_SUCCESS", data }), isSigned: true };
    await expect(payments.refund(order, refundOf("r1"))).rejects.toMatchObject({ isTemporary: true });
  });

  test("rejects a refund of a payment that was not made", async () => {
    const { payments } = await startPayermax();
    const order = orderFixture({ orderNo: "o7k2m9" });
    await payments.create(order, contractUrls);
    const refunding = payments.refund(order, refundOf("r1"));
    await expect(refunding).rejects.toMatchObject({ isTemporary: false });
  });
});
