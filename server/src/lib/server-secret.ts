import { createHmac, timingSafeEqual } from "node:crypto";

/** The old secret after a rotation, or the next one before it. */
export interface OtherSecret {
  readonly secret: string;
  /** It may be known to others: its signatures are rejected, and what it sealed stays readable. */
  readonly isLeaked: boolean;
}

/** The secret that signs and seals. During a rotation another secret is accepted as well (rule START-103). */
export class ServerSecret {
  readonly current: string;
  /** Secrets that may have sealed or hashed stored data, the current one first. */
  readonly stored: readonly string[];
  readonly #accepted: readonly string[];

  constructor(current: string, other: OtherSecret | null = null) {
    this.current = current;
    this.stored = other ? [current, other.secret] : [current];
    this.#accepted = other?.isLeaked ? [current] : this.stored;
  }

  mac(text: string): Buffer {
    return hmac(this.current, text);
  }

  /** The keyed hashes by which a stored row may be found, the current one first. */
  storedMacs(text: string): readonly Buffer[] {
    return this.stored.map((secret) => hmac(secret, text));
  }

  acceptedMacs(text: string): readonly Buffer[] {
    return this.accepted((secret) => hmac(secret, text));
  }

  isMacOf(text: string, mac: Buffer): boolean {
    return this.acceptedMacs(text).some((expected) => expected.length === mac.length && timingSafeEqual(expected, mac));
  }

  /** Keys derived from each secret whose signatures are valid, the current one first. */
  accepted<Key>(derive: (secret: string) => Key): readonly Key[] {
    return this.#accepted.map((secret) => derive(secret));
  }
}

function hmac(secret: string, text: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}
