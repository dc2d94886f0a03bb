import * as v from "valibot";
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
import { payermaxAmount } from "./payermax-amounts.ts";
import { PayerMaxGateway, payermaxLiveUrl, type PayerMaxSettings, readBody } from "./payermax-gateway.ts";
import {
  disputeEvent,
  fraudEvent,
  type PayermaxTrade,
  payermaxNews,
  payermaxTrade,
  refundEvent,
  tradeEvent,
} from "./payermax-news.ts";
import { payermaxSignatureHeader } from "./payermax-signature.ts";

/** Shortest life of a payment page that PayerMax allows. */
const pageLifetimeSeconds = 1_800;

const createdSchema = v.object({
  redirectUrl: v.pipe(v.string(), v.url()),
  tradeToken: v.pipe(v.string(), v.minLength(1)),
});
const refundedSchema = v.object({ refundTradeNo: v.nullish(v.string()), status: v.string() });
const notificationSchema = v.object({
  appId: v.nullish(v.string()),
  merchantNo: v.nullish(v.string()),
  notifyTime: v.nullish(v.string()),
  data: v.unknown(),
});

/** PayerMax's hosted cashier, protocol 1.4. */
export class PayerMaxPayments implements PaymentProvider {
  readonly id = "payermax";
  readonly mode: "sandbox" | "live";
  readonly #settings: PayerMaxSettings;
  readonly #clock: Clock;
  readonly #gateway: PayerMaxGateway;

  /** @throws Error when a key is not one. */
  constructor({ clock, ...settings }: PayerMaxSettings & { clock: Clock }) {
    this.mode = settings.baseUrl === payermaxLiveUrl ? "live" : "sandbox";
    this.#settings = settings;
    this.#clock = clock;
    this.#gateway = new PayerMaxGateway(settings, clock);
  }

  methods(): readonly PayMethod[] {
    return [{ id: "card", name: "pay.card" }];
  }

  async create(order: OrderSnapshot, urls: PaymentUrls): Promise<CreatedPayment> {
    const data = await this.#gateway.call("orderAndPay", {
      outTradeNo: order.orderNo,
      integrate: "Hosted_Checkout",
      // A subject of digits alone is refused, and one of their methods takes 43 characters at most.
      subject: `Fava: ${order.beans} beans`,
      totalAmount: payermaxAmount(order.amountMinor, order.currencyCode),
      currency: order.currencyCode,
      country: order.countryCode,
      userId: order.userNo,
      language: order.language.split("-")[0] ?? "en",
      frontCallbackUrl: urls.returnUrl,
      notifyUrl: urls.notifyUrl,
      expireTime: String(pageLifetimeSeconds),
      paymentDetail: { paymentMethodType: "CARD" },
    });
    const { redirectUrl, tradeToken } = answered(createdSchema, data);
    const expiresAt = new Date(this.#clock.nowMs() + pageLifetimeSeconds * 1_000);
    return { redirectUrl, providerRef: tradeToken, expiresAt };
  }

  async readWebhook({ body, headers }: WebhookRequest): Promise<ReadWebhook> {
    if (!this.#gateway.isSigned(body, headers[payermaxSignatureHeader])) {
      throw new WebhookRefusedError("the signature does not match");
    }
    const notification = v.safeParse(notificationSchema, readBody(body));
    if (!notification.success) throw new WebhookRefusedError("the body is not a notification");
    const { appId, merchantNo, notifyTime, data } = notification.output;
    this.#checkOurs(appId ?? null, merchantNo ?? null);
    const saidAt = new Date(notifyTime ?? "");
    const at = Number.isNaN(saidAt.getTime()) ? new Date(this.#clock.nowMs()) : saidAt;
    const event = await this.#event(data, at);
    return {
      events: event === null ? [] : [event],
      reply: { status: 200, contentType: "application/json", body: `{"code":"SUCCESS","msg":"Success"}` },
    };
  }

  async query(order: OrderSnapshot): Promise<PaymentEvent | null> {
    return tradeEvent(await this.#trade(order.orderNo), new Date(this.#clock.nowMs()));
  }

  async refund(
    order: OrderSnapshot,
    refund: { refundNo: string; amountMinor: bigint; reason: string },
  ): Promise<RefundAnswer> {
    const { refundNo } = refund;
    const asked = await this.#gateway
      .call("refund", {
        outRefundNo: refundNo,
        refundAmount: payermaxAmount(refund.amountMinor, order.currencyCode),
        refundCurrency: order.currencyCode,
        outTradeNo: order.orderNo,
        comments: refund.reason,
      })
      .catch((refusal: unknown) => this.#knownRefund(refundNo, refusal));
    const { refundTradeNo, status } = answered(refundedSchema, asked);
    return { providerRefundId: refundTradeNo ?? refundNo, state: refundState(status) };
  }

  /** A refusal may only mean that the refund was asked for before: what PayerMax knows of it decides. */
  async #knownRefund(refundNo: string, refusal: unknown): Promise<unknown> {
    if (!isFinal(refusal)) throw refusal;
    return await this.#gateway.call("refundQuery", { outRefundNo: refundNo }).catch((error: unknown) => {
      throw isFinal(error) ? refusal : error;
    });
  }

  async #event(data: unknown, at: Date): Promise<PaymentEvent | null> {
    const news = payermaxNews(data);
    switch (news.kind) {
      case "trade":
        return tradeEvent(news.trade, at);
      case "dispute":
        return disputeEvent(news.dispute, at);
      case "refund":
        return refundEvent(news.refund, (await this.#trade(news.refund.outTradeNo)).tradeToken, at);
      case "fraud":
        return fraudEvent(news.fraud, (await this.#trade(news.fraud.outTradeNo)).tradeToken, at);
    }
  }

  /** Their key may sign for other merchants too, who choose order numbers as they like. */
  #checkOurs(appId: string | null, merchantNo: string | null): void {
    const isNamed = appId !== null || merchantNo !== null;
    const isOurs =
      (appId ?? this.#settings.appId) === this.#settings.appId &&
      (merchantNo ?? this.#settings.merchantNo) === this.#settings.merchantNo;
    if (!isNamed || !isOurs) throw new WebhookRefusedError("the notification is for another merchant");
  }

  async #trade(orderNo: string): Promise<PayermaxTrade> {
    const trade = payermaxTrade(await this.#gateway.call("orderQuery", { outTradeNo: orderNo }));
    // Order numbers are equal to PayerMax whatever the case of their letters.
    if (trade.outTradeNo.toLowerCase() === orderNo.toLowerCase()) return { ...trade, outTradeNo: orderNo };
    throw new PaymentProviderError("PayerMax answered about another order", { isTemporary: true });
  }
}

function answered<Schema extends v.GenericSchema>(schema: Schema, data: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, data);
  if (parsed.success) return parsed.output;
  throw new PaymentProviderError("PayerMax's answer lacks a field", { isTemporary: false });
}

function refundState(status: string): RefundAnswer["state"] {
  if (status === "REFUND_SUCCESS") return "done";
  return status === "REFUND_FAILED" ? "failed" : "pending";
}

function isFinal(error: unknown): boolean {
  return error instanceof PaymentProviderError && !error.isTemporary;
}
