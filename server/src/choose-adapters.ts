import { join } from "node:path";
import type { Logger } from "pino";
import { channelTypes } from "@fava/wire/gateway.ts";
import { FileBlobs } from "#adapters/blobs/file-blobs.ts";
import { MarkerClassifier } from "#adapters/classifier/marker-classifier.ts";
import { openOnnxClassifier } from "#adapters/classifier/onnx/onnx-classifier.ts";
import { AppleIdentity } from "#adapters/identity/apple-identity.ts";
import { FacebookIdentity } from "#adapters/identity/facebook-identity.ts";
import { GoogleIdentity } from "#adapters/identity/google-identity.ts";
import { SandboxIdentity, sandboxPeople, sandboxSubjects } from "#adapters/identity/sandbox/sandbox-identity.ts";
import { LocalNonces } from "#adapters/local/nonces.ts";
import { LocalOneTimeKeys } from "#adapters/local/one-time-keys.ts";
import { LocalPeers } from "#adapters/local/peers.ts";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { LocalShortMemory } from "#adapters/local/short-memory.ts";
import { CoturnRelay } from "#adapters/media/coturn-relay.ts";
import { DirectMedia } from "#adapters/media/direct-media.ts";
import { CodaPayments } from "#adapters/payments/coda/coda-payments.ts";
import { PayerMaxPayments } from "#adapters/payments/payermax/payermax-payments.ts";
import { SandboxPayments } from "#adapters/payments/sandbox/sandbox-payments.ts";
import { StripePayments } from "#adapters/payments/stripe/stripe-payments.ts";
import { SandboxPusher } from "#adapters/push/sandbox-pusher.ts";
import { vapidOf } from "#adapters/push/vapid.ts";
import { WebPusher } from "#adapters/push/web-pusher.ts";
import { LoggedTraces } from "#adapters/traces/logged-traces.ts";
import type { ReadyCheck } from "#edge/http/health.ts";
import { type ContentHosts, providerHosts } from "#edge/http/security-headers.ts";
import { Tracer } from "#lib/tracer.ts";
import type { SeedPerson } from "#people/seed.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { IdentityProvider } from "#ports/identity.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { Nonces } from "#ports/nonces.ts";
import type { OneTimeKeys } from "#ports/one-time-keys.ts";
import type { PaymentProvider } from "#ports/payments.ts";
import type { Peers } from "#ports/peers.ts";
import type { Pusher } from "#ports/pusher.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { ShortMemory } from "#ports/short-memory.ts";
import type { Config } from "./config.ts";

/** The bucket where one is configured, otherwise files in the data directory. Part of the composition root. */
export async function chooseBlobs({ bucket, dataDirectory }: Config): Promise<Blobs & Partial<Disposable>> {
  if (!bucket) return new FileBlobs(join(dataDirectory, "blobs"));
  // Loaded only where it is used: the library takes 20 MB of memory.
  const { S3Blobs } = await import("#adapters/blobs/s3-blobs.ts");
  return new S3Blobs(bucket);
}

/** Traces go to a collector where one is configured, otherwise into the log, and nowhere where that would not write them. */
export async function chooseTracer(
  { traces: { otlpEndpoint: endpoint, perThousand } }: Pick<Config, "traces">,
  parts: { clock: Clock; random: Random; logger: Logger; self: ProcessId },
): Promise<Tracer> {
  const { logger } = parts;
  const logged = logger.isLevelEnabled("debug") ? new LoggedTraces({ logger }) : null;
  if (endpoint === null) return new Tracer({ ...parts, traces: logged, perThousand });
  // Loaded only where it is used.
  const { OtlpTraces } = await import("#adapters/traces/otlp-traces.ts");
  return new Tracer({ ...parts, traces: new OtlpTraces({ logger, endpoint, instanceId: parts.self }), perThousand });
}

/** What the processes of a site have together: what nobody may do twice, or too often, and a way to each other. */
export interface Shared {
  limits: Limits;
  nonces: Nonces;
  oneTimeKeys: OneTimeKeys;
  shortMemory: ShortMemory;
  peers: Peers;
  /** Whether the engine answers; nothing where there is none. A process works on without it. */
  engineChecks: Readonly<Record<string, ReadyCheck>>;
}

/** How long the connection that only listens may owe an answer. */
const listeningAnswerMs = 5_000;

/** In Redis where one is configured, otherwise in the memory of this process, which then is all there is. */
export async function chooseShared(
  { redisUrl, rateLimitFactor: factor }: Pick<Config, "redisUrl" | "rateLimitFactor">,
  { clock, random, logger }: { clock: Clock; random: Random; logger: Logger },
): Promise<Shared & AsyncDisposable> {
  const local = new LocalLimits({ factor });
  const self = randomId(random);
  if (redisUrl === null) {
    const peers = new LocalPeers({ self, logger });
    return {
      limits: local,
      nonces: new LocalNonces({ clock }),
      oneTimeKeys: new LocalOneTimeKeys({ clock }),
      shortMemory: new LocalShortMemory({ clock }),
      peers,
      engineChecks: {},
      [Symbol.asyncDispose]: () => peers[Symbol.asyncDispose](),
    };
  }
  // Loaded only where it is used.
  const [{ openRedis }, { RedisLimits }, { RedisNonces }, { RedisOneTimeKeys }, { RedisShortMemory }, redisPeers] =
    await Promise.all([
      import("#adapters/redis/connection.ts"),
      import("#adapters/redis/rate-limits.ts"),
      import("#adapters/redis/nonces.ts"),
      import("#adapters/redis/one-time-keys.ts"),
      import("#adapters/redis/short-memory.ts"),
      import("#adapters/redis/peers.ts"),
    ]);
  const redis = openRedis(redisUrl, logger);
  const { listenerName, RedisPeers } = redisPeers;
  const subscriber = openRedis(redisUrl, logger, { answerWithinMs: listeningAnswerMs, name: listenerName(self) });
  const peers = new RedisPeers({ self, redis, subscriber, clock, logger });
  return {
    limits: new RedisLimits({ redis, factor, meanwhile: local }),
    nonces: new RedisNonces(redis),
    oneTimeKeys: new RedisOneTimeKeys(redis),
    shortMemory: new RedisShortMemory(redis),
    peers,
    engineChecks: { redis: async () => void (await redis.ping()) },
    [Symbol.asyncDispose]: async () => {
      await peers[Symbol.asyncDispose]();
      redis.disconnect();
    },
  };
}

/**
 * With TURN only relayed candidates travel; without it browsers see each other's address, which production refuses. Part
 * of the composition root.
 */
export function chooseMedia({ turn, stunUrls }: Pick<Config, "turn" | "stunUrls">, clock: Clock): MediaRelay {
  return turn ? new CoturnRelay({ ...turn, clock }) : new DirectMedia({ stunUrls, clock });
}

export interface ChosenPusher {
  /** Null where nobody can be told while no page is open: in production without keys. */
  pusher: Pusher | null;
  /** Null in production, and where keys are given. */
  sandbox: SandboxPusher | null;
}

/** The push services where keys are given, otherwise in development the sandbox. Part of the composition root. */
export function choosePusher(
  { push: { keys, hosts }, settings, serverSecret }: Pick<Config, "push" | "settings"> & { serverSecret: string },
  parts: { clock: Clock; logger: Logger },
): ChosenPusher {
  if (keys) return { pusher: new WebPusher({ ...parts, keys, hosts }), sandbox: null };
  if (settings.mode === "production") return { pusher: null, sandbox: null };
  const sandbox = new SandboxPusher({ ...parts, publicKey: vapidOf(serverSecret).publicKey, hosts });
  return { pusher: sandbox, sandbox };
}

/**
 * What looks at pictures of calls and profiles; null where an operator switched it off. Part of the composition root.
 *
 * @throws Error where production was configured with the classifier of the tests.
 */
export function chooseClassifier(
  { settings, dataDirectory }: Pick<Config, "settings" | "dataDirectory">,
  parts: { clock: Clock; random: Random; logger: Logger },
): FrameClassifier | null {
  switch (settings.moderation.mode) {
    case "off":
      return null;
    case "marker":
      if (settings.mode === "production") throw new Error("production was configured with marker pictures");
      return new MarkerClassifier();
    case "auto":
      return openOnnxClassifier({ ...parts, dataDirectory });
  }
}

export interface ChosenIdentity {
  /** Of Google, Facebook and Apple, in this order; in development all three. */
  providers: readonly IdentityProvider[];
  /** Null in production, and where all three are real. */
  sandbox: SandboxIdentity | null;
  /** The sandbox's cast; nobody without a sandbox. */
  seedPeople: readonly SeedPerson[];
  /** Hosts that the live providers' scripts need in the Content-Security-Policy. */
  contentHosts: readonly ContentHosts[];
}

/**
 * The real provider where it is configured; in development the sandbox for the others, in production nobody. Part of the
 * composition root.
 */
export async function chooseIdentity(
  { identity, settings, serverSecret }: Config,
  clock: Clock,
): Promise<ChosenIdentity> {
  const { google, facebook, apple } = identity;
  const live: IdentityProvider[] = [];
  if (google) live.push(new GoogleIdentity({ ...google, clock }));
  if (facebook) live.push(new FacebookIdentity({ ...facebook, clock }));
  if (apple) live.push(new AppleIdentity({ ...apple, clock }));
  const contentHosts = [
    ...(google ? [providerHosts.google] : []),
    ...(facebook ? [providerHosts.facebook] : []),
    ...(apple ? [providerHosts.apple] : []),
  ];
  const isProduction = settings.mode === "production";
  if (isProduction && live.length === 0) throw new Error("production was configured without an identity provider");
  if (isProduction || live.length === 3) return { providers: live, sandbox: null, seedPeople: [], contentHosts };
  const sandbox = await SandboxIdentity.create(clock, serverSecret);
  const others = sandbox.providers.filter((one) => !live.some((other) => other.loginType === one.loginType));
  return {
    providers: [...live, ...others].toSorted((one, other) => one.loginType - other.loginType),
    sandbox,
    seedPeople: sandboxPeople.map((person) => ({ ...person, identities: sandboxSubjects(person) })),
    contentHosts,
  };
}

export interface ChosenPayments {
  /** Which provider serves a channel of the payment entry. */
  channels: ReadonlyMap<number, PaymentProvider>;
  /** Any provider that may have orders, also one that serves no channel any more. */
  providerById: (id: string) => PaymentProvider | null;
  /** Null in production. */
  sandbox: SandboxPayments | null;
}

/**
 * The real provider of a channel where it is configured. In development the sandbox stands in for PayerMax and Coda;
 * Stripe has a channel only where it is configured. Part of the composition root.
 */
export function choosePayments(
  { settings, payments }: Pick<Config, "settings" | "payments">,
  parts: { serverSecret: string; clock: Clock; logger: Logger },
): ChosenPayments {
  const { serverSecret, clock, logger } = parts;
  const payermax = payments.payermax && new PayerMaxPayments({ ...payments.payermax, clock });
  const coda = payments.coda && new CodaPayments({ ...payments.coda, clock });
  const stripe = payments.stripe && new StripePayments({ ...payments.stripe, clock });
  const isProduction = settings.mode === "production";
  const real = [payermax, coda, stripe].filter((provider) => provider !== null);
  if (isProduction && (real.length === 0 || real.some(({ mode }) => mode !== "live"))) {
    throw new Error("production was configured with sandbox payments");
  }
  const sandbox = isProduction ? null : new SandboxPayments({ secret: serverSecret, clock, log: logger });
  const serving: [number, PaymentProvider | null][] = [
    [channelTypes.payermax, payermax ?? sandbox],
    [channelTypes.coda, coda ?? sandbox],
    [channelTypes.stripe, stripe],
  ];
  const providers = new Map<string, PaymentProvider>(
    [...real, ...(sandbox ? [sandbox] : [])].map((provider) => [provider.id, provider]),
  );
  return {
    channels: new Map(serving.filter((entry): entry is [number, PaymentProvider] => entry[1] !== null)),
    providerById: (id) => providers.get(id) ?? null,
    sandbox,
  };
}
