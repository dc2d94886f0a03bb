import type { Browser } from "@playwright/test";

interface TraceEvent {
  readonly name: string;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
}

/** Tasks of every thread, and the marks of the pages; little enough to leave the pages as fast as they are. */
const categories = ["toplevel", "blink.user_timing"];
const taskNames = new Set(["ThreadControllerImpl::RunTask", "RunTask"]);

/** The longest task of the main thread of each page between two of its marks, in milliseconds. */
export async function longestTasks(
  browser: Browser,
  { from, to, during }: { from: string; to: string; during: () => Promise<void> },
): Promise<number[]> {
  await browser.startTracing(undefined, { categories });
  let trace: Buffer;
  try {
    await during();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString("utf8")) as { traceEvents: TraceEvent[] };
  const ends = traceEvents.filter(({ name }) => name === to);
  return ends.flatMap((end) => {
    const begin = traceEvents.findLast((event) => event.name === from && event.pid === end.pid && event.ts < end.ts);
    if (!begin) return [];
    const tasks = traceEvents.filter(
      (event) =>
        taskNames.has(event.name) &&
        event.pid === end.pid &&
        event.tid === end.tid &&
        event.ts < end.ts &&
        event.ts + (event.dur ?? 0) > begin.ts,
    );
    return [Math.max(...tasks.map(({ dur = 0 }) => dur / 1_000))];
  });
}
