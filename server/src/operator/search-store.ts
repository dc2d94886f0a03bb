import type { Base } from "#lib/base.ts";
import { Periodic, type PeriodicOptions } from "#lib/tasks.ts";
import type { SearchTotals } from "#ports/live-counts.ts";
import { addSearches } from "./daily-figures.ts";

type Parts = Pick<Base, "db" | "clock" | "disposal"> & Pick<PeriodicOptions, "logger">;

/** Searches are counted in memory; after this time at most the counts are in the database. */
const searchesStoredEveryMs = 600_000;

/** Adds the searches since the last time to the figures of the day. Those of the last minutes before a stop are lost. */
export function storeSearches({ db, clock, logger, disposal }: Parts, read: () => SearchTotals): void {
  let stored: SearchTotals = { waits: {}, ends: {} };
  const store = async () => {
    const now = read();
    const searches = { waits: sinceThen(now.waits, stored.waits), ends: sinceThen(now.ends, stored.ends) };
    await addSearches(db, searches, clock.nowMs());
    stored = now;
  };
  const storing = { pauseMs: () => searchesStoredEveryMs, work: store };
  disposal.use(new Periodic({ clock, logger, name: "searches of the day", ...storing }), {
    name: "searches of the day",
  });
}

type CountsByWish = SearchTotals["waits"];

function sinceThen(now: CountsByWish, then: CountsByWish): CountsByWish {
  const since = (wish: string) => now[wish]!.map((count, at) => count - (then[wish]?.[at] ?? 0));
  return Object.fromEntries(Object.keys(now).map((wish) => [wish, since(wish)]));
}
