/** A user who types when the ring appears keeps typing: no key answers within this time after the last one. */
const quietMs = 1_000;

interface PressedKey {
  readonly key: string;
  readonly repeat: boolean;
  /** Milliseconds of the page's monotonic clock. */
  readonly timeStamp: number;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** The keys while a friend rings. */
export class RingKeys {
  #lastAtMs: number;

  /** @param shownAtMs when the ring was shown, by the page's monotonic clock */
  constructor(shownAtMs: number) {
    this.#lastAtMs = shownAtMs;
  }

  /**
   * `accept` and `decline` for the two keys; `none` for a key that still belongs to what the user was typing; null for
   * any other key, such as Enter on a button.
   */
  take(event: PressedKey, target: Pick<Element, "closest"> | null): "accept" | "decline" | "none" | null {
    const sinceMs = event.timeStamp - this.#lastAtMs;
    this.#lastAtMs = event.timeStamp;
    if (event.altKey || event.ctrlKey || event.metaKey) return null;
    const isOnControl = target?.closest("button, a, input, textarea") != null;
    if (event.key === "Escape") return event.repeat || sinceMs < quietMs ? "none" : "decline";
    if (event.key !== "Enter" || isOnControl) return null;
    return event.repeat || sinceMs < quietMs ? "none" : "accept";
  }
}
