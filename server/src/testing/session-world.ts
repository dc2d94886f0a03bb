import { pino } from "pino";
import { SandboxAvatars } from "#adapters/identity/sandbox/portrait.ts";
import {
  type SandboxAccount,
  SandboxIdentity,
  sandboxPeople,
  sandboxPersonByKey,
  type SandboxProviderName,
  sandboxProviders,
  sandboxSubjects,
} from "#adapters/identity/sandbox/sandbox-identity.ts";
import { readConfig } from "#config.ts";
import { EndpointError, refused } from "#lib/errors.ts";
import type { RequestContext, LiveSession } from "#ports/handlers.ts";
import { ImageService } from "#people/image-service.ts";
import { ProfileService, type ProfileServiceOptions } from "#people/profile-service.ts";
import { seedPeople } from "#people/seed.ts";
import { type EndedSession, SessionService, type SignedIn } from "#people/session-service.ts";
import { SocialService } from "#people/social-service.ts";
import type { Limits } from "#ports/limits.ts";
import type { Settings } from "#ports/settings.ts";
import type { TextRules } from "#ports/text-rules.ts";
import { TestClock } from "./clock.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { leftovers } from "./leftovers.ts";
import { memoryBlobs } from "./memory-blobs.ts";
import { MemoryBus } from "./memory-bus.ts";
import { seededRandom } from "./random.ts";

export { sandboxPeople } from "#adapters/identity/sandbox/sandbox-identity.ts";

const serverSecret = "secret of the tests, long enough to be one";

export type LoginInput = Parameters<SessionService["login"]>[0];

/** Sessions and profiles over a database of their own, with the sandbox's people to sign in as. */
export interface SessionWorld {
  database: TestDatabase;
  clock: TestClock;
  sandbox: SandboxIdentity;
  sessions: SessionService;
  profiles: ProfileService;
  images: ImageService;
  bus: MemoryBus;
  settings: Settings;
  blobs: Map<string, Buffer>;
  ended: EndedSession[];
  logged: string[];
  seed(): Promise<void>;
  /** What the browser of somebody of the cast, or of a new person, would send. */
  loginInput(who: string, provider?: SandboxProviderName): Promise<LoginInput>;
  login(who: string, context?: Partial<RequestContext>): Promise<SignedIn>;
  /** Signs in and authenticates. */
  enter(who: string, context?: Partial<RequestContext>): Promise<LiveSession>;
}

export function callContext(change: Partial<RequestContext> = {}): RequestContext {
  return { session: null, ip: "127.0.0.1", userAgent: "test", language: "en", ...change };
}

/** Resolves to the refusal of a call; fails where the call went through or broke in another way. */
export async function refusalOf(call: Promise<unknown>): Promise<{ code: number; data: unknown }> {
  const outcome: unknown = await call.then(
    () => "the call went through",
    (error: unknown) => error,
  );
  if (!(outcome instanceof EndpointError))
    throw new Error(`expected a refusal: ${String(outcome)}`, { cause: outcome });
  return { code: outcome.code, data: outcome.data };
}

export async function sessionWorld(
  change: Partial<Settings> = {},
  limits: Pick<Limits, "take"> = { take: async () => null },
): Promise<SessionWorld> {
  const database = await createTestDatabase();
  const clock = new TestClock();
  const random = seededRandom(7);
  const sandbox = await SandboxIdentity.create(clock);
  const blobs = new Map<string, Buffer>();
  const logged: string[] = [];
  const settings = { ...readConfig({}).settings, ...change };
  const keep = (...entry: unknown[]) => void logged.push(JSON.stringify(entry));
  const shared = {
    db: database.db,
    clock,
    random,
    serverSecret,
    blobs: memoryBlobs(blobs),
    limits: { waitSeconds: async () => null, ...limits },
  };
  const sessions = new SessionService({
    ...shared,
    settings,
    providers: sandbox.providers,
    places: { countryOf: (address) => ({ "203.0.113.7": "TR" })[address] ?? null },
    avatars: new SandboxAvatars({ fetch: async () => null }),
    log: { info: keep, warn: keep },
  });
  const bus = new MemoryBus(() => clock.nowMs());
  const images = new ImageService({ ...shared, classifier: null, isShadow: false, logger: { warn: keep } });
  const profiles = profilesOver({ db: database.db, clock, sessions, images, bus });
  const ended: EndedSession[] = [];
  sessions.onEnded((one) => ended.push(one));
  const people = sandboxPeople.map((person) => ({ ...person, identities: sandboxSubjects(person) }));

  async function loginInput(who: string, provider: SandboxProviderName = "google"): Promise<LoginInput> {
    const person = sandboxPersonByKey(who);
    const account: SandboxAccount = person ? { person } : { name: who, picture: null };
    const grant = await sandbox.grant(provider, account, sessions.prepare().nonce);
    return { login_type: sandboxProviders[provider], ...grant, source: 1, imei: "device-1" };
  }
  const login = async (who: string, context: Partial<RequestContext> = {}) =>
    sessions.login(await loginInput(who), callContext(context));
  return {
    database,
    clock,
    sandbox,
    sessions,
    profiles,
    images,
    bus,
    settings,
    blobs,
    ended,
    logged,
    loginInput,
    login,
    seed: () => seedPeople({ db: database.db, clock, random, serverSecret, people }),
    enter: async (who, context = {}) => {
      const found = await sessions.authenticate((await login(who, context)).token);
      if (found.kind !== "live") throw new Error(`${who} has no session`);
      return found.session;
    },
  };
}

function profilesOver(
  parts: Pick<ProfileServiceOptions, "db" | "clock" | "sessions" | "images"> & { bus: MemoryBus },
): ProfileService {
  const social = new SocialService({ ...parts, logger: pino({ level: "silent" }) });
  leftovers.push(social);
  return new ProfileService({
    ...parts,
    serverSecret,
    balances: { of: async () => 0n },
    directory: social,
    messaging: { canMessage: async () => "request" },
    texts: textRulesWithout("forbidden words"),
  });
}

/** Text rules that stop this one text. */
function textRulesWithout(forbiddenText: string): TextRules {
  return {
    require: async (_userId, text, place) => {
      if (text.includes(forbiddenText)) throw refused("personal_data", { field: place, findings: [] });
    },
  };
}
