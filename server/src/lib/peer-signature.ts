import { createHmac, hash, hkdfSync, timingSafeEqual } from "node:crypto";

/** Where a process takes pictures from the others, by POST. */
export const peerFramePath = "/peer/frame";

/** Headers of a request from one process of a site to another. */
export const peerHeaders = {
  timestamp: "peer-timestamp",
  nonce: "peer-nonce",
  digest: "peer-digest",
  signature: "peer-signature",
} as const;

/** What is signed of such a request. */
export interface PeerRequest {
  /** Path and query as they are sent. */
  readonly target: string;
  /** Milliseconds since the epoch by the sender's clock, 13 digits. */
  readonly timestamp: string;
  /** 32 lower-case hexadecimal digits. */
  readonly nonce: string;
  /** Of the body, as `peerDigest` makes it. */
  readonly digest: string;
}

const keyBytes = 32;

/** SHA-256 in lower-case hexadecimal. */
export function peerDigest(body: Uint8Array): string {
  return hash("sha256", body, "hex");
}

/** Signs requests between processes of a site with a key that only they have: it is made of the secret that all of them share. */
export class PeerSignatures {
  readonly #key: Buffer;

  constructor(serverSecret: string) {
    this.#key = Buffer.from(hkdfSync("sha256", serverSecret, "", "peer/v1", keyBytes));
  }

  /** HMAC-SHA256 in lower-case hexadecimal. */
  of(request: PeerRequest): string {
    return this.#mac(request).toString("hex");
  }

  /** @param signature of 64 hexadecimal digits. */
  holds(request: PeerRequest, signature: string): boolean {
    return timingSafeEqual(this.#mac(request), Buffer.from(signature, "hex"));
  }

  #mac({ target, timestamp, nonce, digest }: PeerRequest): Buffer {
    return createHmac("sha256", this.#key).update(["POST", target, timestamp, nonce, digest].join("\n")).digest();
  }
}
