import { useEffect, useSyncExternalStore } from "react";
import { onBack } from "#lib/socket/connection.ts";

/** After a failed load, while somebody is looking, the next try comes this much later; the last one repeats. */
const retryDelaysMs = [2_000, 5_000, 15_000, 60_000] as const;

/**
 * An answer of the server that many parts of the page read: loaded once, shared, loaded anew when it is stale and
 * somebody looks at it. A full query library costs 9 KB of the 110 KB that the home screen may have; this is what the
 * home screen needs of one.
 */
export class RemoteValue<Data> {
  readonly #load: () => Promise<Data>;
  readonly #staleMs: number;
  readonly #listeners = new Set<() => void>();
  #data: Data | undefined;
  #loadedAtMs = Number.NEGATIVE_INFINITY;
  #loading: Promise<Data> | null = null;
  /** It has changed since the load that is going on was asked for. */
  #isOutdated = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `staleMs`: after this long the value is loaded again; infinite when it never changes. */
  constructor(options: { load: () => Promise<Data>; staleMs: number }) {
    this.#load = options.load;
    this.#staleMs = options.staleMs;
  }

  /** Whether it is time to load it anew; what has arrived is shown until then. */
  get isStale(): boolean {
    return Date.now() - this.#loadedAtMs >= this.#staleMs;
  }

  /** What has arrived, even if it is stale by now. */
  readonly peek = (): Data | undefined => this.#data;

  /** Loads anew if it is time to. A failure is tried again while somebody looks. */
  readonly look = async (): Promise<void> => {
    if (!this.isStale || this.#loading) return;
    try {
      await this.#start();
    } catch (error) {
      console.info("not loaded, will be tried again", error);
    }
  };

  /** The value now, or as soon as it has arrived. Rejects as its load does. */
  async fetch(): Promise<Data> {
    return this.#data !== undefined && !this.isStale ? this.#data : this.#start();
  }

  /** It has changed on the server: whoever looks, or waits for it, gets the new one; the old one stays until then. */
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
        // All who say in one turn that it has changed are answered by one load.
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

/** The value, or undefined until it has arrived; the component follows it, and looks again with the window's focus, and when Fava is back. */
export function useRemote<Data>(remote: RemoteValue<Data>): Data | undefined {
  useEffect(() => {
    const look = () => void remote.look();
    // Signing and sending are not for the task in which the page comes alive.
    const timer = setTimeout(look);
    window.addEventListener("focus", look);
    // Meanwhile it may have become another one.
    const stop = onBack(() => remote.invalidate());
    return () => {
      clearTimeout(timer);
      window.removeEventListener("focus", look);
      stop();
    };
  }, [remote]);
  return useSyncExternalStore(remote.subscribe, remote.peek, nothingYet);
}
