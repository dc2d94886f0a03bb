import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { signNonceHexLength } from "@fava/wire/limits.ts";
import { signingHeaders, stringToSign } from "@fava/wire/signing.ts";
import { badInput } from "./call-error.ts";

export interface SignedHeaders {
  timestamp: string;
  nonce: string;
  signature: string;
  /** Empty where the call is made without a session. */
  token: string;
}

const timestampShape = /^\d{13}$/;
const nonceShape = new RegExp(`^[0-9a-f]{${signNonceHexLength}}$`);
const signatureShape = /^[0-9a-f]{64}$/;
const tokenShape = /^[\w.~+/=-]{0,256}$/;

/** @throws CallError 400 with the header as its field (rule SIGN-11). */
export function readSignedHeaders(headers: IncomingHttpHeaders): SignedHeaders {
  return {
    timestamp: shaped(headers, signingHeaders.timestamp, timestampShape),
    nonce: shaped(headers, signingHeaders.nonce, nonceShape),
    signature: shaped(headers, signingHeaders.signature, signatureShape),
    token: headers[signingHeaders.token] === undefined ? "" : shaped(headers, signingHeaders.token, tokenShape),
  };
}

function shaped(headers: IncomingHttpHeaders, name: string, shape: RegExp): string {
  const value = headers[name];
  if (typeof value === "string" && shape.test(value)) return value;
  throw badInput(`the header ${name} is missing or malformed`, name);
}

/** Whether the signature was made with this key over exactly these bytes (rule SIGN-1). */
export function signatureHolds(signed: SignedHeaders, path: string, secret: { key: Buffer; body: Buffer }): boolean {
  const text = stringToSign({
    method: "POST",
    path,
    timestamp: signed.timestamp,
    nonce: signed.nonce,
    token: signed.token,
    bodySha256Hex: hash("sha256", secret.body, "hex"),
  });
  const expected = createHmac("sha256", secret.key).update(text).digest();
  return timingSafeEqual(expected, Buffer.from(signed.signature, "hex"));
}
