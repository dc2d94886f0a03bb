import { createHmac, hash, randomBytes } from "node:crypto";
import { signNonceHexLength } from "@fava/wire/limits.ts";
import { stringToSign } from "@fava/wire/signing.ts";

export interface Signer {
  readonly token: string;
  readonly signKey: Buffer;
}

const boundary = "b0123456789abcdef0123456789abcdef";
const contentType = `multipart/form-data; boundary=${boundary}`;
const partHead = `--${boundary}\r\nContent-Disposition: form-data; name="`;
const formEnd = `--${boundary}--\r\n`;
const noncePrefixBytes = 12;
const noncePrefix = randomBytes(noncePrefixBytes).toString("hex");
const nonceCountLength = signNonceHexLength - 2 * noncePrefixBytes;
let nonces = 0;

/** The body of a request as the web app writes it, as one text, so that its constant parts are built once. */
export function formText(fields: Readonly<Record<string, string | number>>): string {
  const parts = Object.entries(fields).map(([name, value]) => `${partHead}${name}"\r\n\r\n${value}\r\n`);
  return parts.join("") + formEnd;
}

/** A body without its last field, as a function that adds it. */
export function formBefore(fields: Readonly<Record<string, string | number>>, last: string): (value: string) => string {
  const whole = formText({ ...fields, [last]: "" });
  const before = whole.slice(0, whole.length - formEnd.length - 2);
  return (value) => `${before}${value}\r\n${formEnd}`;
}

/** A signed request as a message on the chat socket; `body` is plain ASCII. */
export function signedMessage(signer: Signer, path: string, call: { id: number; body: string }): string {
  const timestamp = String(Date.now());
  nonces += 1;
  const nonce = noncePrefix + nonces.toString(16).padStart(nonceCountLength, "0");
  const bodySha256Hex = hash("sha256", call.body, "hex");
  const text = stringToSign({ method: "POST", path, timestamp, nonce, token: signer.token, bodySha256Hex });
  const signature = createHmac("sha256", signer.signKey).update(text).digest("hex");
  return (
    `{"type":"request","id":${call.id},"path":"${path}","timestamp":"${timestamp}","nonce":"${nonce}",` +
    `"signature":"${signature}","token":"${signer.token}","contentType":"${contentType}","body":${JSON.stringify(call.body)}}`
  );
}
