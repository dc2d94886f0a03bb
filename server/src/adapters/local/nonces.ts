import { nonceMemoryMs } from "@fava/wire/limits.ts";
import type { Clock } from "#ports/clock.ts";
import type { NonceUse, Nonces, SignedCall } from "#ports/nonces.ts";

/** About 100 bytes each. Enough for 3,300 session requests a second; above that, servers need a shared store. */
const sessionNoncesMax = 2_000_000;
const publicNoncesMax = 200_000;

export interface LocalNoncesOptions {
  clock: Clock;
  sessionNoncesMax?: number;
  publicNoncesMax?: number;
}

export class LocalNonces implements Nonces {
  readonly #sinceMs: number;
  readonly #ofSessions: RotatingSet;
  readonly #ofPublic: RotatingSet;

  constructor(options: LocalNoncesOptions) {
    this.#sinceMs = options.clock.nowMs();
    this.#ofSessions = new RotatingSet(options.clock, options.sessionNoncesMax ?? sessionNoncesMax);
    this.#ofPublic = new RotatingSet(options.clock, options.publicNoncesMax ?? publicNoncesMax);
  }

  use({ sessionId, nonce, signedAtMs }: SignedCall): Promise<NonceUse> {
    if (signedAtMs < this.#sinceMs) return Promise.resolve("stale");
    return Promise.resolve(sessionId === "" ? this.#usePublic(nonce) : this.#useOfSession(sessionId, nonce));
  }

  #useOfSession(sessionId: string, nonce: string): NonceUse {
    const key = `${sessionId}|${nonce}`;
    if (this.#ofSessions.has(key)) return "used";
    return this.#ofSessions.add(key) ? "new" : "full";
  }

  /**
   * A flood can fill this set, since the public key is known to all. It then drops old nonces early: a replay gains
   * nothing that a new signature would not. The sessions' set is separate.
   */
  #usePublic(nonce: string): NonceUse {
    if (this.#ofPublic.has(nonce)) return "used";
    if (!this.#ofPublic.add(nonce)) {
      this.#ofPublic.rotate();
      this.#ofPublic.add(nonce);
    }
    return "new";
  }
}

/** Two sets: a key is kept for one to two periods, without timers or timestamps per key. */
class RotatingSet {
  readonly #clock: Clock;
  readonly #keysMax: number;
  #current = new Set<string>();
  #previous = new Set<string>();
  #rotatedAtMs: number;

  constructor(clock: Clock, keysMax: number) {
    this.#clock = clock;
    this.#keysMax = keysMax;
    this.#rotatedAtMs = clock.monotonicMs();
  }

  has(key: string): boolean {
    const elapsedMs = this.#clock.monotonicMs() - this.#rotatedAtMs;
    if (elapsedMs >= nonceMemoryMs) this.rotate();
    if (elapsedMs >= 2 * nonceMemoryMs) this.#previous.clear();
    return this.#current.has(key) || this.#previous.has(key);
  }

  /** False when full. */
  add(key: string): boolean {
    if (this.#current.size >= this.#keysMax) return false;
    this.#current.add(key);
    return true;
  }

  rotate(): void {
    this.#previous = this.#current;
    this.#current = new Set();
    this.#rotatedAtMs = this.#clock.monotonicMs();
  }
}
