import type { FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import { MmdbPlaces } from "#adapters/geo/mmdb-places.ts";
import { HttpsAvatars } from "#adapters/identity/https-avatars.ts";
import { SandboxAvatars } from "#adapters/identity/sandbox/portrait.ts";
import { systemClock } from "#adapters/local/clock.ts";
import { systemRandom } from "#adapters/local/random.ts";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { CoturnRelay } from "#adapters/media/coturn-relay.ts";
import { DirectMedia } from "#adapters/media/direct-media.ts";
import { beanHandlers } from "#billing/bean-routes.ts";
import { Ledger } from "#billing/ledger.ts";
import { Periodic } from "#lib/tasks.ts";
import { ShopPriceBook } from "#billing/price-book.ts";
import { supportGift } from "#billing/wallet.ts";
import { unusedPurchases } from "#billing/withdrawals.ts";
import { CallStore } from "#calls/call-store.ts";
import type { InspectionService } from "#calls/inspection-service.ts";
import { MatchService } from "#calls/match-service.ts";
import { MeterService } from "#calls/meter-service.ts";
import { MeterWork, recoverMeters } from "#calls/meter-store.ts";
import { RoomEvents } from "#calls/room-events.ts";
import { CallService } from "#calls/room-service.ts";
import type { OpenedDatabase } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { addressReader, Hub } from "#edge/socket/hub.ts";
import { pushOwnDataChanged } from "#lib/own-data-pushes.ts";
import type { ModerationService } from "#moderation/moderation-service.ts";
import { reportHandlers } from "#moderation/report-routes.ts";
import { ReportService, type ReportServiceOptions } from "#moderation/report-service.ts";
import { accountHandlers } from "#people/account-routes.ts";
import { AccountService, type AccountServiceOptions } from "#people/account-service.ts";
import { Erasure, type ErasureParts } from "#people/erasure.ts";
import { exportRoute, ExportService, type ExportServiceOptions } from "#people/export-service.ts";
import { ensureOfficial } from "#people/official.ts";
import { ProfileService } from "#people/profile-service.ts";
import { seedPeople } from "#people/seed.ts";
import { type EndedSession, SessionService } from "#people/session-service.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { Directory } from "#ports/directory.ts";
import type { Limits } from "#ports/limits.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { PriceBook } from "#ports/price-book.ts";
import type { Settings } from "#ports/settings.ts";
import { buildPeople } from "./build-people.ts";
import { buildDesk, buildModeration, type SafetyParts } from "./build-safety.ts";
import { buildShop } from "./build-shop.ts";
import { chooseBlobs, chooseClassifier, choosePayments, type ChosenIdentity } from "./choose-adapters.ts";
import type { Config } from "./config.ts";

/** Open sockets, searches and rooms that one process takes. */
const socketsMax = 50_000;
const searchesMax = 50_000;
const roomsMax = 25_000;

export interface AppOptions {
  config: Config;
  database: OpenedDatabase;
  serverSecret: string;
  logger: Logger;
}

/** The product's services with the adapters they need; nothing listens yet. */
export async function buildServices(options: AppOptions, identity: ChosenIdentity) {
  const { config, database, serverSecret, logger } = options;
  const { db, jobs } = database;
  const [clock, random] = [systemClock, systemRandom];
  if (identity.seedPeople.length > 0) {
    await seedPeople({ db, clock, random, serverSecret, people: identity.seedPeople });
  }
  const blobs = await chooseBlobs(config);
  const limits = new LocalLimits({ factor: config.rateLimitFactor });
  const places = new MmdbPlaces();
  const sessions = openSessions(options, { identity, limits, places, blobs });
  const prices = await ShopPriceBook.open(db, { prices: config.settings.prices, at: new Date(clock.nowMs()) });
  const beans = buildBeans({ db, clock });
  const balances = beans.ledger;
  const hub = openHub(options, { sessions, limits });
  const classifier = chooseClassifier(config, { clock, random, logger });
  const { settings } = config;
  const parts = { db, jobs, clock, random, hub, blobs, serverSecret, logger, sessions, settings, classifier };
  const calling = await buildCalls(parts, { media: chooseMedia(config), ledger: beans.ledger });
  const { calls, meters, inspection, safety } = calling;
  const { moderation } = safety;
  const official = await ensureOfficial({ db, clock, random, email: config.settings.contact.email });
  const people = buildPeople({ ...parts, calls, limits, official, isShadow: settings.moderation.shadow });
  const profiles = openProfiles(options, { sessions, balances, people });
  const matches = openMatching(options, { hub, calls, profiles, meters, prices, people, inspection, moderation });
  calling.events.deliverTo([meters, safety.conduct, inspection, matches]);
  beans.tellBrowsers(hub);
  const { shop, payments } = openShop(options, { ledger: beans.ledger, prices, limits });
  const account = await buildAccount({
    ...parts,
    limits,
    places,
    balances,
    moderation,
    live: inspection,
    calls: matches,
    social: people.social,
    messages: people.messages,
    images: people.images.service,
    withdrawals: shop.withdrawals,
  });
  const desk = buildDesk(parts, {
    built: safety,
    inspection,
    ledger: beans.ledger,
    images: people.images.service,
    forgetProfile: (userId) => profiles.forget(userId),
  });
  sessions.onEnded((ended) => hub.disconnect(ended.userId, closeCodeOf(ended)));
  sessions.onEnded((ended) => shop.sessionEnded(ended.userId));
  return {
    account,
    sessions,
    profiles,
    hub,
    ...calling,
    people,
    classifier,
    desk,
    matches,
    official,
    limits,
    places,
    blobs,
    beans,
    prices,
    shop,
    payments,
  };
}

function openHub(
  { config, logger }: AppOptions,
  { sessions, limits }: { sessions: SessionService; limits: Limits },
): Hub {
  return new Hub({
    verifyChatSign: (tencentId, sign) => sessions.verifyChatSign(tencentId, sign),
    addressOf: addressReader(config.trustedProxies),
    limits,
    limitFactor: config.rateLimitFactor,
    clock: systemClock,
    random: systemRandom,
    logger,
    socketsMax,
  });
}

/** Rooms, what they cost, and what looks at them. */
async function buildCalls(
  parts: SafetyParts & { settings: Settings },
  { media, ledger }: { media: MediaRelay; ledger: Ledger },
) {
  const { db, clock, random, hub, logger, settings } = parts;
  const safety = buildModeration(parts);
  const callStore = new CallStore({ db, clock, logger });
  const lines = safety.conduct;
  const events = new RoomEvents({ logger });
  const calls = new CallService({ bus: hub, media, log: callStore, lines, events, clock, random, roomsMax });
  const { ownPauseMs } = settings;
  const meters = await buildMeter({ db, ledger, bus: hub, calls, clock, logger, ownPauseMs });
  const inspection = safety.watch({ calls, meters });
  return { media, safety, callStore, events, calls, meters, inspection };
}

function openSessions(
  { config: { settings }, database: { db }, serverSecret, logger }: AppOptions,
  parts: { identity: ChosenIdentity; limits: Limits; places: MmdbPlaces; blobs: Blobs },
): SessionService {
  const { identity, ...adapters } = parts;
  return new SessionService({
    ...adapters,
    db,
    clock: systemClock,
    random: systemRandom,
    settings,
    serverSecret,
    providers: identity.providers,
    avatars: identity.sandbox ? new SandboxAvatars(new HttpsAvatars()) : new HttpsAvatars(),
    log: logger,
  });
}

/** Profiles, which notice when a moderator approves an avatar. */
function openProfiles(
  { database: { db }, serverSecret }: AppOptions,
  parts: { sessions: SessionService; balances: Ledger; people: ReturnType<typeof buildPeople> },
): ProfileService {
  const { social, messages, texts, images } = parts.people;
  const profiles = new ProfileService({
    ...parts,
    db,
    clock: systemClock,
    serverSecret,
    directory: social,
    messaging: messages,
    texts,
    images: images.service,
  });
  images.review.onAvatar((userId) => profiles.forget(userId));
  return profiles;
}

/** Searching, as the blocks and wishes of people allow it. */
function openMatching(
  { config: { settings }, logger }: AppOptions,
  parts: {
    hub: Hub;
    calls: CallService;
    profiles: ProfileService;
    meters: MeterService;
    prices: ShopPriceBook;
    people: ReturnType<typeof buildPeople>;
    inspection: InspectionService;
    moderation: ModerationService;
  },
): MatchService {
  const { hub, calls, profiles, meters, prices, inspection, moderation } = parts;
  const { social } = parts.people;
  const matches = new MatchService({
    bus: hub,
    calls,
    people: profiles,
    bars: social.blocks,
    wishes: social,
    gate: {
      standing: (userId) => moderation.standing(userId),
      isChecking: () => inspection.isChecking(),
    },
    allowances: meters,
    prices,
    settings,
    clock: systemClock,
    logger,
    searchesMax,
  });
  hub.listen(matches);
  social.onBlocked((blockerId, blockedId) => matches.part(blockerId, blockedId));
  return matches;
}

/** Orders, and the providers that are paid through; the sandbox's stands in where it may. */
function openShop(
  { config, database, serverSecret, logger }: AppOptions,
  parts: { ledger: Ledger; prices: ShopPriceBook; limits: Limits },
) {
  const [clock, random] = [systemClock, systemRandom];
  const payments = choosePayments(config, { serverSecret, clock, logger });
  const shop = buildShop({
    ...parts,
    db: database.db,
    channels: payments.channels,
    providerById: payments.providerById,
    clock,
    random,
    logger,
    entry: config.gatewayEntry,
    publicOrigin: config.publicOrigin,
  });
  return { shop, payments };
}

/** With TURN only relayed candidates travel; without it browsers see each other's address, which production refuses. */
function chooseMedia({ turn, stunUrls }: Config): MediaRelay {
  return turn ? new CoturnRelay({ ...turn, clock: systemClock }) : new DirectMedia({ stunUrls, clock: systemClock });
}

function closeCodeOf({ reason }: EndedSession): number {
  if (reason === "kicked") return socketCloseCodes.kicked;
  return reason === "banned" ? socketCloseCodes.banned : socketCloseCodes.signedOut;
}

/** The ledger, its calls, and how browsers hear of it. */
export function buildBeans({ db, clock }: { db: Kysely<Database>; clock: Clock }) {
  const ledger = new Ledger({ db, clock });
  return {
    ledger,
    handlers: (prices: Pick<PriceBook, "smallestPack">) => beanHandlers({ db, clock, ledger, prices }),
    /** Whoever's beans changed reads their balance anew (rule BEANS-115). */
    tellBrowsers: (bus: Pick<Bus, "push">): Disposable => ledger.onChanged((userId) => pushOwnDataChanged(bus, userId)),
    /** Beans for the people of the sandbox, by their number. */
    giveBeans: (userNo: string, beans: bigint) => supportGift({ db, ledger }, { userNo, beans }),
  };
}

/** Half of the smallest pool that the settings allow by default, so that people's own requests find connections. */
const ledgerTasksAtOnce = 8;

/** The meter, after it has given back what an earlier run of the server left unfinished. */
export async function buildMeter(parts: {
  db: Kysely<Database>;
  ledger: Ledger;
  bus: Bus;
  calls: CallService;
  clock: Clock;
  logger: Logger;
  /** How long the payer's own word may stop the clock of one call. */
  ownPauseMs: number;
}): Promise<MeterService> {
  const work = new MeterWork(parts);
  const { released, credited } = await recoverMeters(parts.ledger, work);
  if (released > 0) parts.logger.warn({ released, credited: String(credited) }, "gave back what a crash cut off");
  return new MeterService({ ...parts, work, tasksAtOnce: ledgerTasksAtOnce });
}

interface AccountParts
  extends
    Pick<AccountServiceOptions, "places" | "calls" | "balances">,
    Pick<ReportServiceOptions, "moderation" | "live"> {
  db: Kysely<Database>;
  /** The same for work that may take long. */
  jobs: Kysely<Database>;
  clock: Clock;
  logger: Logger;
  blobs: Blobs;
  limits: Limits;
  sessions: AccountServiceOptions["sessions"] & ExportServiceOptions["sessions"];
  serverSecret: string;
  social: AccountServiceOptions["people"] & Pick<Directory, "isKnown" | "haveMet">;
  messages: ErasureParts["messages"];
  images: ErasureParts["images"];
  withdrawals: { withdraw(userId: bigint, orderNo: string): Promise<void> };
}

const betweenRunsMs = 600_000;

/** A person's account as a whole, and reports about others; erases and tidies beside it until it is disposed. */
export async function buildAccount(parts: AccountParts) {
  const { db, jobs, clock, logger, social, withdrawals } = parts;
  const accounts = new AccountService({
    ...parts,
    people: social,
    purchases: {
      unused: (userId) => unusedPurchases(db, userId, new Date(clock.nowMs())),
      refund: (userId, orderNo) => withdrawals.withdraw(userId, orderNo),
    },
  });
  const exports = new ExportService(parts);
  await exports.recover();
  const reports = new ReportService({ ...parts, directory: social });
  const erasure = new Erasure({ ...parts, db: jobs, refunds: accounts, exports });
  const pauseMs = () => betweenRunsMs;
  const timers = [
    new Periodic({ clock, logger, name: "erasure", pauseMs, work: () => erasure.runDue() }),
    new Periodic({ clock, logger, name: "exports", pauseMs, work: () => exports.tidy() }),
  ];
  return {
    accounts,
    exports,
    erasure,
    handlers: { ...accountHandlers({ accounts, exports }), ...reportHandlers(reports) },
    routes: (app: FastifyInstance): void => exportRoute(app, exports),
    /** Nothing is erased or prepared from here on. */
    async [Symbol.asyncDispose](): Promise<void> {
      erasure.stop();
      for (const timer of timers) await timer[Symbol.asyncDispose]();
      await reports[Symbol.asyncDispose]();
      await exports[Symbol.asyncDispose]();
    },
  };
}
