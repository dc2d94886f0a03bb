import type { Clock } from "#ports/clock.ts";

/** Maximum delay of a Node.js timer; a longer one would fire at once. */
const timerDelayMaxMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  processorMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  after: (delayMs, work) => {
    let timer = arm(delayMs);
    function arm(leftMs: number): NodeJS.Timeout {
      if (leftMs <= timerDelayMaxMs) return setTimeout(work, leftMs);
      return setTimeout(() => (timer = arm(leftMs - timerDelayMaxMs)), timerDelayMaxMs);
    }
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
