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
  /** Whose chat sessions this process has. */
  hub: { isHere(userId: bigint): boolean };
  peers: Pick<Peers, "self" | "ask" | "serve">;
  frames: PeerFrames;
  /** Where the other processes reach this one. */
  peerUrl: string;
  clock: Clock;
  logger: Pick<Logger, "warn">;
}

type TakenFrame = Omit<PeerFrame, "userId">;

/** Somebody on their way from one process to another is at neither for a moment. */
const triesMax = 5;
const retryMs = 100;
const retrySeconds = 1;
const placesMax = 50_000;

/**
 * The inspection of the whole site: a picture that comes to any process is looked at where its person's search or call is
 * (decision 035).
 */
export class RoutedFrames implements Disposable {
  readonly #options: RoutedFramesOptions;
  readonly #pauses: Pauses;
  readonly #serving: readonly Disposable[];
  /** Who took the last picture of whom: it says so where it does not look at them any more. */
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
   * As `InspectionService.take`, whichever process looks at the person.
   *
   * @throws EndpointError as that process says it; 503 where the picture could not be brought to it.
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
    // Of somebody who is nowhere this process refuses it.
    if (!answer) return inspection.take(userId, frame);
    if (answer.kind === "refused") throw new EndpointError(answer.code, answer.message, answer.data);
  }

  /** A picture that came to another process; null where the person is not looked at here. */
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

  /** Null where no other process looks at the person. */
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

  /** Where it can be told the process that looks does not wait for the picture, and notes nothing of the person. */
  async #lost(userId: bigint, { roomId, ticket }: TakenFrame, error: unknown): Promise<void> {
    this.#options.logger.warn({ err: error }, "a picture did not reach the process that looks at it");
    if (roomId === "") return;
    await this.#ask("frameLost", userId, { roomId, ticket }).catch((untold: unknown) => {
      if (!isOfPeers(untold)) throw untold;
    });
  }

  /** Null if no server looks at the user's frames. */
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

/** @throws whatever is no refusal. */
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
