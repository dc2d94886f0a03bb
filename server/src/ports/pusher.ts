/** Push subscription of a browser: an URL of its push service, and keys in base64url. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushMessage {
  /** At most 3,000 bytes of UTF-8. */
  readonly payload: string;
  /** How long the push service keeps the message while the browser is unreachable. */
  readonly ttlSeconds: number;
  /** A later message of the same topic replaces this one at the push service. At most 32 base64url characters. */
  readonly topic: string;
  /** True: wake a device that saves battery, because the message is useless a minute later. */
  readonly isUrgent: boolean;
}

/** `gone`: the subscription has expired or never existed. `failed`: a temporary error. */
export type PushOutcome = "sent" | "gone" | "failed";

/** Sends Web Push messages to browsers without an open page. */
export interface Pusher {
  /** Application server key: an uncompressed point of P-256 in base64url. */
  readonly publicKey: string;
  /** The part of the subscription that no known push service issues; null if all parts may be valid. */
  wrongPart(target: PushTarget): keyof PushTarget | null;
  /** Sends once. Never rejects. For a subscription with an invalid part it sends nothing and returns `gone`. */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>;
}
