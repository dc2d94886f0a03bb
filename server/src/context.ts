import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import { type Adapters, addSandboxRoutes, type GivenAdapters, openAdapters } from "#adapters/open.ts";
import { openBilling } from "#billing/open.ts";
import type { CallLocator } from "#calls/call-locator.ts";
import { type Calls, openCalls } from "#calls/open.ts";
import { DatabaseLeases } from "#db/leases.ts";
import { MailOutbox } from "#db/mail-outbox.ts";
import type { OpenedDatabase } from "#db/pool.ts";
import { Processes } from "#db/processes.ts";
import { ReadReplica } from "#db/replica.ts";
import { PauseGuard } from "#db/pause-guard.ts";
import { Drain } from "#edge/drain.ts";
import { resourceMetrics, serverMetrics } from "#edge/server-metrics.ts";
import type { PersonHomes } from "#edge/socket/person-homes.ts";
import { openDoor, openHomes, openSockets } from "#edge/open.ts";
import type { Base } from "#lib/base.ts";
import { DisposalStack } from "#lib/disposal-stack.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import { type ModerationDomain, openModeration, openTexts } from "#moderation/open.ts";
import { openOperator } from "#operator/open.ts";
import { openPeople, type People } from "#people/open.ts";
import { type Config, hasOwnContact } from "./config.ts";
import { openJobs } from "./periodic-jobs.ts";

/** What exists before the product is composed. */
export interface ContextInputs {
  config: Config;
  database: OpenedDatabase;
  serverSecret: ServerSecret;
  logger: Logger;
  /** Receives the parts of the product, which it disposes before its earlier ones; a new one by default. */
  disposal?: DisposalStack;
  /** No other server can reach the database, so every server in its list is dead. */
  isAlone?: boolean;
}

/**
 * The product, composed and not yet listening: adapters, then domains, then sockets and HTTP. Disposing ends it in the
 * opposite order: matching stops, calls end and their users are notified, sockets and HTTP close, pending writes are
 * stored, and the classifier stops last.
 */
export class AppContext implements AsyncDisposable {
  readonly http: FastifyInstance;
  readonly adapters: Pick<Adapters, "identity" | "media">;
  readonly metrics: Registry;
  /** Resolves when other servers have declared this one dead and own its calls: it has to stop. */
  readonly lost: Promise<void>;
  /** To be called before disposal; with several servers, resolves when the others have this one's users and calls. */
  readonly drain: () => Promise<void>;
  readonly #disposal: DisposalStack;

  private constructor(
    { http, adapters, metrics, lost, drain }: Pick<AppContext, "http" | "adapters" | "metrics" | "lost" | "drain">,
    disposal: DisposalStack,
  ) {
    this.http = http;
    this.adapters = adapters;
    this.metrics = metrics;
    this.lost = lost;
    this.drain = drain;
    this.#disposal = disposal;
  }

  /** Composes the product. If a part fails to start, disposes the started ones. */
  static async create(outside: ContextInputs, given: GivenAdapters = {}): Promise<AppContext> {
    const { config, serverSecret, logger, disposal = new DisposalStack() } = outside;
    try {
      const adapters = await openAdapters({ config, serverSecret, logger, given, disposal });
      const ground = await openGround(outside, adapters, disposal);
      const domains = await openDomains(config, adapters, ground);
      const { http, drain } = await openToPeople(config, { adapters, ground, domains });
      const { lost } = ground.processes;
      const { metrics } = ground.base;
      return new AppContext({ http, adapters, metrics, lost, drain: async () => drain?.run() }, disposal);
    } catch (error) {
      // The first error names the cause.
      await disposal[Symbol.asyncDispose]().catch((failed: unknown) =>
        logger.error({ err: failed }, "failed to dispose parts after a failed start"),
      );
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposal[Symbol.asyncDispose]();
  }
}

type Ground = Awaited<ReturnType<typeof openGround>>;

async function openGround(outside: ContextInputs, adapters: Adapters, disposal: DisposalStack) {
  const { config, database, serverSecret, logger, isAlone = false } = outside;
  const { clock, random, limits, peers } = adapters;
  const { db, jobs, log } = database;
  // Disposed after all calls of this server are settled, so that a clean stop leaves nothing to take over.
  const processes = disposal.use(await Processes.open({ self: peers.self, database, clock, logger, isAlone }));
  const replica = disposal.use(new ReadReplica({ url: config.databaseReplicaUrl, primary: jobs, clock, logger }));
  const leases = new DatabaseLeases({ db, processes, clock, logger });
  const pauseGuard = disposal.use(new PauseGuard({ processes, clock }));
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const base: Base = {
    settings: config.settings,
    db,
    jobs,
    replica,
    clock,
    random,
    limits,
    peers,
    serverSecret,
    mails: new MailOutbox({ isOn: adapters.mail.mailer !== null, clock, random, serverSecret }),
    metrics,
    logger,
    disposal,
  };
  return { base, database, log, processes, leases, pauseGuard };
}

type Domains = Awaited<ReturnType<typeof openDomains>>;

/** Opens the domains in order. A function parameter may use a later domain: it runs only once the server listens. */
async function openDomains(config: Config, adapters: Adapters, ground: Ground) {
  const { base, log, processes, leases } = ground;
  const { publicOrigin, peerUrl } = config;
  const pauseGuard = config.redisUrl === null ? null : ground.pauseGuard;
  const { hub, servers, door, siteBus, bus } = openSockets({
    base,
    pauseGuard,
    peerUrl: pauseGuard && peerUrl,
    searchPeopleMax: config.searchPeopleMax,
    trustedProxies: config.trustedProxies,
    rateLimitFactor: config.rateLimitFactor,
    tracer: adapters.tracer,
    verifyChatSign: (tencentId, sign, ip) => people.verifyChatSign(tencentId, sign, ip),
    homes: pauseGuard && (() => homes),
  });
  const billing = await openBilling({
    base,
    adapters,
    bus,
    filterPrices: config.settings.prices,
    isStoppedByAge: (userId) => people.isStoppedByAge(userId),
    entry: config.gatewayEntry,
    publicOrigin,
  });
  const texts = openTexts({ base });
  const people: People = await openPeople({
    base,
    adapters,
    bus,
    sockets: hub,
    siblings: pauseGuard && processes,
    publicOrigin,
    billing,
    texts: texts.rules,
    moderation: () => moderation.forPeople,
    calls: () => calls.forPeople,
  });
  const moderation: ModerationDomain = openModeration({
    base,
    adapters,
    bus,
    ledger: billing.ledger,
    texts,
    people,
    calls: () => calls.forModeration,
  });
  const calls: Calls = await openCalls({
    base,
    adapters,
    log,
    bus,
    hub,
    site: pauseGuard && { leases, servers, homes: () => homes },
    processes,
    ledger: billing.ledger,
    prices: billing.prices,
    chatFilter: texts.filter,
    people,
    moderation: moderation.service,
    conduct: moderation.conduct,
    frameSample: moderation.frameSample,
  });
  const homes: PersonHomes = openHomes({ ground, adapters, hub, siteBus, people, calls, locator: () => locator });
  const locator: CallLocator | null = await calls.recover();
  const operator = openOperator({ base, adapters, calls, servers, hasContact: hasOwnContact(config.settings) });
  return { hub, servers, door, siteBus, locator, homes, billing, people, moderation, calls, operator };
}

interface Opened {
  adapters: Adapters;
  ground: Ground;
  domains: Domains;
}

/** Jobs, HTTP and sockets: started last, stopped first. */
async function openToPeople(config: Config, { adapters, ground, domains }: Opened) {
  const { base, processes, leases } = ground;
  const { hub, servers, door, siteBus, locator, homes, billing, people, moderation, calls, operator } = domains;
  const { matches, rooms } = calls;
  const { replica, clock, peers, metrics, logger, disposal } = base;
  const jobs = openJobs({ base, database: ground.database, domains });
  const open = () => servers?.open ?? null;
  const passing = () => door?.openCount ?? 0;
  const stopping = { hub, matches: calls, calls: rooms, passing, open, processes, leases, drainMs: config.drainMs };
  const drain = siteBus && new Drain({ ...stopping, clock, logger });
  serverMetrics(metrics, { hub, peers, replica, blobs: adapters.blobs, drain, homes });
  const { database } = ground;
  resourceMetrics(metrics, {
    database,
    dataDirectory: config.dataDirectory,
    redisMemory: adapters.redisMemory,
    logger,
  });
  const http = await openDoor({
    base,
    adapters,
    config,
    hub,
    servers,
    siteBus,
    homes,
    drain,
    sessions: people.sessions,
    addresses: people.addresses,
    inspection: calls.inspection,
    facts: () => ({ ...calls.facts(), isLeaving: drain?.isDraining ?? false }),
    isBusy: calls.isBusy,
    listeners: [...moderation.listeners, ...people.listeners, ...calls.listeners, ...(locator ? [locator] : [])],
    handlers: {
      ...billing.handlers,
      ...people.handlers,
      ...moderation.handlers,
      ...calls.handlers,
      ...operator.handlers,
      ...jobs.handlers,
    },
    routes: (app) => addRoutes(app, { adapters, domains }),
  });
  // The calls of a server that was declared dead belong to another one.
  disposal.defer("calls", () => (processes.isLost ? undefined : rooms.endAll()));
  disposal.use(matches);
  disposal.defer("take-over of dead servers", () => processes.drain());
  if (drain) disposal.use(drain);
  return { http, drain };
}

/** Routes that are no endpoints: pictures, files, sandbox pages, webhooks. */
async function addRoutes(app: FastifyInstance, { adapters, domains }: Omit<Opened, "ground">): Promise<void> {
  const { billing, people, moderation, operator } = domains;
  await people.routes(app);
  moderation.routes(app);
  await billing.routes(app);
  await operator.routes(app);
  const issueNonce = async () => (await people.sessions.prepare()).nonce;
  await addSandboxRoutes(app, { adapters, issueNonce, giveBeans: billing.giveBeans });
}
