import type { FastifyInstance } from "fastify";
import type { Base } from "#lib/base.ts";
import { Periodic } from "#lib/tasks.ts";
import { queueStates } from "#moderation/queue-states.ts";
import type { Handlers } from "#ports/handlers.ts";
import type { LiveCounts } from "#ports/live-counts.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { CspReports } from "./csp-reports.ts";
import { addWaits, countDays, dailyFigures } from "./daily-figures.ts";
import { LiveTab } from "./live.ts";

export interface Operator {
  handlers: Pick<Handlers, "adminCspReports" | "adminDaily" | "adminLive">;
  routes: (app: FastifyInstance) => Promise<void>;
  /** Deletes what has expired. */
  forgetOld: () => Promise<void>;
  /** Counts the complete days that are not counted yet. */
  countDays: () => Promise<void>;
}

interface OperatorParts {
  base: Base;
  adapters: { media: Pick<MediaRelay, "policy"> };
  calls: { liveCounts: () => LiveCounts; waits: () => Waits };
  /** The other servers of the site; null for a single server. */
  servers: { readonly others: readonly ProcessId[] } | null;
}

type Waits = Readonly<Record<string, readonly number[]>>;

/** Waits are counted in memory; after this time at most they are in the database. */
const waitsStoredEveryMs = 600_000;

/** Opens what shows the operator how the site is doing. */
export function openOperator({ base, adapters, calls, servers }: OperatorParts): Operator {
  const { db, replica, jobs, peers, limits, clock, metrics } = base;
  storeWaits(base, () => calls.waits());
  const cspReports = new CspReports({ db, limits, clock, metrics });
  const live = new LiveTab({
    own: () => calls.liveCounts(),
    peers,
    others: () => servers?.others ?? [],
    queues: () => replica.read(jobs, (from) => queueStates(from, new Date(clock.nowMs()))),
    isRelayed: adapters.media.policy === "relay",
    clock,
  });
  return {
    handlers: {
      adminCspReports: () => cspReports.list(),
      adminDaily: (_context, { days }) => replica.read(jobs, (from) => dailyFigures(from, days, clock.nowMs())),
      adminLive: () => live.read(),
    },
    routes: (app) => cspReports.route(app),
    forgetOld: () => cspReports.deleteExpired(),
    countDays: () => countDays(jobs, clock.nowMs()),
  };
}

/** Adds the waits since the last time to the figures of the day. Those of the last minutes before a stop are lost. */
function storeWaits({ db, clock, logger, disposal }: Base, read: () => Waits): void {
  let stored: Waits = {};
  const store = async () => {
    const now = read();
    const since = (wish: string) => now[wish]!.map((count, bucket) => count - (stored[wish]?.[bucket] ?? 0));
    const waits = Object.fromEntries(Object.keys(now).map((wish) => [wish, since(wish)]));
    await addWaits(db, { waits, nowMs: clock.nowMs() });
    stored = now;
  };
  const storing = { pauseMs: () => waitsStoredEveryMs, work: store };
  disposal.use(new Periodic({ clock, logger, name: "waits of the day", ...storing }), { name: "waits of the day" });
}
