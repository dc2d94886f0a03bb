/** The only way logic learns the time or waits; tests drive it by hand. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  nowMs(): number;
  /** Milliseconds of a clock that never jumps, for measuring durations. */
  monotonicMs(): number;
  /** Milliseconds of processors that this process has used so far. */
  processorMs(): number;
  /** Runs `work` once after `delayMs`; disposing before then cancels it. */
  after(delayMs: number, work: () => void): Disposable;
}
