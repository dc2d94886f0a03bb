import { nonceMemoryMs } from "@fava/wire/limits.ts";
import type { Clock } from "#ports/clock.ts";
import type { NonceUse, Nonces, SignedCall } from "#ports/nonces.ts";

/** About 100 bytes each. Sessions: 3,300 calls a second over the whole memory; above that, processes share a store. */
const sessionNoncesMax = 2_000_000;
const publicNoncesMax = 200_000;

export interface LocalNoncesOptions {
  clock: Clock;
  sessionNoncesMax?: number;
  publicNoncesMax?: number;
}

/** Nonces in the memory of this process. */
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
   * Everybody knows the public key, so a flood can fill this memory, and a replay gains nothing that signing anew would
   * not: when it is full it forgets early. It is apart from that of the sessions, so that a flood never reaches them.
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

/** Two sets: each key is remembered for one full period at least, for two at most, without a timer or a time per key. */
class RotatingSet {
  readonly #clock: Clock;
  /** Of each of the two sets. */
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

  /** False when there is no room. */
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
