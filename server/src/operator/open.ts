import type { FastifyInstance } from "fastify";
import type { Base } from "#lib/base.ts";
import { Periodic } from "#lib/tasks.ts";
import { queueStates } from "#moderation/queue-states.ts";
import type { Handlers } from "#ports/handlers.ts";
import type { LiveCounts } from "#ports/live-counts.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { PaymentProvider } from "#ports/payments.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { CspReports } from "./csp-reports.ts";
import { addWaits, countDays, dailyFigures } from "./daily-figures.ts";
import { LiveTab } from "./live.ts";
import { type ConfiguredItems, setupState } from "./setup.ts";

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
  calls: { liveCounts: () => LiveCounts; waits: () => Waits };
  /** The other servers of the site; null for a single server. */
  servers: { readonly others: readonly ProcessId[] } | null;
}

type Waits = Readonly<Record<string, readonly number[]>>;

/** Waits are counted in memory; after this time at most they are in the database. */
const waitsStoredEveryMs = 600_000;

/** Opens what shows the operator how the site is doing. */
export function openOperator(parts: OperatorParts): Operator {
  const { base, adapters, calls, servers } = parts;
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
