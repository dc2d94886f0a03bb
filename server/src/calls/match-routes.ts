import { badInput } from "#lib/errors.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { MediaRelay } from "#ports/media.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { MatchService } from "./match-service.ts";
import type { CallService } from "./room-service.ts";
import type { InspectionService } from "./inspection-service.ts";

/** Searching, the room of a match, and what is needed to prepare for one. */
export function matchHandlers(parts: {
  matches: MatchService;
  calls: CallService;
  media: MediaRelay;
  random: Random;
}): Pick<Handlers, "matchStart" | "matchStop" | "matchInfo" | "matchInfoUpdate" | "startVideo" | "testRoomSign"> {
  const { matches, calls, media, random } = parts;
  return {
    matchStart: async (context, input) => {
      const { userId } = self(context, input.user_id);
      const { sex, country, offer } = input;
      return matches.start({
        userId,
        language: context.language,
        filters: { sex, country },
        offer: offer ?? null,
        refresh: input.refresh === 1,
        checks: input.checks === 1,
        withUserId: input.with_user_id === undefined ? undefined : BigInt(input.with_user_id),
        knownRoomId: input.room_id,
      });
    },
    matchStop: async (context, input) => {
      matches.stop(self(context, input.user_id).userId);
      return {};
    },
    matchInfo: async (context, input) => matches.info(self(context, input.user_id).userId),
    matchInfoUpdate: async (context, input) => calls.isIn(self(context, input.user_id).userId, input.id),
    startVideo: async (context, input) => calls.join(self(context, input.user_id).userId, input.id),
    testRoomSign: async ({ session }) => {
      const { iceServers, expiresAtMs } = media.credentialsFor(session.externalId);
      return { token: randomId(random), iceServers, policy: media.policy, expiresAt: expiresAtMs };
    },
  };
}

/** The caller names themself in these calls; the session decides, and a field that says otherwise is a mistake. */
function self({ session }: SignedInContext, userId: number): SignedInContext["session"] {
  if (BigInt(userId) !== session.userId) throw badInput("user_id is not the caller", "user_id");
  return session;
}

/** The pictures that the inspection asks for. */
export function inspectionHandlers(inspection: Pick<InspectionService, "take">): Pick<Handlers, "videoInspect"> {
  return {
    videoInspect: async ({ session, file }, { room_id: roomId, ticket }) => {
      await inspection.take(session.userId, { roomId, ticket, bytes: file });
      return {};
    },
  };
}
