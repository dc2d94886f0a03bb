/** What an adapter needs to know of an order. */
export interface OrderSnapshot {
  /** Lower-case letters and digits, 32 at most: fits the rules of every provider. */
  orderNo: string;
  userNo: string;
  beans: bigint;
  amountMinor: bigint;
  currencyCode: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  /** Id of the method the person chose, one of `methods()`. */
  payType: string;
  language: string;
  createdAt: Date;
  /** The provider's own id of the order, once it has one. */
  providerRef: string | null;
  /** The provider's id of the payment, once it was paid. */
  transactionId: string | null;
}

export interface PayMethod {
  id: string;
  /** Key of the catalogs' name such as `pay.card`, or the provider's brand as it writes it. */
  name: string;
}

export interface PaymentUrls {
  /** Where the browser goes afterwards: `/chargeReturn` of our own origin, with the order number. */
  returnUrl: string;
  /** Where the provider reports, `/pay/webhook/:provider` of our own origin. */
  notifyUrl: string;
}

export interface CreatedPayment {
  /** Page on which the person pays. */
  redirectUrl: string;
  providerRef: string;
  expiresAt: Date;
}

/** Something a provider says about an order. Whether it is believed is decided by the order, not here. */
export type ProviderPaymentEvent = {
  /** The same for a repetition of the same news; unique for a provider. */
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
  /** Body as it came: signatures are over its bytes. */
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
  /** What the provider wants to hear once the events are stored. */
  reply: WebhookReply;
}

export interface RefundRequest {
  /** Ours; makes a repetition harmless. */
  refundNo: string;
  amountMinor: bigint;
  reason: string;
  /** Where the provider reports how it ended; null where we do not know our own origin. */
  notifyUrl: string | null;
}

export interface RefundAnswer {
  providerRefundId: string;
  state: "pending" | "done" | "failed";
}

/** The signature of a webhook does not hold, or it is too old. Nothing of it is believed. */
export class WebhookRefusedError extends Error {
  override readonly name = "WebhookRefusedError";
}

/** The provider did not answer, or refused. `isTemporary`: asking again later may help. */
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

/** Where money comes from. Adapters keep nothing: the order is the memory. */
export interface PaymentProvider {
  readonly id: PaymentProviderId;
  readonly mode: "sandbox" | "live";
  methods(place: { countryCode: string; currencyCode: string }): readonly PayMethod[];
  /**
   * Opens the payment; asking twice for one order opens it once.
   *
   * @throws PaymentProviderError
   */
  create(order: OrderSnapshot, urls: PaymentUrls): Promise<CreatedPayment>;
  /** @throws WebhookRefusedError; PaymentProviderError where the provider has to be asked and does not answer. */
  readWebhook(request: WebhookRequest): Promise<ReadWebhook>;
  /** What the provider knows now: for lost webhooks and reconciliation. Null: nothing new. @throws PaymentProviderError */
  query(order: OrderSnapshot): Promise<ProviderPaymentEvent | null>;
  /** A repetition answers what became of it. @throws PaymentProviderError */
  refund(order: OrderSnapshot, refund: RefundRequest): Promise<RefundAnswer>;
}
