export interface OrderSnapshot {
  /** At most 32 lower-case letters and digits, which every provider accepts. */
  orderNo: string;
  userNo: string;
  beans: bigint;
  amountMinor: bigint;
  currencyCode: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  payType: string;
  language: string;
  createdAt: Date;
  /** The provider's id of the order; null until known. */
  providerRef: string | null;
  /** The provider's id of the payment; null until paid. */
  transactionId: string | null;
}

export interface PayMethod {
  id: string;
  /** Catalog key such as `pay.card`, or the provider's brand in its own spelling. */
  name: string;
}

export interface PaymentUrls {
  /** Where the provider returns the browser: `/chargeReturn` of this site, with the order number. */
  returnUrl: string;
  /** Where the provider sends webhooks: `/pay/webhook/:provider` of this site. */
  notifyUrl: string;
}

export interface CreatedPayment {
  redirectUrl: string;
  providerRef: string;
  expiresAt: Date;
}

/** What a provider reports about an order. The order service decides whether to believe it. */
export type ProviderPaymentEvent = {
  /** Unique per provider. A repeated report has the same id. */
  eventId: string;
  orderNo: string;
  transactionId: string;
  at: Date;
} & (
  | { kind: "paid"; amountMinor: bigint; currencyCode: string }
  | { kind: "failed" | "expired" }
  | { kind: "refunded" | "refund_failed"; refundNo: string; amountMinor: bigint }
  | { kind: "dispute_opened" | "dispute_won" | "dispute_lost"; caseId: string; amountMinor: bigint }
  | { kind: "early_fraud" }
);

export interface WebhookRequest {
  /** The raw body, whose bytes the signature covers. */
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  query: Readonly<Record<string, string>>;
}

export interface WebhookReply {
  status: number;
  contentType: string;
  body: string;
}

export interface ReadWebhook {
  events: readonly ProviderPaymentEvent[];
  /** The response that the provider expects once all events are stored. */
  reply: WebhookReply;
}

export interface RefundRequest {
  /** This site's own number, which makes the request idempotent. */
  refundNo: string;
  amountMinor: bigint;
  reason: string;
  /** Where the provider sends the result; null if this site's address is unknown. */
  notifyUrl: string | null;
}

export interface RefundAnswer {
  providerRefundId: string;
  state: "pending" | "done" | "failed";
}

/** The signature of a webhook is invalid or too old. Nothing in it is used. */
export class WebhookRefusedError extends Error {
  override readonly name = "WebhookRefusedError";
}

/** The provider did not answer, or refused the request. `isTemporary`: a retry may succeed. */
export class PaymentProviderError extends Error {
  override readonly name = "PaymentProviderError";
  readonly isTemporary: boolean;
  constructor(message: string, options: { isTemporary: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.isTemporary = options.isTemporary;
  }
}

export const paymentProviderIds = ["sandbox", "payermax", "coda", "stripe"] as const;
export type PaymentProviderId = (typeof paymentProviderIds)[number];

/** A payment provider. Adapters keep no state, because the order has all of it. */
export interface PaymentProvider {
  readonly id: PaymentProviderId;
  readonly mode: "sandbox" | "live";
  methods(place: { countryCode: string; currencyCode: string }): readonly PayMethod[];
  /**
   * Creates the payment at the provider. Idempotent per order.
   * @throws PaymentProviderError
   */
  create(order: OrderSnapshot, urls: PaymentUrls): Promise<CreatedPayment>;
  /**
   * @throws WebhookRefusedError; PaymentProviderError if the webhook only announces a result and the provider does not
   * tell it.
   */
  readWebhook(request: WebhookRequest): Promise<ReadWebhook>;
  /**
   * The order's state at the provider, in case a webhook was lost; null if nothing changed.
   * @throws PaymentProviderError
   */
  query(order: OrderSnapshot): Promise<ProviderPaymentEvent | null>;
  /**
   * Requests a refund. A repeated request returns the state of the refund.
   * @throws PaymentProviderError
   */
  refund(order: OrderSnapshot, refund: RefundRequest): Promise<RefundAnswer>;
}
