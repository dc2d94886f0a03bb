import { socketCloseCodes } from "@fava/wire/socket.ts";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Logger } from "pino";
import { HttpsAvatars } from "#adapters/avatar-fetch/https-avatars.ts";
import { CoturnRelay } from "#adapters/coturn/coturn-relay.ts";
import { DirectMedia } from "#adapters/direct-media/direct-media.ts";
import { MmdbPlaces } from "#adapters/geo/mmdb-places.ts";
import { systemClock } from "#adapters/local/clock.ts";
import { LocalNonces } from "#adapters/local/nonces.ts";
import { systemRandom } from "#adapters/local/random.ts";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { SandboxAvatars } from "#adapters/sandbox-identity/sandbox-avatars.ts";
import { sandboxIdentityRoutes } from "#adapters/sandbox-identity/sandbox-routes.ts";
import { sandboxPaymentRoutes } from "#adapters/sandbox-payments/payment-routes.ts";
import { appMetrics } from "#app-metrics.ts";
import { buildAccount } from "#build-account.ts";
import { buildBeans } from "#build-beans.ts";
import { buildMeter } from "#build-meter.ts";
import { buildPeople } from "#build-people.ts";
import { buildShop } from "#build-shop.ts";
import { chooseBlobs } from "#choose-blobs.ts";
import { type ChosenIdentity, chooseIdentity } from "#choose-identity.ts";
import { choosePayments } from "#choose-payments.ts";
import type { Config } from "#config.ts";
import type { OpenedDatabase } from "#db/pool.ts";
import type { Ledger } from "#features/beans/ledger.ts";
import type { MeterService } from "#features/beans/meter-service.ts";
import { CallService } from "#features/call/service.ts";
import { CallStore, endLeftoverCalls } from "#features/call/store.ts";
import { countryHandlers } from "#features/country/routes.ts";
import { CountryService } from "#features/country/service.ts";
import { matchHandlers } from "#features/match/routes.ts";
import { MatchService } from "#features/match/service.ts";
import { ensureOfficial } from "#features/messages/official.ts";
import { profileHandlers } from "#features/profile/routes.ts";
import { seedPeople } from "#features/profile/seed.ts";
import { ProfileService } from "#features/profile/service.ts";
import { keepForgetting } from "#features/session/retention.ts";
import { sessionHandlers } from "#features/session/routes.ts";
import { type EndedSession, SessionService } from "#features/session/service.ts";
import { ShopPriceBook } from "#features/shop/price-book.ts";
import { buildHttp } from "#http/build-http.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Limits } from "#ports/limits.ts";
import type { MediaRelay } from "#ports/media.ts";
import { Hub } from "#socket/hub.ts";

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

/** The product, put together and not yet listening. Disposing ends calls, writes what is left and closes every socket. */
export interface App extends AsyncDisposable {
  http: FastifyInstance;
  identity: ChosenIdentity;
  media: MediaRelay;
}

/** Joins adapters, services and routes. The only importer of adapters. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { config, database, logger } = options;
  await endLeftoverCalls(database.db, systemClock.nowMs());
  const identity = await chooseIdentity(config, systemClock);
  const services = await buildServices(options, identity);
  const { hub, calls, callStore, matches, shop, payments } = services;
  const http = await serve(options, services, identity);
  const attached = hub.attach(http.server);
  const forgetting = keepForgetting({ db: database.db, clock: systemClock, logger });
  return {
    http,
    identity,
    media: services.media,
    async [Symbol.asyncDispose]() {
      // Nobody is matched any more, calls end as what they are, people hear of it, and what is left is written.
      await matches[Symbol.asyncDispose]();
      calls.endAll();
      await hub[Symbol.asyncDispose]();
      attached[Symbol.dispose]();
      await http.close();
      await services.account[Symbol.asyncDispose]();
      await services.meters[Symbol.asyncDispose]();
      await services.people[Symbol.asyncDispose]();
      await callStore[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
      await payments.sandbox?.[Symbol.asyncDispose]();
      await forgetting[Symbol.asyncDispose]();
      services.blobs[Symbol.dispose]?.();
    },
  };
}

type Services = Awaited<ReturnType<typeof buildServices>>;

/** Every call and page of the product over these services; not yet listening. */
function serve({ config, database, logger }: AppOptions, services: Services, identity: ChosenIdentity) {
  const { sessions, profiles, hub, media, calls, matches, limits, beans, prices, shop, payments } = services;
  return buildHttp({
    logger,
    clock: systemClock,
    appKey: config.appKey,
    trustedProxies: config.trustedProxies,
    metrics: appMetrics({ hub, matches }),
    production: config.settings.mode === "production",
    contentHosts: identity.contentHosts,
    webDirectory: config.webDirectory,
    languages: config.settings.offeredLanguages,
    limits,
    nonces: new LocalNonces({ clock: systemClock }),
    authenticate: (token) => sessions.authenticate(token),
    readyChecks: { database: async () => void (await sql`select 1`.execute(database.db)) },
    handlers: {
      ...sessionHandlers(sessions, systemClock),
      ...profileHandlers(profiles),
      ...matchHandlers({ matches, calls, media, random: systemRandom }),
      ...beans.handlers(prices),
      ...countryHandlers(new CountryService(config.settings, prices, services.official.externalId), hub),
      ...shop.handlers,
      ...services.people.handlers,
      ...services.account.handlers,
    },
    plugins: async (app) => {
      services.people.images.routes(app);
      services.account.routes(app);
      await shop.routes(app);
      if (payments.sandbox) await sandboxPaymentRoutes(app, payments.sandbox);
      const { sandbox } = identity;
      if (sandbox) {
        const issueNonce = () => sessions.prepare().nonce;
        await sandboxIdentityRoutes(app, { sandbox, issueNonce, giveBeans: beans.giveBeans });
      }
    },
  });
}

/** The product's services with the adapters they need; nothing listens yet. */
async function buildServices(options: AppOptions, identity: ChosenIdentity) {
  const { config, database, serverSecret, logger } = options;
  const { db } = database;
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
  const verifyChatSign = (tencentId: string, sign: string) => sessions.verifyChatSign(tencentId, sign);
  const hub = new Hub({ verifyChatSign, clock, random, logger, socketsMax });
  const media = chooseMedia(config);
  const callStore = new CallStore({ db, clock, logger });
  const calls = new CallService({ bus: hub, media, log: callStore, clock, random, roomsMax });
  const meters = await buildMeter({ db, ledger: beans.ledger, bus: hub, calls, clock, logger });
  const official = await ensureOfficial({ db, clock, random, email: config.settings.contact.email });
  const people = buildPeople({ db, hub, blobs, limits, clock, random, serverSecret, official, logger });
  const profiles = openProfiles(options, { sessions, balances, people });
  const matches = openMatching(options, { hub, calls, profiles, meters, prices, people });
  beans.tellBrowsers(hub);
  const { shop, payments } = openShop(options, { ledger: beans.ledger, prices, limits });
  const account = await buildAccount({
    db,
    clock,
    logger,
    blobs,
    limits,
    serverSecret,
    places,
    sessions,
    balances,
    calls: matches,
    social: people.social,
    messages: people.messages,
    images: people.images.service,
    withdrawals: shop.withdrawals,
  });
  sessions.onEnded((ended) => hub.disconnect(ended.userId, closeCodeOf(ended)));
  sessions.onEnded((ended) => shop.sessionEnded(ended.userId));
  return {
    account,
    sessions,
    profiles,
    hub,
    media,
    calls,
    meters,
    people,
    matches,
    official,
    callStore,
    limits,
    blobs,
    beans,
    prices,
    shop,
    payments,
  };
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
  },
): MatchService {
  const { hub, calls, profiles, meters, prices } = parts;
  const { social } = parts.people;
  const matches = new MatchService({
    bus: hub,
    calls,
    people: profiles,
    bars: social.blocks,
    wishes: social,
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
