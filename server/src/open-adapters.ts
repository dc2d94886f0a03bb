import type { Logger } from "pino";
import { WatchedBlobs } from "#adapters/blobs/watched-blobs.ts";
import { MmdbPlaces } from "#adapters/geo/mmdb-places.ts";
import { HttpsAvatars } from "#adapters/identity/https-avatars.ts";
import { SandboxAvatars } from "#adapters/identity/sandbox/portrait.ts";
import { systemClock } from "#adapters/local/clock.ts";
import { systemRandom } from "#adapters/local/random.ts";
import type { OpenedDatabase } from "#db/pool.ts";
import { DisposalStack } from "#lib/disposal-stack.ts";
import type { Tracer } from "#lib/tracer.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { AvatarSource } from "#ports/identity.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { Places } from "#ports/places.ts";
import type { Random } from "#ports/random.ts";
import {
  chooseBlobs,
  chooseClassifier,
  chooseIdentity,
  chooseMedia,
  choosePayments,
  choosePusher,
  chooseShared,
  chooseTracer,
  type ChosenIdentity,
  type ChosenPayments,
  type ChosenPusher,
  type Shared,
} from "./choose-adapters.ts";
import type { Config } from "./config.ts";

/** What the process has before there is a product. */
export interface Outside {
  config: Config;
  database: OpenedDatabase;
  serverSecret: string;
  logger: Logger;
  /** Ends what the product consists of before what it holds already; a new one unless given. */
  disposal?: DisposalStack;
  /** No other process can reach the database, so that whoever is in its list has died. */
  isAlone?: boolean;
}

/** What the product reaches the world through; a test puts its own in the place of any of it, and ends that itself. */
export interface Adapters extends Shared {
  clock: Clock;
  random: Random;
  /** What looks at pictures of calls and profiles; null where an operator switched it off. */
  classifier: FrameClassifier | null;
  blobs: WatchedBlobs;
  places: Places;
  media: MediaRelay;
  identity: ChosenIdentity;
  avatars: AvatarSource;
  payments: ChosenPayments;
  /** Tells people who have no page open. */
  push: ChosenPusher;
  /** Records what becomes of presses of Start. */
  tracer: Tracer;
}

/** What a test may put in the place of adapters. */
export type GivenAdapters = Partial<Omit<Adapters, "blobs"> & { blobs: Blobs }>;

/** Opens what was not given; whatever is opened here the stack ends. */
export async function openAdapters(
  { config, serverSecret, logger }: Outside,
  given: GivenAdapters,
  disposal: DisposalStack,
): Promise<Adapters> {
  const { clock = systemClock, random = systemRandom } = given;
  const identity = given.identity ?? (await chooseIdentity(config, clock));
  // First, and so ended last: it waits for the pictures in hand, and money and calls are written by then.
  const classifier = given.classifier === undefined ? ownClassifier() : given.classifier;
  const { limits, nonces, oneTimeKeys, shortMemory, peers, engineChecks } = disposal.use(
    await chooseShared(config, { clock, random, logger }),
    { name: "connections to other servers" },
  );
  return {
    limits,
    nonces,
    oneTimeKeys,
    shortMemory,
    peers,
    engineChecks,
    ...given,
    clock,
    random,
    classifier,
    blobs: given.blobs ? new WatchedBlobs({ blobs: given.blobs, clock, logger }) : await ownBlobs(),
    places: given.places ?? new MmdbPlaces(),
    media: given.media ?? chooseMedia(config, clock),
    identity,
    avatars: given.avatars ?? (identity.sandbox ? new SandboxAvatars(new HttpsAvatars()) : new HttpsAvatars()),
    payments: given.payments ?? ownPayments(),
    push: given.push ?? choosePusher({ ...config, serverSecret }, { clock, logger }),
    tracer: given.tracer ?? disposal.use(await chooseTracer(config, { clock, random, logger, self: peers.self })),
  };

  function ownClassifier(): FrameClassifier | null {
    const classifier = chooseClassifier(config, { clock, random, logger });
    return classifier && disposal.use(classifier);
  }

  async function ownBlobs(): Promise<WatchedBlobs> {
    return disposal.use(new WatchedBlobs({ blobs: await chooseBlobs(config), clock, logger }));
  }

  function ownPayments(): ChosenPayments {
    const payments = choosePayments(config, { serverSecret, clock, logger });
    if (payments.sandbox) disposal.use(payments.sandbox);
    return payments;
  }
}
