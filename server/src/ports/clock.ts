/** The only source of time and timers for logic, so that tests control both. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  nowMs(): number;
  /** Milliseconds of a clock that never jumps, for measuring durations. */
  monotonicMs(): number;
  /** Processor time that this process has used so far, in milliseconds. */
  processorMs(): number;
  /** Runs `work` once after `delayMs`; disposing cancels it. */
  after(delayMs: number, work: () => void): Disposable;
}
