import { EndpointError, unavailable } from "#lib/errors.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { FileContext, Handlers, SignedInContext } from "#ports/handlers.ts";
import {
  type HomeCall,
  type HomeCallAnswer,
  NoOwnerError,
  PeerFailedError,
  type Peers,
  PeerTimeoutError,
  personKey,
} from "#ports/peers.ts";

const answeredThere: ReadonlySet<string> = new Set<HomeCall["name"]>([
  "matchStart",
  "matchStop",
  "matchInfo",
  "matchInfoUpdate",
  "startVideo",
  "ring",
  "ringAnswer",
  "videoInspect",
]);

/** Endpoints about what a user does at the moment, which only the user's home knows. */
type HomeHandlers = Pick<Handlers, "matchStart"> & Partial<Pick<Handlers, HomeCall["name"]>>;

/** After how many seconds a page may retry if a server did not respond. */
const homeRetrySeconds = 1;
/** How often and at which interval in milliseconds a request is retried while a user moves between homes. */
const betweenTries = 20;
const betweenTryMs = 50;

/** Limit of files that this server is sending to other servers. */
const filesAtOnceMax = 100;

interface LocalCall extends HomeCall {
  readonly context: SignedInContext & Partial<FileContext>;
}

interface HomeParts {
  bus: Pick<Bus, "isHere" | "isPresent">;
  peers: Pick<Peers, "ask" | "serve">;
  /** Whether the user is in a call at this server, with or without a connected page. */
  hasCall: (userId: bigint) => boolean;
  /** Call when a request outside the user's chat session has begun a search at this server. */
  startedByRequest: (userId: bigint) => void;
  clock: Pick<Clock, "after">;
}

/**
 * Wraps endpoints so that the caller's home answers them, whichever server receives the request. This server answers
 * for a user without a home.
 * @throws EndpointError as the home throws it; 503 if the home does not respond, though it may have acted.
 */
export function answeredAtHome<Handled extends HomeHandlers>(
  handlers: Handled,
  { bus, peers, hasCall, startedByRequest, clock }: HomeParts,
): Handled {
  type Answer = (context: LocalCall["context"], input: unknown) => Promise<unknown>;
  const isHere = (userId: bigint) => bus.isHere(userId) || hasCall(userId);
  const answerHere = async ({ name, context, input }: LocalCall, isOverChat = false): Promise<HomeCallAnswer> => {
    const { userId } = context.session;
    const wasHere = isHere(userId);
    const handler = handlers[name] as Answer | undefined;
    const answer = await answerOf(async () => {
      // A newer server version may request an endpoint that this version does not know.
      if (!handler) throw unavailable(homeRetrySeconds);
      return handler(context, input);
    });
    // The user moved while the search began here. That search is over, and the new home must begin it.
    if (name === "matchStart" && wasHere && !isHere(userId)) throw new NoOwnerError("the user has moved");
    if (name === "matchStart" && answer.kind === "done" && !isOverChat) startedByRequest(userId);
    return answer;
  };
  peers.serve("homeCall", async ({ file, ...call }) => {
    if (!isHere(call.context.session.userId)) throw new NoOwnerError("the user is at another server");
    const context = file === undefined ? call.context : { ...call.context, file: Buffer.from(file, "base64") };
    return answerHere({ ...call, context });
  });
  let filesOut = 0;
  const askHome = async (call: LocalCall): Promise<HomeCallAnswer> => {
    const { file, ...context } = call.context;
    const key = personKey(context.session.userId);
    if (!file) return peers.ask("homeCall", key, { ...call, context });
    // Limits the memory that files for a hanging server take in this process and in Redis.
    if (filesOut >= filesAtOnceMax) throw new PeerTimeoutError("too many files are in transit");
    filesOut += 1;
    try {
      return await peers.ask("homeCall", key, { ...call, context, file: file.toString("base64") });
    } finally {
      filesOut -= 1;
    }
  };
  const ask = async (call: LocalCall, isOverChat: boolean, tries = 1): Promise<HomeCallAnswer> => {
    const { userId } = call.context.session;
    try {
      return isHere(userId) ? await answerHere(call, isOverChat) : await askHome(call);
    } catch (error) {
      if (error instanceof PeerTimeoutError) throw unavailable(homeRetrySeconds);
      if (!(error instanceof NoOwnerError)) throw error;
      // A moving user is present but not owned: the old home has released the user, the new one owns nothing yet.
      const isPresent = await bus.isPresent(userId);
      const isNowhere = tries === betweenTries || !isPresent;
      if (isNowhere && isPresent && call.name === "matchStart") throw unavailable(homeRetrySeconds);
      if (isNowhere) return answerHere(call);
      await new Promise<void>((resolve) => void clock.after(betweenTryMs, resolve));
      return ask(call, isOverChat, tries + 1);
    }
  };
  const atHome = (name: HomeCall["name"]): Answer => {
    return async ({ session, ip, userAgent, language, file, isOverChat = false }, input) => {
      const context = { session, ip, userAgent, language, ...(file && { file }) };
      const answer = await ask({ name, context, input }, isOverChat).catch((error: unknown) => unlessRing(name, error));
      if (answer.kind === "done") return answer.output;
      throw new EndpointError(answer.code, answer.message, answer.data);
    };
  };
  const names = Object.keys(handlers).filter((name): name is HomeCall["name"] => answeredThere.has(name));
  return { ...handlers, ...Object.fromEntries(names.map((name) => [name, atHome(name)])) };
}

/** @throws every error of `call` except EndpointError. */
async function answerOf(call: () => Promise<unknown>): Promise<HomeCallAnswer> {
  try {
    return { kind: "done", output: await call() };
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    return { kind: "refused", code: error.code, message: error.message, data: error.data };
  }
}

/**
 * Answers a ring as if the friend were unavailable if the caller's home failed. A failed answer to a ring is retried.
 * @throws EndpointError 503 for an answer to a ring; the error itself for other endpoints.
 */
function unlessRing(name: HomeCall["name"], error: unknown): HomeCallAnswer {
  if (!(error instanceof PeerFailedError) || (name !== "ring" && name !== "ringAnswer")) throw error;
  if (name === "ringAnswer") throw unavailable(homeRetrySeconds);
  return { kind: "done", output: { state: "unavailable" } };
}
