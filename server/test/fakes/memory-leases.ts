import type { Lease, Leases } from "#ports/leases.ts";

/** Leases within one process. The first caller gets a lease at once, before `hold` returns. */
export class MemoryLeases implements Leases {
  readonly #last = new Map<string, Promise<void>>();
  readonly #epochs = new Map<string, bigint>();

  hold(name: string, work: (lease: Lease, lost: AbortSignal) => Promise<void>): AsyncDisposable {
    const stop = new AbortController();
    let hasBegun = false;
    const run = async () => {
      if (stop.signal.aborted) return;
      hasBegun = true;
      const epoch = (this.#epochs.get(name) ?? 0n) + 1n;
      this.#epochs.set(name, epoch);
      await work({ epoch }, stop.signal);
    };
    const before = this.#last.get(name);
    const holding = before ? before.then(run) : run();
    this.#last.set(name, holding);
    return {
      async [Symbol.asyncDispose]() {
        stop.abort();
        if (hasBegun) await holding;
      },
    };
  }
}
