import type { FastifyInstance } from "fastify";
import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import { sandboxIdentityRoutes } from "#adapters/identity/sandbox/sandbox-routes.ts";
import { sandboxPaymentRoutes } from "#adapters/payments/sandbox/payment-routes.ts";
import { sandboxPushRoutes } from "#adapters/push/sandbox-pusher.ts";
import { beanHandlers } from "#billing/bean-routes.ts";
import { Gateway, gatewayRoute } from "#billing/gateway.ts";
import { Ledger } from "#billing/ledger.ts";
import { OrderChecks, OrderMaker } from "#billing/order-maker.ts";
import { OrderService } from "#billing/order-service.ts";
import { payImageRoutes } from "#billing/pay-methods.ts";
import { ShopPriceBook } from "#billing/price-book.ts";
import { RechargeTokens } from "#billing/recharge-tokens.ts";
import { Reconciliation, untilNight } from "#billing/reconciliation.ts";
import { shopAdminHandlers } from "#billing/shop-admin.ts";
import { shopHandlers } from "#billing/shop-routes.ts";
import { grantPromo } from "#billing/wallet.ts";
import { webhookRoute } from "#billing/webhook-route.ts";
import { unusedPurchases, Withdrawals } from "#billing/withdrawals.ts";
import { CallAdoption } from "#calls/call-adoption.ts";
import { CallStore } from "#calls/call-store.ts";
import { Guests } from "#calls/guests.ts";
import { InspectionService } from "#calls/inspection-service.ts";
import { inspectionSettingsDefault } from "#calls/inspection-settings.ts";
import { frameHandlers } from "#calls/frame-routes.ts";
import { answeredAtHome, matchHandlers } from "#calls/match-routes.ts";
import { type MatchGate, MatchService } from "#calls/match-service.ts";
import { openMeters } from "#calls/meter-service.ts";
import { netCostOf } from "#calls/meter-store.ts";
import { recoverCalls, RunningCalls } from "#calls/room-claims.ts";
import { RoomEvents } from "#calls/room-events.ts";
import { CallService } from "#calls/room-service.ts";
import { SiteMatchPool } from "#calls/site-match-pool.ts";
import { unwrittenCalls } from "#calls/unwritten-calls.ts";
import { DatabaseLeases } from "#db/leases.ts";
import { Processes } from "#db/processes.ts";
import { ReadReplica } from "#db/replica.ts";
import { Standstill } from "#db/standstill.ts";
import type { Database } from "#db/schema.ts";
import { buildHttp, type HttpSide } from "#edge/http/build-http.ts";
import { Hub } from "#edge/socket/hub.ts";
import { SiteBus } from "#edge/socket/site-bus.ts";
import { PersonHomes } from "#edge/socket/person-homes.ts";
import { SessionHandover } from "#edge/socket/session-handover.ts";
import { DisposalStack } from "#lib/disposal-stack.ts";
import { pushOwnDataChanged, pushOwnDataOnChange } from "#lib/own-data-pushes.ts";
import { Periodic, periodicBy } from "#lib/tasks.ts";
import { AppealAnswers } from "#moderation/appeal-answers.ts";
import { appealAnswerHandlers, appealHandlers } from "#moderation/appeal-routes.ts";
import { AppealService } from "#moderation/appeal-service.ts";
import { CallEvidence } from "#moderation/call-evidence.ts";
import { CaseService } from "#moderation/case-service.ts";
import { findClusters } from "#moderation/clusters.ts";
import { ConductService } from "#moderation/conduct-service.ts";
import { Decisions } from "#moderation/decisions.ts";
import { deskHandlers } from "#moderation/desk-routes.ts";
import { DeskService } from "#moderation/desk-service.ts";
import { EvidenceAccess, evidenceRoute } from "#moderation/evidence-access.ts";
import { moderationHandlers } from "#moderation/moderation-routes.ts";
import { ModerationService } from "#moderation/moderation-service.ts";
import { ReportOutcomes } from "#moderation/report-outcomes.ts";
import { reportHandlers } from "#moderation/report-routes.ts";
import { textHandlers } from "#moderation/text-routes.ts";
import { ReportService, type ReportServiceOptions } from "#moderation/report-service.ts";
import { maskContacts } from "#moderation/text-service.ts";
import { runModerationUpkeep } from "#moderation/upkeep.ts";
import { accountHandlers } from "#people/account-routes.ts";
import { AccountService, type AccountServiceOptions } from "#people/account-service.ts";
import { unreadTotal } from "#people/conversation-rows.ts";
import { countryHandlers } from "#people/country-routes.ts";
import { CountryService } from "#people/country-service.ts";
import { Erasure, type ErasureParts } from "#people/erasure.ts";
import { exportRoute, ExportService, type ExportServiceOptions } from "#people/export-service.ts";
import { ImageReview } from "#people/image-review.ts";
import { imageHandlers } from "#people/image-routes.ts";
import { ImageService } from "#people/image-service.ts";
import { mediaRoutes } from "#people/media-route.ts";
import { messageHandlers } from "#people/message-routes.ts";
import { MessageService } from "#people/message-service.ts";
import { ensureOfficial } from "#people/official.ts";
import { matchTellHandlers, notificationHandlers } from "#people/notification-routes.ts";
import { profileHandlers, talkHandlers } from "#people/profile-routes.ts";
import { ProfileService } from "#people/profile-service.ts";
import { keepForgetting } from "#people/retention.ts";
import { ringHandlers } from "#people/ring-routes.ts";
import { orAcceptedRing } from "#people/ring-service.ts";
import { seedPeople } from "#people/seed.ts";
import { sessionHandlers } from "#people/session-routes.ts";
import { SessionService } from "#people/session-service.ts";
import { socialHandlers } from "#people/social-routes.ts";
import { SocialService } from "#people/social-service.ts";
import { StandingMessages } from "#people/standing-messages.ts";
import { TalkService } from "#people/talk-service.ts";
import { TextQuestionService } from "#people/text-question-service.ts";
import { TypingIndicators } from "#people/typing-indicators.ts";
import type { Bus } from "#ports/bus.ts";
import type { Leases } from "#ports/leases.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { appMetrics } from "./app-metrics.ts";
import { type ChosenPayments } from "./choose-adapters.ts";
import type { Config } from "./config.ts";
import { Drain } from "./drain.ts";
import { callCutter, sharePeerNews } from "./peer-news.ts";
import { type Adapters, type GivenAdapters, openAdapters, type Outside } from "./open-adapters.ts";
import { openCallDays } from "./open-call-days.ts";
import { openNotifications } from "./open-notifications.ts";
import { openRings } from "./open-rings.ts";
import { beginAtSite, openSiteServers } from "./open-site-servers.ts";
import { openTells } from "./open-tells.ts";
import { openTexts } from "./open-texts.ts";
import { openSiteFrames } from "./site-frames.ts";

/** What everything is made from. */
interface Base extends Adapters {
  config: Config;
  settings: Config["settings"];
  db: Kysely<Database>;
  /** The same for work that may take long. */
  jobs: Kysely<Database>;
  /** The same for the call log alone. */
  log: Kysely<Database>;
  /** A copy that may be some seconds old, or the same where there is none. */
  replica: ReadReplica;
  /** The processes over this database, this one among them. */
  processes: Processes;
  /** Who of them does what only one may do. */
  leases: Leases;
  /** Those of them that this process has. */
  ownLeases: Pick<DatabaseLeases, "letGo">;
  serverSecret: string;
  logger: Logger;
  /** Takes each part where it is made, and ends the latest first. */
  disposal: DisposalStack;
}

/** Open sockets, searches and rooms that one process takes. */
const socketsMax = 50_000;
const searchesMax = 50_000;
const roomsMax = 25_000;
/** Of all pictures of calls that are remembered: some 2,000 calls. */
const inspectionBytesMax = 256 * 1_048_576;

/** What calls cost and were is written down at a stop: that may take as long as a statement may. */
const writing = { limitMs: 12_000 };

const minuteMs = 60_000;
const ordersPolledEveryMs = 15_000;
const moderationUpkeepEveryMs = 5 * minuteMs;
const accountsTidiedEveryMs = 10 * minuteMs;
const clustersSoughtEveryMs = 60 * minuteMs;
const picturesForgottenEveryMs = 60 * minuteMs;

/**
 * The product, put together and not yet listening: adapters, services, each on what stands before it, and last what people
 * reach them through. Disposing ends it in the opposite order: nobody is matched any more, calls end as what they are,
 * people hear of it, sockets and HTTP close, what is left is written, and the classifier goes last.
 */
export class AppContext implements AsyncDisposable {
  readonly http: FastifyInstance;
  readonly adapters: Pick<Adapters, "identity" | "media">;
  /** Resolves when other processes have taken this one for dead, and have its calls: it is to end. */
  readonly lost: Promise<void>;
  /** Before it is disposed, where it is one of several: resolves when others have its people and its calls are over. */
  readonly drain: () => Promise<void>;
  readonly #disposal: DisposalStack;

  private constructor(
    { http, adapters, lost, drain }: Pick<AppContext, "http" | "adapters" | "lost" | "drain">,
    disposal: DisposalStack,
  ) {
    this.http = http;
    this.adapters = adapters;
    this.lost = lost;
    this.drain = drain;
    this.#disposal = disposal;
  }

  /** Joins everything; what had begun is ended again where something cannot begin. */
  static async create(outside: Outside, overrides: GivenAdapters = {}): Promise<AppContext> {
    const { disposal = new DisposalStack() } = outside;
    try {
      const adapters = await openAdapters(outside, overrides, disposal);
      const { config, database, serverSecret, logger, isAlone = false } = outside;
      const { db, jobs, log } = database;
      // Ended when everything that this process had is settled, so that a clean stop leaves nothing to be taken over.
      const processes = disposal.use(
        await Processes.open({ self: adapters.peers.self, ...adapters, database, logger, isAlone }),
      );
      const replica = disposal.use(
        new ReadReplica({ ...adapters, url: config.databaseReplicaUrl, primary: jobs, logger }),
      );
      const leases = new DatabaseLeases({ ...adapters, db, processes, logger });
      const shared = { db, jobs, log, replica, processes, leases, ownLeases: leases };
      const own = { ...shared, config, settings: config.settings, serverSecret, logger, disposal };
      const base = { ...adapters, ...own };
      const services = await openServices(base);
      const http = await openToPeople(base, services);
      const drain = () => services.drain?.run() ?? Promise.resolve();
      return new AppContext({ http, adapters, lost: processes.lost, drain }, disposal);
    } catch (error) {
      // Why it could not begin says more than why it could not be ended.
      await disposal[Symbol.asyncDispose]().catch((failed: unknown) =>
        outside.logger.error({ err: failed }, "what had begun could not be ended"),
      );
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposal[Symbol.asyncDispose]();
  }
}

type Services = Awaited<ReturnType<typeof openServices>>;

/** Every service, each after those that it stands on. */
async function openServices(base: Base) {
  const ground = await openGround(base);
  const { config, payments, disposal } = base;
  const { publicOrigin, gatewayEntry: entry } = config;
  const shop = openShop({ ...base, ...ground, ...payments, entry, publicOrigin }, disposal);
  const rooms = await openRooms(base, ground);
  const people = openPeople(base, { ...ground, ...rooms });
  const safety = await openSafety(base, { ...ground, ...rooms, ...people });
  const matches = openMatching(base, { ...ground, ...rooms, ...people, ...safety });
  const rings = openRings({ ...base, ...ground, ...rooms, ...people, matches });
  const tells = openTells({ ...base, ...ground, ...people, ...safety, matches });
  const frames = openSiteFrames({ ...base, ...ground, ...safety });
  sharePeerNews({ ...base, ...ground, ...rooms, ...people, ...safety });
  // Who hears of what happens in rooms, each event in this order.
  rooms.roomEvents.deliverTo([safety.meters, safety.conduct, safety.inspection, matches]);
  const recovery = await recoverCalls(base.processes, {
    ...base,
    ledger: ground.ledger,
    log: rooms.log,
    adoption: openAdoption(base, { ...ground, ...rooms, ...people, ...safety }, matches),
  });
  const { moderation, inspection: live } = safety;
  const callEvidence = disposal.use(new CallEvidence({ ...base, moderation, live }));
  const accounts = await openAccounts(
    {
      ...base,
      ...people,
      sessions: ground.sessions,
      balances: ground.ledger,
      moderation,
      callEvidence,
      calls: matches,
      withdrawals: shop.withdrawals,
      self: base.processes.self,
    },
    disposal,
  );
  const desk = openDesk(base, { ...ground, ...rooms, ...people, ...safety });
  const drain =
    ground.siteBus &&
    new Drain({ ...base, ...ground, ...rooms, leases: base.ownLeases, matches, drainMs: config.drainMs });
  return {
    ...ground,
    ...rooms,
    ...people,
    ...safety,
    ...desk,
    shop,
    matches,
    rings,
    tells,
    recovery,
    frames,
    accounts,
    drain,
  };
}

/** What everything else stands on: who is signed in, the socket, the ledger, prices, the official account. */
async function openGround(base: Base) {
  const { config, settings, db, clock, random, serverSecret, identity, logger, disposal } = base;
  if (identity.seedPeople.length > 0) {
    await seedPeople({ db, clock, random, serverSecret, people: identity.seedPeople });
  }
  const sessions = new SessionService({ ...base, providers: identity.providers, log: logger });
  const { servers, entrance } = openSiteServers(base);
  const hub = new Hub({
    ...base,
    ...entrance,
    verifyChatSign: (tencentId, sign) => sessions.verifyChatSign(tencentId, sign),
    limitFactor: config.rateLimitFactor,
    socketsMax,
  });
  // One process for all asks no other where anybody is.
  const standstill = disposal.use(new Standstill(base));
  const siteBus = config.redisUrl === null ? null : disposal.use(new SiteBus({ ...base, hub, standstill }));
  const bus: Bus = siteBus ?? hub;
  const runningCalls = new RunningCalls(base);
  const guests = siteBus && disposal.use(new Guests({ ...base, hub, standstill, runningCalls }));
  const handover = guests && disposal.use(new SessionHandover({ ...base, hub, siteBus, guests }));
  if (handover) hub.fetchFrom((userId, from) => handover.fetch(userId, from));
  const ledger = new Ledger({ db, clock });
  disposal.use(pushOwnDataOnChange(ledger, bus), { name: "pushes of balances" });
  const prices = await ShopPriceBook.open(db, { prices: settings.prices, at: new Date(clock.nowMs()) });
  const official = await ensureOfficial({ db, clock, random, email: settings.contact.email });
  disposal.use(keepForgetting({ ...base, db: base.jobs }), { name: "retention" });
  return { sessions, hub, servers, siteBus, guests, runningCalls, handover, bus, ledger, prices, official };
}

type Ground = Awaited<ReturnType<typeof openGround>>;

interface ShopParts extends Pick<Base, "db" | "limits" | "shortMemory" | "clock" | "random" | "leases" | "logger"> {
  jobs: Base["jobs"];
  ledger: Ledger;
  prices: ShopPriceBook;
  /** Which provider serves a channel of the payment entry. */
  channels: ChosenPayments["channels"];
  /** Any provider that has orders, also one that serves no channel any more. */
  providerById: ChosenPayments["providerById"];
  /** Path of the payment entry. */
  entry: string;
  /** Our own origin; null: the one that each request names. */
  publicOrigin: string | null;
}

export type Shop = ReturnType<typeof openShop>;

/** Orders, the payment entry, webhooks, and what runs beside them. */
export function openShop(parts: ShopParts, disposal: DisposalStack) {
  const { prices, channels } = parts;
  const orders = new OrderService(parts);
  const checks = new OrderChecks({ ...parts, orders });
  const withdrawals = new Withdrawals({ ...parts, orders });
  const tokens = new RechargeTokens(parts);
  const orderMaker = new OrderMaker({ ...parts, orders });
  const gateway = new Gateway({ ...parts, tokens, orderMaker, prices, channels });
  const reconciliation = new Reconciliation({ ...parts, db: parts.jobs, orders });
  const every = periodicBy(parts, disposal);
  every("order checks", { pauseMs: () => ordersPolledEveryMs, work: () => checks.runDue() });
  every("refunds", { pauseMs: () => ordersPolledEveryMs, work: () => withdrawals.runDue() });
  every("reconciliation", { pauseMs: untilNight, work: async () => void (await reconciliation.run()) });
  // What is read into the memory of each process, each reads.
  const refreshed = { name: "prices", pauseMs: () => ordersPolledEveryMs, work: () => prices.refresh() };
  disposal.use(new Periodic({ ...parts, ...refreshed }), refreshed);
  return {
    orders,
    checks,
    withdrawals,
    reconciliation,
    handlers: {
      ...shopHandlers({ ...parts, tokens, checks, withdrawals }),
      ...shopAdminHandlers({ ...parts, orders }),
    },
    routes: async (app: FastifyInstance): Promise<void> => {
      await gatewayRoute(app, { ...parts, gateway });
      payImageRoutes(app);
      await webhookRoute(app, { ...parts, orders });
    },
  };
}

/** The rooms, what becomes of a chat line in them, and the stream of what happens there. */
async function openRooms(base: Base, { bus, guests }: Ground) {
  const { clock, random, media, processes, tracer, logger, disposal } = base;
  const callDays = await openCallDays(base);
  const log = disposal.use(new CallStore({ db: base.log, self: processes.self, clock, logger }), writing);
  const texts = openTexts(base);
  const roomEvents = new RoomEvents({ logger });
  const options = { bus, media, log, chatFilter: texts.filter, events: roomEvents, clock, random, tracer, roomsMax };
  const calls = new CallService({ ...options, ...(guests && { guests }) });
  return { log, ...texts, roomEvents, callDays, calls };
}

type Rooms = Awaited<ReturnType<typeof openRooms>>;

/** Who people are to each other and to themselves: relations, messages, pictures, profiles. */
function openPeople(base: Base, parts: Ground & Rooms) {
  const { settings, db, disposal } = base;
  const { bus, guests, sessions, ledger, official, calls, texts } = parts;
  const own = { ...base, bus };
  const unread = (userId: bigint) => unreadTotal(db, userId);
  const told = { unreadTotal: unread, unwrittenCalls: unwrittenCalls({ ...base, calls }) };
  const social = disposal.use(new SocialService({ ...own, ...told, ...(guests && { site: base }) }));
  const otherInCall = (userId: bigint) => calls.otherIn(userId) ?? guests?.hostedWith(userId) ?? null;
  const typing = disposal.use(new TypingIndicators({ ...own, otherInCall }));
  const { turns } = social;
  const standing = new StandingMessages({ ...own, turns });
  const notifications = openNotifications({ ...base, sessions });
  const messages = new MessageService({ ...own, directory: social, turns, standing, texts, official, notifications });
  const images = new ImageService({ ...base, isShadow: settings.moderation.shadow });
  const review = new ImageReview({ ...own, images });
  const forgetting = { pauseMs: () => picturesForgottenEveryMs, work: () => images.forgetStale() };
  periodicBy(base, disposal)("unused pictures", forgetting);
  const known = { sessions, balances: ledger, directory: social, messaging: messages };
  const profiles = new ProfileService({ ...base, ...known, texts, images });
  review.onAvatar((userId) => profiles.forget(userId));
  const talk = new TalkService({ ...base, forget: (userId) => profiles.forget(userId) });
  return { social, typing, messages, images, review, profiles, talk, notifications };
}

type People = ReturnType<typeof openPeople>;

/** What calls cost, what follows from how people behave in them, and what looks at their pictures. */
async function openSafety(base: Base, parts: Ground & Rooms & People) {
  const { settings, jobs, clock, logger, disposal } = base;
  const { bus, sessions, ledger, calls, filter, counting, findings, notifications } = parts;
  const { botsDryRun, shadow: isShadow } = settings.moderation;
  const meters = disposal.use(openMeters({ ...base, ledger, bus, calls, ownPauseMs: settings.ownPauseMs }), writing);
  const moderation = new ModerationService({
    ...base,
    bus,
    sanctions: {
      banNotice: (userId) => sessions.banNotice(userId),
      endSessions: (userId) => sessions.endAllOf(userId, "banned"),
      cutCall: callCutter(base.peers, calls),
      returnBeans: async (callId, userId) =>
        void (await meters.creditCall({ callId, userId, reason: "moderated_call" })),
    },
  });
  const { evidence, pendingCredits } = moderation;
  disposal.use(moderation.warnings);
  const answers = disposal.use(new AppealAnswers({ ...base, notifications }));
  const inspected = { settings: { ...inspectionSettingsDefault, isShadow }, memoryBytesMax: inspectionBytesMax };
  const inspection = disposal.use(new InspectionService({ ...base, bus, calls, meters, moderation, ...inspected }));
  const linesOf: InspectionService["linesOf"] = (about) => inspection.linesOf(about);
  const noticing = { filter, findings, counting, linesOf };
  const conduct = disposal.use(new ConductService({ clock, logger, moderation, ...noticing, botsDryRun }));
  const every = periodicBy(base, disposal);
  every("clusters", {
    pauseMs: () => clustersSoughtEveryMs,
    work: async () => void (await findClusters({ db: jobs, clock, moderation, dryRun: botsDryRun })),
  });
  every("moderation upkeep", {
    pauseMs: () => moderationUpkeepEveryMs,
    work: () => runModerationUpkeep({ db: jobs, clock, logger, evidence, pendingCredits, answers }),
  });
  const gate: MatchGate = { restrictionsOf: (userId) => moderation.restrictionsOf(userId) };
  return { meters, moderation, answers, conduct, inspection, gate };
}

type Safety = Awaited<ReturnType<typeof openSafety>>;

/** Searching, as the blocks and rematch requests of people allow it. Ended by `openToPeople`. */
function openMatching(base: Base, parts: Ground & Rooms & People & Safety): MatchService {
  const { bus, guests, calls, profiles, prices, social, meters, inspection, gate } = parts;
  const site = { ...base, capacityMax: searchesMax, blocks: social.blocks };
  const matches = new MatchService({
    ...base,
    ...(guests && { site: { guests, openPool: (nowMs) => new SiteMatchPool({ ...site, nowMs }) } }),
    bus,
    calls,
    people: profiles,
    exclusions: social.blocks,
    rematchRequests: orAcceptedRing(social, base),
    gate,
    availableBalances: meters,
    checks: inspection.search,
    prices,
    searchesMax,
  });
  social.onBlocked((blockerId, blockedId) => matches.part(blockerId, blockedId));
  guests?.attach([social.blocks, matches, inspection.search], matches);
  return matches;
}

/** What goes on with calls of processes that have died. */
function openAdoption(base: Base, parts: Ground & Rooms & People & Safety, matches: MatchService): CallAdoption {
  const { profiles: people, moderation: gate, meters: availableBalances } = parts;
  return base.disposal.use(new CallAdoption({ ...base, ...parts, people, gate, availableBalances, matches }));
}

interface AccountParts
  extends
    Pick<Base, "db" | "jobs" | "clock" | "leases" | "logger" | "limits" | "serverSecret">,
    Pick<AccountServiceOptions, "places" | "calls" | "balances">,
    Pick<ExportServiceOptions, "replica" | "blobs">,
    Pick<ReportServiceOptions, "callEvidence"> {
  moderation: ReportServiceOptions["moderation"] & ExportServiceOptions["moderation"];
  sessions: AccountServiceOptions["sessions"] & ExportServiceOptions["sessions"];
  social: AccountServiceOptions["people"] & ReportServiceOptions["directory"];
  messages: ErasureParts["messages"];
  images: ErasureParts["images"];
  withdrawals: { withdraw(userId: bigint, orderNo: string): Promise<void> };
  /** This process. */
  self: ProcessId;
}

/** A person's account as a whole, and reports about others; nothing is erased or prepared once disposal began. */
export async function openAccounts(parts: AccountParts, disposal: DisposalStack) {
  const { db, jobs, clock, social, withdrawals } = parts;
  const accounts = new AccountService({
    ...parts,
    people: social,
    purchases: {
      unused: (userId) => unusedPurchases(db, userId, new Date(clock.nowMs())),
      refund: (userId, orderNo) => withdrawals.withdraw(userId, orderNo),
    },
  });
  const exports = disposal.use(new ExportService(parts));
  await exports.recover();
  const reports = disposal.use(new ReportService({ ...parts, directory: social }));
  const erasure = new Erasure({ ...parts, db: jobs, refunds: accounts, exports });
  const every = periodicBy(parts, disposal);
  every("exports", { pauseMs: () => accountsTidiedEveryMs, work: () => exports.tidy() });
  every("erasure", { pauseMs: () => accountsTidiedEveryMs, work: () => erasure.runDue() });
  disposal.defer("Erasure", () => erasure.stop());
  return {
    exports,
    erasure,
    handlers: { ...accountHandlers({ accounts, exports }), ...reportHandlers(reports) },
    routes: (app: FastifyInstance): void => exportRoute(app, exports),
  };
}

/** What moderators work with, and appeals. */
function openDesk(base: Base, parts: Ground & Rooms & People & Safety) {
  const { db, clock, classifier, settings, disposal } = base;
  const { bus, sessions, ledger, profiles, notifications, moderation, answers, inspection, images } = parts;
  const { evidence, pendingCredits } = moderation;
  const evidenceAccess = new EvidenceAccess({ db, clock, evidence });
  const profileChanged = (userId: bigint) => {
    profiles.forget(userId);
    pushOwnDataChanged(bus, userId);
  };
  const desk = new DeskService({
    ...base,
    ...parts,
    profileChanged,
    refreshSession: (userId) => sessions.refresh(userId),
  });
  const cases = new CaseService({
    db,
    clock,
    evidence,
    person: (reader, userId) => desk.person(reader, userId),
    mask: maskContacts,
    images,
    inspection: () => {
      if (!classifier) return "off";
      if (!inspection.isChecking()) return "down";
      return settings.moderation.shadow ? "shadow" : "on";
    },
  });
  const outcomes = disposal.use(new ReportOutcomes({ ...base, bus, notifications }));
  const appeals = new AppealService({
    db,
    clock,
    sessions,
    balances: ledger,
    callCost: (callId, userId) => netCostOf(db, { callId, userId }),
    pendingCredits,
    changed: (userId) => moderation.changed(userId),
    outcomes,
    answers,
    caseDetail: (viewer, caseId) => cases.read(viewer, caseId),
  });
  const decisions = new Decisions({ db, clock, outcomes, moderation });
  const questions = disposal.use(new TextQuestionService({ ...base, ...parts, profileChanged }));
  return { evidenceAccess, desk, cases, appeals, outcomes, decisions, questions };
}

/** HTTP and the socket. From here on people may come, so this is what ends first. */
async function openToPeople(base: Base, services: Services): Promise<FastifyInstance> {
  const { hub, servers, siteBus, guests, drain, moderation, social, typing, inspection, matches, calls } = services;
  const { disposal, processes } = base;
  const { app: http, answerSocketRequest } = await openHttp(base, services);
  disposal.defer("HTTP", () => http.close());
  const replaced = (userId: bigint) => hub.disconnect(userId, socketCloseCodes.replaced);
  const ownedHere = (userId: bigint) => social.presence.ownedHere(userId);
  const homes = disposal.use(new PersonHomes({ ...base, guests, replaced, ownedHere }));
  // Who hears of people coming and going, in this order.
  const listeners = [
    moderation.warnings,
    services.outcomes,
    services.questions,
    services.messages,
    social.presence,
    typing,
    services.rings,
    ...(guests ? [guests] : [social.blocks, matches, inspection.search]),
    ...(siteBus ? [homes, siteBus] : [homes]),
    ...beginAtSite(servers, services),
  ];
  disposal.use(hub.attach(http.server, listeners, answerSocketRequest), { name: "new sockets" });
  disposal.use(hub);
  // Of a process that was taken for dead they are another's.
  disposal.defer("calls", () => (processes.isLost ? undefined : calls.endAll()));
  disposal.use(matches);
  disposal.defer("take-over of dead servers", () => processes.drain());
  if (drain) disposal.use(drain);
  return http;
}

/** Every call and page of the product over these services; not yet listening. */
function openHttp(base: Base, services: Services): Promise<HttpSide> {
  const { config, settings, db, clock, identity, limits, nonces, engineChecks, logger, blobs } = base;
  const { sessions } = services;
  return buildHttp({
    logger,
    clock,
    appKey: config.appKey,
    trustedProxies: config.trustedProxies,
    metrics: appMetrics({ ...base, ...services }),
    production: settings.mode === "production",
    contentHosts: identity.contentHosts,
    webDirectory: config.webDirectory,
    publicOrigin: config.publicOrigin,
    operator: settings.contact,
    languages: settings.offeredLanguages,
    loginTypes: identity.providers.map(({ loginType }) => loginType),
    limits,
    nonces,
    authenticate: (token) => sessions.authenticate(token),
    frameFailed: () => services.inspection.frameFailed(),
    followLanguage: (userId, language) => sessions.followLanguage(userId, language),
    readyChecks: { database: async () => void (await sql`select 1`.execute(db)) },
    isDraining: () => services.drain?.isDraining ?? false,
    engineChecks: { ...engineChecks, ...(config.bucket && { bucket: () => blobs.check() }) },
    handlers: handlersOf(base, services),
    plugins: (app) => addRoutes(app, base, services),
  });
}

/** Every signed call. */
function handlersOf({ db, jobs, replica, clock, random, media, places, settings, peers }: Base, services: Services) {
  const { sessions, bus, ledger, prices, official, shop, social, images, review, matches, calls, desk, guests } =
    services;
  const { runningCalls } = services;
  const matching = {
    ...matchHandlers({ matches, calls, runningCalls, peers, media, random }),
    ...ringHandlers(services.rings),
  };
  return {
    ...sessionHandlers(sessions, clock, services.notifications),
    ...profileHandlers(services.profiles),
    ...talkHandlers(services.talk),
    ...notificationHandlers(services.notifications),
    ...matchTellHandlers(services.tells),
    ...answeredAtHome(matching, { bus, peers, guests, clock }),
    ...beanHandlers({ db, clock, ledger, prices }),
    ...countryHandlers(new CountryService(settings, prices, official.externalId), bus, places),
    ...shop.handlers,
    ...socialHandlers({ db, replica, clock, social }),
    ...messageHandlers(services.messages),
    ...imageHandlers(images, review),
    ...services.accounts.handlers,
    ...moderationHandlers(services),
    ...deskHandlers(desk, { jobs, replica, clock }),
    ...textHandlers({ db, clock, findings: services.findings, texts: services.texts }),
    ...appealHandlers(services.appeals),
    ...appealAnswerHandlers(services.appeals, services.answers),
    ...frameHandlers(services.frames),
  };
}

/** Whatever is no signed call: pictures, files, pages of the sandbox, webhooks. */
async function addRoutes(
  app: FastifyInstance,
  { db, blobs, identity, payments, push }: Base,
  { images, accounts, evidenceAccess, shop, sessions, ledger, frames }: Services,
): Promise<void> {
  mediaRoutes(app, { blobs, isPublic: (key) => images.isPublic(key), addresses: images.addresses });
  accounts.routes(app);
  await frames.addRoutes(app);
  evidenceRoute(app, evidenceAccess);
  await shop.routes(app);
  if (push.sandbox) await sandboxPushRoutes(app, push.sandbox);
  if (payments.sandbox) await sandboxPaymentRoutes(app, payments.sandbox);
  const { sandbox } = identity;
  if (!sandbox) return;
  await sandboxIdentityRoutes(app, {
    sandbox,
    issueNonce: async () => (await sessions.prepare()).nonce,
    /** Beans for the people of the sandbox, by their number. */
    giveBeans: (userNo, beans) => grantPromo({ db, ledger }, { userNo, beans }),
  });
}
