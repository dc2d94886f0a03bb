/** The only source of time and delays for logic; tests control it. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  nowMs(): number;
  /** Milliseconds of a clock that never jumps, for durations. */
  monotonicMs(): number;
  /** Processor time that this process has used, in milliseconds. */
  processorMs(): number;
  /** Runs `work` once after `delayMs`; disposing cancels it. */
  after(delayMs: number, work: () => void): Disposable;
}
