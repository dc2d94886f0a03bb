/** Calls listeners in the order of registration. An exception of a listener leaves `emit` and skips the rest. */
export class Emitter<Event extends readonly unknown[]> {
  readonly #listeners = new Set<(...event: Event) => void>();

  /** Listens until disposed. A function is registered once, even if it is added again. */
  on(listener: (...event: Event) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  emit(...event: Event): void {
    for (const listener of this.#listeners) listener(...event);
  }
}
