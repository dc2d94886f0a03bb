import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import * as v from "valibot";
import { type BoundedAnswer, fetchBounded } from "#adapters/identity/bounded-fetch.ts";
import { type LosslessJson, readJson, writeJson } from "#lib/lossless-json.ts";
import type { Clock } from "#ports/clock.ts";
import { PaymentProviderError } from "#ports/payments.ts";

export const payermaxLiveUrl = "https://pay-gate.payermax.com/aggregate-pay/api/gateway/";
export const payermaxTestUrl = "https://pay-gate-uat.payermax.com/aggregate-pay/api/gateway/";

const answerTimeoutMs = 10_000;
const answerBytesMax = 256 * 1_024;
/** Codes after which a retry may succeed. */
const temporaryCodes: ReadonlySet<string> = new Set(["SYSTEM_ERROR", "REQUEST_TIMEOUT", "UNEXPECTED_ERROR"]);
const answerSchema = v.object({ code: v.string(), msg: v.nullish(v.string()), data: v.optional(v.unknown()) });

export interface PayerMaxSettings {
  merchantNo: string;
  appId: string;
  /** Our RSA key, PKCS 8 in base64 without PEM header, as in the dashboard. */
  privateKey: string;
  /** PayerMax's RSA key, SPKI in base64 without PEM header. */
  publicKey: string;
  /** `payermaxLiveUrl`, `payermaxTestUrl`, or a fake's. */
  baseUrl: string;
}

/** Protocol 1.4. */
export class PayerMaxGateway {
  readonly #settings: PayerMaxSettings;
  readonly #clock: Clock;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(settings: PayerMaxSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#privateKey = payermaxPrivateKey(settings.privateKey);
    this.#publicKey = payermaxPublicKey(settings.publicKey);
  }

  isSigned(body: Buffer, signature: unknown): boolean {
    return isSignedByPayermax(body, signature, this.#publicKey);
  }

  /** Returns `data` of the response. @throws PaymentProviderError */
  async call(name: string, data: LosslessJson): Promise<unknown> {
    const { merchantNo, appId, baseUrl } = this.#settings;
    const requestTime = new Date(this.#clock.nowMs()).toISOString();
    const body = writeJson({ version: "1.4", keyVersion: "1", requestTime, appId, merchantNo, data });
    const answer = await this.#post(new URL(name, baseUrl), body);
    const parsed = v.safeParse(answerSchema, readBody(answer.body));
    if (!parsed.success) throw temporary(`PayerMax answered ${name} with status ${answer.status} and no code`);
    const { code, msg } = parsed.output;
    if (code !== "APPLY_SUCCESS") {
      throw new PaymentProviderError(`PayerMax refused ${name}: ${code} ${msg ?? ""}`.trim().slice(0, 300), {
        isTemporary: temporaryCodes.has(code) || answer.status >= 500,
      });
    }
    if (!this.isSigned(answer.body, answer.headers.get(payermaxSignatureHeader))) {
      throw temporary(`the answer to ${name} is not signed by PayerMax`);
    }
    return parsed.output.data;
  }

  async #post(address: URL, body: string): Promise<BoundedAnswer> {
    const headers = {
      "content-type": "application/json",
      [payermaxSignatureHeader]: signPayermax(body, this.#privateKey),
    };
    try {
      return await fetchBounded(address, { timeoutMs: answerTimeoutMs, bytesMax: answerBytesMax }, { body, headers });
    } catch (cause) {
      throw temporary("PayerMax does not answer", cause);
    }
  }
}

export function readBody(body: Buffer): unknown {
  try {
    return readJson(body.toString("utf8"));
  } catch {
    return null;
  }
}

function temporary(message: string, cause?: unknown): PaymentProviderError {
  return new PaymentProviderError(message, { isTemporary: true, cause });
}

export const payermaxSignatureHeader = "sign";

/**
 * PKCS 8 in base64 without PEM header, as in the dashboard.
 * @throws Error
 */
export function payermaxPrivateKey(base64: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(base64, "base64"), format: "der", type: "pkcs8" });
}

/**
 * SPKI in base64.
 * @throws Error
 */
export function payermaxPublicKey(base64: string): KeyObject {
  return createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
}

/** SHA256withRSA over the sent bytes, in base64. */
export function signPayermax(body: string | Buffer, key: KeyObject): string {
  return sign("sha256", Buffer.from(body), key).toString("base64");
}

/** Verifies the raw bytes: the same JSON, serialized again, has another signature. */
export function isSignedByPayermax(body: Buffer, signature: unknown, key: KeyObject): boolean {
  return (
    typeof signature === "string" && signature !== "" && verify("sha256", body, key, Buffer.from(signature, "base64"))
  );
}
