import type { Logger } from "pino";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import type { CallService } from "#calls/room-service.ts";
import type { Hub } from "#edge/socket/hub.ts";
import { forgetTogether } from "#lib/cache.ts";
import type { CutCall, Sanctions } from "#moderation/sanctions.ts";
import type { TextRulesService } from "#moderation/text-service.ts";
import type { EndedSession, SessionService } from "#people/session-service.ts";
import type { SocialService } from "#people/social-service.ts";
import type { Standings } from "#people/standing.ts";
import { callKey, NobodyThereError, type PeerKey, type Peers, personKey } from "#ports/peers.ts";

interface Sharing {
  peers: Peers;
  sessions: SessionService;
  hub: Pick<Hub, "signInEnded" | "signInIds">;
  standings: Standings;
  texts: Pick<TextRulesService, "speakers">;
  social: SocialService;
  logger: Pick<Logger, "error">;
}

/** What one process changes the others hear of: who is signed in, what is remembered of people, who is not to meet whom. */
export function sharePeerNews(parts: Sharing): void {
  const { peers, sessions, hub, standings, texts, social, logger } = parts;
  // A sign-in can change country, language and picture.
  sessions.remembered.onForgotten((userId) => standings.forget(userId));
  standings.remembered.onForgotten((userId) => texts.speakers.forget(userId));
  forgetTogether(peers, {
    session: sessions.remembered,
    standing: standings.remembered,
    country: texts.speakers,
  });
  sessions.onEnded((ended, where) => {
    hub.signInEnded(ended.userId, ended.sessionId, closeCodeOf(ended));
    if (where === "here") peers.tell("sessionEnded", ended);
  });
  peers.onTold("sessionEnded", (ended) => sessions.endedElsewhere(ended));
  social.onBlockChanged((change) => peers.tell("blocked", change));
  social.onFriendshipChanged((change) => peers.tell("friendship", change));
  peers.onTold("friendship", (change) => social.friendshipChangedElsewhere(change));
  peers.onTold("blocked", (change) => social.blockChangedElsewhere(change));
  social.onApartChanged((change) => peers.tell("apart", change));
  peers.onTold("apart", (change) => social.apartChanged(change));
  const failed = (error: unknown) => logger.error({ err: error }, "what was missed could not be read");
  peers.onGap(() => {
    sessions.findEnded(hub.signInIds()).catch(failed);
    social.blocks.readAgain().catch(failed);
  });
}

function closeCodeOf({ reason }: EndedSession): number {
  if (reason === "kicked") return socketCloseCodes.kicked;
  return reason === "banned" ? socketCloseCodes.banned : socketCloseCodes.signedOut;
}

/** Cuts the call that somebody is in at this process, or has the process do so where the call or the person is. */
export function callCutter(peers: Peers, calls: Pick<CallService, "current" | "cut">): Sanctions["cutCall"] {
  const cutHere = (userId: bigint): CutCall | null => {
    const current = calls.current(userId);
    if (!current) return null;
    calls.cut(userId);
    return { callId: current.match.roomId, otherId: BigInt(current.match.user_Id) };
  };
  peers.serve("cutCall", async (_input, key) => cutHere(BigInt(key.slice(key.indexOf(":") + 1))));
  const cutThere = (key: PeerKey) =>
    peers.ask("cutCall", key, null).catch((error: unknown) => {
      if (error instanceof NobodyThereError) return null;
      throw error;
    });
  return async (userId) => cutHere(userId) ?? (await cutThere(callKey(userId))) ?? cutThere(personKey(userId));
}
