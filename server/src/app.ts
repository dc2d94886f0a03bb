import { join } from "node:path";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Logger } from "pino";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { HttpsAvatars } from "#adapters/avatar-fetch/https-avatars.ts";
import { CoturnRelay } from "#adapters/coturn/coturn-relay.ts";
import { DirectMedia } from "#adapters/direct-media/direct-media.ts";
import { FileBlobs } from "#adapters/file-blobs/file-blobs.ts";
import { MmdbPlaces } from "#adapters/geo/mmdb-places.ts";
import { systemClock } from "#adapters/local/clock.ts";
import { LocalNonces } from "#adapters/local/nonces.ts";
import { systemRandom } from "#adapters/local/random.ts";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { SandboxAvatars } from "#adapters/sandbox-identity/sandbox-avatars.ts";
import { sandboxIdentityRoutes } from "#adapters/sandbox-identity/sandbox-routes.ts";
import { sandboxPaymentRoutes } from "#adapters/sandbox-payments/payment-routes.ts";
import { buildBeans } from "#build-beans.ts";
import { buildMeter } from "#build-meter.ts";
import { buildShop } from "#build-shop.ts";
import { type ChosenIdentity, chooseIdentity } from "#choose-identity.ts";
import { choosePayments } from "#choose-payments.ts";
import type { Config } from "#config.ts";
import type { OpenedDatabase } from "#db/pool.ts";
import type { Ledger } from "#features/beans/ledger.ts";
import { CallService } from "#features/call/service.ts";
import { CallStore, endLeftoverCalls } from "#features/call/store.ts";
import { countryHandlers } from "#features/country/routes.ts";
import { CountryService } from "#features/country/service.ts";
import { matchHandlers } from "#features/match/routes.ts";
import { MatchService } from "#features/match/service.ts";
import { avatarRoute } from "#features/profile/avatar-route.ts";
import { profileHandlers } from "#features/profile/routes.ts";
import { seedPeople } from "#features/profile/seed.ts";
import { ProfileService } from "#features/profile/service.ts";
import { keepForgetting } from "#features/session/retention.ts";
import { sessionHandlers } from "#features/session/routes.ts";
import { type EndedSession, SessionService } from "#features/session/service.ts";
import { ShopPriceBook } from "#features/shop/price-book.ts";
import { buildHttp } from "#http/build-http.ts";
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
  const { sessions, profiles, hub, media, calls, matches, callStore, limits, blobs, beans, prices, shop, payments } =
    services;
  const http = await buildHttp({
    logger,
    clock: systemClock,
    appKey: config.appKey,
    trustedProxies: config.trustedProxies,
    metrics: registry({ hub, matches }),
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
      ...countryHandlers(new CountryService(config.settings, prices), hub),
      ...shop.handlers,
    },
    plugins: async (app) => {
      avatarRoute(app, blobs);
      await shop.routes(app);
      if (payments.sandbox) await sandboxPaymentRoutes(app, payments.sandbox);
      const { sandbox } = identity;
      if (sandbox) {
        const issueNonce = () => sessions.prepare().nonce;
        await sandboxIdentityRoutes(app, { sandbox, issueNonce, giveBeans: beans.giveBeans });
      }
    },
  });
  const attached = hub.attach(http.server);
  const forgetting = keepForgetting({ db: database.db, clock: systemClock, logger });
  return {
    http,
    identity,
    media,
    async [Symbol.asyncDispose]() {
      // Nobody is matched any more, calls end as what they are, people hear of it, and what is left is written.
      await matches[Symbol.asyncDispose]();
      calls.endAll();
      await hub[Symbol.asyncDispose]();
      attached[Symbol.dispose]();
      await http.close();
      await services.meters[Symbol.asyncDispose]();
      await callStore[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
      await payments.sandbox?.[Symbol.asyncDispose]();
      await forgetting[Symbol.asyncDispose]();
    },
  };
}

/** The product's services with the adapters they need; nothing listens yet. */
async function buildServices(options: AppOptions, identity: ChosenIdentity) {
  const { config, database, serverSecret, logger } = options;
  const { settings } = config;
  const { db } = database;
  const [clock, random] = [systemClock, systemRandom];
  if (identity.seedPeople.length > 0) {
    await seedPeople({ db, clock, random, serverSecret, people: identity.seedPeople });
  }
  const blobs = new FileBlobs(join(config.dataDirectory, "blobs"));
  const limits = new LocalLimits({ factor: config.rateLimitFactor });
  const sessions = new SessionService({
    db,
    clock,
    random,
    settings,
    serverSecret,
    limits,
    places: new MmdbPlaces(),
    providers: identity.providers,
    avatars: identity.sandbox ? new SandboxAvatars(new HttpsAvatars()) : new HttpsAvatars(),
    blobs,
    log: logger,
  });
  const prices = await ShopPriceBook.open(db, { prices: settings.prices, at: new Date(clock.nowMs()) });
  const beans = buildBeans({ db, clock });
  const balances = beans.ledger;
  const profiles = new ProfileService({ db, clock, sessions, balances, serverSecret });
  const verifyChatSign = (tencentId: string, sign: string) => sessions.verifyChatSign(tencentId, sign);
  const hub = new Hub({ verifyChatSign, clock, random, logger, socketsMax });
  const media = chooseMedia(config);
  const callStore = new CallStore({ db, clock, logger });
  const calls = new CallService({ bus: hub, media, log: callStore, clock, random, roomsMax });
  const meters = await buildMeter({ db, ledger: beans.ledger, bus: hub, calls, clock, logger });
  const matches = new MatchService({
    bus: hub,
    calls,
    people: profiles,
    allowances: meters,
    prices,
    settings,
    clock,
    logger,
    searchesMax,
  });
  hub.listen(matches);
  beans.tellBrowsers(hub);
  const { shop, payments } = openShop(options, { ledger: beans.ledger, prices, limits });
  sessions.onEnded((ended) => hub.disconnect(ended.userId, closeCodeOf(ended)));
  sessions.onEnded((ended) => shop.sessionEnded(ended.userId));
  return {
    sessions,
    profiles,
    hub,
    media,
    calls,
    meters,
    matches,
    callStore,
    limits,
    blobs,
    beans,
    prices,
    shop,
    payments,
  };
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

/** Process metrics, and how many people are here. */
function registry({ hub, matches }: { hub: Hub; matches: MatchService }): Registry {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const registers = [metrics];
  new Gauge({
    name: "fava_people_present",
    help: "People with a chat session",
    registers,
    collect() {
      this.set(hub.presentCount());
    },
  });
  new Gauge({
    name: "fava_people_searching",
    help: "People who search",
    registers,
    collect() {
      this.set(matches.counts.searching);
    },
  });
  return metrics;
}
