import { expect, test } from "vitest";
import type { OrderSnapshot } from "#ports/payments.ts";
import { contractUrls, orderFixture, paymentProviderContract } from "#test/contracts/payment-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { FakeCoda } from "#test/fakes/fake-coda.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import {
  checkedNotification,
  codaAmount,
  codaChecksum,
  codaLiveUrl,
  CodaPayments,
  codaTestUrl,
  minorFromCoda,
} from "./coda-payments.ts";

const clock = new TestClock(Date.now());

async function start() {
  const fake = await FakeCoda.start();
  leftovers.push(fake);
  const coda = new CodaPayments({ ...fake.settings, clock });
  const open = async (change: Partial<OrderSnapshot> = {}) => {
    const order = orderFixture({ orderNo: "o7k2m9", ...change });
    const { providerRef } = await coda.create(order, contractUrls);
    return { ...order, providerRef };
  };
  return { coda, fake, open };
}

paymentProviderContract(
  "Coda",
  async () => {
    const fake = await FakeCoda.start();
    const provider = new CodaPayments({ ...fake.settings, clock });
    return {
      provider,
      pay: async (_order, created) => fake.finish(created.providerRef, "0"),
      tampered: (request) =>
        ["TxnId", "OrderId", "ResultCode", "Checksum"].map((name) => {
          const value = request.query[name] ?? "";
          const other = value.endsWith("0") ? `${value.slice(0, -1)}1` : `${value.slice(0, -1)}0`;
          return { ...request, query: { ...request.query, [name]: other } };
        }),
      foreign: ({ query }) =>
        fake.notification(
          { txnId: query["TxnId"] ?? "", orderId: query["OrderId"] ?? "", resultCode: "0" },
          "ffffffffffffffffffffffffffffffff",
        ),
      stale: null,
      refunded: null,
      goDown: () => fake[Symbol.asyncDispose](),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
  { refundsByHand: true },
);

test("computes the documented checksum", () => {
  const said = { txnId: "3381290433880074215", orderId: "8ae6ffee169b", resultCode: "0" };
  const key = "5a8ca8f31f19a23c41edd14b29a74fd2";
  expect(codaChecksum(said, key)).toBe("5cb948816af0b5b61516fd71a17d271b");
  const query = { TxnId: said.txnId, OrderId: said.orderId, ResultCode: "0" };
  expect(checkedNotification({ ...query, Checksum: "5CB948816AF0B5B61516FD71A17D271B" }, key)).toEqual(said);
});

test("opens an order with country and currency as numbers and the price as a JSON number", async () => {
  const { fake, open } = await start();
  const order = await open({ countryCode: "ID", currencyCode: "IDR", amountMinor: 15_000_000n });
  expect(order.providerRef).toBe("6850822175662776971");
  const [body] = fake.bodies;
  expect(body).toContain('"country":360,"currency":360,"orderId":"o7k2m9IDR"');
  expect(body).toContain('"price":150000,');
  expect(body).toContain(JSON.stringify({ key: "return_url", value: contractUrls.returnUrl }));
});

test("charges only in the country's own currency, since Coda converts any other", () => {
  const coda = new CodaPayments({ apiKey: "key", projectId: "fava", baseUrl: codaLiveUrl, clock });
  expect(coda.methods({ countryCode: "ID", currencyCode: "IDR" })).toHaveLength(1);
  expect(coda.methods({ countryCode: "US", currencyCode: "USD" })).toHaveLength(1);
  expect(coda.methods({ countryCode: "ID", currencyCode: "USD" })).toEqual([]);
  expect(coda.methods({ countryCode: "IDIDR360", currencyCode: "" })).toEqual([]);
});

test.each([
  ["USD", 1_999n, "19.99"],
  ["KWD", 1_005n, "1.005"],
  ["JPY", 1_600n, "1600"],
  ["VND", 25_000n, "25000"],
  ["TWD", 30_000n, "300"],
  ["IDR", 1_600_000n, "16000"],
])("writes %s %s as %s, and reads it back", (currencyCode, amountMinor, text) => {
  expect(codaAmount(amountMinor, currencyCode).text).toBe(text);
  expect(minorFromCoda(text, currencyCode)).toBe(amountMinor);
});

test("rejects an amount with decimals that Coda does not accept, instead of rounding", async () => {
  const { open, fake } = await start();
  await expect(open({ countryCode: "ID", currencyCode: "IDR", amountMinor: 1_650n })).rejects.toMatchObject({
    name: "PaymentProviderError",
    isTemporary: false,
  });
  expect(fake.bodies).toEqual([]);
});

test("queries Coda after a notification, and uses the result", async () => {
  const { coda, fake, open } = await start();
  const order = await open();
  const said = { txnId: order.providerRef, orderId: "o7k2m9USD", resultCode: "0" };
  // The notification with a valid checksum says paid, but Coda's answer to the query does not.
  await expect(coda.readWebhook(fake.notification(said))).rejects.toMatchObject({ isTemporary: true });
  const request = fake.finish(order.providerRef, "0");
  const lied = { ...request, query: { ...request.query, TotalPrice: "0.01" } };
  const { events, reply } = await coda.readWebhook(lied);
  expect(events).toEqual([
    {
      kind: "paid",
      eventId: "paid:6850822175662776971",
      orderNo: "o7k2m9",
      transactionId: "6850822175662776971",
      at: new Date(clock.nowMs()),
      amountMinor: 999n,
      currencyCode: "USD",
    },
  ]);
  expect(reply).toEqual({ status: 200, contentType: "text/plain", body: "ResultCode=0" });
});

test("does not accept the transaction of one order for another", async () => {
  const { coda, fake, open } = await start();
  const order = await open();
  fake.finish(order.providerRef, "0");
  const said = { txnId: order.providerRef, resultCode: "0" };
  const reading = (orderId: string) => coda.readWebhook(fake.notification({ ...said, orderId }));
  await expect(reading("o7k2n0USD")).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary: false });
  await expect(reading("o7k2m9IDR")).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary: false });
  await expect(reading("someone-elses")).rejects.toMatchObject({ name: "WebhookRefusedError" });
});

test.each([
  ["210", true, "failed"],
  ["213", true, "expired"],
  ["431", false, null],
  ["216", false, null],
  ["463", false, null],
])("maps result code %s, final %s, to %s", async (resultCode, isFinal, kind) => {
  const { coda, fake, open } = await start();
  const order = await open();
  const request = fake.finish(order.providerRef, resultCode, isFinal);
  const { events } = await coda.readWebhook(request);
  expect(events.map((event) => event.kind)).toEqual(kind === null ? [] : [kind]);
  expect((await coda.query(order))?.kind ?? null).toBe(kind);
});

test("treats an unreadable amount as a wrong one", async () => {
  const { coda, fake, open } = await start();
  const order = await open();
  const result = { txnId: order.providerRef, orderId: "o7k2m9USD", resultCode: 0, totalPrice: "a lot" };
  fake.override = { status: 200, body: JSON.stringify({ paymentResult: result }) };
  await expect(coda.query(order)).resolves.toMatchObject({ kind: "paid", amountMinor: 0n });
});

test("does not treat a rejected query as a failed payment", async () => {
  const { coda, fake, open } = await start();
  const order = await open();
  const another = new CodaPayments({ ...fake.settings, apiKey: "another-key", clock });
  await expect(another.query(order)).rejects.toThrow("Coda refused inquiryPaymentResult: result code 204");
  await expect(coda.query({ ...order, providerRef: "1" })).rejects.toMatchObject({ isTemporary: false });
  await expect(coda.query({ ...order, providerRef: null })).resolves.toBeNull();
});

test.each([
  ["no JSON", { status: 200, body: "<html>" }, true],
  ["an error of theirs", { status: 503, body: "" }, true],
  ["a refusal of the address", { status: 404, body: "" }, false],
  ["trouble inside Coda", { status: 200, body: '{"initResult":{"resultCode":101,"txnId":0}}' }, true],
  ["a wrong country", { status: 200, body: '{"initResult":{"resultCode":220,"txnId":0}}' }, false],
  [
    "a page that is no page",
    { status: 200, body: '{"initResult":{"resultCode":0,"txnId":7,"redirectUrl":"javascript:1"}}' },
    false,
  ],
])("opens no order after %s", async (_what, answer, isTemporary) => {
  const { fake, open } = await start();
  fake.override = answer;
  await expect(open()).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary });
});

test("has no key in its error messages", async () => {
  const { fake, open } = await start();
  const order = await open();
  const another = new CodaPayments({ ...fake.settings, apiKey: "another-key", clock });
  const error: unknown = await another.query(order).catch((thrown: unknown) => thrown);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("another-key");
});

test("names the transaction that the operator must refund by hand", async () => {
  const { coda, open } = await start();
  const order = await open();
  await expect(coda.refund(order)).rejects.toThrow(
    "refund transaction 6850822175662776971 of order o7k2m9 in Coda's portal",
  );
});

test("is live only with the live address", () => {
  const at = (baseUrl: string) => new CodaPayments({ apiKey: "key", projectId: "fava", baseUrl, clock }).mode;
  expect([at(codaLiveUrl), at(codaTestUrl)]).toEqual(["live", "sandbox"]);
});
