/** Calls listeners in the order of registration. If a listener throws, `emit` throws and skips the others. */
export class Emitter<Event extends readonly unknown[]> {
  readonly #listeners = new Set<(...event: Event) => void>();

  /** Adds a listener until disposed. Adding the same function again has no effect. */
  on(listener: (...event: Event) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  emit(...event: Event): void {
    for (const listener of this.#listeners) listener(...event);
  }
}
