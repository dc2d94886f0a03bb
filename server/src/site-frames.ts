import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { HttpPeerFrames } from "#adapters/http/peer-frames.ts";
import { LocalNonces } from "#adapters/local/nonces.ts";
import type { Guests } from "#calls/guests.ts";
import type { InspectionService } from "#calls/inspection-service.ts";
import { RoutedFrames } from "#calls/routed-frames.ts";
import { peerFrameRoute } from "#edge/http/peer-frame-route.ts";
import type { Hub } from "#edge/socket/hub.ts";
import type { DisposalStack } from "#lib/disposal-stack.ts";
import type { Clock } from "#ports/clock.ts";
import type { Peers } from "#ports/peers.ts";
import type { Random } from "#ports/random.ts";
import type { Config } from "./config.ts";

interface SiteFramesParts {
  config: Pick<Config, "peerUrl">;
  inspection: InspectionService;
  hub: Pick<Hub, "isHere">;
  /** Null where this process is alone. */
  guests: Guests | null;
  peers: Peers;
  serverSecret: string;
  clock: Clock;
  random: Random;
  logger: Logger;
  disposal: DisposalStack;
}

/** Where pictures for the inspection go in, whichever process of the site looks at them. */
export interface SiteFrames extends Pick<InspectionService, "take"> {
  /** Adds what the other processes send pictures to. */
  addRoutes(app: FastifyInstance): Promise<void>;
}

/** The inspection here, with the ways to and from that of the others where there are others. */
export function openSiteFrames(parts: SiteFramesParts): SiteFrames {
  const { config, inspection, guests, peers, clock, disposal } = parts;
  const { peerUrl } = config;
  if (!guests || peerUrl === null)
    return { take: (userId, frame) => inspection.take(userId, frame), addRoutes: async () => undefined };
  const frames = new HttpPeerFrames(parts);
  const routed = disposal.use(new RoutedFrames({ ...parts, guests, frames, peerUrl }));
  const take = routed.takeHere.bind(routed);
  return {
    take: (userId, frame) => routed.take(userId, frame),
    addRoutes: (app) => peerFrameRoute(app, { ...parts, self: peers.self, nonces: new LocalNonces({ clock }), take }),
  };
}
