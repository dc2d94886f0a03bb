import { useEffect, useSyncExternalStore } from "react";
import { onReachableAgain } from "#lib/socket/connection.ts";

/** Delays before a failed load is retried while the value is in use; the last one repeats. */
const retryDelaysMs = [2_000, 5_000, 15_000, 60_000] as const;

/**
 * A value of the server that many parts of the page read: loaded once, shared, and loaded again when it is stale and in
 * use. A full query library costs 9 KB of the 112 KB that the home screen may have; this class is what the home screen
 * needs of one.
 */
export class RemoteValue<Data> {
  readonly #load: () => Promise<Data>;
  readonly #staleMs: number;
  readonly #listeners = new Set<() => void>();
  #data: Data | undefined;
  #loadedAtMs = Number.NEGATIVE_INFINITY;
  #loading: Promise<Data> | null = null;
  /** The value was invalidated after the current load started. */
  #isOutdated = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `staleMs`: the value is loaded again after this time; infinite if it never changes. */
  constructor(options: { load: () => Promise<Data>; staleMs: number }) {
    this.#load = options.load;
    this.#staleMs = options.staleMs;
  }

  /** Whether the value should be loaded again. The page shows the old one until then. */
  get isStale(): boolean {
    return Date.now() - this.#loadedAtMs >= this.#staleMs;
  }

  /** The loaded value, even if it is stale. */
  readonly peek = (): Data | undefined => this.#data;

  /** Loads the value if it is stale. A failure is retried while the value is in use. */
  readonly look = async (): Promise<void> => {
    if (!this.isStale || this.#loading) return;
    try {
      await this.#start();
    } catch (error) {
      console.info("loading failed, will be retried", error);
    }
  };

  /** The value, loaded if it is stale. Rejects as its load does. */
  async fetch(): Promise<Data> {
    return this.#data !== undefined && !this.isStale ? this.#data : this.#start();
  }

  /** The value changed on the server: loads it again for those who use or await it; the old value stays until then. */
  invalidate(): void {
    this.#loadedAtMs = Number.NEGATIVE_INFINITY;
    this.#isOutdated = true;
    if (this.#listeners.size > 0) void this.look();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#schedule();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) clearTimeout(this.#timer);
    };
  };

  #start(): Promise<Data> {
    this.#loading ??= this.#run();
    return this.#loading;
  }

  async #run(): Promise<Data> {
    try {
      let data: Data;
      do {
        // All invalidations of one turn share one load.
        await Promise.resolve();
        this.#isOutdated = false;
        data = await this.#load();
        this.#data = data;
        for (const listener of this.#listeners) listener();
      } while (this.#isOutdated);
      this.#loadedAtMs = Date.now();
      this.#failures = 0;
      return data;
    } catch (error) {
      this.#failures += 1;
      throw error;
    } finally {
      this.#loading = null;
      this.#schedule();
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const retryMs = retryDelaysMs[Math.min(this.#failures, retryDelaysMs.length) - 1];
    const delayMs = retryMs ?? this.#loadedAtMs + this.#staleMs - Date.now();
    if (this.#listeners.size === 0 || !Number.isFinite(delayMs)) return;
    this.#timer = setTimeout(() => void this.look(), delayMs);
  }
}

const nothingYet = () => undefined;

/**
 * The value, or undefined until it is loaded. The component follows it, and loads it again on window focus and when the
 * server can be reached again.
 */
export function useRemote<Data>(remote: RemoteValue<Data>): Data | undefined {
  useEffect(() => {
    const look = () => void remote.look();
    // Sends the request after the task that hydrates the page, which signing would lengthen.
    const timer = setTimeout(look);
    window.addEventListener("focus", look);
    // The value may have changed while the server could not be reached.
    const stop = onReachableAgain(() => remote.invalidate());
    return () => {
      clearTimeout(timer);
      window.removeEventListener("focus", look);
      stop();
    };
  }, [remote]);
  return useSyncExternalStore(remote.subscribe, remote.peek, nothingYet);
}
