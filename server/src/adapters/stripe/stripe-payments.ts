import type { Clock } from "#ports/clock.ts";
import {
  type CreatedPayment,
  type OrderSnapshot,
  type PaymentEvent,
  type PaymentProvider,
  PaymentProviderError,
  type PaymentUrls,
  type PayMethod,
  type ReadWebhook,
  type RefundAnswer,
  type WebhookRequest,
  WebhookRefusedError,
} from "#ports/payments.ts";
import { stripeAmount } from "./stripe-amounts.ts";
import { StripeApi, type StripeSettings } from "./stripe-api.ts";
import { asyncFailedEvent, disputeEvent, refundEvent, sessionEvent } from "./stripe-news.ts";
import {
  chargeSchema,
  disputeSchema,
  fraudWarningSchema,
  paymentIntentSchema,
  readObject,
  refundSchema,
  sessionSchema,
  type StripeEvent,
  type StripeSession,
} from "./stripe-objects.ts";

/** Stripe allows 30 minutes to 24 hours, counted from when it is asked; this leaves half an hour for asking again. */
const sessionLifetimeSeconds = 60 * 60;

/** Stripe Checkout: a page of Stripe's for each order. */
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
        // Everything here follows from the order: Stripe refuses a repetition of the key with anything else.
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
          // In another currency than the order's the amount could not be compared.
          adaptive_pricing: { enabled: false },
          expires_at: createdSeconds + sessionLifetimeSeconds,
          success_url: urls.returnUrl,
          cancel_url: urls.returnUrl,
        },
        { idempotencyKey: `order:${order.orderNo}` },
      ),
    );
    const { id, url, expires_at: expiresSeconds } = session;
    if (url === null) throw new PaymentProviderError("Stripe's answer names no page to pay on", { isTemporary: false });
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

  async query(order: OrderSnapshot): Promise<PaymentEvent | null> {
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
    // Stripe forgets its idempotency keys after a day or so; the refund itself stays.
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

  async #events(event: StripeEvent): Promise<PaymentEvent[]> {
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

  /** Nothing where the payment is not one of our orders: an account may serve other products too. */
  async #about(
    paymentIntent: string | null,
    events: (subject: { orderNo: string; paymentIntent: string }) => (PaymentEvent | null)[],
  ): Promise<PaymentEvent[]> {
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

/** Whether a key moves money; restricted keys count too. */
export function isLiveStripeKey(secretKey: string): boolean {
  return /^[sr]k_live_/.test(secretKey);
}

function ofSession(
  session: StripeSession,
  toEvent: (session: StripeSession, orderNo: string) => PaymentEvent | null,
): PaymentEvent[] {
  const orderNo = session.metadata?.["orderNo"];
  const event = orderNo === undefined ? null : toEvent(session, orderNo);
  return event ? [event] : [];
}

function refundState(status: string | null): RefundAnswer["state"] {
  if (status === "succeeded") return "done";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
}
