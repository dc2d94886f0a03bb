/** Push subscription of a browser: the URL at its push service, and its keys in base64url. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushMessage {
  /** At most 3,000 bytes as UTF-8. */
  readonly payload: string;
  /** How long a push service keeps it for an unreachable browser. */
  readonly ttlSeconds: number;
  /** A later message of the same topic replaces one that is still kept; at most 32 base64url characters. */
  readonly topic: string;
  /** Wakes a device that saves battery: the message is useless a minute later. */
  readonly isUrgent: boolean;
}

/** `gone`: the subscription has expired or never existed; `failed`: temporary. */
export type PushOutcome = "sent" | "gone" | "failed";

/** Sends Web Push messages to browsers without an open page. */
export interface Pusher {
  /** Application server key: an uncompressed point of P-256 in base64url. */
  readonly publicKey: string;
  /** The part of the subscription that no push service issues; null where all may be valid. */
  wrongPart(target: PushTarget): keyof PushTarget | null;
  /** Sends once. Never rejects; a subscription with an invalid part is `gone`, and nothing is sent. */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>;
}
