import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { sandboxIdentityRoutes } from "#adapters/identity/sandbox/sandbox-routes.ts";
import { systemClock } from "#adapters/local/clock.ts";
import { LocalNonces } from "#adapters/local/nonces.ts";
import { systemRandom } from "#adapters/local/random.ts";
import { sandboxPaymentRoutes } from "#adapters/payments/sandbox/payment-routes.ts";
import { appMetrics } from "#app-metrics.ts";
import { endLeftoverCalls } from "#calls/call-store.ts";
import { matchHandlers } from "#calls/match-routes.ts";
import { buildHttp } from "#edge/http/build-http.ts";
import { countryHandlers } from "#people/country-routes.ts";
import { CountryService } from "#people/country-service.ts";
import { profileHandlers } from "#people/profile-routes.ts";
import { keepForgetting } from "#people/retention.ts";
import { sessionHandlers } from "#people/session-routes.ts";
import type { MediaRelay } from "#ports/media.ts";
import { type AppOptions, buildServices } from "./build-services.ts";
import { chooseIdentity, type ChosenIdentity } from "./choose-adapters.ts";

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
  const forgetting = keepForgetting({ db: database.jobs, clock: systemClock, logger });
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
      await services.inspection[Symbol.asyncDispose]();
      await services.safety[Symbol.asyncDispose]();
      await services.meters[Symbol.asyncDispose]();
      await services.people[Symbol.asyncDispose]();
      await callStore[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
      await payments.sandbox?.[Symbol.asyncDispose]();
      await forgetting[Symbol.asyncDispose]();
      services.blobs[Symbol.dispose]?.();
      // Last of all, because it waits for the pictures in hand: money and calls are written by then.
      await services.classifier?.[Symbol.asyncDispose]();
    },
  };
}

type Services = Awaited<ReturnType<typeof buildServices>>;

/** Every call and page of the product over these services; not yet listening. */
function serve({ config, database, logger }: AppOptions, services: Services, identity: ChosenIdentity) {
  const { sessions, profiles, hub, media, calls, matches, limits, places, beans, prices, shop, payments } = services;
  return buildHttp({
    logger,
    clock: systemClock,
    appKey: config.appKey,
    trustedProxies: config.trustedProxies,
    metrics: appMetrics({ ...services }),
    production: config.settings.mode === "production",
    contentHosts: identity.contentHosts,
    webDirectory: config.webDirectory,
    publicOrigin: config.publicOrigin,
    operator: config.settings.contact,
    languages: config.settings.offeredLanguages,
    loginTypes: identity.providers.map(({ loginType }) => loginType),
    limits,
    nonces: new LocalNonces({ clock: systemClock }),
    authenticate: (token) => sessions.authenticate(token),
    followLanguage: (userId, language) => sessions.followLanguage(userId, language),
    readyChecks: { database: async () => void (await sql`select 1`.execute(database.db)) },
    handlers: {
      ...sessionHandlers(sessions, systemClock),
      ...profileHandlers(profiles),
      ...matchHandlers({ matches, calls, media, random: systemRandom }),
      ...beans.handlers(prices),
      ...countryHandlers(new CountryService(config.settings, prices, services.official.externalId), hub, places),
      ...shop.handlers,
      ...services.people.handlers,
      ...services.account.handlers,
      ...services.desk.handlers,
    },
    plugins: async (app) => {
      services.people.images.routes(app);
      services.account.routes(app);
      services.desk.routes(app);
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
