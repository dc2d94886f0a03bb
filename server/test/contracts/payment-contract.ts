import { describe, expect, test } from "vitest";
import {
  type CreatedPayment,
  type OrderSnapshot,
  type ProviderPaymentEvent,
  type PaymentProvider,
  PaymentProviderError,
  type PaymentUrls,
  type RefundRequest,
  type WebhookRequest,
  WebhookRefusedError,
} from "#ports/payments.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";

/** An adapter, with a provider that the test controls: the sandbox itself, or a fake on a loopback port. */
export interface PaymentWorld extends AsyncDisposable {
  provider: PaymentProvider;
  /** Addresses of the shop, if this world needs addresses that work. Default: `contractUrls`. */
  urls?: PaymentUrls;
  /** Pays the whole order on the provider's page. Returns the webhook as the server receives it. */
  pay(order: OrderSnapshot, created: CreatedPayment): Promise<WebhookRequest>;
  /** The provider's second delivery of a webhook; undefined if it is the same request. */
  repeat?(request: WebhookRequest): Promise<WebhookRequest>;
  /** Forgeries of the webhook. Each has one signed part changed. */
  tampered(request: WebhookRequest): readonly WebhookRequest[];
  /** The same event, signed with another key. */
  foreign(request: WebhookRequest): WebhookRequest;
  /** The same event with an old but valid signature; null if the provider signs no time. */
  stale: ((request: WebhookRequest) => WebhookRequest) | null;
  /** The provider's webhook for a finished refund; null if the provider sends none. */
  refunded: ((order: OrderSnapshot, refundNo: string) => Promise<WebhookRequest>) | null;
  /** Result of the first `refund`; undefined with `refundsByHand`. */
  refundState?: "pending" | "done";
  goDown(): Promise<void>;
}

/** What differs between providers. */
export interface PaymentContractTerms {
  /** Amounts in minor units to pass on unchanged. Default: US dollars, euros, yen and Kuwaiti dinars. */
  amounts?: readonly (readonly [currencyCode: string, amountMinor: bigint])[];
  /** True if administrators make refunds at the provider, which `refund` reports. */
  refundsByHand?: boolean;
}

/** 19.99 and 1.005 have no exact floating-point value. */
const amountsDefault = [
  ["USD", 999n],
  ["EUR", 1_999n],
  ["JPY", 1_600n],
  ["KWD", 1_005n],
  ["USD", 99_999_999n],
] as const;

/** Addresses at which nothing answers. */
export const contractUrls: PaymentUrls = {
  returnUrl: "https://fava.example/chargeReturn?order=o1",
  notifyUrl: "https://fava.example/pay/webhook/any",
};

/** A snapshot of an order. Each test uses its own order number. */
export function orderFixture(change: Partial<OrderSnapshot> & { orderNo: string }): OrderSnapshot {
  return {
    userNo: "204817",
    beans: 1_600n,
    amountMinor: 999n,
    currencyCode: "USD",
    countryCode: "US",
    payType: "card",
    language: "en",
    createdAt: new Date(),
    providerRef: null,
    transactionId: null,
    ...change,
  };
}

export function refundOf(refundNo: string): RefundRequest {
  return { refundNo, amountMinor: 999n, reason: "withdrawn", notifyUrl: contractUrls.notifyUrl };
}

/** Contract of `PaymentProvider`. `makeWorld` opens a new world for each test, whose clock runs with the machine's. */
export function paymentProviderContract(
  name: string,
  makeWorld: () => Promise<PaymentWorld>,
  terms: PaymentContractTerms = {},
): void {
  const refundsByHand = terms.refundsByHand ? ["r1"] : [];
  const refunds = terms.refundsByHand ? [] : ["r1"];

  async function open(): Promise<PaymentWorld & { urls: PaymentUrls }> {
    const world = await makeWorld();
    leftovers.push(world);
    return Object.assign(world, { urls: world.urls ?? contractUrls });
  }

  /** Creates and pays an order at the provider. Returns it with its webhook. */
  async function paidOrder(world: PaymentWorld & { urls: PaymentUrls }, change: Partial<OrderSnapshot> = {}) {
    const order = orderFixture({ orderNo: "o7k2m9", ...change });
    const created = await world.provider.create(order, world.urls);
    const placed = { ...order, providerRef: created.providerRef };
    const request = await world.pay(placed, created);
    return { placed, request };
  }

  async function readOne(world: PaymentWorld, request: WebhookRequest): Promise<ProviderPaymentEvent> {
    const { events } = await world.provider.readWebhook(request);
    expect(events).toHaveLength(1);
    return events[0] as ProviderPaymentEvent;
  }

  describe(`${name} keeps the contract of payment providers`, () => {
    test("creates a payment page, and returns the same one on a retry", async () => {
      const { provider, urls } = await open();
      const order = orderFixture({ orderNo: "o7k2m9" });
      const created = await provider.create(order, urls);
      expect(URL.canParse(created.redirectUrl)).toBe(true);
      expect(created.providerRef).not.toBe("");
      expect(created.expiresAt.getTime()).toBeGreaterThan(order.createdAt.getTime());
      const again = await provider.create({ ...order, providerRef: created.providerRef }, urls);
      expect(again).toMatchObject({ redirectUrl: created.redirectUrl, providerRef: created.providerRef });
    });

    test("creates another page for another order", async () => {
      const { provider, urls } = await open();
      const one = await provider.create(orderFixture({ orderNo: "o7k2m9" }), urls);
      const other = await provider.create(orderFixture({ orderNo: "o7k2n0" }), urls);
      expect(other.redirectUrl).not.toBe(one.redirectUrl);
      expect(other.providerRef).not.toBe(one.providerRef);
    });

    test("reports a repeated payment with the same event id", async () => {
      const world = await open();
      const { placed, request } = await paidOrder(world);
      const event = await readOne(world, request);
      expect(event).toMatchObject({ kind: "paid", orderNo: placed.orderNo, amountMinor: 999n, currencyCode: "USD" });
      expect(event.eventId).not.toBe("");
      expect(event.transactionId).not.toBe("");
      const repeated = world.repeat ? await world.repeat(request) : request;
      expect((await readOne(world, repeated)).eventId).toBe(event.eventId);
    });

    test("acknowledges the webhook to the provider", async () => {
      const world = await open();
      const { request } = await paidOrder(world);
      const { reply } = await world.provider.readWebhook(request);
      expect(reply.status).toBe(200);
      expect(reply.contentType).not.toBe("");
    });

    test("rejects a changed webhook", async () => {
      const world = await open();
      const { request } = await paidOrder(world);
      const forgeries = world.tampered(request);
      expect(forgeries.length).toBeGreaterThan(0);
      for (const forged of forgeries) {
        await expect(world.provider.readWebhook(forged)).rejects.toBeInstanceOf(WebhookRefusedError);
      }
    });

    test("rejects a webhook without a signature or with another key's", async () => {
      const world = await open();
      const { request } = await paidOrder(world);
      const unsigned = { body: request.body, headers: {}, query: {} };
      for (const forged of [world.foreign(request), unsigned]) {
        await expect(world.provider.readWebhook(forged)).rejects.toBeInstanceOf(WebhookRefusedError);
      }
    });

    test("rejects a webhook with an old signature where the protocol signs a time", async () => {
      const world = await open();
      const { request } = await paidOrder(world);
      for (const late of world.stale ? [world.stale(request)] : []) {
        await expect(world.provider.readWebhook(late)).rejects.toBeInstanceOf(WebhookRefusedError);
      }
    });

    test("finds the event of a lost webhook by a query, and none before the payment", async () => {
      const world = await open();
      const order = orderFixture({ orderNo: "o7k2m9" });
      const created = await world.provider.create(order, world.urls);
      const placed = { ...order, providerRef: created.providerRef };
      await expect(world.provider.query(placed)).resolves.toBeNull();
      const reported = await readOne(world, await world.pay(placed, created));
      await expect(world.provider.query(placed)).resolves.toMatchObject({
        kind: "paid",
        orderNo: reported.orderNo,
        transactionId: reported.transactionId,
        amountMinor: 999n,
        currencyCode: "USD",
      });
    });

    test.each(terms.amounts ?? amountsDefault)(
      "keeps %s %s minor units unchanged in webhook and query",
      async (currencyCode, amountMinor) => {
        const world = await open();
        const { placed, request } = await paidOrder(world, { currencyCode, amountMinor });
        const expected = { kind: "paid", amountMinor, currencyCode };
        expect(await readOne(world, request)).toMatchObject(expected);
        await expect(world.provider.query(placed)).resolves.toMatchObject(expected);
      },
    );

    test.each(refunds)("[BEANS-205] makes the refund %s once, and reports it with its number", async (refundNo) => {
      const world = await open();
      const { placed, request } = await paidOrder(world);
      const paid = await readOne(world, request);
      const order = { ...placed, transactionId: paid.transactionId };
      const refund = refundOf(refundNo);
      const answer = await world.provider.refund(order, refund);
      expect(answer.state).toBe(world.refundState);
      expect(await world.provider.refund(order, refund)).toMatchObject({ providerRefundId: answer.providerRefundId });
      for (const report of world.refunded ? [await world.refunded(order, refundNo)] : []) {
        const { orderNo, transactionId } = order;
        const expected = { kind: "refunded", orderNo, transactionId, refundNo, amountMinor: 999n };
        expect(await readOne(world, report)).toMatchObject(expected);
      }
    });

    test.each(refundsByHand)(
      "[BEANS-205] refuses the refund %s for good, so that an operator makes it",
      async (refundNo) => {
        const world = await open();
        const { placed, request } = await paidOrder(world);
        const order = { ...placed, transactionId: (await readOne(world, request)).transactionId };
        const refunding = world.provider.refund(order, refundOf(refundNo));
        await expect(refunding).rejects.toMatchObject({ name: "PaymentProviderError", isTemporary: false });
      },
    );

    test("reports an unreachable provider as a temporary failure", async () => {
      const world = await open();
      const { provider, urls } = world;
      const { placed } = await paidOrder(world);
      await world.goDown();
      const failure = async (asked: Promise<unknown>) => {
        const error = await asked.catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(PaymentProviderError);
        expect(error).toMatchObject({ isTemporary: true });
      };
      await failure(provider.create(orderFixture({ orderNo: "o7k2n0" }), urls));
      await failure(provider.query(placed));
      for (const refundNo of refunds) {
        await failure(provider.refund(placed, refundOf(refundNo)));
      }
    });
  });
}
