/** Headers of a signed request. */
export const signingHeaders = {
  timestamp: "timestamp",
  nonce: "nonce",
  signature: "signature",
  token: "token",
} as const;

export interface SignedParts {
  method: string;
  /** As sent, without a query. */
  path: string;
  /** Milliseconds since the epoch, 13 digits. */
  timestamp: string;
  /** 32 lower-case hexadecimal digits. */
  nonce: string;
  /** Session token, or empty before login. */
  token: string;
  /** SHA-256 of the raw body, lower-case hexadecimal. */
  bodySha256Hex: string;
}

/** Input of the HMAC-SHA256; `v1` allows another scheme later. */
export function stringToSign(parts: SignedParts): string {
  return ["v1", parts.method, parts.path, parts.timestamp, parts.nonce, parts.token, parts.bodySha256Hex].join("\n");
}
