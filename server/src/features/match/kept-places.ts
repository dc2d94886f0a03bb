/** Who did not get to talk keeps the place in the queue for this long (rule MATCH-67). */
const placeKeptMs = 5_000;

/** Places in the queue of people whose match came to nothing, until they search again. At most one a person. */
export class KeptPlaces {
  readonly #places = new Map<bigint, { sinceMs: number; untilMs: number }>();

  keep(userId: bigint, place: { sinceMs: number; nowMs: number }): void {
    this.#places.set(userId, { sinceMs: place.sinceMs, untilMs: place.nowMs + placeKeptMs });
  }

  /** The kept place, used up by this; null where there is none, or it came too late. */
  take(userId: bigint, nowMs: number): number | null {
    const kept = this.#places.get(userId);
    this.#places.delete(userId);
    return kept && nowMs < kept.untilMs ? kept.sinceMs : null;
  }

  forget(userId: bigint): void {
    this.#places.delete(userId);
  }
}
