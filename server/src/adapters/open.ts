import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { channelTypes } from "@fava/wire/gateway.ts";
import type { Config } from "#config.ts";
import type { DisposalStack } from "#lib/disposal-stack.ts";
import { Tracer } from "#lib/tracer.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { AgeCheck } from "#ports/age-check.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { AvatarSource, ContentHosts, IdentityProvider, SeedPerson } from "#ports/identity.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { Nonces } from "#ports/nonces.ts";
import type { OneTimeKeys } from "#ports/one-time-keys.ts";
import type { PaymentProvider } from "#ports/payments.ts";
import type { Peers } from "#ports/peers.ts";
import type { CountryLookup } from "#ports/country-lookup.ts";
import type { Pusher } from "#ports/pusher.ts";
import type { Mailer } from "#ports/mailer.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { TemporaryStore } from "#ports/temporary-store.ts";
import type { Translator } from "#ports/translator.ts";
import { sandboxAgeRoutes } from "./age/sandbox/age-routes.ts";
import { SandboxAgeCheck } from "./age/sandbox/sandbox-age-check.ts";
import { YotiAgeCheck, yotiLiveUrl } from "./age/yoti-age-check.ts";
import { FileBlobs } from "./blobs/file-blobs.ts";
import { WatchedBlobs } from "./blobs/watched-blobs.ts";
import { MarkerClassifier } from "./classifier/marker-classifier.ts";
import { openOnnxClassifier } from "./classifier/onnx/onnx-classifier.ts";
import { MmdbCountryLookup } from "./geo/mmdb-country-lookup.ts";
import { AppleIdentity } from "./identity/apple-identity.ts";
import { FacebookIdentity } from "./identity/facebook-identity.ts";
import { GoogleIdentity } from "./identity/google-identity.ts";
import { HttpsAvatars } from "./identity/https-avatars.ts";
import { providerHosts } from "./identity/provider-hosts.ts";
import { SandboxAvatars } from "./identity/sandbox/portrait.ts";
import { SandboxIdentity, sandboxPeople, sandboxSubjects } from "./identity/sandbox/sandbox-identity.ts";
import { sandboxIdentityRoutes, type SandboxRoutesOptions } from "./identity/sandbox/sandbox-routes.ts";
import { systemClock } from "./local/clock.ts";
import { LocalNonces } from "./local/nonces.ts";
import { LocalOneTimeKeys } from "./local/one-time-keys.ts";
import { LocalPeers } from "./local/peers.ts";
import { systemRandom } from "./local/random.ts";
import { LocalLimits } from "./local/rate-limits.ts";
import { LocalTemporaryStore } from "./local/temporary-store.ts";
import { SandboxMailer, sandboxMailRoutes } from "./mail/sandbox-mailer.ts";
import { SmtpMailer } from "./mail/smtp-mailer.ts";
import { CoturnRelay } from "./media/coturn-relay.ts";
import { DirectMedia } from "./media/direct-media.ts";
import { CodaPayments } from "./payments/coda/coda-payments.ts";
import { PayerMaxPayments } from "./payments/payermax/payermax-payments.ts";
import { sandboxPaymentRoutes } from "./payments/sandbox/payment-routes.ts";
import { SandboxPayments } from "./payments/sandbox/sandbox-payments.ts";
import { StripePayments } from "./payments/stripe/stripe-payments.ts";
import { SandboxPusher, sandboxPushRoutes } from "./push/sandbox-pusher.ts";
import { vapidOf } from "./push/vapid.ts";
import { WebPusher } from "./push/web-pusher.ts";
import { LibreTranslator } from "./translator/libre-translator.ts";
import { LoggedTraces } from "./traces/logged-traces.ts";

/** The bucket if configured, otherwise files in the data directory. */
export async function chooseBlobs({ bucket, dataDirectory }: Config): Promise<Blobs & Partial<Disposable>> {
  if (!bucket) return new FileBlobs(join(dataDirectory, "blobs"));
  // Imported on demand: the library takes 20 MB of memory.
  const { S3Blobs } = await import("./blobs/s3-blobs.ts");
  return new S3Blobs(bucket);
}

/** Traces go to a collector if configured, otherwise to the log; nowhere if its level excludes them. */
export async function chooseTracer(
  { traces: { otlpEndpoint: endpoint, perThousand } }: Pick<Config, "traces">,
  parts: { clock: Clock; random: Random; logger: Logger; self: ProcessId },
): Promise<Tracer> {
  const { logger } = parts;
  const logged = logger.isLevelEnabled("debug") ? new LoggedTraces({ logger }) : null;
  if (endpoint === null) return new Tracer({ ...parts, traces: logged, perThousand });
  // Imported on demand.
  const { OtlpTraces } = await import("./traces/otlp-traces.ts");
  return new Tracer({ ...parts, traces: new OtlpTraces({ logger, endpoint, instanceId: parts.self }), perThousand });
}

/** State that the servers of a site share, and their communication. */
export interface Shared {
  limits: Limits;
  nonces: Nonces;
  oneTimeKeys: OneTimeKeys;
  temporaryStore: TemporaryStore;
  peers: Peers;
  /** Checks of Redis; empty without it. A server works without it. */
  engineChecks: Readonly<Record<string, () => Promise<void>>>;
  /** Memory of Redis in bytes: `used`, and `limit` if it has one; empty without Redis. */
  redisMemory: () => Promise<Readonly<Record<string, number>>>;
}

/** Timeout of the connection that only listens. */
const listeningAnswerMs = 5_000;

/** In Redis if configured, otherwise in the memory of this only server. */
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
      temporaryStore: new LocalTemporaryStore({ clock }),
      peers,
      engineChecks: {},
      redisMemory: async () => ({}),
      [Symbol.asyncDispose]: () => peers[Symbol.asyncDispose](),
    };
  }
  // Imported on demand.
  const [
    { openRedis },
    { readRedisMemory },
    { RedisLimits },
    { RedisNonces },
    { RedisOneTimeKeys },
    { RedisTemporaryStore },
    redisPeers,
  ] = await Promise.all([
    import("./redis/connection.ts"),
    import("./redis/memory.ts"),
    import("./redis/rate-limits.ts"),
    import("./redis/nonces.ts"),
    import("./redis/one-time-keys.ts"),
    import("./redis/temporary-store.ts"),
    import("./redis/peers.ts"),
  ]);
  const redis = openRedis(redisUrl, logger);
  const { listenerName, RedisPeers } = redisPeers;
  const subscriber = openRedis(redisUrl, logger, { answerWithinMs: listeningAnswerMs, name: listenerName(self) });
  const peers = new RedisPeers({ self, redis, subscriber, clock, logger });
  return {
    limits: new RedisLimits({ redis, factor, meanwhile: local }),
    nonces: new RedisNonces(redis),
    oneTimeKeys: new RedisOneTimeKeys(redis),
    temporaryStore: new RedisTemporaryStore(redis),
    peers,
    engineChecks: { redis: async () => void (await redis.ping()) },
    redisMemory: () => readRedisMemory(redis),
    [Symbol.asyncDispose]: async () => {
      await peers[Symbol.asyncDispose]();
      redis.disconnect();
    },
  };
}

/**
 * With TURN only relayed candidates are allowed. Without it browsers see each other's IP address, which production
 * rejects.
 */
export function chooseMedia(
  { turn, stunUrls }: Pick<Config, "turn" | "stunUrls">,
  { clock, logger, disposal }: { clock: Clock; logger: Logger; disposal: DisposalStack },
): MediaRelay {
  return turn ? disposal.use(new CoturnRelay({ ...turn, clock, logger })) : new DirectMedia({ stunUrls, clock });
}

export interface ChosenPusher {
  /** Null without notifications: in production without keys. */
  pusher: Pusher | null;
  /** Null in production, and with keys. */
  sandbox: SandboxPusher | null;
}

/** The push services with keys, otherwise the sandbox in development. */
export function choosePusher(
  { push: { keys, hosts }, settings, serverSecret }: Pick<Config, "push" | "settings"> & { serverSecret: ServerSecret },
  parts: { clock: Clock; logger: Logger },
): ChosenPusher {
  if (keys) return { pusher: new WebPusher({ ...parts, keys, hosts }), sandbox: null };
  if (settings.mode === "production") return { pusher: null, sandbox: null };
  const sandbox = new SandboxPusher({ ...parts, publicKey: vapidOf(serverSecret.current).publicKey, hosts });
  return { pusher: sandbox, sandbox };
}

export interface ChosenMailer {
  /** Null without mails: in production without a mail server. */
  mailer: Mailer | null;
  /** Null in production, and with a mail server. */
  sandbox: SandboxMailer | null;
}

/** The mail server if configured, otherwise the sandbox in development. */
export function chooseMailer(
  { mail, settings }: Pick<Config, "mail" | "settings">,
  { logger }: { logger: Logger },
): ChosenMailer {
  if (mail) return { mailer: new SmtpMailer({ ...mail, logger }), sandbox: null };
  if (settings.mode === "production") return { mailer: null, sandbox: null };
  const sandbox = new SandboxMailer();
  return { mailer: sandbox, sandbox };
}

/**
 * The classifier for frames and pictures; null where the operator switched it off.
 *
 * @throws Error for the test classifier in production.
 */
export function chooseClassifier(
  { settings }: Pick<Config, "settings">,
  parts: { clock: Clock; random: Random; logger: Logger },
): FrameClassifier | null {
  switch (settings.moderation.mode) {
    case "off":
      return null;
    case "marker":
      if (settings.mode === "production") throw new Error("production is configured with the marker classifier");
      return new MarkerClassifier();
    case "auto":
      return openOnnxClassifier({
        ...parts,
        settings: { openNsfw: settings.moderation.openNsfw, readsFaces: settings.moderation.ageHints !== "off" },
      });
  }
}

export interface ChosenIdentity {
  /** Google, Facebook and Apple, in this order; in development all three. */
  providers: readonly IdentityProvider[];
  /** Null in production, and where all three are real. */
  sandbox: SandboxIdentity | null;
  /** Seeded users; empty without a sandbox. */
  seedPeople: readonly SeedPerson[];
  /** Hosts of the live providers' scripts, for the Content-Security-Policy. */
  contentHosts: readonly ContentHosts[];
}

/** The real provider where configured; otherwise the sandbox in development, and none in production. */
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
  if (isProduction && live.length === 0) throw new Error("production is configured without an identity provider");
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
  /** Provider of each channel of the payment entry. */
  channels: ReadonlyMap<number, PaymentProvider>;
  /** Every provider that may have orders, including one without a channel now. */
  providerById: (id: string) => PaymentProvider | null;
  /** Null in production. */
  sandbox: SandboxPayments | null;
}

/**
 * The real provider of a channel where configured. In development the sandbox replaces PayerMax and Coda; Stripe has a
 * channel only where configured.
 */
export function choosePayments(
  { settings, payments }: Pick<Config, "settings" | "payments">,
  parts: { serverSecret: ServerSecret; clock: Clock; logger: Logger },
): ChosenPayments {
  const { serverSecret, clock, logger } = parts;
  const payermax = payments.payermax && new PayerMaxPayments({ ...payments.payermax, clock });
  const coda = payments.coda && new CodaPayments({ ...payments.coda, clock });
  const stripe = payments.stripe && new StripePayments({ ...payments.stripe, clock });
  const isProduction = settings.mode === "production";
  const real = [payermax, coda, stripe].filter((provider) => provider !== null);
  if (isProduction && (real.length === 0 || real.some(({ mode }) => mode !== "live"))) {
    throw new Error("production is configured with sandbox payments");
  }
  const sandbox = isProduction ? null : new SandboxPayments({ secret: serverSecret.current, clock, log: logger });
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

export interface ChosenAgeCheck {
  /** Null: countries that need age checks are closed. */
  vendor: AgeCheck | null;
  /** Null in production, and with a vendor. */
  sandbox: SandboxAgeCheck | null;
}

/** The configured vendor, otherwise the sandbox in development and none in production. */
export function chooseAgeCheck(
  { yoti, settings }: Pick<Config, "yoti" | "settings">,
  parts: { clock: Clock; random: Random; logger: Logger },
): ChosenAgeCheck {
  if (yoti) return { vendor: new YotiAgeCheck({ ...yoti, baseUrl: yotiLiveUrl, clock: parts.clock }), sandbox: null };
  if (settings.mode === "production") return { vendor: null, sandbox: null };
  const sandbox = new SandboxAgeCheck(parts);
  return { vendor: sandbox, sandbox };
}

/** The product's access to the outside. A test may replace any adapter and then disposes it itself. */
export interface Adapters extends Shared {
  clock: Clock;
  random: Random;
  /** Judges frames and pictures; null where the operator switched it off. */
  classifier: FrameClassifier | null;
  blobs: WatchedBlobs;
  countryLookup: CountryLookup;
  media: MediaRelay;
  identity: ChosenIdentity;
  avatars: AvatarSource;
  payments: ChosenPayments;
  /** Sends notifications to users without an open page. */
  push: ChosenPusher;
  mail: ChosenMailer;
  age: ChosenAgeCheck;
  /** Translates texts where the browser cannot; null where the operator has configured none. */
  translator: Translator | null;
  tracer: Tracer;
}

/** Adapters that a test replaces. */
export type GivenAdapters = Partial<Omit<Adapters, "blobs"> & { blobs: Blobs }>;

interface AdapterParts {
  config: Config;
  serverSecret: ServerSecret;
  logger: Logger;
  given: GivenAdapters;
  disposal: DisposalStack;
}

/** Opens the adapters that were not given, and adds them to the stack. */
export async function openAdapters(parts: AdapterParts): Promise<Adapters> {
  const { config, serverSecret, logger, given, disposal } = parts;
  const { clock = systemClock, random = systemRandom } = given;
  const identity = given.identity ?? (await chooseIdentity(config, clock));
  // Opened first and so disposed last: it waits for running judgements, when money and calls are stored already.
  const classifier = given.classifier === undefined ? ownClassifier() : given.classifier;
  const { limits, nonces, oneTimeKeys, temporaryStore, peers, engineChecks, redisMemory } = disposal.use(
    await chooseShared(config, { clock, random, logger }),
    { name: "connections to other servers" },
  );
  return {
    limits,
    nonces,
    oneTimeKeys,
    temporaryStore,
    peers,
    engineChecks,
    redisMemory,
    ...given,
    clock,
    random,
    classifier,
    blobs: given.blobs ? new WatchedBlobs({ blobs: given.blobs, clock, logger }) : await ownBlobs(),
    countryLookup: given.countryLookup ?? new MmdbCountryLookup(),
    media: given.media ?? chooseMedia(config, { clock, logger, disposal }),
    identity,
    avatars: given.avatars ?? (identity.sandbox ? new SandboxAvatars(new HttpsAvatars()) : new HttpsAvatars()),
    payments: given.payments ?? ownPayments(),
    push: given.push ?? choosePusher({ ...config, serverSecret }, { clock, logger }),
    mail: given.mail ?? chooseMailer(config, { logger }),
    age: given.age ?? ownAgeCheck(),
    translator: given.translator ?? (config.translator && new LibreTranslator(config.translator)),
    tracer: given.tracer ?? disposal.use(await chooseTracer(config, { clock, random, logger, self: peers.self })),
  };

  function ownClassifier(): FrameClassifier | null {
    const classifier = chooseClassifier(config, { clock, random, logger });
    return classifier && disposal.use(classifier);
  }

  async function ownBlobs(): Promise<WatchedBlobs> {
    return disposal.use(new WatchedBlobs({ blobs: await chooseBlobs(config), clock, logger }));
  }

  function ownAgeCheck(): ChosenAgeCheck {
    const age = chooseAgeCheck(config, { clock, random, logger });
    if (age.sandbox) disposal.use(age.sandbox);
    return age;
  }

  function ownPayments(): ChosenPayments {
    const payments = choosePayments(config, { serverSecret, clock, logger });
    if (payments.sandbox) disposal.use(payments.sandbox);
    return payments;
  }
}

/** The sandbox pages, where sandboxes are in use. */
export async function addSandboxRoutes(
  app: FastifyInstance,
  {
    adapters,
    issueNonce,
    giveBeans,
  }: { adapters: Pick<Adapters, "identity" | "payments" | "push" | "mail" | "age"> } & Pick<
    SandboxRoutesOptions,
    "issueNonce" | "giveBeans"
  >,
): Promise<void> {
  const { identity, payments, push, mail, age } = adapters;
  if (age.sandbox) await sandboxAgeRoutes(app, age.sandbox);
  if (mail.sandbox) await sandboxMailRoutes(app, mail.sandbox);
  if (push.sandbox) await sandboxPushRoutes(app, push.sandbox);
  if (payments.sandbox) await sandboxPaymentRoutes(app, payments.sandbox);
  if (identity.sandbox) await sandboxIdentityRoutes(app, { sandbox: identity.sandbox, issueNonce, giveBeans });
}
