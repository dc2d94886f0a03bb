import { badInput, EndpointError, unavailable } from "#lib/errors.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { MediaRelay } from "#ports/media.ts";
import {
  callKey,
  type MatchCall,
  type MatchCallAnswer,
  NobodyThereError,
  PeerFailedError,
  type Peers,
  PeerSilentError,
  personKey,
  processKey,
} from "#ports/peers.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Guests } from "./guests.ts";
import type { MatchService } from "./match-service.ts";
import type { RunningCalls } from "./room-claims.ts";
import type { CallService } from "./room-service.ts";

/** Searching, the room of a match, and what is needed to prepare for one. */
export function matchHandlers(parts: {
  matches: MatchService;
  calls: CallService;
  /** What the database knows of calls, at whichever process. */
  runningCalls: Pick<RunningCalls, "isOf" | "ownerOf">;
  peers: Pick<Peers, "ask" | "self">;
  media: MediaRelay;
  random: Random;
}): Pick<
  Handlers,
  "matchStart" | "matchOutlook" | "matchStop" | "matchInfo" | "matchInfoUpdate" | "startVideo" | "testRoomSign"
> {
  const { matches, calls, runningCalls, peers, media, random } = parts;
  /** Whether the process with a call of this person does not answer any more, or has only just taken it from one that does not. */
  const isCallLost = async (userId: bigint) => {
    const found = await runningCalls.ownerOf(userId);
    if (!found || found.isAdopted) return found !== null;
    if (found.owner === peers.self) return false;
    return peers.ask("hasGuests", processKey(found.owner), { loans: [] }).then(
      () => false,
      () => true,
    );
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
    matchOutlook: async (context, { user_id, sex, country }) =>
      matches.outlook(self(context, user_id).userId, { sex, country }),
    matchStop: async (context, input) => {
      matches.stop(self(context, input.user_id).userId);
      return {};
    },
    matchInfo: async (context, input) => {
      const { userId } = self(context, input.user_id);
      const isLost = matches.info(userId).status === 0 && (await isCallLost(userId));
      const info = matches.info(userId);
      // Somebody goes on with it in a moment.
      if (isLost && info.status === 0) throw unavailable(adoptRetrySeconds);
      return info;
    },
    matchInfoUpdate: async (context, input) => calls.isIn(self(context, input.user_id).userId, input.id),
    startVideo: async (context, { user_id, id }) => {
      const { userId } = self(context, user_id);
      const isHere = matches.isBusy(userId) || calls.isIn(userId, id);
      // Its process has died, and somebody goes on with it in a moment.
      if (!isHere && (await runningCalls.isOf(id, userId)) && !calls.isIn(userId, id))
        throw unavailable(adoptRetrySeconds);
      try {
        return calls.join(userId, id);
      } catch (error) {
        // Their page is back, and this process has not heard yet where its chat session is.
        const isAwaited = calls.isIn(userId, id) && calls.current(userId)?.returnLeftMs != null;
        throw isAwaited ? unavailable(adoptRetrySeconds) : error;
      }
    },
    testRoomSign: async ({ session }) => {
      const { iceServers, expiresAtMs } = media.credentialsFor(session.externalId);
      return { token: randomId(random), iceServers, policy: media.policy, expiresAt: expiresAtMs };
    },
  };
}

/** When a page may ask again for a call that nobody has at the moment. */
const adoptRetrySeconds = 1;

const answeredThere: ReadonlySet<string> = new Set<MatchCall["name"]>([
  "matchStart",
  "matchStop",
  "matchInfo",
  "matchInfoUpdate",
  "startVideo",
  "ring",
  "ringAnswer",
]);

/** Calls about what a person does now, which the process with their search or call alone knows. */
type HomeHandlers = Pick<Handlers, "matchStart"> & Partial<Pick<Handlers, MatchCall["name"]>>;

/** When a process that did not answer may be asked again. */
const homeRetrySeconds = 1;
/** So often, and so long after each other, the home of somebody is asked for who is between two homes. */
const betweenTries = 20;
const betweenTryMs = 50;

interface HomeParts {
  bus: Pick<Bus, "isHere" | "isPresent">;
  peers: Pick<Peers, "ask" | "serve">;
  clock: Pick<Clock, "after">;
  /** Null where this process is alone. */
  guests: HomeGuests | null;
}

type HomeGuests = Pick<Guests, "atHost" | "isElsewhere" | "isGuest" | "isLeaving" | "startedFromAfar">;

/**
 * The same calls, answered by the process with the caller's chat session, whichever one they came to, or by the one with
 * their call; for somebody who is nowhere by this one.
 *
 * @throws EndpointError as that process says it; 503 where it does not answer, and may have done it all the same.
 */
export function answeredAtHome<Handled extends HomeHandlers>(
  handlers: Handled,
  { bus, peers, guests, clock }: HomeParts,
): Handled {
  type Answer = (context: SignedInContext, input: unknown) => Promise<unknown>;
  const answerHere = ({ name, context, input }: MatchCall) =>
    answerOf(async () => {
      const answer = handlers[name] as Answer | undefined;
      // Of a version after this one, which is on its way here.
      if (!answer) throw unavailable(homeRetrySeconds);
      return answer(context, input);
    });
  const answerAtHome = async (call: MatchCall): Promise<MatchCallAnswer> => {
    const { userId } = call.context.session;
    const atHost = guests && (await guests.atHost(userId, () => peers.ask("hostCall", callKey(userId), call)));
    return atHost ?? (guests && call.name === "matchStart" ? startHere(call, guests) : answerHere(call));
  };
  /** What a page starts is the business of its next home as soon as this one knows of that. */
  const startHere = async (call: MatchCall, here: HomeGuests): Promise<MatchCallAnswer> => {
    const { userId } = call.context.session;
    const unlessMoving = () => {
      if (here.isLeaving(userId) || !bus.isHere(userId))
        throw new NobodyThereError("the person is about to have another home");
    };
    unlessMoving();
    const answer = await answerHere(call);
    unlessMoving();
    if (answer.kind === "done") here.startedFromAfar(call);
    return answer;
  };
  peers.serve("homeCall", async (call) => {
    if (!bus.isHere(call.context.session.userId)) throw new NobodyThereError("the person is not here any more");
    const answer = await answerOf(() => unlessSilent(answerAtHome(call)));
    return answer.kind === "done" ? (answer.output as MatchCallAnswer) : answer;
  });
  peers.serve("hostCall", async (call) => {
    if (!guests?.isGuest(call.context.session.userId)) throw new NobodyThereError("the person is no guest here");
    return answerHere(call);
  });
  const ask = async (call: MatchCall, tries = 1): Promise<MatchCallAnswer> => {
    const { userId } = call.context.session;
    const atHome = bus.isHere(userId) ? answerAtHome(call) : peers.ask("homeCall", personKey(userId), call);
    return unlessSilent(atHome).catch(async (error: unknown) => {
      if (!(error instanceof NobodyThereError)) throw error;
      // Their home before is still told of, and the next is not their home yet.
      const isPresent = await bus.isPresent(userId);
      const isNowhere = tries === betweenTries || !isPresent;
      // Nothing is known yet of the home at which their new page is: what it joins here the guest of the home before has.
      if (isNowhere && call.name === "startVideo" && guests?.isGuest(userId)) throw unavailable(homeRetrySeconds);
      // They have a page, at one or the other.
      if (isNowhere && isPresent && call.name === "matchStart") throw unavailable(homeRetrySeconds);
      if (isNowhere) return answerHere(call);
      await new Promise<void>((resolve) => void clock.after(betweenTryMs, resolve));
      return ask(call, tries + 1);
    });
  };
  const atHome = (name: MatchCall["name"]): Answer => {
    return async ({ session, ip, userAgent, language, isOverChat }, input) => {
      const context = { session, ip, userAgent, language };
      const { userId } = session;
      const mayBeNextHomes = name === "matchStart" && (!isOverChat || guests?.isLeaving(userId));
      if (bus.isHere(userId) && !(guests && (mayBeNextHomes || guests.isElsewhere(userId))))
        return (handlers[name] as Answer)(context, input);
      const answer = await ask({ name, context, input }).catch((error: unknown) => unlessRing(name, error));
      if (answer.kind === "done") return answer.output;
      throw new EndpointError(answer.code, answer.message, answer.data);
    };
  };
  const names = Object.keys(handlers).filter((name): name is MatchCall["name"] => answeredThere.has(name));
  return { ...handlers, ...Object.fromEntries(names.map((name) => [name, atHome(name)])) };
}

/** @throws whatever the call throws besides EndpointError. */
async function answerOf(call: () => Promise<unknown>): Promise<MatchCallAnswer> {
  try {
    return { kind: "done", output: await call() };
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    return { kind: "refused", code: error.code, message: error.message, data: error.data };
  }
}

/** @throws EndpointError 503 where the other process did not answer. */
function unlessSilent<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return asked.catch((error: unknown) => {
    if (error instanceof PeerSilentError) throw unavailable(homeRetrySeconds);
    throw error;
  });
}

/**
 * Where the home of whoever rings cannot do that, as one of the version before, nobody can be rung, and whoever takes a ring
 * asks again.
 *
 * @throws EndpointError 503 for an answer to a ring; whatever it is of other calls.
 */
function unlessRing(name: MatchCall["name"], error: unknown): MatchCallAnswer {
  if (!(error instanceof PeerFailedError) || (name !== "ring" && name !== "ringAnswer")) throw error;
  if (name === "ringAnswer") throw unavailable(homeRetrySeconds);
  return { kind: "done", output: { state: "unavailable" } };
}

/** The caller names themself in these calls; the session decides, and a field that says otherwise is a mistake. */
function self({ session }: SignedInContext, userId: number): SignedInContext["session"] {
  if (BigInt(userId) !== session.userId) throw badInput("user_id is not the caller", "user_id");
  return session;
}
