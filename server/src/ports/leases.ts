/** The exclusive right of one server to do a kind of work for the site. */
export interface Lease {
  /** Fencing number. Grows with each holder, so that writes of earlier holders can be rejected. */
  readonly epoch: bigint;
}

type LeaseWork = (lease: Lease, lost: AbortSignal) => Promise<void>;

export interface Leases {
  /**
   * Runs `work` each time this server gets the lease `name`. If the server loses the lease, `lost` is aborted and the
   * work must end. Disposing also aborts `lost`, and resolves when the work has ended. `lookEveryMs`: pause between
   * attempts to get the lease.
   */
  hold(name: string, work: LeaseWork, options: { lookEveryMs: number }): AsyncDisposable;
}
