/** The exclusive right to do one kind of work for all servers. */
export interface Lease {
  /** Fencing number: grows with every holder, so that a write of an earlier holder can be rejected. */
  readonly epoch: bigint;
}

type LeaseWork = (lease: Lease, lost: AbortSignal) => Promise<void>;

export interface Leases {
  /**
   * Runs the work whenever this server has the lease of that name, until the work ends or this is disposed. If the
   * lease is lost, `lost` is aborted and the work must end. Disposing also aborts `lost`, and resolves when the work
   * has ended. `lookEveryMs`: pause between attempts.
   */
  hold(name: string, work: LeaseWork, options: { lookEveryMs: number }): AsyncDisposable;
}
