import type { Logger } from "pino";
import type { Clock } from "#ports/clock.ts";

const toldEveryMs = 10_000;
/** Without the time that a drain waits for calls. */
const stopMsMax = 15_000;
const exitMsMax = 2_000;

interface StopWatchOptions {
  clock: Pick<Clock, "after">;
  logger: Pick<Logger, "warn" | "fatal">;
  left: () => readonly string[];
  drainMs: number;
  exit: (code: number) => void;
}

/** Logs what it waits for after 10 s and on changes; exits with 1 after 15 s more than a drain may take. */
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
    logger.fatal({ left: left() }, "shutdown took too long, exiting");
    exit(1);
  });
  return {
    [Symbol.dispose]: () => {
      timer[Symbol.dispose]();
      limit[Symbol.dispose]();
    },
  };
}

export function exitSoon(logger: Pick<Logger, "warn">): void {
  setTimeout(() => {
    logger.warn({ left: process.getActiveResourcesInfo() }, "process did not exit by itself");
    process.exit();
  }, exitMsMax).unref();
}
