import { describe, expect, test } from "vitest";
import { DecimalNumber } from "#adapters/lossless-json/lossless-json.ts";
import { type OrderSnapshot, WebhookRefusedError, type WebhookRequest } from "#ports/payments.ts";
import { TestClock } from "#testing/clock.ts";
import { leftovers } from "#testing/leftovers.ts";
import { contractUrls, orderFixture, paymentProviderContract } from "#testing/payment-contract.ts";
import { payermaxLiveUrl, payermaxTestUrl } from "./payermax-gateway.ts";
import { PayerMaxPayments } from "./payermax-payments.ts";
import { foreignPayermaxKey, PayerMaxStandIn } from "./payermax-stand-in.ts";

async function start() {
  const clock = new TestClock(Date.UTC(2026, 10, 21, 10, 0, 0, 5));
  const standIn = await PayerMaxStandIn.start(() => clock.nowMs());
  leftovers.push(standIn);
  const payments = new PayerMaxPayments({ ...standIn.settings, clock });
  async function paid(change: Partial<OrderSnapshot> = {}) {
    const order = orderFixture({ orderNo: "o7k2m9", ...change });
    const { providerRef } = await payments.create(order, contractUrls);
    return { order: { ...order, providerRef }, request: standIn.finish(order.orderNo, "SUCCESS") };
  }
  return { clock, standIn, payments, paid };
}

paymentProviderContract(
  "PayerMaxPayments",
  async () => {
    const clock = new TestClock(Date.now());
    const standIn = await PayerMaxStandIn.start(() => clock.nowMs());
    const changed = (request: WebhookRequest, from: string, to: string) => ({
      ...request,
      body: Buffer.from(request.body.toString().replace(from, to)),
    });
    return {
      provider: new PayerMaxPayments({ ...standIn.settings, clock }),
      pay: async (order) => standIn.finish(order.orderNo, "SUCCESS"),
      tampered: (request) => [
        changed(request, "o7k2m9", "o7k2m8"),
        changed(request, "9.99", "9.98"),
        changed(request, ":9.99", ": 9.99"),
        { ...request, body: Buffer.from(JSON.stringify(JSON.parse(request.body.toString()), null, 1)) },
        { ...request, headers: { sign: "AAAA" } },
        { ...request, headers: { sign: "" } },
      ],
      foreign: (request) => standIn.signed(request.body.toString(), foreignPayermaxKey()),
      stale: null,
      refunded: async (_order, refundNo) => standIn.refundNotification(refundNo, "REFUND_SUCCESS"),
      refundState: "pending",
      goDown: () => standIn[Symbol.asyncDispose](),
      [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
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

describe("calls", () => {
  test("[BEANS-215] creating sends the documented fields, the amount as a number with its digits, and the time of now", async () => {
    const { payments, standIn } = await start();
    const created = await payments.create(
      orderFixture({ orderNo: "o7k2m9", amountMinor: 990n, language: "zh-CN", countryCode: "SG" }),
      contractUrls,
    );
    expect(created.expiresAt).toEqual(new Date(Date.UTC(2026, 10, 21, 10, 30, 0, 5)));
    const [body = ""] = standIn.bodies;
    expect(body).toContain(`"totalAmount":9.90,`);
    expect(JSON.parse(body)).toEqual({
      version: "1.4",
      keyVersion: "1",
      requestTime: "2026-11-21T10:00:00.005Z",
      appId: standIn.settings.appId,
      merchantNo: standIn.settings.merchantNo,
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
  ])("[BEANS-216] the refusal %s with status %s may pass: %s", async (code, status, isTemporary) => {
    const { payments, standIn } = await start();
    standIn.override = { status, body: JSON.stringify({ msg: "The amount doesn't match.", code }) };
    const creating = payments.create(orderFixture({ orderNo: "o7k2m9" }), contractUrls);
    await expect(creating).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary });
  });

  test.each([
    ["no JSON", "<html>502</html>"],
    ["nothing", ""],
    ["more than it may say", `"${"x".repeat(300_000)}"`],
    ["success without a signature", JSON.stringify({ code: "APPLY_SUCCESS", data: { status: "SUCCESS" } })],
  ])("[BEANS-216] an answer that is %s is a failure that may pass", async (_what, body) => {
    const { payments, standIn } = await start();
    standIn.override = { status: 200, body };
    const asking = payments.query(orderFixture({ orderNo: "o7k2m9" }));
    await expect(asking).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary: true });
  });

  test("[BEANS-216] an answer about another order is not believed", async () => {
    const { payments, standIn, paid } = await start();
    const { order } = await paid();
    const data = { outTradeNo: "another", tradeToken: "T1", totalAmount: 9.99, currency: "USD", status: "SUCCESS" };
    standIn.override = { status: 200, body: JSON.stringify({ code: "APPLY_SUCCESS", data }), isSigned: true };
    await expect(payments.query(order)).rejects.toMatchObject({ isTemporary: true });
  });

  test.each([
    ["FAILED", "failed"],
    ["CLOSED", "expired"],
  ] as const)("[BEANS-217] a payment that ended %s is %s, in the report and when asked", async (status, kind) => {
    const { payments, standIn } = await start();
    const order = orderFixture({ orderNo: "o7k2m9" });
    await payments.create(order, contractUrls);
    const { events } = await payments.readWebhook(standIn.finish(order.orderNo, status));
    expect(events).toMatchObject([{ kind, orderNo: "o7k2m9" }]);
    await expect(payments.query(order)).resolves.toMatchObject({ kind });
  });

  test("[BEANS-215] test keys go to the test host, which is no live provider", async () => {
    const { standIn, clock } = await start();
    const mode = (baseUrl: string) => new PayerMaxPayments({ ...standIn.settings, baseUrl, clock }).mode;
    expect([mode(payermaxLiveUrl), mode(payermaxTestUrl)]).toEqual(["live", "sandbox"]);
    expect(() => new PayerMaxPayments({ ...standIn.settings, privateKey: "bm8ga2V5", clock })).toThrow(Error);
  });
});

describe("notifications", () => {
  /** Published by PayerMax, with our order number and identity in the place of theirs. */
  const closedExample = (identity: string) =>
    `{"msg":"Payment was not completed on time.","code":"PAYMENT_FAILED","data":{"reference":"JOLLY","country":"TH","totalAmount":300,"outTradeNo":"o7k2m9","currency":"THB","tradeToken":"T2024051309124735760727","paymentDetails":[],"status":"CLOSED"},"keyVersion":"1",${identity}"notifyTime":"2024-05-13T10:28:03.606Z","notifyType":"PAYMENT"}`;

  test("[BEANS-217] the published example of a closed payment is read, and answered as PayerMax wants to hear", async () => {
    const { payments, standIn } = await start();
    const { appId, merchantNo } = standIn.settings;
    const request = standIn.signed(closedExample(`"appId":"${appId}","merchantNo":"${merchantNo}",`));
    const { events, reply } = await payments.readWebhook(request);
    expect(events).toMatchObject([
      {
        kind: "expired",
        orderNo: "o7k2m9",
        transactionId: "T2024051309124735760727",
        at: new Date("2024-05-13T10:28:03.606Z"),
      },
    ]);
    expect(reply).toEqual({
      status: 200,
      contentType: "application/json",
      body: `{"code":"SUCCESS","msg":"Success"}`,
    });
  });

  test.each([
    ["another merchant", `"appId":"5a48dcf440074021b87d4ef901bf9629","merchantNo":"SP18440851",`],
    ["nobody", ""],
  ])("[BEANS-218] a rightly signed notification for %s is refused", async (_whom, identity) => {
    const { payments, standIn } = await start();
    const reading = payments.readWebhook(standIn.signed(closedExample(identity)));
    await expect(reading).rejects.toBeInstanceOf(WebhookRefusedError);
  });

  test.each(["", "[]", "null", "{}", "plain text"])("[BEANS-218] the signed body %j is refused", async (body) => {
    const { payments, standIn } = await start();
    await expect(payments.readWebhook(standIn.signed(body))).rejects.toBeInstanceOf(WebhookRefusedError);
  });

  test.each([
    ["no amount", { totalAmount: null }],
    ["a negative amount", { totalAmount: new DecimalNumber("-9.99") }],
    ["a fraction of a cent", { totalAmount: new DecimalNumber("9.999") }],
    ["an unknown status", { status: "FROZEN" }],
    ["no trade", { tradeToken: null }],
  ])("[BEANS-218] a notification with %s is neither believed nor answered as taken", async (_what, change) => {
    const { payments, standIn } = await start();
    const data = { outTradeNo: "o7k2m9", tradeToken: "T1", totalAmount: "9.99", currency: "USD", status: "SUCCESS" };
    const reading = payments.readWebhook(standIn.notification("PAYMENT", { ...data, ...change }));
    await expect(reading).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary: false });
  });

  test("[BEANS-217] a payment that is still under way is no news", async () => {
    const { payments, standIn } = await start();
    const data = { outTradeNo: "o7k2m9", tradeToken: "T1", totalAmount: "9.99", currency: "USD", status: "PENDING" };
    expect((await payments.readWebhook(standIn.notification("PAYMENT", data))).events).toEqual([]);
  });

  test("[BEANS-219] a refund names the payment it belongs to, which its notification does not", async () => {
    const { payments, standIn, paid } = await start();
    const { order } = await paid({ currencyCode: "IDR", amountMinor: 1_000_000n });
    await payments.refund(order, { refundNo: "R1642411016202", amountMinor: 1_000_000n, reason: "withdrawn" });
    expect(standIn.bodies.at(-1)).toContain(`"refundAmount":10000,"refundCurrency":"IDR"`);
    // As published by PayerMax.
    const data = {
      outRefundNo: "R1642411016202",
      refundTradeNo: "20220117091657TI790000055087",
      outTradeNo: order.orderNo,
      refundAmount: new DecimalNumber("10000"),
      refundCurrency: "IDR",
      status: "REFUND_SUCCESS",
    };
    const { events } = await payments.readWebhook(standIn.notification("REFUND", data));
    const { orderNo, providerRef } = order;
    const expected = { orderNo, transactionId: providerRef, refundNo: "R1642411016202", amountMinor: 1_000_000n };
    expect(events).toMatchObject([{ kind: "refunded", ...expected }]);
    const failed = await payments.readWebhook(standIn.notification("REFUND", { ...data, status: "REFUND_FAILED" }));
    expect(failed.events).toMatchObject([{ kind: "refund_failed", ...expected }]);
    expect(failed.events[0]?.eventId).not.toBe(events[0]?.eventId);
  });

  test("[BEANS-219] news of a refund waits while PayerMax cannot be asked which payment it belongs to", async () => {
    const { payments, standIn, paid } = await start();
    const { order } = await paid();
    await payments.refund(order, { refundNo: "r1", amountMinor: 999n, reason: "" });
    const request = standIn.refundNotification("r1", "REFUND_SUCCESS");
    await standIn[Symbol.asyncDispose]();
    await expect(payments.readWebhook(request)).rejects.toMatchObject({ isTemporary: true });
  });

  test("[BEANS-219] a refund that is asked for again answers what became of it, though PayerMax refuses repetitions", async () => {
    const { payments, standIn, paid } = await start();
    const { order } = await paid();
    const refund = { refundNo: "r1", amountMinor: 999n, reason: "withdrawn" };
    await expect(payments.refund(order, refund)).resolves.toEqual({ providerRefundId: "R1", state: "pending" });
    standIn.refundNotification("r1", "REFUND_SUCCESS");
    await expect(payments.refund(order, refund)).resolves.toEqual({ providerRefundId: "R1", state: "done" });
    standIn.refundNotification("r1", "REFUND_FAILED");
    await expect(payments.refund(order, refund)).resolves.toEqual({ providerRefundId: "R1", state: "failed" });
  });

  test("[BEANS-219] a refund of a payment that was not made is refused", async () => {
    const { payments } = await start();
    const order = orderFixture({ orderNo: "o7k2m9" });
    await payments.create(order, contractUrls);
    const refunding = payments.refund(order, { refundNo: "r1", amountMinor: 999n, reason: "" });
    await expect(refunding).rejects.toMatchObject({ isTemporary: false });
  });

  test.each([
    ["DISPUTE_INQUIRY", undefined, "dispute_opened"],
    ["DISPUTE_RECEIVED", undefined, "dispute_opened"],
    ["DISPUTE_END", "WIN", "dispute_won"],
    ["DISPUTE_END", "FAIL", "dispute_lost"],
    ["CASE_CLOSED", "FAIL", "dispute_lost"],
    ["CASE_CANCEL", undefined, "dispute_won"],
    ["CASE_CANCELL", undefined, "dispute_won"],
  ])("[BEANS-220] a case with status %s and result %s is %s", async (status, caseResult, kind) => {
    const { payments, standIn } = await start();
    const data = {
      caseId: "O20230427121409328170746570",
      outTradeNo: "o7k2m9",
      tradeToken: "T2023081604639602348121",
      amount: "15.00",
      currency: "INR",
      totalAmount: "25.00",
      status,
      ...(caseResult === undefined ? {} : { caseResult }),
    };
    const { events } = await payments.readWebhook(standIn.notification("CHARGEBACK", data));
    const expected = { orderNo: "o7k2m9", transactionId: "T2023081604639602348121", amountMinor: 1_500n };
    expect(events).toMatchObject([{ kind, caseId: "O20230427121409328170746570", ...expected }]);
  });

  test("[BEANS-220] a case that closed without a result is not guessed", async () => {
    const { payments, standIn } = await start();
    const data = { caseId: "O1", outTradeNo: "o7k2m9", tradeToken: "T1", amount: "15.00", currency: "INR" };
    const reading = payments.readWebhook(standIn.notification("CHARGEBACK", { ...data, status: "CASE_CLOSED" }));
    await expect(reading).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary: false });
  });

  test("[BEANS-220] a case in the card's currency counts in the order's", async () => {
    const { payments, standIn } = await start();
    const frozen = { amount: "70000", currency: "IDR", originTradeAmount: "4.50", originTradeCurrency: "USD" };
    const data = { caseId: "O1", outTradeNo: "o7k2m9", tradeToken: "T1", status: "DISPUTE_INQUIRY", ...frozen };
    const { events } = await payments.readWebhook(standIn.notification("CHARGEBACK", data));
    expect(events).toMatchObject([{ kind: "dispute_opened", amountMinor: 450n }]);
  });

  test("[BEANS-220] an early warning of fraud names the payment", async () => {
    const { payments, standIn, paid } = await start();
    const { order } = await paid();
    const data = { outTradeNo: "o7k2m9", receiveDate: "2026-11-20T08:00:00.000Z", tradeAmount: "9.99" };
    const { events } = await payments.readWebhook(standIn.notification("FRAUD", data));
    expect(events).toMatchObject([{ kind: "early_fraud", orderNo: "o7k2m9", transactionId: order.providerRef }]);
  });
});
