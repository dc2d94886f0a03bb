import { createHash } from "node:crypto";
import * as v from "valibot";
import { currencyExponent } from "@fava/wire/currency.ts";
import { majorText, minorFromText } from "@fava/wire/money.ts";
import { DecimalNumber, plainDecimal } from "#lib/lossless-json.ts";
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
  type RefundRequest,
  WebhookRefusedError,
  type WebhookRequest,
} from "#ports/payments.ts";
import {
  PayerMaxGateway,
  payermaxLiveUrl,
  type PayerMaxSettings,
  payermaxSignatureHeader,
  readBody,
} from "./payermax-gateway.ts";

/** Shortest lifetime of a payment page that PayerMax allows. */
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

/** PayerMax's hosted cashier. */
export class PayerMaxPayments implements PaymentProvider {
  readonly id = "payermax";
  readonly mode: "sandbox" | "live";
  readonly #settings: PayerMaxSettings;
  readonly #clock: Clock;
  readonly #gateway: PayerMaxGateway;

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
      // PayerMax rejects a subject of digits only, and one method accepts at most 43 characters.
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

  async query(order: OrderSnapshot): Promise<ProviderPaymentEvent | null> {
    return tradeEvent(await this.#trade(order.orderNo), new Date(this.#clock.nowMs()));
  }

  async refund(order: OrderSnapshot, refund: RefundRequest): Promise<RefundAnswer> {
    const { refundNo, notifyUrl } = refund;
    const asked = await this.#gateway
      .call("refund", {
        outRefundNo: refundNo,
        refundAmount: payermaxAmount(refund.amountMinor, order.currencyCode),
        refundCurrency: order.currencyCode,
        outTradeNo: order.orderNo,
        comments: refund.reason,
        ...(notifyUrl === null ? {} : { refundNotifyUrl: notifyUrl }),
      })
      .catch((refusal: unknown) => this.#knownRefund(refundNo, refusal));
    const { refundTradeNo, status } = answered(refundedSchema, asked);
    return { providerRefundId: refundTradeNo ?? refundNo, state: refundState(status) };
  }

  /** A refusal may only mean that the refund was requested before: a query decides. */
  async #knownRefund(refundNo: string, refusal: unknown): Promise<unknown> {
    if (!isFinal(refusal)) throw refusal;
    return await this.#gateway.call("refundQuery", { outRefundNo: refundNo }).catch((error: unknown) => {
      throw isFinal(error) ? refusal : error;
    });
  }

  async #event(data: unknown, at: Date): Promise<ProviderPaymentEvent | null> {
    const news = payermaxWebhookEvent(data);
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

  /** PayerMax's key may sign for other merchants too, who choose their own order numbers. */
  #checkOurs(appId: string | null, merchantNo: string | null): void {
    const isNamed = appId !== null || merchantNo !== null;
    const isOurs =
      (appId ?? this.#settings.appId) === this.#settings.appId &&
      (merchantNo ?? this.#settings.merchantNo) === this.#settings.merchantNo;
    if (!isNamed || !isOurs) throw new WebhookRefusedError("the notification is for another merchant");
  }

  async #trade(orderNo: string): Promise<PayermaxTrade> {
    const trade = payermaxTrade(await this.#gateway.call("orderQuery", { outTradeNo: orderNo }));
    // PayerMax ignores the case of order numbers.
    if (trade.outTradeNo.toLowerCase() === orderNo.toLowerCase()) return { ...trade, outTradeNo: orderNo };
    throw new PaymentProviderError("PayerMax answered about another order", { isTemporary: true });
  }
}

/** A request that PayerMax accepted is in progress, even if the response is unreadable. */
function answered<Schema extends v.GenericSchema>(schema: Schema, data: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, data);
  if (parsed.success) return parsed.output;
  throw new PaymentProviderError("PayerMax's answer lacks a field", { isTemporary: true });
}

function refundState(status: string): RefundAnswer["state"] {
  if (status === "REFUND_SUCCESS") return "done";
  return status === "REFUND_FAILED" ? "failed" : "pending";
}

function isFinal(error: unknown): boolean {
  return error instanceof PaymentProviderError && !error.isTemporary;
}

/** Numbers are text after `lossless-json`. */
const text = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const time = v.nullish(v.pipe(v.string(), v.maxLength(40)));

/** `data` of a payment's notification and of a response to `orderQuery`. */
const tradeSchema = v.object({
  outTradeNo: text,
  tradeToken: text,
  status: text,
  totalAmount: v.nullish(text),
  currency: v.nullish(text),
  completeTime: time,
});
type PayermaxTrade = v.InferOutput<typeof tradeSchema>;

const refundSchema = v.object({
  outRefundNo: text,
  refundTradeNo: v.nullish(text),
  outTradeNo: text,
  refundAmount: text,
  refundCurrency: text,
  status: text,
  refundFinishTime: time,
});
const disputeSchema = v.object({
  caseId: text,
  outTradeNo: text,
  tradeToken: text,
  status: text,
  caseResult: v.nullish(v.string()),
  amount: text,
  currency: v.nullish(text),
  originTradeAmount: v.nullish(text),
  originTradeCurrency: v.nullish(text),
  tradeCurrency: v.nullish(text),
});
const fraudSchema = v.object({ outTradeNo: text, receiveDate: text });

type PayermaxWebhookEvent =
  | { kind: "trade"; trade: PayermaxTrade }
  | { kind: "refund"; refund: v.InferOutput<typeof refundSchema> }
  | { kind: "dispute"; dispute: v.InferOutput<typeof disputeSchema> }
  | { kind: "fraud"; fraud: v.InferOutput<typeof fraudSchema> };

/**
 * Distinguishes notifications by their fields: those of disputes and fraud have no reliable type.
 * @throws PaymentProviderError for other content: PayerMax sends it again.
 */
function payermaxWebhookEvent(data: unknown): PayermaxWebhookEvent {
  const has = (name: string) => typeof data === "object" && data !== null && name in data;
  if (has("outRefundNo")) return { kind: "refund", refund: read(refundSchema, data) };
  if (has("caseId")) return { kind: "dispute", dispute: read(disputeSchema, data) };
  if (has("receiveDate")) return { kind: "fraud", fraud: read(fraudSchema, data) };
  return { kind: "trade", trade: payermaxTrade(data) };
}

function payermaxTrade(data: unknown): PayermaxTrade {
  return read(tradeSchema, data);
}

function read<Schema extends v.GenericSchema>(schema: Schema, data: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, data);
  if (parsed.success) return parsed.output;
  throw new PaymentProviderError(`PayerMax sent unexpected content: ${v.getDotPath(parsed.issues[0])}`, {
    isTemporary: false,
  });
}

/** The state decides, never `code` or `msg`; null until the user has finished. */
function tradeEvent(trade: PayermaxTrade, at: Date): ProviderPaymentEvent | null {
  const base = eventBase(trade.outTradeNo, trade.tradeToken, {
    at: timeOr(trade.completeTime, at),
    identity: ["trade", trade.tradeToken, trade.status],
  });
  switch (trade.status) {
    case "SUCCESS": {
      const currencyCode = trade.currency ?? "";
      return {
        ...base,
        kind: "paid",
        amountMinor: minorFromPayermax(trade.totalAmount ?? "", currencyCode),
        currencyCode,
      };
    }
    case "FAILED":
      return { ...base, kind: "failed" };
    case "CLOSED":
      return { ...base, kind: "expired" };
    case "PENDING":
      return null;
    default:
      throw unknownStatus("trade", trade.status);
  }
}

/** `transactionId` needs a query: the notification names the refund only. */
function refundEvent(
  refund: v.InferOutput<typeof refundSchema>,
  transactionId: string,
  at: Date,
): ProviderPaymentEvent | null {
  const { status, outRefundNo, refundCurrency } = refund;
  if (status === "REFUND_PENDING") return null;
  if (status !== "REFUND_SUCCESS" && status !== "REFUND_FAILED") throw unknownStatus("refund", status);
  return {
    ...eventBase(refund.outTradeNo, transactionId, {
      at: timeOr(refund.refundFinishTime, at),
      identity: ["refund", outRefundNo, status],
    }),
    kind: status === "REFUND_SUCCESS" ? "refunded" : "refund_failed",
    refundNo: outRefundNo,
    amountMinor: minorFromPayermax(refund.refundAmount, refundCurrency),
  };
}

/** `caseResult` is the outcome of a case; a cancelled one was won. */
function disputeEvent(dispute: v.InferOutput<typeof disputeSchema>, at: Date): ProviderPaymentEvent {
  const { status, caseId, caseResult } = dispute;
  const currencyCode = dispute.originTradeCurrency ?? dispute.currency ?? dispute.tradeCurrency ?? "";
  const amount = dispute.originTradeCurrency ? (dispute.originTradeAmount ?? dispute.amount) : dispute.amount;
  const identity = ["dispute", caseId, status, caseResult ?? ""];
  return {
    ...eventBase(dispute.outTradeNo, dispute.tradeToken, { at, identity }),
    kind: disputeKind(status, caseResult ?? ""),
    caseId,
    amountMinor: minorFromPayermax(amount, currencyCode),
  };
}

function disputeKind(status: string, result: string): "dispute_opened" | "dispute_won" | "dispute_lost" {
  if (result === "WIN" || status === "CASE_CANCEL" || status === "CASE_CANCELL") return "dispute_won";
  if (result === "FAIL") return "dispute_lost";
  if (status === "DISPUTE_INQUIRY" || status === "DISPUTE_RECEIVED") return "dispute_opened";
  throw unknownStatus("dispute", status);
}

function fraudEvent(fraud: v.InferOutput<typeof fraudSchema>, transactionId: string, at: Date): ProviderPaymentEvent {
  const identity = ["fraud", fraud.outTradeNo, fraud.receiveDate];
  return {
    ...eventBase(fraud.outTradeNo, transactionId, { at: timeOr(fraud.receiveDate, at), identity }),
    kind: "early_fraud",
  };
}

/** PayerMax's notifications have no id: the id is derived from subject and content. */
function eventBase(
  orderNo: string,
  transactionId: string,
  { at, identity }: { at: Date; identity: readonly string[] },
) {
  const eventId = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 40);
  return { eventId, orderNo, transactionId, at };
}

function timeOr(written: string | null | undefined, fallback: Date): Date {
  const at = new Date(written ?? "");
  return Number.isNaN(at.getTime()) ? fallback : at;
}

function unknownStatus(what: string, status: string): PaymentProviderError {
  return new PaymentProviderError(`PayerMax named an unknown ${what} status ${status}`, { isTemporary: false });
}

/** Currencies that PayerMax accepts with fewer decimals than ISO 4217. */
const decimalsMax: Readonly<Record<string, number>> = {
  BHD: 2,
  IQD: 2,
  JOD: 2,
  KWD: 2,
  LYD: 2,
  OMR: 2,
  TND: 2,
  COP: 0,
  IDR: 0,
  PKR: 0,
  TWD: 0,
};

/**
 * Major units, a JSON number.
 * @throws PaymentProviderError for more decimals than PayerMax accepts: amounts are never rounded.
 */
export function payermaxAmount(amountMinor: bigint, currencyCode: string): DecimalNumber {
  const dropped = Math.max(0, currencyExponent(currencyCode) - (decimalsMax[currencyCode] ?? Infinity));
  const text = majorText(amountMinor, currencyCode);
  if (/[^0]/.test(text.slice(text.length - dropped))) {
    throw new PaymentProviderError(`PayerMax does not take ${text} ${currencyCode}`, { isTemporary: false });
  }
  return new DecimalNumber(text.slice(0, text.length - dropped).replace(/\.$/, ""));
}

export function minorFromPayermax(text: string, currencyCode: string): bigint {
  const minor = minorFromText(plainDecimal(text) ?? "", currencyCode);
  if (minor === null) throw new PaymentProviderError("PayerMax named an unreadable amount", { isTemporary: false });
  return minor;
}
