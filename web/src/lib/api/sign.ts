import { signNonceHexLength } from "@fava/wire/limits.ts";
import { signingHeaders, stringToSign } from "@fava/wire/signing.ts";
import { randomHex, toHex } from "#lib/api/hex.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";

export interface SignRequest {
  path: string;
  /** Session token, or empty before login. */
  token: string;
  key: CryptoKey;
  body: Uint8Array<ArrayBuffer>;
}

/** The signing headers of one POST, with a fresh nonce and the server's time (rule SIGN-2). */
export async function signedHeaders(request: SignRequest): Promise<Record<string, string>> {
  const timestamp = String(serverNowMs());
  const nonce = randomHex(signNonceHexLength);
  return {
    [signingHeaders.timestamp]: timestamp,
    [signingHeaders.nonce]: nonce,
    [signingHeaders.token]: request.token,
    [signingHeaders.signature]: await signatureOf(request, timestamp, nonce),
  };
}

export async function signatureOf(request: SignRequest, timestamp: string, nonce: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", request.body);
  const text = stringToSign({
    method: "POST",
    path: request.path,
    timestamp,
    nonce,
    token: request.token,
    bodySha256Hex: toHex(new Uint8Array(digest)),
  });
  return toHex(new Uint8Array(await crypto.subtle.sign("HMAC", request.key, new TextEncoder().encode(text))));
}
