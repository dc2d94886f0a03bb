import { badInput, unavailable } from "#lib/errors.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { MediaRelay } from "#ports/media.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { CallLocator } from "./call-locator.ts";
import type { MatchService } from "./match-service.ts";
import type { CallService } from "./room-service.ts";

/** Endpoints for searches, for the room of a match, and for preparing the connection. */
export function matchHandlers(parts: {
  matches: MatchService;
  calls: CallService;
  /** Finds calls at other servers; null if this is the only server. */
  callLocator: () => Pick<CallLocator, "find"> | null;
  /** Asks a user's page to move to another server. */
  move: (userId: bigint, to: ProcessId) => void;
  media: MediaRelay;
  random: Random;
}): Pick<
  Handlers,
  "matchStart" | "matchWaitEstimate" | "matchStop" | "matchInfo" | "matchInfoUpdate" | "startVideo" | "testRoomSign"
> {
  const { matches, calls, callLocator, move, media, random } = parts;
  /** Adopts the user's call from a dead server, or sends the page to the server that has it. */
  const findCall = async (userId: bigint, roomId: string | null): Promise<void> => {
    const place = await callLocator()?.find(userId, roomId);
    if (place == null || matches.isBusy(userId)) return;
    move(userId, place);
    throw unavailable(findRetrySeconds);
  };
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
        traceparent: input.traceparent,
      });
    },
    matchWaitEstimate: async (context, { user_id, sex, country }) =>
      matches.estimateWait(self(context, user_id).userId, { sex, country }),
    matchStop: async (context, input) => {
      matches.stop(self(context, input.user_id).userId);
      return {};
    },
    matchInfo: async (context, input) => {
      const { userId } = self(context, input.user_id);
      if (matches.info(userId).status === 0) await findCall(userId, null);
      return matches.info(userId);
    },
    matchInfoUpdate: async (context, input) => calls.isIn(self(context, input.user_id).userId, input.id),
    startVideo: async (context, { user_id, id }) => {
      const { userId } = self(context, user_id);
      if (!matches.isBusy(userId) && !calls.isIn(userId, id)) await findCall(userId, id);
      try {
        return calls.join(userId, id);
      } catch (error) {
        // The page has returned, but this server does not know yet which server has its chat session.
        const isAwaited = calls.isIn(userId, id) && calls.current(userId)?.returnLeftMs != null;
        throw isAwaited ? unavailable(findRetrySeconds) : error;
      }
    },
    testRoomSign: async ({ session }) => {
      const { iceServers, expiresAtMs } = media.credentialsFor(session.externalId);
      return { token: randomId(random), iceServers, policy: media.policy, expiresAt: expiresAtMs };
    },
  };
}

/** After how many seconds a page may retry if another server has the call or is adopting it. */
const findRetrySeconds = 1;

/** A request must have the caller's own id, which the session tells. Rejects any other. */
function self({ session }: SignedInContext, userId: number): SignedInContext["session"] {
  if (BigInt(userId) !== session.userId) throw badInput("user_id is not the caller", "user_id");
  return session;
}
