import { createHmac } from "node:crypto";
import { LruMap } from "#lru-map.ts";
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
import { expiredEvent, newsOf, refundNews, type SandboxNews } from "./sandbox-news.ts";
import type { TestCardOutcome } from "./test-cards.ts";
import { eventOfWebhook } from "./webhook-body.ts";
import { type CourierLog, WebhookCourier } from "./webhook-courier.ts";
import { checkSandboxWebhook, sandboxSignatureHeader } from "./webhook-signature.ts";

/** How long the page of an order takes a card. */
const pageLifetimeMs = 30 * 60_000;
const ordersMaxDefault = 10_000;

/** An order as its page knows it. */
export type SandboxOrder = {
  ref: string;
  snapshot: OrderSnapshot;
  urls: PaymentUrls;
  expiresAtMs: number;
} & (
  | { state: "open" | "challenged" }
  /** The first of the news decides what the order is; the others follow it. */
  | { state: "decided"; news: readonly SandboxNews[] }
);

export interface SandboxPaymentsOptions {
  /** Signs webhooks and makes the orders' references; only this server knows it. */
  secret: string;
  clock: Clock;
  log: CourierLog;
  ordersMax?: number;
}

/**
 * Payment provider of the embedded default: its page takes test cards, no money moves, and what happened is told by
 * signed webhooks over HTTP as a real provider does. Orders live in memory and the oldest are forgotten: an order that
 * is not known is waiting, and expired once its time is over.
 */
export class SandboxPayments implements PaymentProvider, AsyncDisposable {
  readonly id = "sandbox";
  readonly mode = "sandbox";
  readonly #secret: string;
  readonly #clock: Clock;
  readonly #courier: WebhookCourier;
  readonly #orders: LruMap<string, SandboxOrder>;
  #isClosed = false;

  constructor(options: SandboxPaymentsOptions) {
    this.#secret = options.secret;
    this.#clock = options.clock;
    this.#courier = new WebhookCourier(options);
    this.#orders = new LruMap(options.ordersMax ?? ordersMaxDefault);
  }

  methods(): readonly PayMethod[] {
    return [{ id: "card", name: "pay.card" }];
  }

  async create(order: OrderSnapshot, urls: PaymentUrls): Promise<CreatedPayment> {
    this.#checkOpen();
    const ref = this.#refOf(order.orderNo);
    const known = this.#orders.get(ref);
    const expiresAtMs = known?.expiresAtMs ?? expiryOf(order);
    if (!known) this.#orders.set(ref, { ref, snapshot: order, urls, expiresAtMs, state: "open" });
    return {
      redirectUrl: new URL(`/sandbox/pay/${ref}`, urls.notifyUrl).href,
      providerRef: ref,
      expiresAt: new Date(expiresAtMs),
    };
  }

  async readWebhook({ body, headers }: WebhookRequest): Promise<ReadWebhook> {
    checkSandboxWebhook(body, headers[sandboxSignatureHeader], { secret: this.#secret, nowMs: this.#clock.nowMs() });
    const event = eventOfWebhook(body);
    if (!event) throw new WebhookRefusedError("the body is not a sandbox event");
    return { events: [event], reply: { status: 200, contentType: "application/json", body: `{"received":true}` } };
  }

  async query(order: OrderSnapshot): Promise<PaymentEvent | null> {
    this.#checkOpen();
    const nowMs = this.#clock.nowMs();
    const known = this.#orders.get(this.#refOf(order.orderNo));
    if (known?.state === "decided") {
      const first = known.news[0];
      return first && first.dueMs <= nowMs ? first.event : null;
    }
    const expiresAtMs = known?.expiresAtMs ?? expiryOf(order);
    return nowMs < expiresAtMs || order.transactionId !== null ? null : expiredEvent(order, expiresAtMs);
  }

  async refund(
    order: OrderSnapshot,
    refund: { refundNo: string; amountMinor: bigint; reason: string },
  ): Promise<RefundAnswer> {
    this.#checkOpen();
    const known = this.#orders.get(this.#refOf(order.orderNo));
    // Where the address is forgotten the answer alone has to do.
    if (known) this.#tell(known, [refundNews(order, refund, this.#clock.nowMs())]);
    return { providerRefundId: `rfd_${refund.refundNo}`, state: "done" };
  }

  /** The order behind the reference in a page's address. */
  orderByRef(ref: string): SandboxOrder | null {
    return this.#orders.get(ref) ?? null;
  }

  isExpired(order: SandboxOrder): boolean {
    return this.#clock.nowMs() >= order.expiresAtMs;
  }

  /** Somebody used a test card on an order that is not decided yet; a challenge waits for `confirm`. */
  useCard(order: SandboxOrder, outcome: TestCardOutcome): SandboxOrder {
    if (outcome === "challenge") return this.#keep({ ...order, state: "challenged" });
    return this.#decide(order, outcome);
  }

  /** The person answered the bank's question of a challenged order. */
  confirm(order: SandboxOrder, isConfirmed: boolean): SandboxOrder {
    return this.#decide(order, isConfirmed ? "success" : "refused");
  }

  /** The person left the page without paying. */
  cancel(order: SandboxOrder): SandboxOrder {
    return this.#decide(order, "cancelled");
  }

  #decide(order: SandboxOrder, outcome: Parameters<typeof newsOf>[1]): SandboxOrder {
    const news = newsOf(order.snapshot, outcome, this.#clock.nowMs());
    this.#tell(order, news);
    return this.#keep({ ...order, state: "decided", news });
  }

  #keep(order: SandboxOrder): SandboxOrder {
    this.#orders.set(order.ref, order);
    return order;
  }

  #tell(order: SandboxOrder, news: readonly SandboxNews[]): void {
    const nowMs = this.#clock.nowMs();
    for (const { event, dueMs, isSent } of news) {
      if (isSent) this.#courier.send(event, order.urls.notifyUrl, dueMs - nowMs);
    }
  }

  /** The same for one order, also after a restart, and not to be guessed from its number. */
  #refOf(orderNo: string): string {
    return createHmac("sha256", this.#secret).update(`order ${orderNo}`).digest("base64url").slice(0, 24);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new PaymentProviderError("the sandbox is closed", { isTemporary: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#courier[Symbol.asyncDispose]();
  }
}

function expiryOf(order: OrderSnapshot): number {
  return order.createdAt.getTime() + pageLifetimeMs;
}
