import { expect, test } from "vitest";
import { DecimalNumber } from "#lib/lossless-json.ts";
import { WebhookRefusedError } from "#ports/payments.ts";
import { refundOf } from "#test/contracts/payment-contract.ts";
import { startPayermax } from "#test/fixtures/payermax-world.ts";

/** Published by PayerMax, with our order number and identity. */
const closedExample = (identity: string) =>
  `{"msg":"Payment was not completed on time.","code":"PAYMENT_FAILED","data":{"reference":"JOLLY","country":"TH","totalAmount":300,"outTradeNo":"o7k2m9","currency":"THB","tradeToken":"T2024051309124735760727","paymentDetails":[],"status":"CLOSED"},"keyVersion":"1",${identity}"notifyTime":"2024-05-13T10:28:03.606Z","notifyType":"PAYMENT"}`;

test("reads the published example of a closed payment, and answers as documented", async () => {
  const { payments, fake } = await startPayermax();
  const { appId, merchantNo } = fake.settings;
  const request = fake.signed(closedExample(`"appId":"${appId}","merchantNo":"${merchantNo}",`));
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
])("rejects a correctly signed notification for %s", async (_whom, identity) => {
  const { payments, fake } = await startPayermax();
  const reading = payments.readWebhook(fake.signed(closedExample(identity)));
  await expect(reading).rejects.toBeInstanceOf(WebhookRefusedError);
});

test.each(["", "[]", "null", "{}", "plain text"])("rejects the signed body %j", async (body) => {
  const { payments, fake } = await startPayermax();
  await expect(payments.readWebhook(fake.signed(body))).rejects.toBeInstanceOf(WebhookRefusedError);
});

test.each([
  ["no amount", { totalAmount: null }],
  ["a negative amount", { totalAmount: new DecimalNumber("-9.99") }],
  ["a fraction of a cent", { totalAmount: new DecimalNumber("9.999") }],
  ["an unknown status", { status: "FROZEN" }],
  ["no trade", { tradeToken: null }],
])("neither accepts nor acknowledges a notification with %s", async (_what, change) => {
  const { payments, fake } = await startPayermax();
  const data = { outTradeNo: "o7k2m9", tradeToken: "T1", totalAmount: "9.99", currency: "USD", status: "SUCCESS" };
  const reading = payments.readWebhook(fake.notification("PAYMENT", { ...data, ...change }));
  await expect(reading).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary: false });
});

test("ignores a payment that is still in progress", async () => {
  const { payments, fake } = await startPayermax();
  const data = { outTradeNo: "o7k2m9", tradeToken: "T1", totalAmount: "9.99", currency: "USD", status: "PENDING" };
  expect((await payments.readWebhook(fake.notification("PAYMENT", data))).events).toEqual([]);
});

test("adds the payment of a refund, which its notification lacks", async () => {
  const { payments, fake, paid } = await startPayermax();
  const { order } = await paid({ currencyCode: "IDR", amountMinor: 1_000_000n });
  await payments.refund(order, { ...refundOf("R1642411016202"), amountMinor: 1_000_000n });
  expect(fake.bodies.at(-1)).toContain(`"refundAmount":10000,"refundCurrency":"IDR"`);
  // As published by PayerMax.
  const data = {
    outRefundNo: "R1642411016202",
    refundTradeNo: "20220117091657TI790000055087",
    outTradeNo: order.orderNo,
    refundAmount: new DecimalNumber("10000"),
    refundCurrency: "IDR",
    status: "REFUND_SUCCESS",
  };
  const { events } = await payments.readWebhook(fake.notification("REFUND", data));
  const { orderNo, providerRef } = order;
  const expected = { orderNo, transactionId: providerRef, refundNo: "R1642411016202", amountMinor: 1_000_000n };
  expect(events).toMatchObject([{ kind: "refunded", ...expected }]);
  const failed = await payments.readWebhook(fake.notification("REFUND", { ...data, status: "REFUND_FAILED" }));
  expect(failed.events).toMatchObject([{ kind: "refund_failed", ...expected }]);
  expect(failed.events[0]?.eventId).not.toBe(events[0]?.eventId);
});

test("defers the notification of a refund until PayerMax can be queried for its payment", async () => {
  const { payments, fake, paid } = await startPayermax();
  const { order } = await paid();
  await payments.refund(order, refundOf("r1"));
  const request = fake.refundNotification("r1", "REFUND_SUCCESS");
  await fake[Symbol.asyncDispose]();
  await expect(payments.readWebhook(request)).rejects.toMatchObject({ isTemporary: true });
});

test.each([
  ["DISPUTE_INQUIRY", undefined, "dispute_opened"],
  ["DISPUTE_RECEIVED", undefined, "dispute_opened"],
  ["DISPUTE_END", "WIN", "dispute_won"],
  ["DISPUTE_END", "FAIL", "dispute_lost"],
  ["CASE_CLOSED", "FAIL", "dispute_lost"],
  ["CASE_CANCEL", undefined, "dispute_won"],
  ["CASE_CANCELL", undefined, "dispute_won"],
])("reads a case with status %s and result %s as %s", async (status, caseResult, kind) => {
  const { payments, fake } = await startPayermax();
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
  const { events } = await payments.readWebhook(fake.notification("CHARGEBACK", data));
  const expected = { orderNo: "o7k2m9", transactionId: "T2023081604639602348121", amountMinor: 1_500n };
  expect(events).toMatchObject([{ kind, caseId: "O20230427121409328170746570", ...expected }]);
});

test("ignores a case that closed without a result", async () => {
  const { payments, fake } = await startPayermax();
  const data = { caseId: "O1", outTradeNo: "o7k2m9", tradeToken: "T1", amount: "15.00", currency: "INR" };
  const reading = payments.readWebhook(fake.notification("CHARGEBACK", { ...data, status: "CASE_CLOSED" }));
  await expect(reading).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary: false });
});

test("reports the order's amount for a case in the card's currency", async () => {
  const { payments, fake } = await startPayermax();
  const frozen = { amount: "70000", currency: "IDR", originTradeAmount: "4.50", originTradeCurrency: "USD" };
  const data = { caseId: "O1", outTradeNo: "o7k2m9", tradeToken: "T1", status: "DISPUTE_INQUIRY", ...frozen };
  const { events } = await payments.readWebhook(fake.notification("CHARGEBACK", data));
  expect(events).toMatchObject([{ kind: "dispute_opened", amountMinor: 450n }]);
});

test("names the payment of an early fraud warning", async () => {
  const { payments, fake, paid } = await startPayermax();
  const { order } = await paid();
  const data = { outTradeNo: "o7k2m9", receiveDate: "2026-11-20T08:00:00.000Z", tradeAmount: "9.99" };
  const { events } = await payments.readWebhook(fake.notification("FRAUD", data));
  expect(events).toMatchObject([{ kind: "early_fraud", orderNo: "o7k2m9", transactionId: order.providerRef }]);
});
