/** The right to do one kind of work for all processes. */
export interface Lease {
  /** Grows with every holder: whoever writes for the lease can name it, so that a late writer is told apart. */
  readonly epoch: bigint;
}

type LeaseWork = (lease: Lease, lost: AbortSignal) => Promise<void>;

/** Work that one process at a time does for all of them. */
export interface Leases {
  /**
   * Does the work as soon as nobody else has the lease of that name, and has it until the work ends or this is disposed:
   * then the next one gets it. Where the lease is lost on the way `lost` is aborted, the work is to end, and is begun
   * anew when the lease is to be had again. Disposing aborts `lost` too, and resolves when the work has ended.
   *
   * @param options `lookEveryMs`: pause between two attempts to get it.
   */
  hold(name: string, work: LeaseWork, options: { lookEveryMs: number }): AsyncDisposable;
}
