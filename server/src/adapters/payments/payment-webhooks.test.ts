import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { codaChecksum, CodaPayments } from "#adapters/payments/coda/coda-payments.ts";
import { PayerMaxPayments } from "#adapters/payments/payermax/payermax-payments.ts";
import {
  SandboxPayments,
  sandboxSignatureHeader,
  signSandboxWebhook,
} from "#adapters/payments/sandbox/sandbox-payments.ts";
import { StripePayments } from "#adapters/payments/stripe/stripe-payments.ts";
import {
  type PaymentProvider,
  PaymentProviderError,
  type WebhookRequest,
  WebhookRefusedError,
} from "#ports/payments.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { FakeCoda } from "#test/fakes/fake-coda.ts";
import { FakePayerMax } from "#test/fakes/fake-payermax.ts";
import { FakeStripe } from "#test/fakes/fake-stripe.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";

const clock = new TestClock();
const nowMs = () => clock.nowMs();

/** Every adapter, with a function that signs a body like its provider. */
async function worlds() {
  const coda = await FakeCoda.start();
  const payermax = await FakePayerMax.start(nowMs);
  const stripe = await FakeStripe.start(nowMs);
  const sandbox = new SandboxPayments({ secret: "secret", clock, log: { warn: () => undefined } });
  leftovers.push(coda, payermax, stripe, sandbox);
  const { apiKey } = coda.settings;
  return [
    {
      provider: sandbox,
      sign: (body: Buffer): WebhookRequest => ({
        body,
        headers: { [sandboxSignatureHeader]: signSandboxWebhook(body, "secret", nowMs()) },
        query: {},
      }),
    },
    {
      provider: new PayerMaxPayments({ ...payermax.settings, clock }),
      sign: (body: Buffer) => payermax.signed(body.toString()),
    },
    {
      provider: new StripePayments({ ...stripe.settings, clock }),
      sign: (body: Buffer) => stripe.signed(body.toString()),
    },
    {
      // Coda signs parameters, not the body.
      provider: new CodaPayments({ ...coda.settings, clock }),
      sign: (body: Buffer): WebhookRequest => {
        const said = { txnId: String(body.length), orderId: body.toString(), resultCode: "0" };
        const query = {
          TxnId: said.txnId,
          OrderId: said.orderId,
          ResultCode: "0",
          Checksum: codaChecksum(said, apiKey),
        };
        return { body, headers: {}, query };
      },
    },
  ];
}

/** Events, or none if the webhook was rejected in one of the two ways that the route handles. */
async function eventsOf(provider: PaymentProvider, request: WebhookRequest): Promise<readonly unknown[]> {
  try {
    return (await provider.readWebhook(request)).events;
  } catch (error) {
    if (error instanceof WebhookRefusedError || error instanceof PaymentProviderError) return [];
    throw error;
  }
}

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 500 }).map((body) => Buffer.from(body)),
  fc.json().map((body) => Buffer.from(body)),
  fc
    .record({
      type: fc.constantFrom("checkout.session.completed", "charge.refunded", "charge.dispute.closed", "refund.updated"),
      created: fc.oneof(fc.integer(), fc.double()),
      data: fc.record({ object: fc.jsonValue() }),
      kind: fc.constantFrom("paid", "failed"),
      notifyType: fc.constantFrom("PAYMENT", "REFUND"),
    })
    .map((body) => Buffer.from(JSON.stringify(body))),
);
const words = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("0", "t=1,v1=", "t=1767225600,v1=00", "null"));
const names = ["TxnId", "OrderId", "ResultCode", "Checksum", "TotalPrice"];
const headers = fc.dictionary(fc.constantFrom("sign", "stripe-signature", sandboxSignatureHeader), words);

test("rejects unsigned bytes without another error", async () => {
  const all = await worlds();
  await fc.assert(
    fc.asyncProperty(bytes, headers, fc.dictionary(fc.constantFrom(...names), words), async (body, sent, query) => {
      for (const { provider } of all) expect(await eventsOf(provider, { body, headers: sent, query })).toEqual([]);
    }),
    fuzz(300),
  );
});

test("rejects signed bytes that are no event", async () => {
  const all = await worlds();
  await fc.assert(
    fc.asyncProperty(bytes, async (body) => {
      for (const { provider, sign } of all) expect(await eventsOf(provider, sign(body))).toEqual([]);
    }),
    fuzz(200),
  );
});
