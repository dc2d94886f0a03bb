import { createHash, timingSafeEqual } from "node:crypto";
import * as v from "valibot";
import { countryByCode } from "@fava/wire/countries.ts";
import { currencyExponent } from "@fava/wire/currency.ts";
import { majorText, minorFromText } from "@fava/wire/money.ts";
import { type BoundedAnswer, fetchBounded } from "#adapters/identity/bounded-fetch.ts";
import { DecimalNumber, type LosslessJson, plainDecimal, readJson, writeJson } from "#lib/lossless-json.ts";
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

/** Numbers are text after `lossless-json`; ids are JSON numbers or strings. */
const scalar = v.pipe(
  v.nullish(v.union([v.string(), v.boolean()]), ""),
  v.transform((value) => String(value)),
);
const codaResultSchema = v.object({
  txnId: scalar,
  orderId: scalar,
  resultCode: v.string(),
  totalPrice: scalar,
  profile: v.nullish(v.object({ entry: v.nullish(v.array(v.object({ key: v.string(), value: scalar })), []) })),
});
type CodaResult = v.InferOutput<typeof codaResultSchema>;

/** Result codes of expired payments, as opposed to failed ones. */
const expiredCodes: ReadonlySet<string> = new Set(["206", "211", "213", "230", "438", "456", "475"]);

/** Null while the payment is in progress: many codes that Coda does not call final mean an unpaid order. */
function codaResultEvent(
  result: CodaResult,
  order: { orderNo: string; currencyCode: string; at: Date },
): ProviderPaymentEvent | null {
  const { txnId: transactionId, resultCode, totalPrice } = result;
  const { orderNo, currencyCode, at } = order;
  const profile = new Map(result.profile?.entry?.map(({ key, value }) => [key, value.toLowerCase()]));
  const isFinal = profile.get("isStatusFinal") === "true";
  const status = profile.get("status") ?? "";
  if (resultCode === "0") {
    if (status !== "" && status !== "success") return null;
    // An unreadable amount never equals the order's: the order goes to review.
    const amountMinor = minorFromCoda(totalPrice, currencyCode) ?? 0n;
    return { kind: "paid", eventId: `paid:${transactionId}`, orderNo, transactionId, at, amountMinor, currencyCode };
  }
  if (!isFinal || status === "success" || status === "pending") return null;
  const kind = expiredCodes.has(resultCode) ? "expired" : "failed";
  return { kind, eventId: `${kind}:${transactionId}`, orderNo, transactionId, at };
}

export const codaLiveUrl = "https://airtime.codapayments.com/airtime/api/restful/v2.0/Payment/";
export const codaTestUrl = "https://sandbox.codapayments.com/airtime/api/restful/v2.0/Payment/";

const answerTimeoutMs = 10_000;
const answerBytesMax = 64 * 1_024;
/** Cash and bank channels are slow. Coda itself expires an unopened page after 15 minutes. */
const paymentLifetimeMs = 24 * 60 * 60_000;
/** Result codes after which a retry may succeed: internal errors of Coda, and rate limits. */
const temporaryCodes: ReadonlySet<string> = new Set(["1", "101", "102", "104", "151", "219", "238", "492"]);

const createdSchema = v.object({
  initResult: v.object({
    resultCode: v.string(),
    txnId: v.optional(v.string(), ""),
    redirectUrl: v.nullish(v.string(), ""),
  }),
});
const pageSchema = v.object({
  txnId: v.pipe(v.string(), v.regex(/^[1-9]\d{0,19}$/)),
  redirectUrl: v.pipe(v.string(), v.url(), v.startsWith("https://")),
});
const resultSchema = v.object({ paymentResult: codaResultSchema });

export interface CodaSettings {
  apiKey: string;
  projectId: string;
  /** `codaLiveUrl`, `codaTestUrl`, or a fake's. */
  baseUrl: string;
}

/** Codapay's hosted page, protocol 2.0. A notification is only a hint, since its checksum leaves the amount out. */
export class CodaPayments implements PaymentProvider {
  readonly id = "coda";
  readonly mode: "sandbox" | "live";
  readonly #settings: CodaSettings;
  readonly #clock: Clock;

  constructor({ clock, ...settings }: CodaSettings & { clock: Clock }) {
    this.mode = settings.baseUrl === codaLiveUrl ? "live" : "sandbox";
    this.#settings = settings;
    this.#clock = clock;
  }

  methods({ countryCode, currencyCode }: { countryCode: string; currencyCode: string }): readonly PayMethod[] {
    return isCurrencyOf(countryCode, currencyCode) ? [{ id: "codapay", name: "Codapay" }] : [];
  }

  async create(order: OrderSnapshot, urls: PaymentUrls): Promise<CreatedPayment> {
    const country = countryNumber(order.countryCode);
    const currency = currencyNumber(order.currencyCode);
    if (country === null || currency === null) {
      const place = `${order.countryCode} with ${order.currencyCode}`;
      throw new PaymentProviderError(`Coda does not serve ${place}`, { isTemporary: false });
    }
    const { apiKey, projectId } = this.#settings;
    const answer = await this.#call(createdSchema, "init", {
      initRequest: {
        country,
        currency,
        orderId: codaOrderId(order.orderNo, order.currencyCode),
        apiKey,
        projectId,
        // 0: the user chooses the channel on Coda's page.
        payType: 0n,
        items: [
          {
            code: `beans-${order.beans}`,
            name: `${order.beans} beans`,
            price: codaAmount(order.amountMinor, order.currencyCode),
            type: 1n,
          },
        ],
        profile: {
          entry: [
            { key: "user_id", value: order.userNo },
            { key: "return_url", value: urls.returnUrl },
          ],
        },
      },
    });
    const { resultCode, txnId, redirectUrl } = answer.initResult;
    if (resultCode !== "0") throw refusedBy("init", resultCode);
    const page = v.safeParse(pageSchema, { txnId, redirectUrl });
    if (!page.success) throw new PaymentProviderError("Coda's response has no payment page", { isTemporary: false });
    return {
      redirectUrl: page.output.redirectUrl,
      providerRef: page.output.txnId,
      expiresAt: new Date(this.#clock.nowMs() + paymentLifetimeMs),
    };
  }

  async readWebhook({ query }: WebhookRequest): Promise<ReadWebhook> {
    const { txnId, orderId, resultCode } = checkedNotification(query, this.#settings.apiKey);
    const named = ofCodaOrderId(orderId);
    if (!named) throw new WebhookRefusedError("the notification is for an unknown order id");
    const event = await this.#result(txnId, named);
    if (!event && resultCode === "0") {
      throw new PaymentProviderError("Coda reported a payment that it does not confirm yet", { isTemporary: true });
    }
    return {
      events: event ? [event] : [],
      reply: { status: 200, contentType: "text/plain", body: "ResultCode=0" },
    };
  }

  async query(order: OrderSnapshot): Promise<ProviderPaymentEvent | null> {
    return order.providerRef === null ? null : this.#result(order.providerRef, order);
  }

  /** Coda's refund API could not be tested without an account, so an administrator refunds in Coda's portal. */
  async refund(order: OrderSnapshot): Promise<RefundAnswer> {
    throw new PaymentProviderError(
      `refund transaction ${order.transactionId ?? order.providerRef} of order ${order.orderNo} in Coda's portal`,
      { isTemporary: false },
    );
  }

  async #result(txnId: string, order: { orderNo: string; currencyCode: string }): Promise<ProviderPaymentEvent | null> {
    const { apiKey, projectId } = this.#settings;
    const { paymentResult } = await this.#call(resultSchema, "inquiryPaymentResult", {
      inquiryPaymentRequest: { apiKey, projectId, txnId, needStatusFinal: "true" },
    });
    const { resultCode, orderId } = paymentResult;
    // A response without an order is about the request: a wrong key, or an unknown transaction.
    if (orderId === "" && resultCode !== "0") throw refusedBy("inquiryPaymentResult", resultCode);
    if (paymentResult.txnId !== txnId || orderId !== codaOrderId(order.orderNo, order.currencyCode)) {
      throw new PaymentProviderError("Coda answered about another order", { isTemporary: false });
    }
    return codaResultEvent(paymentResult, { ...order, at: new Date(this.#clock.nowMs()) });
  }

  async #call<Schema extends v.GenericSchema>(
    schema: Schema,
    name: string,
    message: LosslessJson,
  ): Promise<v.InferOutput<Schema>> {
    const { status, body } = await this.#post(new URL(`${name}.json`, this.#settings.baseUrl), writeJson(message));
    const isTemporary = status === 200 || status === 429 || status >= 500;
    if (status !== 200) throw new PaymentProviderError(`Coda answered ${name} with status ${status}`, { isTemporary });
    const answer = v.safeParse(schema, readOrNull(body));
    if (!answer.success) throw new PaymentProviderError(`Coda's answer to ${name} is unreadable`, { isTemporary });
    return answer.output;
  }

  async #post(address: URL, body: string): Promise<BoundedAnswer> {
    const headers = { "content-type": "application/json" };
    try {
      return await fetchBounded(address, { timeoutMs: answerTimeoutMs, bytesMax: answerBytesMax }, { body, headers });
    } catch (cause) {
      throw new PaymentProviderError("Coda does not answer", { isTemporary: true, cause });
    }
  }
}

function readOrNull(body: Buffer): unknown {
  try {
    return readJson(body.toString("utf8"));
  } catch {
    return null;
  }
}

/** Omits the description, which may quote the request with the key. */
function refusedBy(name: string, resultCode: string): PaymentProviderError {
  const isTemporary = temporaryCodes.has(resultCode);
  return new PaymentProviderError(`Coda refused ${name}: result code ${resultCode.slice(0, 10)}`, { isTemporary });
}

/** Currencies that Coda accepts in whole units only. */
const wholeOnly: ReadonlySet<string> = new Set(["CLP", "IDR", "KRW", "TWD", "VND"]);

/**
 * Major units, a JSON number.
 * @throws PaymentProviderError for decimals that Coda does not accept: amounts are never rounded.
 */
export function codaAmount(amountMinor: bigint, currencyCode: string): DecimalNumber {
  const text = majorText(amountMinor, currencyCode);
  if (!wholeOnly.has(currencyCode) || currencyExponent(currencyCode) === 0) return new DecimalNumber(text);
  const [whole = "", fraction = ""] = text.split(".");
  if (/^0*$/.test(fraction)) return new DecimalNumber(whole);
  throw new PaymentProviderError(`Coda does not take ${text} ${currencyCode}`, { isTemporary: false });
}

export function minorFromCoda(text: string, currencyCode: string): bigint | null {
  return minorFromText(plainDecimal(text) ?? "", currencyCode);
}

interface CodaNotification {
  txnId: string;
  /** Our order number, from `codaOrderId`. */
  orderId: string;
  resultCode: string;
}

/** Hexadecimal MD5, by Coda's documentation. It covers neither amount nor time. */
export function codaChecksum({ txnId, orderId, resultCode }: CodaNotification, apiKey: string): string {
  return createHash("md5").update(`${txnId}${apiKey}${orderId}${resultCode}`).digest("hex");
}

/** @throws WebhookRefusedError for a missing parameter or a wrong checksum. */
export function checkedNotification(query: Readonly<Record<string, string>>, apiKey: string): CodaNotification {
  const txnId = /^\d{1,20}$/.exec(query["TxnId"] ?? "")?.[0];
  const orderId = /^[\w-]{4,64}$/.exec(query["OrderId"] ?? "")?.[0];
  const resultCode = /^\d{1,6}$/.exec(query["ResultCode"] ?? "")?.[0];
  const checksum = /^[\da-f]{32}$/.exec((query["Checksum"] ?? "").toLowerCase())?.[0];
  if (txnId === undefined || orderId === undefined || resultCode === undefined || checksum === undefined) {
    throw new WebhookRefusedError("the notification lacks a parameter");
  }
  const notification = { txnId, orderId, resultCode };
  if (!timingSafeEqual(Buffer.from(checksum), Buffer.from(codaChecksum(notification, apiKey)))) {
    throw new WebhookRefusedError("the checksum does not match");
  }
  return notification;
}

/** Contains the currency, which Coda's messages leave out, and capitals, so that Coda never writes it as a number. */
function codaOrderId(orderNo: string, currencyCode: string): string {
  return `${orderNo}${currencyCode}`;
}

function ofCodaOrderId(orderId: string): { orderNo: string; currencyCode: string } | null {
  const match = /^([a-z\d]{1,32})([A-Z]{3})$/.exec(orderId);
  return match ? { orderNo: match[1] ?? "", currencyCode: match[2] ?? "" } : null;
}

/** Country, currency and ISO 4217 number. Coda converts other currencies, and then reports another amount. */
const rows = [
  "AE AED784 AR ARS032 AU AUD036 BD BDT050 BH BHD048 BR BRL986 CA CAD124 CL CLP152 CO COP170 DE EUR978 EG EGP818",
  "ES EUR978 FR EUR978 GB GBP826 HK HKD344 ID IDR360 IN INR356 IQ IQD368 IT EUR978 JO JOD400 JP JPY392 KE KES404",
  "KH KHR116 KR KRW410 KW KWD414 KZ KZT398 LA LAK418 LK LKR144 MA MAD504 MM MMK104 MX MXN484 MY MYR458 NG NGN566",
  "NP NPR524 NZ NZD554 OM OMR512 PE PEN604 PH PHP608 PK PKR586 PL PLN985 QA QAR634 SA SAR682 SG SGD702 TH THB764",
  "TR TRY949 TW TWD901 UA UAH980 US USD840 VN VND704 ZA ZAR710",
];

const places = rows.flatMap((row) =>
  Array.from(row.matchAll(/([A-Z]{2}) ([A-Z]{3})(\d{3})/g), ([, country = "", currency = "", numeric = ""]) => ({
    country,
    currency,
    numeric: BigInt(numeric),
  })),
);

function isCurrencyOf(countryCode: string, currencyCode: string): boolean {
  return places.some(({ country, currency }) => country === countryCode && currency === currencyCode);
}

function countryNumber(countryCode: string): bigint | null {
  const country = countryByCode(countryCode);
  return country ? BigInt(country.numeric) : null;
}

/** ISO 4217 numeric; null for a currency that is not used with Coda. */
function currencyNumber(currencyCode: string): bigint | null {
  return places.find(({ currency }) => currency === currencyCode)?.numeric ?? null;
}
