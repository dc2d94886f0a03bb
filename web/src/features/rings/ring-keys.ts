/** Whoever is writing when the ring comes writes on for a moment: so long after the last key nothing is answered by one. */
const quietMs = 1_000;

interface PressedKey {
  readonly key: string;
  readonly repeat: boolean;
  /** By the page's own clock, milliseconds. */
  readonly timeStamp: number;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** What the keys mean while a friend rings. */
export class RingKeys {
  #lastAtMs: number;

  /** @param shownAtMs when the ring was shown, by the page's own clock */
  constructor(shownAtMs: number) {
    this.#lastAtMs = shownAtMs;
  }

  /**
   * `accept` and `decline` for the two keys; `none` for one that is still part of what was written before; null where the key
   * is not the ring's, such as Enter on a button.
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
