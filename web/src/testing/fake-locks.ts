type Callback = (lock: Lock | null) => unknown;

/**
 * The locks that all tabs of a browser share (Web Locks API, sections 4 and 5): requests and releases are worked off in
 * the order in which they reach the browser, and never at once.
 */
export class FakeLocks {
  readonly #held = new Map<string, { fail: (error: unknown) => void }>();
  #queue: Promise<void> = Promise.resolve();

  /** What one tab sees as `navigator.locks`. */
  get manager(): LockManager {
    return {
      request: (name: string, options: LockOptions, callback: Callback) => this.#request(name, options, callback),
    } as unknown as LockManager;
  }

  isHeld(name: string): boolean {
    return this.#held.has(name);
  }

  #request(name: string, options: LockOptions, callback: Callback): Promise<unknown> {
    return new Promise((resolve, fail) => {
      this.#later(() => {
        if (this.#held.has(name) && !options.steal) {
          if (!options.ifAvailable) return fail(new Error("waiting for a lock is not played here"));
          return void Promise.resolve(callback(null)).then(resolve, fail);
        }
        this.#held.get(name)?.fail(new DOMException("the lock was stolen", "AbortError"));
        const holder = { fail };
        this.#held.set(name, holder);
        const end = (result: unknown) =>
          this.#later(() => {
            if (this.#held.get(name) === holder) this.#held.delete(name);
            resolve(result);
          });
        void Promise.resolve(callback({ name, mode: "exclusive" })).then(end, fail);
        return undefined;
      });
    });
  }

  /** A message to the browser's own process and back. */
  #later(step: () => void): void {
    this.#queue = this.#queue.then(() => new Promise((resolve) => setTimeout(resolve, 0))).then(step);
  }
}
