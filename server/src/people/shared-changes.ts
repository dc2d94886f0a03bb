import type { Logger } from "pino";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import { linkCaches } from "#lib/cache.ts";
import type { Peers } from "#ports/peers.ts";
import type { SessionService } from "./session-service.ts";
import type { EndedSession } from "./session-store.ts";
import type { SocialService } from "./social-service.ts";
import type { StandingService } from "./standing-service.ts";

export interface SignInSockets {
  signInEnded(userId: bigint, signInId: string, closeCode: number): void;
  signInIds(): string[];
}

interface SharingParts {
  peers: Peers;
  sockets: SignInSockets;
  sessions: SessionService;
  standings: StandingService;
  social: SocialService;
  logger: Pick<Logger, "error">;
}

/** Reports ended sessions, blocks and friendships to the other servers, and applies what they report. */
export function shareChanges({ peers, sockets, sessions, standings, social, logger }: SharingParts): void {
  // A sign-in may have changed country, language or picture.
  sessions.cache.onForgotten((userId) => standings.forget(userId));
  linkCaches(peers, { session: sessions.cache, standing: standings.cache });
  sessions.onEnded((ended, where) => {
    sockets.signInEnded(ended.userId, ended.sessionId, closeCodeOf(ended));
    if (where === "here") peers.broadcast("sessionEnded", ended);
  });
  peers.onEvent("sessionEnded", (ended) => sessions.remoteEnded(ended));
  social.onBlockChanged((change) => peers.broadcast("blocked", change));
  social.onFriendshipChanged((change) => peers.broadcast("friendship", change));
  peers.onEvent("friendship", (change) => social.remoteFriendshipChanged(change));
  peers.onEvent("blocked", (change) => social.remoteBlockChanged(change));
  social.onApartChanged((change) => peers.broadcast("apart", change));
  peers.onEvent("apart", (change) => social.apartChanged(change));
  const failed = (error: unknown) => logger.error({ err: error }, "failed to reload after a gap in the message bus");
  peers.onGap(() => {
    sessions.findEnded(sockets.signInIds()).catch(failed);
    social.blocks.readAgain().catch(failed);
  });
}

function closeCodeOf({ reason }: EndedSession): number {
  if (reason === "kicked") return socketCloseCodes.kicked;
  return reason === "banned" ? socketCloseCodes.banned : socketCloseCodes.signedOut;
}
