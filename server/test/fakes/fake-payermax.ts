import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as v from "valibot";
import {
  isSignedByPayermax,
  payermaxPrivateKey,
  payermaxPublicKey,
  type PayerMaxSettings,
  payermaxSignatureHeader,
  signPayermax,
} from "#adapters/payments/payermax/payermax-gateway.ts";
import { DecimalNumber, type LosslessJson, readJson, writeJson } from "#lib/lossless-json.ts";
import type { WebhookRequest } from "#ports/payments.ts";

const requestTimeToleranceMs = 120_000;

const envelopeSchema = v.object({
  version: v.literal("1.4"),
  keyVersion: v.literal("1"),
  requestTime: v.pipe(v.string(), v.isoTimestamp()),
  appId: v.string(),
  merchantNo: v.string(),
  data: v.record(v.string(), v.unknown()),
});
const orderSchema = v.object({
  outTradeNo: v.pipe(v.string(), v.regex(/^\w{1,64}$/)),
  integrate: v.literal("Hosted_Checkout"),
  subject: v.pipe(v.string(), v.maxLength(256), v.regex(/\D/)),
  totalAmount: v.pipe(v.string(), v.regex(/^\d+(\.\d{1,4})?$/)),
  currency: v.pipe(v.string(), v.length(3)),
  userId: v.pipe(v.string(), v.maxLength(64)),
  frontCallbackUrl: v.pipe(v.string(), v.url(), v.maxLength(1_024)),
  notifyUrl: v.pipe(v.string(), v.url(), v.maxLength(256)),
});
const refundSchema = v.object({
  outRefundNo: v.pipe(v.string(), v.maxLength(64)),
  refundAmount: v.pipe(v.string(), v.regex(/^\d+(\.\d{1,4})?$/)),
  refundCurrency: v.pipe(v.string(), v.length(3)),
  outTradeNo: v.string(),
  refundNotifyUrl: v.optional(v.pipe(v.string(), v.url(), v.maxLength(256))),
});
type Trade = v.InferOutput<typeof orderSchema> & { tradeToken: string; status: string };
type Refund = v.InferOutput<typeof refundSchema> & { refundTradeNo: string; status: string };
type Fields = { readonly [name: string]: LosslessJson };

/** PayerMax on a loopback port. Checks requests and signs its own with its own key pair. */
export class FakePayerMax implements AsyncDisposable {
  readonly settings: PayerMaxSettings;
  /** Raw bodies of requests. */
  readonly bodies: string[] = [];
  /** If set, the response to the next request; unsigned by default. */
  override: { status: number; body: string; isSigned?: boolean } | null = null;
  readonly #merchantKey: KeyObject;
  readonly #ownKey: KeyObject;
  readonly #trades = new Map<string, Trade>();
  readonly #refunds = new Map<string, Refund>();
  readonly #nowMs: () => number;
  readonly #close: () => Promise<void>;

  private constructor(options: { port: number; nowMs: () => number; close: () => Promise<void> }) {
    const merchant = keyPair("merchant");
    const own = keyPair("payermax");
    this.#merchantKey = merchant.publicKey;
    this.#ownKey = own.privateKey;
    this.#nowMs = options.nowMs;
    this.#close = options.close;
    this.settings = {
      merchantNo: "020213827212251",
      appId: "3b242b56a8b64274bcc37dac281120e3",
      privateKey: merchant.privateText,
      publicKey: own.publicText,
      baseUrl: `http://127.0.0.1:${options.port}/aggregate-pay/api/gateway/`,
    };
  }

  static async start(nowMs: () => number): Promise<FakePayerMax> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => fake.#serve(request, Buffer.concat(parts), response));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    const fake = new FakePayerMax({ port: (server.address() as AddressInfo).port, nowMs, close });
    return fake;
  }

  /** The user finishes on PayerMax's page. Returns the notification. */
  finish(orderNo: string, status: "SUCCESS" | "FAILED" | "CLOSED"): WebhookRequest {
    const trade = this.#tradeOf(orderNo);
    this.#trades.set(trade.outTradeNo.toLowerCase(), { ...trade, status });
    return this.notification("PAYMENT", this.#tradeData({ ...trade, status }));
  }

  /** The notification of a refund. Throws if the refund request had no address for it. */
  refundNotification(refundNo: string, status: "REFUND_SUCCESS" | "REFUND_FAILED"): WebhookRequest {
    const refund = this.#refunds.get(refundNo);
    if (!refund) throw new Error(`no refund ${refundNo}`);
    if (refund.refundNotifyUrl === undefined) throw new Error(`refund ${refundNo} names no address to report to`);
    this.#refunds.set(refundNo, { ...refund, status });
    const refundFinishTime = new Date(this.#nowMs()).toISOString();
    return this.notification("REFUND", { ...refundData({ ...refund, status }), refundFinishTime });
  }

  /** Any signed notification; `change` alters the envelope. */
  notification(notifyType: string, data: Fields, change: Fields = {}): WebhookRequest {
    const { appId, merchantNo } = this.settings;
    const notifyTime = new Date(this.#nowMs()).toISOString();
    const envelope = { code: "APPLY_SUCCESS", msg: "Success.", keyVersion: "1", appId, merchantNo, notifyTime };
    return this.signed(writeJson({ ...envelope, notifyType, data, ...change }));
  }

  /** A request with this body, signed with PayerMax's key or another. */
  signed(body: string, key: KeyObject = this.#ownKey): WebhookRequest {
    const headers = { "content-type": "application/json", [payermaxSignatureHeader]: signPayermax(body, key) };
    return { body: Buffer.from(body), headers, query: {} };
  }

  #serve(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    this.bodies.push(body.toString());
    const overridden = this.override;
    this.override = null;
    const answer = overridden?.body ?? this.#answer(request, body);
    const isSigned = overridden ? (overridden.isSigned ?? false) : true;
    response.writeHead(overridden?.status ?? 200, {
      "content-type": "application/json",
      ...(isSigned ? { [payermaxSignatureHeader]: signPayermax(answer, this.#ownKey) } : {}),
    });
    response.end(answer);
  }

  #answer(request: IncomingMessage, body: Buffer): string {
    if (!isSignedByPayermax(body, request.headers[payermaxSignatureHeader], this.#merchantKey)) {
      return refusal("SIGN_VERIFY_FAILED");
    }
    const parsed = v.safeParse(envelopeSchema, readJson(body.toString()));
    if (!parsed.success) return refusal("PARAMS_INVALID");
    const { requestTime, appId, merchantNo, data } = parsed.output;
    if (Math.abs(Date.parse(requestTime) - this.#nowMs()) > requestTimeToleranceMs) return refusal("PARAMS_INVALID");
    if (appId !== this.settings.appId || merchantNo !== this.settings.merchantNo) return refusal("MERCHANT_INVALID");
    const result = this.#result(request.url?.split("/").at(-1) ?? "", data);
    return typeof result === "string" ? refusal(result) : writeJson({ code: "APPLY_SUCCESS", msg: "", data: result });
  }

  /** The `data` of a response, or the code of a refusal. */
  #result(name: string, data: Record<string, unknown>): Fields | string {
    switch (name) {
      case "orderAndPay":
        return this.#open(data);
      case "orderQuery": {
        const trade = this.#trades.get(String(data["outTradeNo"]).toLowerCase());
        return trade ? this.#tradeData(trade) : "ORDER_NOT_EXIST";
      }
      case "refund":
        return this.#refund(data);
      case "refundQuery": {
        const refund = this.#refunds.get(String(data["outRefundNo"]));
        return refund ? refundData(refund) : "REFUND_ORDER_NOT_EXIST";
      }
      default:
        return "API_INVALID";
    }
  }

  #open(data: Record<string, unknown>): Fields | string {
    const order = v.safeParse(orderSchema, data);
    if (!order.success) return "PARAMS_INVALID";
    const key = order.output.outTradeNo.toLowerCase();
    const count = String(this.#trades.size + 1).padStart(14, "0");
    const trade = this.#trades.get(key) ?? { ...order.output, tradeToken: `T20261121${count}`, status: "PENDING" };
    this.#trades.set(key, trade);
    const { outTradeNo, tradeToken, status } = trade;
    return { redirectUrl: `https://cashier.payermax.example/?token=${tradeToken}`, outTradeNo, tradeToken, status };
  }

  #refund(data: Record<string, unknown>): Fields | string {
    const refund = v.safeParse(refundSchema, data);
    if (!refund.success) return "PARAMS_INVALID";
    const { outRefundNo, outTradeNo } = refund.output;
    if (this.#trades.get(outTradeNo.toLowerCase())?.status !== "SUCCESS") return "ORDER_STATUS_INVALID";
    // The documentation does not tell how a repetition is answered. This is the harder of the two possible answers.
    if (this.#refunds.has(outRefundNo)) return "REFUND_ORDER_ALREADY_EXIST";
    const refundTradeNo = `R${this.#refunds.size + 1}`;
    this.#refunds.set(outRefundNo, { ...refund.output, refundTradeNo, status: "REFUND_PENDING" });
    return { outRefundNo, refundTradeNo, outTradeNo, status: "REFUND_PENDING" };
  }

  #tradeOf(orderNo: string): Trade {
    const trade = this.#trades.get(orderNo.toLowerCase());
    if (!trade) throw new Error(`no order ${orderNo}`);
    return trade;
  }

  #tradeData({ outTradeNo, tradeToken, totalAmount, currency, status }: Trade): Fields {
    const amount = new DecimalNumber(totalAmount);
    const data = { outTradeNo, tradeToken, totalAmount: amount, currency, country: "US", status, paymentDetails: [] };
    return status === "SUCCESS" ? { ...data, completeTime: new Date(this.#nowMs()).toISOString() } : data;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

function refundData({ refundAmount, refundNotifyUrl: _address, ...refund }: Refund): Fields {
  return { ...refund, refundAmount: new DecimalNumber(refundAmount) };
}

/** A key that PayerMax does not know. */
export function foreignPayermaxKey(): KeyObject {
  return keyPair("nobody").privateKey;
}

/** Generating key pairs is slow, so each process generates one per role. */
const keyPairs = new Map<"merchant" | "payermax" | "nobody", KeyPair>();
type KeyPair = ReturnType<typeof makeKeyPair>;

function keyPair(whose: "merchant" | "payermax" | "nobody"): KeyPair {
  const pair = keyPairs.get(whose) ?? makeKeyPair();
  keyPairs.set(whose, pair);
  return pair;
}

function makeKeyPair() {
  const pair = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "der" },
  });
  const privateText = pair.privateKey.toString("base64");
  const publicText = pair.publicKey.toString("base64");
  const [privateKey, publicKey] = [payermaxPrivateKey(privateText), payermaxPublicKey(publicText)];
  return { privateText, publicText, privateKey, publicKey };
}

function refusal(code: string): string {
  return JSON.stringify({ code, msg: `${code}.` });
}
