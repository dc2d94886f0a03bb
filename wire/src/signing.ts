/** What is signed. Header names, and the text that both sides hash. */
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

/** The text over which the HMAC-SHA256 is taken; `v1` leaves room for another scheme. */
export function stringToSign(parts: SignedParts): string {
  return ["v1", parts.method, parts.path, parts.timestamp, parts.nonce, parts.token, parts.bodySha256Hex].join("\n");
}
