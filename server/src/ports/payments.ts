export interface OrderSnapshot {
  /** Lower-case letters and digits, at most 32: valid for every provider. */
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
  /** The provider's id of the order, once known. */
  providerRef: string | null;
  /** The provider's id of the payment, once paid. */
  transactionId: string | null;
}

export interface PayMethod {
  id: string;
  /** Catalog key such as `pay.card`, or the provider's brand in its own spelling. */
  name: string;
}

export interface PaymentUrls {
  /** Return address of the browser: `/chargeReturn` of our own origin, with the order number. */
  returnUrl: string;
  /** Webhook address: `/pay/webhook/:provider` of our own origin. */
  notifyUrl: string;
}

export interface CreatedPayment {
  redirectUrl: string;
  providerRef: string;
  expiresAt: Date;
}

/** A provider's statement about an order. The order service decides whether to believe it. */
export type ProviderPaymentEvent = {
  /** Equal for repetitions of the same statement; unique for a provider. */
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
  /** Raw body: signatures cover its bytes. */
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
  /** Response that the provider expects once the events are stored. */
  reply: WebhookReply;
}

export interface RefundRequest {
  /** Our own number, which makes the request idempotent. */
  refundNo: string;
  amountMinor: bigint;
  reason: string;
  /** Webhook address for the result; null where our own origin is unknown. */
  notifyUrl: string | null;
}

export interface RefundAnswer {
  providerRefundId: string;
  state: "pending" | "done" | "failed";
}

/** The signature of a webhook is invalid, or it is too old. Its content is ignored. */
export class WebhookRefusedError extends Error {
  override readonly name = "WebhookRefusedError";
}

/** The provider did not answer, or refused. `isTemporary`: a retry may succeed. */
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

/** Adapters are stateless: the order holds all state. */
export interface PaymentProvider {
  readonly id: PaymentProviderId;
  readonly mode: "sandbox" | "live";
  methods(place: { countryCode: string; currencyCode: string }): readonly PayMethod[];
  /** Opens the payment; idempotent for one order. @throws PaymentProviderError */
  create(order: OrderSnapshot, urls: PaymentUrls): Promise<CreatedPayment>;
  /** @throws WebhookRefusedError; PaymentProviderError where the provider must be asked and does not answer. */
  readWebhook(request: WebhookRequest): Promise<ReadWebhook>;
  /** State at the provider, for lost webhooks and reconciliation; null: unchanged. @throws PaymentProviderError */
  query(order: OrderSnapshot): Promise<ProviderPaymentEvent | null>;
  /** Idempotent: a repetition returns the state of the refund. @throws PaymentProviderError */
  refund(order: OrderSnapshot, refund: RefundRequest): Promise<RefundAnswer>;
}
