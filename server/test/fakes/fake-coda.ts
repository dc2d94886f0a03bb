import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as v from "valibot";
import { codaChecksum, type CodaSettings } from "#adapters/payments/coda/coda-payments.ts";
import { DecimalNumber, type LosslessJson, readJson, writeJson } from "#lib/lossless-json.ts";
import type { WebhookRequest } from "#ports/payments.ts";

const digits = v.pipe(v.string(), v.regex(/^\d{1,3}$/));
const initSchema = v.object({
  initRequest: v.object({
    country: digits,
    currency: digits,
    orderId: v.pipe(v.string(), v.minLength(4), v.maxLength(64)),
    apiKey: v.string(),
    projectId: v.string(),
    payType: v.literal("0"),
    items: v.tuple([
      v.object({
        code: v.pipe(v.string(), v.maxLength(128)),
        name: v.pipe(v.string(), v.regex(/^[\w ]{1,128}$/)),
        price: v.pipe(v.string(), v.regex(/^\d+(\.\d{1,3})?$/)),
        type: v.literal("1"),
      }),
    ]),
    profile: v.object({ entry: v.array(v.object({ key: v.string(), value: v.string() })) }),
  }),
});
const inquirySchema = v.object({
  inquiryPaymentRequest: v.object({
    apiKey: v.string(),
    projectId: v.string(),
    txnId: v.string(),
    needStatusFinal: v.literal("true"),
  }),
});

/** Numbers of currencies in which Coda accepts whole units only. */
const wholeOnly: ReadonlySet<string> = new Set(["152", "360", "410", "901", "704"]);

interface Transaction {
  txnId: string;
  orderId: string;
  price: string;
  resultCode: string;
  isFinal: boolean;
}

/** Codapay on a loopback port. Checks requests by Coda's documentation and writes 19-digit ids as JSON numbers. */
export class FakeCoda implements AsyncDisposable {
  readonly settings: CodaSettings;
  /** Raw bodies of requests. */
  readonly bodies: string[] = [];
  /** If set, the response to the next request. */
  override: { status: number; body: string } | null = null;
  readonly #transactions = new Map<string, Transaction>();
  readonly #close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    this.#close = close;
    this.settings = {
      apiKey: "5a8ca8f31f19a23c41edd14b29a74fd2",
      projectId: "fava",
      baseUrl: `http://127.0.0.1:${port}/airtime/api/restful/v2.0/Payment/`,
    };
  }

  static async start(): Promise<FakeCoda> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = Buffer.concat(parts).toString();
        fake.bodies.push(body);
        const overridden = fake.override;
        fake.override = null;
        response.writeHead(overridden?.status ?? 200, { "content-type": "application/json" });
        response.end(overridden?.body ?? fake.#answer(request.url ?? "", readJson(body)));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const fake = new FakeCoda((server.address() as AddressInfo).port, async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    });
    return fake;
  }

  /** The user finishes on Coda's page; code 0 means paid. Returns the notification. */
  finish(txnId: string, resultCode: string, isFinal = true): WebhookRequest {
    const transaction = this.#transactionOf(txnId);
    this.#transactions.set(txnId, { ...transaction, resultCode, isFinal });
    return this.notification({ txnId, orderId: transaction.orderId, resultCode });
  }

  /** A notification with this content and a valid checksum. */
  notification(
    said: { txnId: string; orderId: string; resultCode: string },
    apiKey = this.settings.apiKey,
  ): WebhookRequest {
    const query = {
      TxnId: said.txnId,
      OrderId: said.orderId,
      ResultCode: said.resultCode,
      TotalPrice: this.#transactions.get(said.txnId)?.price ?? "0",
      PaymentType: "236",
      Checksum: codaChecksum(said, apiKey),
    };
    return { body: Buffer.alloc(0), headers: {}, query };
  }

  #answer(path: string, body: unknown): string {
    if (path.endsWith("/v2.0/Payment/init.json")) return writeJson({ initResult: this.#open(body) });
    if (path.endsWith("/v2.0/Payment/inquiryPaymentResult.json")) {
      return writeJson({ paymentResult: this.#inquire(body) });
    }
    return "{}";
  }

  #open(body: unknown): LosslessJson {
    const parsed = v.safeParse(initSchema, body);
    if (!parsed.success) return refusal(202n);
    const { initRequest } = parsed.output;
    if (!this.#isOurs(initRequest)) return refusal(204n);
    const { orderId, currency, items, profile } = initRequest;
    if (!profile.entry.some(({ key }) => key === "user_id")) return refusal(237n);
    if (wholeOnly.has(currency) && items[0].price.includes(".")) return refusal(203n);
    const known = Array.from(this.#transactions.values()).find((one) => one.orderId === orderId);
    const txnId = known?.txnId ?? String(6_850_822_175_662_776_971n + BigInt(this.#transactions.size));
    if (!known) {
      this.#transactions.set(txnId, { txnId, orderId, price: items[0].price, resultCode: "216", isFinal: false });
    }
    return {
      resultCode: 0n,
      resultDesc: "",
      txnId: BigInt(txnId),
      redirectUrl: `https://sandbox.codapayments.example/airtime/begin?txn_id=${txnId}`,
    };
  }

  #inquire(body: unknown): LosslessJson {
    const parsed = v.safeParse(inquirySchema, body);
    if (!parsed.success) return { resultCode: 202n, resultDesc: "" };
    const { inquiryPaymentRequest: request } = parsed.output;
    const transaction = this.#transactions.get(request.txnId);
    if (!this.#isOurs(request)) return { resultCode: 204n, resultDesc: `unknown key ${request.apiKey}` };
    if (!transaction) return { resultCode: 413n, resultDesc: "" };
    const { txnId, orderId, price, resultCode, isFinal } = transaction;
    const status = resultCode === "0" ? "success" : isFinal ? "failed" : "pending";
    const entry = [
      { key: "PaymentType", value: 236n },
      { key: "isStatusFinal", value: isFinal },
      { key: "status", value: status },
    ];
    return {
      orderId,
      profile: { entry },
      resultCode: BigInt(resultCode),
      resultDesc: "",
      totalPrice: new DecimalNumber(price),
      txnId: BigInt(txnId),
    };
  }

  #isOurs({ apiKey, projectId }: { apiKey: string; projectId: string }): boolean {
    return apiKey === this.settings.apiKey && projectId === this.settings.projectId;
  }

  #transactionOf(txnId: string): Transaction {
    const transaction = this.#transactions.get(txnId);
    if (!transaction) throw new Error(`no transaction ${txnId}`);
    return transaction;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

function refusal(resultCode: bigint): LosslessJson {
  return { resultCode, resultDesc: "refused", txnId: 0n };
}
