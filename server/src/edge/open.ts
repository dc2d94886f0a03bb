import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import type { PauseGuard } from "#db/pause-guard.ts";
import type { Base } from "#lib/base.ts";
import type { Tracer } from "#lib/tracer.ts";
import type { Bus } from "#ports/bus.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import type { IdentityProvider } from "#ports/identity.ts";
import type { OneTimeKeys } from "#ports/one-time-keys.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { buildHttp, type HttpOptions } from "./http/build-http.ts";
import { addressReader } from "./socket/address-sockets.ts";
import { Door } from "./socket/door.ts";
import { Hub, type HubOptions } from "./socket/hub.ts";
import { PersonHomes, type PersonHomesOptions } from "./socket/person-homes.ts";
import { SiteBus } from "./socket/site-bus.ts";
import { movesBeforeSearch, type OwnFacts, SiteServers } from "./socket/site-servers.ts";

/** Maximum number of open sockets of one server. */
const socketsMax = 50_000;

interface SocketParts extends Required<Pick<HubOptions, "verifyChatSign" | "homes">> {
  base: Base;
  /** Null: this is the only server. */
  pauseGuard: PauseGuard | null;
  /** Origin at which the other servers reach this one; null: this is the only server. */
  peerUrl: string | null;
  searchPeopleMax: number;
  trustedProxies: readonly string[];
  /** Multiplies the maximum number of open sockets of an address. */
  rateLimitFactor: number;
  tracer: Tracer;
}

/** The sockets of this server, and the bus to users at all servers. */
export function openSockets(parts: SocketParts) {
  const { base, pauseGuard, trustedProxies, rateLimitFactor: limitFactor, tracer } = parts;
  const { verifyChatSign, homes } = parts;
  const { clock, random, limits, peers, logger, disposal } = base;
  const site = openSite(parts);
  const addressOf = addressReader(trustedProxies);
  const here = { clock, random, tracer, logger, limits, limitFactor, socketsMax, addressOf };
  const several = site && { server: peers.self, door: site.door };
  const hub = new Hub({ verifyChatSign, homes, ...here, ...several });
  site?.servers.onLeaving((server) => hub.moveThrough(server));
  const siteBus = pauseGuard && disposal.use(new SiteBus({ hub, peers, pauseGuard, clock, logger }));
  const bus: Bus = siteBus ?? hub;
  return { hub, servers: site?.servers ?? null, door: site?.door ?? null, siteBus, bus };
}

/** The servers of the site, and the door to them; null where this server is alone. */
function openSite({ base, peerUrl: url, searchPeopleMax }: SocketParts) {
  if (url === null) return null;
  const { clock, peers, serverSecret, logger, disposal } = base;
  const servers = disposal.use(new SiteServers({ peers, url, searchPeopleMax, clock, logger }));
  const urlOf = (server: ProcessId) => servers.urlOf(server);
  const meetingPlace = () => servers.meetingPlace;
  return {
    servers,
    door: disposal.use(new Door({ self: peers.self, urlOf, meetingPlace, serverSecret, socketsMax, clock, logger })),
  };
}

type Sockets = ReturnType<typeof openSockets>;

interface HomesParts extends Pick<Sockets, "hub" | "siteBus"> {
  ground: { base: Base; pauseGuard: PauseGuard };
  adapters: { oneTimeKeys: OneTimeKeys };
  calls: { handover: PersonHomesOptions["people"] };
  /** Finds calls by tickets; null: this is the only server. */
  locator: () => { findByTicket: PersonHomesOptions["findCall"] } | null;
  people: { social: { presence: { ownedHere(userId: bigint): void } } };
}

/** Makes this server the home of its users. */
export function openHomes({ ground, adapters, hub, siteBus, people, calls, locator }: HomesParts): PersonHomes {
  const { base, pauseGuard } = ground;
  const { clock, peers, logger, disposal } = base;
  const homes = new PersonHomes({
    peers,
    hub,
    siteBus,
    pauseGuard,
    locks: adapters.oneTimeKeys,
    clock,
    logger,
    people: calls.handover,
    replaced: (userId) => hub.disconnect(userId, socketCloseCodes.replaced),
    ownedHere: (userId) => people.social.presence.ownedHere(userId),
    findCall: async (userId, ticket) => (await locator()?.findByTicket(userId, ticket)) ?? null,
  });
  return disposal.use(homes);
}

interface DoorParts extends Pick<Sockets, "hub" | "servers" | "siteBus"> {
  base: Base;
  homes: PersonHomes;
  adapters: Pick<HttpOptions, "nonces" | "engineChecks"> & {
    translator: { readonly name: string } | null;
    identity: Pick<HttpOptions, "contentHosts"> & { providers: readonly Pick<IdentityProvider, "loginType">[] };
    blobs: { check(): Promise<void> };
  };
  config: Pick<HttpOptions, "appKey" | "trustedProxies" | "webDirectory" | "publicOrigin"> & { bucket: object | null };
  sessions: Pick<HttpOptions, "authenticate" | "followLanguage">;
  addresses: { saw: HttpOptions["sawAddress"] };
  /** Counts a failed upload of a frame. */
  inspection: { frameFailed(): void };
  drain: { readonly isDraining: boolean } | null;
  /** The facts that this server sends to the others. */
  facts: () => OwnFacts;
  /** Whether the user searches or is in a call at this server. */
  isBusy: (userId: bigint) => boolean;
  /** Notified of users who come and go, in this order. */
  listeners: readonly Partial<HubListener>[];
  handlers: HttpOptions["handlers"];
  /** Registers the routes that are not endpoints. */
  routes: (app: FastifyInstance) => Promise<void>;
}

/** Opens HTTP and accepts sockets. It opens last and closes first, so that users find every part ready. */
export async function openDoor(parts: DoorParts): Promise<FastifyInstance> {
  const { base, hub, servers, siteBus, homes, facts, isBusy, listeners } = parts;
  const { disposal } = base;
  const { app, answerSocketRequest } = await buildHttp(httpOptions(parts));
  disposal.defer("HTTP", () => app.close());
  servers?.begin(facts);
  const moves = servers ? [movesBeforeSearch(servers, { hub, isBusy })] : [];
  const all = [...listeners, homes, ...(siteBus ? [siteBus] : []), ...moves];
  disposal.use(hub.attach(app.server, all, answerSocketRequest), { name: "new sockets" });
  disposal.use(hub);
  return app;
}

function httpOptions(parts: DoorParts): HttpOptions {
  const { base, adapters, config, sessions, addresses, inspection, drain, handlers, routes } = parts;
  const { settings, db, clock, limits, metrics, logger } = base;
  const { nonces, engineChecks, identity, blobs, translator } = adapters;
  return {
    logger,
    clock,
    limits,
    nonces,
    metrics,
    appKey: config.appKey,
    trustedProxies: config.trustedProxies,
    webDirectory: config.webDirectory,
    publicOrigin: config.publicOrigin,
    production: settings.mode === "production",
    operator: settings.contact,
    languages: settings.offeredLanguages,
    loginTypes: identity.providers.map(({ loginType }) => loginType),
    translator: translator?.name ?? "",
    contentHosts: identity.contentHosts,
    authenticate: (token) => sessions.authenticate(token),
    sawAddress: (session, ip) => addresses.saw(session, ip),
    followLanguage: (userId, language) => sessions.followLanguage(userId, language),
    frameFailed: () => inspection.frameFailed(),
    readyChecks: { database: async () => void (await sql`select 1`.execute(db)) },
    isDraining: () => drain?.isDraining ?? false,
    engineChecks: { ...engineChecks, ...(config.bucket && { bucket: () => blobs.check() }) },
    handlers,
    plugins: routes,
  };
}
