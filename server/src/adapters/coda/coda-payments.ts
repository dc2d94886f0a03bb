import * as v from "valibot";
import { type BoundedAnswer, fetchBounded } from "#adapters/id-token/bounded-fetch.ts";
import { type LosslessJson, readJson, writeJson } from "#adapters/lossless-json/lossless-json.ts";
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
import { codaAmount } from "./coda-amounts.ts";
import { checkedNotification, codaOrderId, ofCodaOrderId } from "./coda-notification.ts";
import { countryNumber, currencyNumber, isCurrencyOf } from "./coda-places.ts";
import { codaResultEvent, codaResultSchema } from "./coda-result.ts";

export const codaLiveUrl = "https://airtime.codapayments.com/airtime/api/restful/v2.0/Payment/";
export const codaTestUrl = "https://sandbox.codapayments.com/airtime/api/restful/v2.0/Payment/";

const answerTimeoutMs = 10_000;
const answerBytesMax = 64 * 1_024;
/** Cash and bank channels take their time; a page that nobody opens ends after a quarter of an hour at Coda already. */
const paymentLifetimeMs = 24 * 60 * 60_000;
/** Result codes after which asking again may help: trouble inside Coda, and too many questions. */
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
  /** `codaLiveUrl`, `codaTestUrl`, or a stand-in's. */
  baseUrl: string;
}

/**
 * Codapay's hosted page, protocol 2.0. A notification is only a hint, since its checksum covers no amount: the answer to
 * a question is what counts (rule BEANS-233).
 */
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
        // 0: the person chooses the channel on Coda's page.
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
    if (!page.success) throw new PaymentProviderError("Coda's answer names no page to pay on", { isTemporary: false });
    return {
      redirectUrl: page.output.redirectUrl,
      providerRef: page.output.txnId,
      expiresAt: new Date(this.#clock.nowMs() + paymentLifetimeMs),
    };
  }

  async readWebhook({ query }: WebhookRequest): Promise<ReadWebhook> {
    const { txnId, orderId, resultCode } = checkedNotification(query, this.#settings.apiKey);
    const named = ofCodaOrderId(orderId);
    if (!named) throw new WebhookRefusedError("the notification is about an order of somebody else");
    const event = await this.#result(txnId, named);
    if (!event && resultCode === "0") {
      throw new PaymentProviderError("Coda reported a payment that it does not confirm yet", { isTemporary: true });
    }
    return {
      events: event ? [event] : [],
      reply: { status: 200, contentType: "text/plain", body: "ResultCode=0" },
    };
  }

  async query(order: OrderSnapshot): Promise<PaymentEvent | null> {
    return order.providerRef === null ? null : this.#result(order.providerRef, order);
  }

  /** Coda's calls for refunds could not be proven without an account, so a person makes them in Coda's portal. */
  async refund(order: OrderSnapshot): Promise<RefundAnswer> {
    throw new PaymentProviderError(
      `refund transaction ${order.transactionId ?? order.providerRef} of order ${order.orderNo} in Coda's portal`,
      { isTemporary: false },
    );
  }

  async #result(txnId: string, order: { orderNo: string; currencyCode: string }): Promise<PaymentEvent | null> {
    const { apiKey, projectId } = this.#settings;
    const { paymentResult } = await this.#call(resultSchema, "inquiryPaymentResult", {
      inquiryPaymentRequest: { apiKey, projectId, txnId, needStatusFinal: "true" },
    });
    const { resultCode, orderId } = paymentResult;
    // An answer without an order is about the question: a wrong key, a transaction that does not exist.
    if (orderId === "" && resultCode !== "0") throw refusedBy("inquiryPaymentResult", resultCode);
    if (paymentResult.txnId !== txnId || orderId !== codaOrderId(order.orderNo, order.currencyCode)) {
      throw new PaymentProviderError("Coda answered about another order", { isTemporary: false });
    }
    return codaResultEvent(paymentResult, { ...order, at: new Date(this.#clock.nowMs()) });
  }

  /** @throws PaymentProviderError */
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

/** The description is left out: it may repeat what was sent, and with it the key. */
function refusedBy(name: string, resultCode: string): PaymentProviderError {
  const isTemporary = temporaryCodes.has(resultCode);
  return new PaymentProviderError(`Coda refused ${name}: result code ${resultCode.slice(0, 10)}`, { isTemporary });
}
