import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** HTTP header of requests, answers and notifications. */
export const payermaxSignatureHeader = "sign";

/** @throws Error when the text is no PKCS 8 key in base64, as the dashboard shows it: without a PEM header. */
export function payermaxPrivateKey(base64: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(base64, "base64"), format: "der", type: "pkcs8" });
}

/** @throws Error when the text is no SPKI key in base64. */
export function payermaxPublicKey(base64: string): KeyObject {
  return createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
}

/** SHA256withRSA over the bytes that are sent, in base64. */
export function signPayermax(body: string | Buffer, key: KeyObject): string {
  return sign("sha256", Buffer.from(body), key).toString("base64");
}

/** Over the bytes as they came: written anew, the same JSON has another signature. */
export function isSignedByPayermax(body: Buffer, signature: unknown, key: KeyObject): boolean {
  return (
    typeof signature === "string" && signature !== "" && verify("sha256", body, key, Buffer.from(signature, "base64"))
  );
}
