import type { InspectedVideo, View } from "./inspection-state.ts";

/** A verdict on a picture of one person, and what it made of what the other sees. */
interface Judged {
  readonly view: View;
  /** The picture passed. */
  readonly passed: boolean;
  /** When it was asked for, and when its verdict came. */
  readonly askedMs: number;
  readonly nowMs: number;
  readonly before: InspectedVideo;
  readonly after: InspectedVideo;
}

/**
 * How long a picture that had to be hidden may have been shown: from the moment for which the last clean one was asked
 * until it was hidden (rule SAFE-91). What the other end says to receive counts once the own camera has confirmed it.
 */
export class Exposure {
  #cleanMs: number | null;
  /** Of a picture that is hidden in doubt. */
  #doubtedMs: number | null = null;

  /** `cleanMs`: of the look with which the call opened clear; null where it opened covered. */
  constructor(cleanMs: number | null) {
    this.#cleanMs = cleanMs;
  }

  /** @returns milliseconds where this verdict tells of an exposure; else null. */
  judged({ view, passed, askedMs, nowMs, before, after }: Judged): number | null {
    const isClear = after.kind === "watched" && after.phase.kind === "clear";
    if (isClear) {
      if (view === "own" && passed) this.#cleanMs = askedMs;
      this.#doubtedMs = null;
      return null;
    }
    const wasClear = before.kind === "watched" && before.phase.kind === "clear";
    const exposedMs = wasClear && this.#cleanMs !== null ? nowMs - this.#cleanMs : this.#doubtedMs;
    if (after.kind === "watched") {
      if (after.phase.kind === "checking") return null;
      this.#doubtedMs = after.phase.kind === "unsure" && !after.phase.isConfirmed ? exposedMs : null;
      return this.#doubtedMs === null ? exposedMs : null;
    }
    this.#doubtedMs = null;
    return exposedMs;
  }
}
