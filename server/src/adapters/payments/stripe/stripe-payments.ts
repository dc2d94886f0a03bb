import { currencyExponent } from "@fava/wire/currency.ts";
import { majorText } from "@fava/wire/money.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { Clock } from "#ports/clock.ts";
import {
  type CreatedPayment,
  type OrderSnapshot,
  type ProviderPaymentEvent,
  type PaymentProvider,
  PaymentProviderError,
  type PaymentUrls,
  type PayMethod,
  type ReadWebhook,
  type RefundAnswer,
  WebhookRefusedError,
  type WebhookRequest,
} from "#ports/payments.ts";
import {
  chargeSchema,
  disputeSchema,
  fraudWarningSchema,
  paymentIntentSchema,
  readObject,
  refundSchema,
  sessionSchema,
  StripeApi,
  type StripeDispute,
  type StripeEvent,
  type StripeRefund,
  type StripeSession,
  type StripeSettings,
} from "./stripe-api.ts";

/** Stripe allows 30 minutes to 24 hours from the request; this leaves half an hour for retries. */
const sessionLifetimeSeconds = 60 * 60;

/** Stripe Checkout: a hosted page for each order. */
export class StripePayments implements PaymentProvider {
  readonly id = "stripe";
  readonly mode: "sandbox" | "live";
  readonly #api: StripeApi;
  readonly #clock: Clock;

  constructor({ clock, ...settings }: StripeSettings & { clock: Clock }) {
    this.mode = isLiveStripeKey(settings.secretKey) ? "live" : "sandbox";
    this.#api = new StripeApi({ ...settings, clock });
    this.#clock = clock;
  }

  methods(): readonly PayMethod[] {
    return [{ id: "checkout", name: "Stripe" }];
  }

  async create(order: OrderSnapshot, urls: PaymentUrls): Promise<CreatedPayment> {
    const metadata = { orderNo: order.orderNo };
    const unitAmount = stripeAmount(order.amountMinor, order.currencyCode);
    const createdSeconds = Math.floor(order.createdAt.getTime() / 1_000); // not money: a time in seconds
    const session = await this.#api.ask(sessionSchema, (stripe) =>
      stripe.checkout.sessions.create(
        // All parameters follow from the order: Stripe rejects other parameters with the same idempotency key.
        {
          mode: "payment",
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: order.currencyCode.toLowerCase(),
                unit_amount: unitAmount,
                product_data: { name: `${order.beans} beans` },
              },
            },
          ],
          client_reference_id: order.orderNo,
          metadata,
          // Events of refunds and disputes name the payment intent, not the session.
          payment_intent_data: { metadata },
          // An amount in another currency could not be compared with the order's.
          adaptive_pricing: { enabled: false },
          expires_at: createdSeconds + sessionLifetimeSeconds,
          success_url: urls.returnUrl,
          cancel_url: urls.returnUrl,
        },
        { idempotencyKey: `order:${order.orderNo}` },
      ),
    );
    const { id, url, expires_at: expiresSeconds } = session;
    if (url === null) throw new PaymentProviderError("Stripe's response has no payment page", { isTemporary: false });
    return { redirectUrl: url, providerRef: id, expiresAt: new Date(expiresSeconds * 1_000) };
  }

  async readWebhook({ body, headers }: WebhookRequest): Promise<ReadWebhook> {
    const signature = headers["stripe-signature"];
    if (typeof signature !== "string") throw new WebhookRefusedError("the signature is missing");
    return {
      events: await this.#events(await this.#api.event(body, signature)),
      reply: { status: 200, contentType: "application/json", body: `{"received":true}` },
    };
  }

  async query(order: OrderSnapshot): Promise<ProviderPaymentEvent | null> {
    if (order.providerRef === null) return null;
    const session = await this.#api.session(order.providerRef);
    if (session.metadata?.["orderNo"] !== order.orderNo) {
      throw new PaymentProviderError("Stripe answered about another order", { isTemporary: false });
    }
    return sessionEvent(session, { orderNo: order.orderNo, at: new Date(this.#clock.nowMs()) });
  }

  async refund(
    order: OrderSnapshot,
    { refundNo, amountMinor }: { refundNo: string; amountMinor: bigint; reason: string },
  ): Promise<RefundAnswer> {
    const amount = stripeAmount(amountMinor, order.currencyCode);
    const paymentIntent = order.transactionId ?? (await this.#paymentIntentOf(order));
    // Stripe's idempotency keys expire after about a day; the refund itself stays.
    const known = (await this.#api.refunds(paymentIntent)).find((one) => one.metadata?.["refundNo"] === refundNo);
    const refund =
      known ??
      (await this.#api.ask(refundSchema, (stripe) =>
        stripe.refunds.create(
          {
            payment_intent: paymentIntent,
            amount,
            reason: "requested_by_customer",
            metadata: { orderNo: order.orderNo, refundNo },
          },
          { idempotencyKey: `refund:${refundNo}` },
        ),
      ));
    return { providerRefundId: refund.id, state: refundState(refund.status) };
  }

  async #events(event: StripeEvent): Promise<ProviderPaymentEvent[]> {
    const at = new Date(event.created * 1_000); // not money: a time in seconds
    const { object } = event.data;
    switch (event.type) {
      case "checkout.session.completed":
      case "checkout.session.async_payment_succeeded":
      case "checkout.session.expired":
        return ofSession(readObject(sessionSchema, object), (session, orderNo) =>
          sessionEvent(session, { orderNo, at }),
        );
      case "checkout.session.async_payment_failed":
        return ofSession(readObject(sessionSchema, object), (session, orderNo) =>
          asyncFailedEvent(session, { orderNo, at }),
        );
      case "refund.created":
      case "refund.updated":
      case "refund.failed":
      case "charge.refund.updated": {
        const refund = readObject(refundSchema, object);
        return this.#about(refund.payment_intent, (subject) => [refundEvent(refund, { ...subject, at })]);
      }
      case "charge.refunded": {
        const { payment_intent: paymentIntent } = readObject(chargeSchema, object);
        const refunds = paymentIntent === null ? [] : await this.#api.refunds(paymentIntent);
        return this.#about(paymentIntent, (subject) => refunds.map((one) => refundEvent(one, { ...subject, at })));
      }
      case "charge.dispute.created":
      case "charge.dispute.funds_withdrawn":
      case "charge.dispute.closed": {
        const dispute = readObject(disputeSchema, object);
        const isClosed = event.type === "charge.dispute.closed";
        return this.#about(dispute.payment_intent, (subject) => [disputeEvent(dispute, { ...subject, at }, isClosed)]);
      }
      case "radar.early_fraud_warning.created": {
        const { id, payment_intent: paymentIntent } = readObject(fraudWarningSchema, object);
        return this.#about(paymentIntent, ({ orderNo, paymentIntent: transactionId }) => [
          { kind: "early_fraud", eventId: `early_fraud:${id}`, orderNo, transactionId, at },
        ]);
      }
      default:
        return [];
    }
  }

  /** Empty for payments that are not our orders: the account may serve other products too. */
  async #about(
    paymentIntent: string | null,
    events: (subject: { orderNo: string; paymentIntent: string }) => (ProviderPaymentEvent | null)[],
  ): Promise<ProviderPaymentEvent[]> {
    if (paymentIntent === null) return [];
    const { metadata } = await this.#api.ask(paymentIntentSchema, (stripe) =>
      stripe.paymentIntents.retrieve(paymentIntent),
    );
    const orderNo = metadata?.["orderNo"];
    return orderNo === undefined ? [] : events({ orderNo, paymentIntent }).filter((event) => event !== null);
  }

  async #paymentIntentOf(order: OrderSnapshot): Promise<string> {
    const session = order.providerRef === null ? null : await this.#api.session(order.providerRef);
    if (session?.payment_status === "paid" && session.payment_intent !== null) return session.payment_intent;
    throw new PaymentProviderError(`order ${order.orderNo} was not paid at Stripe`, { isTemporary: false });
  }
}

/** Restricted keys count too. */
export function isLiveStripeKey(secretKey: string): boolean {
  return /^[sr]k_live_/.test(secretKey);
}

function ofSession(
  session: StripeSession,
  toEvent: (session: StripeSession, orderNo: string) => ProviderPaymentEvent | null,
): ProviderPaymentEvent[] {
  const orderNo = session.metadata?.["orderNo"];
  const event = orderNo === undefined ? null : toEvent(session, orderNo);
  return event ? [event] : [];
}

function refundState(status: string | null): RefundAnswer["state"] {
  if (status === "succeeded") return "done";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
}

interface Subject {
  orderNo: string;
  paymentIntent: string;
  at: Date;
}

/** Event of a session; null while the payment is in progress. Completed is not paid: some methods take days. */
function sessionEvent(
  session: StripeSession,
  { orderNo, at }: { orderNo: string; at: Date },
): ProviderPaymentEvent | null {
  const transactionId = session.payment_intent;
  if (session.payment_status === "paid" && transactionId !== null) {
    const amounts = minorFromStripe(session.amount_total, session.currency);
    return { kind: "paid", eventId: `paid:${transactionId}`, orderNo, transactionId, at, ...amounts };
  }
  if (session.payment_status !== "unpaid" || session.status !== "expired") return null;
  return { kind: "expired", eventId: `expired:${session.id}`, orderNo, transactionId: session.id, at };
}

function asyncFailedEvent(
  session: StripeSession,
  { orderNo, at }: { orderNo: string; at: Date },
): ProviderPaymentEvent {
  const transactionId = session.payment_intent ?? session.id;
  return { kind: "failed", eventId: `failed:${session.id}`, orderNo, transactionId, at };
}

/** Null while the refund is in progress. A refund made in Stripe's dashboard gets Stripe's id as its number. */
function refundEvent(refund: StripeRefund, { orderNo, paymentIntent, at }: Subject): ProviderPaymentEvent | null {
  const kind = refundKind(refund.status);
  if (kind === null) return null;
  return {
    kind,
    eventId: `${kind}:${refund.id}`,
    orderNo,
    transactionId: paymentIntent,
    refundNo: refund.metadata?.["refundNo"] ?? refund.id,
    amountMinor: minorFromStripe(refund.amount, refund.currency).amountMinor,
    at,
  };
}

function refundKind(status: string | null): "refunded" | "refund_failed" | null {
  if (status === "succeeded") return "refunded";
  return status === "failed" || status === "canceled" ? "refund_failed" : null;
}

/** Null for a bank's inquiry, which takes no money yet, and for an end without a decision. */
function disputeEvent(
  dispute: StripeDispute,
  { orderNo, paymentIntent, at }: Subject,
  isClosed: boolean,
): ProviderPaymentEvent | null {
  const kind = disputeKind(dispute.status, isClosed);
  if (kind === null) return null;
  return {
    kind,
    eventId: `${kind}:${dispute.id}`,
    orderNo,
    transactionId: paymentIntent,
    caseId: dispute.id,
    amountMinor: minorFromStripe(dispute.amount, dispute.currency).amountMinor,
    at,
  };
}

function disputeKind(status: string, isClosed: boolean): "dispute_opened" | "dispute_won" | "dispute_lost" | null {
  if (!isClosed) return status.startsWith("warning_") || status === "prevented" ? null : "dispute_opened";
  if (status === "won") return "dispute_won";
  return status === "lost" ? "dispute_lost" : null;
}

/** Currencies that Stripe counts in whole units, and in thousandths; all others in hundredths. */
const wholeUnits: ReadonlySet<string> = new Set(
  "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "),
);
const thousandths: ReadonlySet<string> = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);
/** Counted in hundredths, but accepted in whole units only: 100 is one krona. */
const wholeHundreds: ReadonlySet<string> = new Set(["ISK", "UGX"]);

function stripeExponent(currencyCode: string): number {
  if (wholeUnits.has(currencyCode)) return 0;
  return thousandths.has(currencyCode) ? 3 : 2;
}

/** @throws PaymentProviderError where Stripe cannot express the amount: amounts are never rounded. */
export function stripeAmount(amountMinor: bigint, currencyCode: string): number {
  const dropped = 10n ** BigInt(Math.max(0, currencyExponent(currencyCode) - stripeExponent(currencyCode)));
  const isWhole = amountMinor % stripeStep(currencyCode, dropped) === 0n;
  if (!isWhole || amountMinor <= 0n || amountMinor > BigInt(Number.MAX_SAFE_INTEGER)) {
    const amount = `${majorText(amountMinor, currencyCode)} ${currencyCode}`;
    throw new PaymentProviderError(`Stripe does not take ${amount}`, { isTemporary: false });
  }
  return wireInteger(amountMinor / dropped);
}

/** Stripe accepts only thousandths that are multiples of 10. */
function stripeStep(currencyCode: string, dropped: bigint): bigint {
  if (thousandths.has(currencyCode)) return 10n;
  return wholeHundreds.has(currencyCode) ? 100n : dropped;
}

/** `currency` is lower-case. */
export function minorFromStripe(amount: bigint, currency: string): { amountMinor: bigint; currencyCode: string } {
  const currencyCode = currency.toUpperCase();
  const added = BigInt(Math.max(0, currencyExponent(currencyCode) - stripeExponent(currencyCode)));
  return { amountMinor: amount * 10n ** added, currencyCode };
}
