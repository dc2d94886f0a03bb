import { createHmac, timingSafeEqual } from "node:crypto";
import { WebhookRefusedError } from "#ports/payments.ts";

export const sandboxSignatureHeader = "x-sandbox-signature";
const toleranceMs = 300_000;

/** `t=<seconds>,v1=<hex>`: HMAC-SHA256 over `t.body`, so that a body cannot be sent again later with a fresh time. */
export function signSandboxWebhook(body: string | Buffer, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000);
  return `t=${seconds},v1=${digest(body, secret, seconds).toString("hex")}`;
}

/** @throws WebhookRefusedError when the signature is missing, of another key or body, or more than 300 s off. */
export function checkSandboxWebhook(
  body: Buffer,
  header: string | string[] | undefined,
  expected: { secret: string; nowMs: number },
): void {
  const match = typeof header === "string" ? /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) : null;
  if (!match) throw new WebhookRefusedError("the signature is missing or malformed");
  const seconds = Number(match[1]); // not money: a timestamp
  if (Math.abs(expected.nowMs - seconds * 1_000) > toleranceMs) throw new WebhookRefusedError("the signature is stale");
  if (!timingSafeEqual(Buffer.from(match[2] ?? "", "hex"), digest(body, expected.secret, seconds))) {
    throw new WebhookRefusedError("the signature does not match");
  }
}

function digest(body: string | Buffer, secret: string, seconds: number): Buffer {
  return createHmac("sha256", secret).update(`${seconds}.`).update(body).digest();
}
