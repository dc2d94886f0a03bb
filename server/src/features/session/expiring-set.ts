import type { Clock } from "#ports/clock.ts";

/** Keys that mean something until a time; when full, the key that was added longest ago makes room. */
export class ExpiringSet {
  readonly #clock: Clock;
  readonly #keysMax: number;
  readonly #expiry = new Map<string, number>();

  constructor(clock: Clock, keysMax: number) {
    this.#clock = clock;
    this.#keysMax = keysMax;
  }

  /** False when the key is already there and has not expired. */
  add(key: string, expiresAtMs: number): boolean {
    const known = this.#expiry.get(key);
    if (known !== undefined && known > this.#clock.nowMs()) return false;
    this.#expiry.delete(key);
    if (this.#expiry.size >= this.#keysMax) this.#makeRoom();
    this.#expiry.set(key, expiresAtMs);
    return true;
  }

  /** Removes the key; true when it was there and had not expired. */
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
