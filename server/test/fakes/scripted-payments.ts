import {
  type CreatedPayment,
  type OrderSnapshot,
  type ProviderPaymentEvent,
  type PaymentProvider,
  type PaymentProviderId,
  PaymentProviderError,
  type PaymentUrls,
  type ReadWebhook,
  type RefundAnswer,
  type RefundRequest,
  type WebhookRequest,
  WebhookRefusedError,
} from "#ports/payments.ts";

/** Fields of a provider's webhook that a test sets. The order supplies the rest. */
export type ScriptedEvent = Partial<{
  [Field in "eventId" | "transactionId" | "refundNo" | "caseId" | "currencyCode"]: string;
}> & {
  kind: ProviderPaymentEvent["kind"];
  amountMinor?: bigint;
};

/** A provider whose answers a test sets. Its webhooks are JSON, and the word `genuine` is their signature. */
export class ScriptedPayments implements PaymentProvider {
  readonly id: PaymentProviderId;
  readonly mode = "sandbox";
  readonly opened: { order: OrderSnapshot; urls: PaymentUrls }[] = [];
  readonly refunds: (Omit<RefundRequest, "reason"> & { orderNo: string })[] = [];
  readonly asked: string[] = [];
  /** The result of a query about an order; may throw. */
  onQuery: (order: OrderSnapshot) => ProviderPaymentEvent | null = () => null;
  onRefund: (refundNo: string) => RefundAnswer = (refundNo) => ({ providerRefundId: `re-${refundNo}`, state: "done" });
  onCreate: () => Promise<void> = async () => {};
  onWebhook: () => void = () => {};
  readonly #nowMs: () => number;

  constructor(id: PaymentProviderId, nowMs: () => number) {
    this.id = id;
    this.#nowMs = nowMs;
  }

  methods() {
    return [
      { id: `${this.id}-card`, name: "pay.card" },
      { id: `${this.id}-wallet`, name: "Wallet" },
    ];
  }

  async create(order: OrderSnapshot, urls: PaymentUrls): Promise<CreatedPayment> {
    await this.onCreate();
    this.opened.push({ order, urls });
    const redirectUrl = `https://pay.test/${this.id}/${order.orderNo}`;
    return { redirectUrl, providerRef: `ref-${order.orderNo}`, expiresAt: new Date(this.#nowMs() + 1_800_000) };
  }

  async readWebhook({ body, headers }: WebhookRequest): Promise<ReadWebhook> {
    if (headers["x-signature"] !== "genuine") throw new WebhookRefusedError("the signature does not hold");
    this.onWebhook();
    const events = (JSON.parse(body.toString()) as WrittenEvent[]).map(
      ({ at, amountMinor, ...event }) =>
        ({ ...event, at: new Date(at), amountMinor: BigInt(amountMinor) }) as ProviderPaymentEvent,
    );
    return { events, reply: { status: 200, contentType: "text/plain", body: "received" } };
  }

  async query(order: OrderSnapshot): Promise<ProviderPaymentEvent | null> {
    this.asked.push(order.orderNo);
    return this.onQuery(order);
  }

  async refund({ orderNo }: OrderSnapshot, { reason: _reason, ...refund }: RefundRequest): Promise<RefundAnswer> {
    this.refunds.push({ orderNo, ...refund });
    return this.onRefund(refund.refundNo);
  }
}

interface WrittenEvent {
  kind: string;
  at: string;
  amountMinor: string;
}

/** The event about an order that these fields describe. */
export function eventAbout(orderNo: string, news: ScriptedEvent, at = new Date(0)): ProviderPaymentEvent {
  const { kind, transactionId = `txn-${orderNo}`, amountMinor = 999n, currencyCode = "USD" } = news;
  const { refundNo = "refund-1", caseId = "case-1" } = news;
  const eventId = news.eventId ?? `${orderNo}-${kind}-${transactionId}-${refundNo}-${caseId}-${amountMinor}`;
  return {
    eventId,
    orderNo,
    transactionId,
    at,
    kind,
    amountMinor,
    currencyCode,
    refundNo,
    caseId,
  } as ProviderPaymentEvent;
}

export function webhookBody(events: readonly ProviderPaymentEvent[]): string {
  return JSON.stringify(events, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

export function outage(isTemporary = true): never {
  throw new PaymentProviderError("no answer", { isTemporary });
}
