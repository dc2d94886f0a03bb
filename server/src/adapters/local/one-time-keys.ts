import type { Clock } from "#ports/clock.ts";
import type { OneTimeKeys, OneTimeUse } from "#ports/one-time-keys.ts";

const keysMaxDefault = 200_000;

export class LocalOneTimeKeys implements OneTimeKeys {
  readonly #sets: Readonly<Record<OneTimeUse, ExpiringSet>>;

  constructor({ clock, keysMax = keysMaxDefault }: { clock: Clock; keysMax?: number }) {
    const open = () => new ExpiringSet(clock, keysMax);
    this.#sets = {
      signInNonce: open(),
      providerToken: open(),
      newPasskey: open(),
      passkeySignIn: open(),
      home: open(),
    };
  }

  add(use: OneTimeUse, key: string, lifeMs: number): Promise<boolean> {
    return Promise.resolve(this.#sets[use].add(key, lifeMs));
  }

  take(use: OneTimeUse, key: string): Promise<boolean> {
    return Promise.resolve(this.#sets[use].take(key));
  }
}

/** When full, expired keys are removed first. `lru-cache` could evict a valid token, which then works again. */
class ExpiringSet {
  readonly #clock: Clock;
  readonly #keysMax: number;
  readonly #expiry = new Map<string, number>();

  constructor(clock: Clock, keysMax: number) {
    this.#clock = clock;
    this.#keysMax = keysMax;
  }

  add(key: string, lifeMs: number): boolean {
    const now = this.#clock.nowMs();
    const known = this.#expiry.get(key);
    if (known !== undefined && known > now) return false;
    this.#expiry.delete(key);
    if (this.#expiry.size >= this.#keysMax) this.#makeRoom();
    this.#expiry.set(key, now + lifeMs);
    return true;
  }

  take(key: string): boolean {
    const expiresAtMs = this.#expiry.get(key);
    this.#expiry.delete(key);
    return expiresAtMs !== undefined && expiresAtMs > this.#clock.nowMs();
  }

  #makeRoom(): void {
    const now = this.#clock.nowMs();
    for (const [key, expiresAtMs] of this.#expiry) if (expiresAtMs <= now) this.#expiry.delete(key);
    for (const oldest of this.#expiry.keys()) {
      if (this.#expiry.size < this.#keysMax) return;
      this.#expiry.delete(oldest);
    }
  }
}
