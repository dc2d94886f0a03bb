import { badInput, EndpointError, unavailable } from "#lib/errors.ts";
import type { Bus } from "#ports/bus.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { MediaRelay } from "#ports/media.ts";
import { NobodyThereError, type Peers, PeerSilentError, personKey } from "#ports/peers.ts";
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

/** Calls about what a person does now, which the process with their chat session alone knows. */
type HomeHandlers = Pick<Handlers, "matchStart" | "matchStop" | "matchInfo" | "matchInfoUpdate" | "startVideo">;

/** When a home that did not answer may be asked again. */
const homeRetrySeconds = 1;

/**
 * The same calls, answered by the process with the caller's chat session, whichever one they came to (rule PEER-17); for
 * somebody who is nowhere by this one.
 *
 * @throws EndpointError as the home says it; 503 where that does not answer, and may have done it all the same.
 */
export function answeredAtHome<Handled extends HomeHandlers>(
  handlers: Handled,
  { bus, peers }: { bus: Pick<Bus, "isHere">; peers: Pick<Peers, "ask" | "serve"> },
): Handled {
  type Answer = (context: SignedInContext, input: unknown) => Promise<unknown>;
  const answerHere = (name: keyof HomeHandlers) => handlers[name] as Answer;
  peers.serve("homeCall", async ({ name, context, input }) => {
    if (!bus.isHere(context.session.userId)) throw new NobodyThereError("the person is not here any more");
    try {
      return { kind: "done", output: await answerHere(name)(context, input) };
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      return { kind: "refused", code: error.code, message: error.message, data: error.data };
    }
  });
  const atHome = (name: keyof HomeHandlers): Answer => {
    return async ({ session, ip, userAgent, language }, input) => {
      const context = { session, ip, userAgent, language };
      if (bus.isHere(session.userId)) return answerHere(name)(context, input);
      const asked = peers.ask("homeCall", personKey(session.userId), { name, context, input });
      const answer = await asked.catch((error: unknown) => {
        if (error instanceof NobodyThereError) return null;
        if (error instanceof PeerSilentError) throw unavailable(homeRetrySeconds);
        throw error;
      });
      if (answer === null) return answerHere(name)(context, input);
      if (answer.kind === "done") return answer.output;
      throw new EndpointError(answer.code, answer.message, answer.data);
    };
  };
  const names = ["matchStart", "matchStop", "matchInfo", "matchInfoUpdate", "startVideo"] as const;
  return { ...handlers, ...Object.fromEntries(names.map((name) => [name, atHome(name)])) };
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
