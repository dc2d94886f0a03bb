import type { Logger } from "pino";
import type { Clock } from "#ports/clock.ts";

const toldEveryMs = 10_000;
/** For everything but the calls that a drain waits for. */
const stopMsMax = 15_000;
/** Nothing that is left open keeps the process for longer, once everything has ended. */
const exitMsMax = 2_000;

interface StopWatchOptions {
  clock: Pick<Clock, "after">;
  logger: Pick<Logger, "warn" | "fatal">;
  /** What has not ended, in the order of the stop. */
  left: () => readonly string[];
  /** How long a drain may wait for calls, in milliseconds. */
  drainMs: number;
  exit: (code: number) => void;
}

/**
 * From a stop's beginning on: logs what the stop waits for after 10 s, and again where that changes; exits with 1 once it
 * takes 15 s longer than a drain may take. Dispose it when everything has ended.
 */
export function watchStop({ clock, logger, left, drainMs, exit }: StopWatchOptions): Disposable {
  let told: string | undefined;
  const tell = () => {
    const names = left();
    if (names[0] !== told) logger.warn({ waitsFor: names[0], left: names }, "still stopping");
    told = names[0];
    timer = clock.after(toldEveryMs, tell);
  };
  let timer = clock.after(toldEveryMs, tell);
  const limit = clock.after(drainMs + stopMsMax, () => {
    logger.fatal({ left: left() }, "the stop took too long: the process ends with this left");
    exit(1);
  });
  return {
    [Symbol.dispose]: () => {
      timer[Symbol.dispose]();
      limit[Symbol.dispose]();
    },
  };
}

/** Ends the process where something that is left open would keep it, and logs what. */
export function exitSoon(logger: Pick<Logger, "warn">): void {
  setTimeout(() => {
    logger.warn({ left: process.getActiveResourcesInfo() }, "the process did not end by itself");
    process.exit();
  }, exitMsMax).unref();
}
