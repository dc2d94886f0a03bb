import type { Logger } from "pino";
import { boundedCache } from "#lib/cache.ts";
import { EndpointError, unavailable } from "#lib/errors.ts";
import { Pauses } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameAnswer, PeerFrame, PeerFrames, PeerPlace } from "#ports/peer-frames.ts";
import {
  type Asked,
  NobodyThereError,
  PeerFailedError,
  type PeerKey,
  type Peers,
  PeerSilentError,
  personKey,
  userOfKey,
} from "#ports/peers.ts";
import type { InspectionService } from "./inspection-service.ts";

interface RoutedFramesOptions {
  inspection: Pick<InspectionService, "take" | "lost">;
  /** Knows which users' chat sessions this server has. */
  hub: { isHere(userId: bigint): boolean };
  peers: Pick<Peers, "self" | "ask" | "serve">;
  frames: PeerFrames;
  /** The URL at which the other servers reach this one. */
  peerUrl: string;
  clock: Clock;
  logger: Pick<Logger, "warn">;
}

type TakenFrame = Omit<PeerFrame, "userId">;

/** A user who moves between servers has no home for a moment, so the request is retried. */
const triesMax = 5;
const retryMs = 100;
const retrySeconds = 1;
const placesMax = 50_000;

/**
 * Routes frames across the site: a frame that reaches any server is inspected by the server of its user's search or
 * call (decision 035).
 */
export class RoutedFrames implements Disposable {
  readonly #options: RoutedFramesOptions;
  readonly #pauses: Pauses;
  readonly #serving: readonly Disposable[];
  /** Caches which server last accepted a user's frames. That server reports when it no longer inspects the user. */
  readonly #places = boundedCache<bigint, PeerPlace>({ entriesMax: placesMax });

  constructor(options: RoutedFramesOptions) {
    const { inspection, peers, peerUrl: url, clock } = options;
    this.#options = options;
    this.#pauses = new Pauses(clock);
    this.#serving = [
      peers.serve("whoLooks", async (_nothing, key) => {
        this.#requireHere(key);
        return { process: peers.self, url };
      }),
      peers.serve("frameLost", async (asked, key) => {
        const userId = this.#requireHere(key);
        await answerOf(async () => inspection.lost(userId, asked));
        return null;
      }),
    ];
  }

  /**
   * As `InspectionService.take`, at the server that inspects the user.
   *
   * @throws EndpointError as that server throws it; 503 if the frame could not be forwarded to it.
   */
  async take(userId: bigint, frame: TakenFrame): Promise<void> {
    const { inspection } = this.#options;
    if (this.#isHere(userId)) return inspection.take(userId, frame);
    let answer: FrameAnswer | null;
    try {
      answer = await this.#pass({ userId, ...frame });
    } catch (error) {
      if (!isOfPeers(error)) throw error;
      await this.#lost(userId, frame, error);
      throw unavailable(retrySeconds);
    }
    // No server inspects the user, so this one rejects the frame.
    if (!answer) return inspection.take(userId, frame);
    if (answer.kind === "refused") throw new EndpointError(answer.code, answer.message, answer.data);
  }

  /** Takes a frame that reached another server; null if this server does not inspect the user. */
  async takeHere({ userId, ...frame }: PeerFrame): Promise<FrameAnswer | null> {
    return this.#isHere(userId) ? answerOf(() => this.#options.inspection.take(userId, frame)) : null;
  }

  [Symbol.dispose](): void {
    for (const serving of this.#serving) serving[Symbol.dispose]();
    this.#pauses[Symbol.dispose]();
  }

  #isHere(userId: bigint): boolean {
    return this.#options.hub.isHere(userId);
  }

  /** @throws NobodyThereError */
  #requireHere(key: PeerKey): bigint {
    const userId = userOfKey(key);
    if (!this.#isHere(userId)) throw new NobodyThereError("the person is looked at elsewhere");
    return userId;
  }

  /** Null if no other server inspects the user. */
  async #pass(frame: PeerFrame): Promise<FrameAnswer | null> {
    const { peers, frames } = this.#options;
    const { userId } = frame;
    for (let tries = 1; tries <= triesMax && !this.#pauses.isOver; tries += 1) {
      const known = this.#places.get(userId);
      const place = known ?? (await this.#ask("whoLooks", userId, null));
      if (!place || place.process === peers.self) return null;
      try {
        const answer = await frames.pass(place, frame);
        this.#places.set(userId, place);
        return answer;
      } catch (error) {
        this.#places.delete(userId);
        if (!isOfPeers(error)) throw error;
        if (known) continue;
        if (!(error instanceof NobodyThereError)) throw error;
        await this.#pauses.wait(retryMs);
      }
    }
    return null;
  }

  /** Tells the inspecting server, if reachable, not to wait for the frame and not to count it against the user. */
  async #lost(userId: bigint, { roomId, ticket }: TakenFrame, error: unknown): Promise<void> {
    this.#options.logger.warn({ err: error }, "a picture did not reach the process that looks at it");
    if (roomId === "") return;
    await this.#ask("frameLost", userId, { roomId, ticket }).catch((untold: unknown) => {
      if (!isOfPeers(untold)) throw untold;
    });
  }

  /** Null if no server inspects the user's frames. */
  async #ask<Kind extends "whoLooks" | "frameLost">(
    kind: Kind,
    userId: bigint,
    input: Asked[Kind]["in"],
  ): Promise<Asked[Kind]["out"] | null> {
    try {
      return await this.#options.peers.ask(kind, personKey(userId), input);
    } catch (error) {
      if (error instanceof NobodyThereError) return null;
      throw error;
    }
  }
}

function isOfPeers(error: unknown): boolean {
  return error instanceof NobodyThereError || error instanceof PeerSilentError || error instanceof PeerFailedError;
}

/** @throws every error of `take` except EndpointError. */
async function answerOf(take: () => Promise<void>): Promise<FrameAnswer> {
  try {
    await take();
    return { kind: "taken" };
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    const { code, message, data } = error;
    return { kind: "refused", code, message, data };
  }
}
