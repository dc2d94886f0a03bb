type Callback = (lock: Lock | null) => unknown;

interface Request {
  name: string;
  options: LockOptions;
  callback: Callback;
  resolve: (result: unknown) => void;
  fail: (error: unknown) => void;
}

/**
 * The locks that all tabs of a browser share (Web Locks API, sections 4 and 5): requests and releases are processed in
 * the order in which they reach the browser, and never synchronously.
 */
export class FakeLocks {
  readonly #held = new Map<string, { fail: (error: unknown) => void }>();
  /** Requests that wait for a lock, the oldest first. */
  readonly #line: Request[] = [];
  #queue: Promise<void> = Promise.resolve();

  /** One tab's `navigator.locks`. */
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
      const request: Request = { name, options, callback, resolve, fail };
      this.#later(() => this.#take(request));
      options.signal?.addEventListener("abort", () => this.#later(() => this.#leaveLine(request)));
    });
  }

  #take(request: Request): void {
    const { name, options, callback, resolve, fail } = request;
    if (this.#held.has(name) && !options.steal) {
      if (options.ifAvailable) void Promise.resolve(callback(null)).then(resolve, fail);
      else this.#line.push(request);
      return;
    }
    this.#held.get(name)?.fail(new DOMException("the lock was stolen", "AbortError"));
    const holder = { fail };
    this.#held.set(name, holder);
    const end = (result: unknown) =>
      this.#later(() => {
        resolve(result);
        if (this.#held.get(name) !== holder) return;
        this.#held.delete(name);
        const place = this.#line.findIndex((waiting) => waiting.name === name);
        const [next] = place < 0 ? [] : this.#line.splice(place, 1);
        if (next) this.#take(next);
      });
    void Promise.resolve(callback({ name, mode: "exclusive" })).then(end, fail);
  }

  #leaveLine(request: Request): void {
    const place = this.#line.indexOf(request);
    if (place < 0) return;
    this.#line.splice(place, 1);
    request.fail(new DOMException("given up", "AbortError"));
  }

  /** A round trip to the browser's process. */
  #later(step: () => void): void {
    this.#queue = this.#queue.then(() => new Promise((resolve) => setTimeout(resolve, 0))).then(step);
  }
}
