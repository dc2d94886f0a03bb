import { pino } from "pino";
import { systemRandom } from "#adapters/local/random.ts";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { Ledger } from "#billing/ledger.ts";
import { buildAccount } from "#build-services.ts";
import type { RequestContext, SignedInContext } from "#ports/handlers.ts";
import { ModerationService } from "#moderation/moderation-service.ts";
import { TextRulesService } from "#moderation/text-service.ts";
import { MessageService } from "#people/message-service.ts";
import { ensureOfficial } from "#people/official.ts";
import { sessionHandlers } from "#people/session-routes.ts";
import { SocialService } from "#people/social-service.ts";
import type { Limits } from "#ports/limits.ts";
import { leftovers } from "./leftovers.ts";
import { memoryBlobs } from "./memory-blobs.ts";
import { callContext, sessionWorld, type SessionWorld } from "./session-world.ts";

export type AccountWorld = Awaited<ReturnType<typeof accountWorld>>;

const logger = pino({ level: "silent" });
const noLimits: Limits = { take: async () => null, waitSeconds: async () => null };

/** Accounts with everything that hangs on them, over a database of their own; `limited`: with the limits of calls. */
export async function accountWorld({ limited = false } = {}) {
  const world = await sessionWorld();
  const { database, clock, sessions } = world;
  const { db } = database;
  const parts = await openParts(world, limited ? new LocalLimits({ factor: 1 }) : noLimits);

  /** Somebody signed in, with the context of their calls. */
  async function person(
    name: string,
    context: Partial<RequestContext> = {},
  ): Promise<SignedInContext & { userId: bigint }> {
    const session = await world.enter(name, context);
    return { ...callContext(context), session, userId: session.userId };
  }

  /** The two were in a call a minute ago. */
  async function met(one: bigint, other: bigint): Promise<string> {
    const id = `call-${one}-${other}`;
    const at = new Date(clock.nowMs() - 60_000);
    const price = { offerer_price: 0, answerer_price: 0 };
    await db
      .insertInto("calls")
      .values({
        id,
        offerer_id: one,
        answerer_id: other,
        ...price,
        matched_at: at,
        connected_at: at,
        ended_at: at,
        end_reason: "left",
      })
      .execute();
    return id;
  }

  return {
    ...world,
    ...parts,
    db,
    handlers: { ...parts.account.handlers, ...sessionHandlers(sessions, clock) },
    person,
    met,
    userRow: (userId: bigint) => db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow(),
  };
}

async function openParts({ database, clock, bus, sessions, images, blobs }: SessionWorld, limits: Limits) {
  const { db } = database;
  const social = new SocialService({ db, bus, clock, logger });
  leftovers.push(social);
  const texts = new TextRulesService({ db, clock });
  const official = await ensureOfficial({ db, clock, random: systemRandom, email: "support@fava.test" });
  const messages = new MessageService({ db, directory: social, texts, bus, limits, clock, logger, official });
  social.useMessaging(messages);
  /** Whose search and call was ended. */
  const stopped: bigint[] = [];
  const serverSecret = "secret of the account tests, long enough";
  const moderation = new ModerationService({
    db,
    clock,
    bus,
    logger,
    serverSecret,
    random: systemRandom,
    blobs: memoryBlobs(blobs),
    enforced: {
      banNotice: (userId) => sessions.banNotice(userId),
      endSessions: (userId) => sessions.endAllOf(userId, "banned"),
      cutCall: () => null,
      returnBeans: async () => {},
    },
  });
  const account = await buildAccount({
    db,
    jobs: database.jobs,
    moderation,
    clock,
    logger,
    limits,
    sessions,
    social,
    messages,
    images,
    blobs: memoryBlobs(blobs),
    serverSecret,
    places: { countryOf: (address) => ({ "203.0.113.7": "TR" })[address] ?? null },
    balances: new Ledger({ db, clock }),
    calls: { stop: (userId) => void stopped.push(userId) },
    withdrawals: {
      withdraw: async () => {
        throw new Error("nothing was bought here");
      },
    },
  });
  leftovers.push(account);
  return { social, texts, messages, account, moderation, stopped };
}
