import type { FastifyInstance } from "fastify";
import type { Processes } from "#db/processes.ts";
import type { Standstill } from "#db/standstill.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import type { Base } from "#lib/base.ts";
import type { Tracer } from "#lib/tracer.ts";
import type { Bus } from "#ports/bus.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { buildHttp, type HttpOptions } from "./http/build-http.ts";
import { addressReader, Hub, type HubOptions } from "./socket/hub.ts";
import { Door } from "./socket/door.ts";
import { PersonHomes, type PersonHomesOptions } from "./socket/person-homes.ts";
import { SessionHandover, type SessionHandoverOptions } from "./socket/session-handover.ts";
import { SiteBus } from "./socket/site-bus.ts";
import { movesBeforeSearch, type OwnFacts, SiteServers } from "./socket/site-servers.ts";

/** Open sockets that one server takes. */
const socketsMax = 50_000;

interface SocketParts extends Pick<HubOptions, "verifyChatSign"> {
  base: Base;
  /** Null: this server is alone, and asks no other where anybody is. */
  standstill: Standstill | null;
  /** Origin at which the other servers reach this one; null: it is alone. */
  peerUrl: string | null;
  searchPeopleMax: number;
  trustedProxies: readonly string[];
  /** Multiplies how many sockets an address may have open. */
  rateLimitFactor: number;
  tracer: Tracer;
}

/** The sockets, and the bus to people, at whichever server they are. */
export function openSockets(parts: SocketParts) {
  const { base, standstill, rateLimitFactor: limitFactor, tracer, verifyChatSign } = parts;
  const { clock, random, limits, peers, logger, disposal } = base;
  const { servers, ...entrance } = openSite(parts);
  const own = { verifyChatSign, clock, random, tracer, logger, limits, limitFactor, socketsMax };
  const hub = new Hub({ ...own, ...entrance });
  servers?.onLeaving((server) => hub.moveThrough(server));
  const siteBus = standstill && disposal.use(new SiteBus({ hub, peers, standstill, clock, logger }));
  const bus: Bus = siteBus ?? hub;
  return { hub, servers, door: "door" in entrance ? entrance.door : null, siteBus, bus };
}

/** The servers of the site, null where this one is alone, and how sockets come in. */
function openSite({ base, peerUrl: url, searchPeopleMax, trustedProxies }: SocketParts) {
  const addressOf = addressReader(trustedProxies);
  if (url === null) return { servers: null, addressOf };
  const { clock, peers, serverSecret, logger, disposal } = base;
  const servers = disposal.use(new SiteServers({ peers, url, searchPeopleMax, clock, logger }));
  const urlOf = (server: ProcessId) => servers.urlOf(server);
  const door = disposal.use(new Door({ self: peers.self, urlOf, serverSecret, clock, logger }));
  return { servers, door, server: peers.self, addressOf };
}

type Sockets = ReturnType<typeof openSockets>;

interface HandoverParts extends Pick<Sockets, "hub" | "siteBus"> {
  base: Base;
  processes: Processes;
  /** Null: this server is alone. */
  guests: SessionHandoverOptions["guests"] | null;
  /** Where the call of somebody is who comes; null: this server is alone. */
  places: { find(userId: bigint, ticket: string | null): Promise<ProcessId | null> } | null;
}

/** Chat sessions that go on at another server. */
export function openHandover({ base, hub, siteBus, processes, guests, places }: HandoverParts): SessionHandover | null {
  if (!siteBus || !guests) return null;
  const { clock, peers, disposal } = base;
  const handover = disposal.use(new SessionHandover({ hub, peers, guests, siteBus, processes, clock }));
  hub.fetchFrom((userId, from) => handover.fetch(userId, from));
  if (places) hub.findCalls((userId, ticket) => places.find(userId, ticket));
  return handover;
}

interface DoorParts extends Pick<Sockets, "hub" | "servers" | "siteBus"> {
  base: Base;
  http: HttpOptions;
  guests: NonNullable<PersonHomesOptions["guests"]> | null;
  /** This server became a person's home. */
  ownedHere: (userId: bigint) => void;
  /** What the other servers are told of this one. */
  facts: () => OwnFacts;
  /** Whether the person searches or is in a call, at any server. */
  isBusy: (userId: bigint) => boolean;
  /** Who hears of people coming and going, in this order. */
  listeners: readonly Partial<HubListener>[];
}

/** HTTP and new sockets. From here on people may come, so this is what ends first. */
export async function openDoor(parts: DoorParts): Promise<FastifyInstance> {
  const { base, hub, servers, siteBus, http, guests, ownedHere, facts, isBusy, listeners } = parts;
  const { clock, peers, logger, disposal } = base;
  const { app, answerSocketRequest } = await buildHttp(http);
  disposal.defer("HTTP", () => app.close());
  const replaced = (userId: bigint) => hub.disconnect(userId, socketCloseCodes.replaced);
  const homes = disposal.use(new PersonHomes({ peers, clock, logger, guests, ownedHere, replaced }));
  servers?.begin(facts);
  const moves = servers ? [movesBeforeSearch(servers, { hub, isBusy })] : [];
  const all = [...listeners, homes, ...(siteBus ? [siteBus] : []), ...moves];
  disposal.use(hub.attach(app.server, all, answerSocketRequest), { name: "new sockets" });
  disposal.use(hub);
  return app;
}
