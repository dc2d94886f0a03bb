import type { Base } from "#lib/base.ts";
import { Periodic, type PeriodicOptions } from "#lib/tasks.ts";
import type { DayTotals } from "#ports/live-counts.ts";
import { addTotals } from "./daily-figures.ts";

type Parts = Pick<Base, "db" | "clock" | "disposal"> & Pick<PeriodicOptions, "logger">;

/** Searches and relayed bytes are counted in memory; after this time at most the counts are in the database. */
const totalsStoredEveryMs = 600_000;

/** Adds what was counted since the last time to the figures of the day. The last minutes before a stop are lost. */
export function storeTotals({ db, clock, logger, disposal }: Parts, read: () => DayTotals): void {
  let stored: DayTotals = { waits: {}, ends: {}, relayed: { bytes: 0, sides: 0 } };
  const store = async () => {
    const now = read();
    const relayed = {
      bytes: now.relayed.bytes - stored.relayed.bytes,
      sides: now.relayed.sides - stored.relayed.sides,
    };
    const totals = { waits: sinceThen(now.waits, stored.waits), ends: sinceThen(now.ends, stored.ends), relayed };
    await addTotals(db, totals, clock.nowMs());
    stored = now;
  };
  const storing = { pauseMs: () => totalsStoredEveryMs, work: store };
  disposal.use(new Periodic({ clock, logger, name: "totals of the day", ...storing }), { name: "totals of the day" });
}

type CountsByWish = DayTotals["waits"];

function sinceThen(now: CountsByWish, then: CountsByWish): CountsByWish {
  const since = (wish: string) => now[wish]!.map((count, at) => count - (then[wish]?.[at] ?? 0));
  return Object.fromEntries(Object.keys(now).map((wish) => [wish, since(wish)]));
}
