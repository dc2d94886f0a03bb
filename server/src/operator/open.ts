import type { FastifyInstance } from "fastify";
import type { Base } from "#lib/base.ts";
import { queueStates } from "#moderation/queue-states.ts";
import type { Handlers } from "#ports/handlers.ts";
import type { LiveCounts } from "#ports/live-counts.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { CspReports } from "./csp-reports.ts";
import { LiveTab } from "./live.ts";

export interface Operator {
  handlers: Pick<Handlers, "adminCspReports" | "adminLive">;
  routes: (app: FastifyInstance) => Promise<void>;
  /** Deletes what has expired. */
  forgetOld: () => Promise<void>;
}

interface OperatorParts {
  base: Base;
  adapters: { media: Pick<MediaRelay, "policy"> };
  calls: { liveCounts: () => LiveCounts };
  /** The other servers of the site; null for a single server. */
  servers: { readonly others: readonly ProcessId[] } | null;
}

/** Opens what shows the operator how the site is doing. */
export function openOperator({ base, adapters, calls, servers }: OperatorParts): Operator {
  const { db, replica, jobs, peers, limits, clock, metrics } = base;
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
    handlers: { adminCspReports: () => cspReports.list(), adminLive: () => live.read() },
    routes: (app) => cspReports.route(app),
    forgetOld: () => cspReports.deleteExpired(),
  };
}
