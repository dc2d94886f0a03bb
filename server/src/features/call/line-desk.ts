/** Lines one person may send in one call: at once, and sustained. Bounds what a dropped receiver has to catch up on. */
const linesBurstMax = 20;
const linesPerSecondMax = 2;
/** Ids remembered to tell a line that is sent again from a new one. */
const clientIdsKept = 256;

/** The chat lines of one person in one room: each is taken once, and not too many (rule CHAT-63). */
export class LineDesk {
  /** Oldest first, as a Set keeps insertion order. */
  readonly #taken = new Set<string>();
  #tokens = linesBurstMax;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /** `repeated`: this line was taken before and needs only to be confirmed again. */
  take(clientId: string, nowMs: number): "taken" | "repeated" | "too-many" {
    if (this.#taken.has(clientId)) return "repeated";
    const refilled = this.#tokens + (Math.max(0, nowMs - this.#atMs) * linesPerSecondMax) / 1_000;
    this.#tokens = Math.min(linesBurstMax, refilled);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return "too-many";
    this.#tokens -= 1;
    this.#taken.add(clientId);
    if (this.#taken.size > clientIdsKept) {
      const [oldest] = this.#taken;
      if (oldest !== undefined) this.#taken.delete(oldest);
    }
    return "taken";
  }
}
