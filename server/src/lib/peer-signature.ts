import { createHmac, hash, hkdfSync, timingSafeEqual } from "node:crypto";

/** Path at which servers receive frames from each other, by POST. */
export const peerFramePath = "/peer/frame";

/** Headers of a request between servers. */
export const peerHeaders = {
  timestamp: "peer-timestamp",
  nonce: "peer-nonce",
  digest: "peer-digest",
  signature: "peer-signature",
} as const;

/** The signed parts of such a request. */
export interface PeerRequest {
  /** Path and query as sent. */
  readonly target: string;
  /** Milliseconds since the epoch by the sender's clock, 13 digits. */
  readonly timestamp: string;
  /** 32 lower-case hexadecimal digits. */
  readonly nonce: string;
  /** Digest of the body by `peerDigest`. */
  readonly digest: string;
}

const keyBytes = 32;

/** SHA-256 in lower-case hexadecimal. */
export function peerDigest(body: Uint8Array): string {
  return hash("sha256", body, "hex");
}

/** Signs requests between servers with a key derived from their shared secret. */
export class PeerSignatures {
  readonly #key: Buffer;

  constructor(serverSecret: string) {
    this.#key = Buffer.from(hkdfSync("sha256", serverSecret, "", "peer/v1", keyBytes));
  }

  /** HMAC-SHA256 in lower-case hexadecimal. */
  of(request: PeerRequest): string {
    return this.#mac(request).toString("hex");
  }

  /** @param signature 64 hexadecimal digits. */
  holds(request: PeerRequest, signature: string): boolean {
    return timingSafeEqual(this.#mac(request), Buffer.from(signature, "hex"));
  }

  #mac({ target, timestamp, nonce, digest }: PeerRequest): Buffer {
    return createHmac("sha256", this.#key).update(["POST", target, timestamp, nonce, digest].join("\n")).digest();
  }
}
