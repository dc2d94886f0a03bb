/**
 * Tells listeners of one kind of event, one after the other in the order in which they began to listen. What a listener
 * throws comes out of `emit`, and those after it are not told.
 */
export class Emitter<Event extends readonly unknown[]> {
  readonly #listeners = new Set<(...event: Event) => void>();

  /** Listens until disposed; the same function listens once, however often it is given. */
  on(listener: (...event: Event) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  emit(...event: Event): void {
    for (const listener of this.#listeners) listener(...event);
  }
}
