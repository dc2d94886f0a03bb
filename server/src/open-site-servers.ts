import type { Logger } from "pino";
import type { Guests } from "#calls/guests.ts";
import type { MatchService } from "#calls/match-service.ts";
import type { CallService } from "#calls/room-service.ts";
import { movesBeforeSearch, SiteServers } from "#calls/site-servers.ts";
import { Door } from "#edge/socket/door.ts";
import { addressReader, type Hub } from "#edge/socket/hub.ts";
import type { DisposalStack } from "#lib/disposal-stack.ts";
import type { Clock } from "#ports/clock.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import type { Peers } from "#ports/peers.ts";
import type { Config } from "./config.ts";
import type { Drain } from "./drain.ts";

interface SiteServersParts {
  config: Pick<Config, "peerUrl" | "searchPeopleMax" | "trustedProxies">;
  peers: Peers;
  serverSecret: string;
  clock: Clock;
  logger: Logger;
  disposal: DisposalStack;
}

/** The servers of the site, null where this one is alone, and how sockets come in. */
export function openSiteServers(parts: SiteServersParts) {
  const { config, peers, disposal } = parts;
  const { peerUrl: url, searchPeopleMax, trustedProxies } = config;
  const readAddress = addressReader(trustedProxies);
  if (url === null) return { servers: null, entrance: { addressOf: readAddress } };
  const servers = disposal.use(new SiteServers({ ...parts, url, searchPeopleMax }));
  const { self } = peers;
  const door = disposal.use(new Door({ ...parts, self, urlOf: (server) => servers.urlOf(server) }));
  const addressOf: typeof readAddress = (request) => door.addressOf(request) ?? readAddress(request);
  return { servers, entrance: { addressOf, door, server: self } };
}

interface OwnParts {
  hub: Pick<Hub, "move">;
  matches: Pick<MatchService, "isBusy" | "counts" | "poolFigures">;
  calls: Pick<CallService, "roomCount">;
  guests: Guests | null;
  drain: Pick<Drain, "isDraining"> | null;
}

/** Tells the other servers of this one from here on, and has people go to the open server before they search. */
export function beginAtSite(servers: SiteServers | null, parts: OwnParts): Partial<HubListener>[] {
  if (!servers) return [];
  const { matches, calls, drain } = parts;
  servers.begin(() => ({
    busyPeople: matches.counts.searching + 2 * calls.roomCount,
    hasMatcher: matches.poolFigures.hasMatcher,
    isLeaving: drain?.isDraining ?? false,
  }));
  return [movesBeforeSearch(servers, parts)];
}
