import type { Clock } from "#ports/clock.ts";
import { LruMap } from "#lru-map.ts";
import type { Authentication } from "#http/authentication.ts";

/** A cached session is looked up again after this long; also how often `last_seen_at` is written. */
export const sessionCacheMs = 60_000;

/** Live sessions by token hash, so that a signed call costs no query. */
export class SessionCache {
  readonly #clock: Clock;
  readonly #byToken: LruMap<string, { live: Extract<Authentication, { kind: "live" }>; until: number }>;
  readonly #tokenOfUser: LruMap<bigint, string>;
  #generation = 0;

  constructor(clock: Clock, sessionsMax: number) {
    this.#clock = clock;
    this.#byToken = new LruMap(sessionsMax);
    this.#tokenOfUser = new LruMap(sessionsMax);
  }

  /** The session behind the token, or what `read` says of it; only live sessions are kept. */
  async get(tokenHash: string, read: () => Promise<Authentication>): Promise<Authentication> {
    const entry = this.#byToken.get(tokenHash);
    if (entry && entry.until > this.#clock.nowMs()) {
      // Both maps see every use, so that they forget the same people.
      this.#tokenOfUser.get(entry.live.session.userId);
      return entry.live;
    }
    const generation = this.#generation;
    const result = await read();
    // Somebody was forgotten while this was read: it may be what they have just lost, so it is not kept.
    if (result.kind === "live" && generation === this.#generation) {
      this.#byToken.set(tokenHash, { live: result, until: this.#clock.nowMs() + sessionCacheMs });
      this.#tokenOfUser.set(result.session.userId, tokenHash);
    }
    return result;
  }

  forget(userId: bigint): void {
    this.#generation += 1;
    const tokenHash = this.#tokenOfUser.get(userId);
    if (tokenHash !== undefined) this.#byToken.delete(tokenHash);
    this.#tokenOfUser.delete(userId);
  }
}
