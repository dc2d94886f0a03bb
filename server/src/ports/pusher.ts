/** What a browser gave out to be reached by: the address at its push service, and its keys in base64url. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushMessage {
  /** At most 3,000 bytes as UTF-8. */
  readonly payload: string;
  /** How long a push service keeps it for a browser that is not reached. */
  readonly ttlSeconds: number;
  /** A later message of the same topic takes the place of one that is still kept; at most 32 letters of base64url. */
  readonly topic: string;
  /** Worth waking a device that saves its battery: in a minute nobody needs it any more. */
  readonly isUrgent: boolean;
}

/** `gone`: there is no such browser any more, or never was; `failed`: nobody took it this time. */
export type PushOutcome = "sent" | "gone" | "failed";

/** Brings messages to browsers that have no page open. */
export interface Pusher {
  /** With which browsers subscribe, an uncompressed point of P-256 in base64url. */
  readonly publicKey: string;
  /** What of it no push service gives out; null where all may be right. */
  wrongPart(target: PushTarget): keyof PushTarget | null;
  /** Sends it once. Never rejects; of a target with a wrong part nothing leaves, and it is gone. */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>;
}
