import type { FastifyInstance } from "fastify";
import type { Base } from "#lib/base.ts";
import { queueStates } from "#moderation/queue-states.ts";
import type { Handlers } from "#ports/handlers.ts";
import type { DayTotals, LiveCounts } from "#ports/live-counts.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { PaymentProvider } from "#ports/payments.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { CspReports } from "./csp-reports.ts";
import { countDays, dailyFigures } from "./daily-figures.ts";
import { LiveTab } from "./live.ts";
import { type ConfiguredItems, setupState } from "./setup.ts";
import { storeTotals } from "./totals-store.ts";

export interface Operator {
  handlers: Pick<Handlers, "adminCspReports" | "adminDaily" | "adminLive" | "adminSetup">;
  routes: (app: FastifyInstance) => Promise<void>;
  /** Deletes what has expired. */
  forgetOld: () => Promise<void>;
  /** Counts the complete days that are not counted yet. */
  countDays: () => Promise<void>;
}

interface OperatorParts {
  base: Base;
  adapters: {
    media: Pick<MediaRelay, "policy">;
    identity: { contentHosts: readonly unknown[] };
    payments: { channels: ReadonlyMap<number, Pick<PaymentProvider, "mode">> };
    mail: { mailer: unknown; sandbox: unknown };
  };
  /** Whether the operator has replaced the placeholders of name and mail address. */
  hasContact: boolean;
  calls: { liveCounts: () => LiveCounts; dayTotals: () => DayTotals };
  /** The other servers of the site; null for a single server. */
  servers: { readonly others: readonly ProcessId[] } | null;
}

/** Opens what shows the operator how the site is doing. */
export function openOperator(parts: OperatorParts): Operator {
  const { base, adapters, calls, servers } = parts;
  const { db, replica, jobs, peers, limits, clock, metrics } = base;
  const { relayPrice } = base.settings;
  storeTotals(base, () => calls.dayTotals());
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
      adminDaily: (_context, { days }) =>
        replica.read(jobs, (from) => dailyFigures(from, { days, nowMs: clock.nowMs(), relayPrice })),
      adminLive: () => live.read(),
      adminSetup: () => setupState(db, configuredItems(parts)),
    },
    routes: (app) => cspReports.route(app),
    forgetOld: () => cspReports.deleteExpired(),
    countDays: () => countDays(jobs, clock.nowMs()),
  };
}

function configuredItems({ adapters, hasContact }: OperatorParts): ConfiguredItems {
  const { media, identity, payments, mail } = adapters;
  return {
    // Only real providers load anything from other hosts.
    identity: identity.contentHosts.length > 0,
    payments: [...payments.channels.values()].some(({ mode }) => mode === "live"),
    contact: hasContact,
    relay: media.policy === "relay",
    mail: mail.mailer !== null && mail.sandbox === null,
  };
}
