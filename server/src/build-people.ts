import type { FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { Periodic } from "#lib/tasks.ts";
import type { CallService } from "#calls/room-service.ts";
import type { Database } from "#db/schema.ts";
import type { Hub } from "#edge/socket/hub.ts";
import { TextRulesService } from "#moderation/text-service.ts";
import { ImageReview } from "#people/image-review.ts";
import { imageHandlers } from "#people/image-routes.ts";
import { ImageService } from "#people/image-service.ts";
import { mediaRoutes } from "#people/media-route.ts";
import { messageHandlers } from "#people/message-routes.ts";
import { MessageService } from "#people/message-service.ts";
import type { OfficialAccount } from "#people/official.ts";
import { socialHandlers } from "#people/social-routes.ts";
import { SocialService } from "#people/social-service.ts";
import { TypingDesk } from "#people/typing-desk.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { Limits } from "#ports/limits.ts";
import type { Random } from "#ports/random.ts";

interface PeopleParts {
  db: Kysely<Database>;
  hub: Hub;
  calls: MessageParts["calls"];
  blobs: Blobs;
  limits: Limits;
  clock: Clock;
  random: Random;
  serverSecret: string;
  official: OfficialAccount;
  /** What looks at uploaded pictures; null where an operator switched it off. */
  classifier: FrameClassifier | null;
  /** Software refuses no picture by itself. */
  isShadow: boolean;
  logger: Logger;
}

/** Who people are to each other, and their calls. */
export function buildPeople(parts: PeopleParts) {
  const { db, hub, clock, logger } = parts;
  const social = new SocialService({ db, bus: hub, clock, logger });
  hub.listen(social.presence);
  hub.listen(social.blocks);
  const texts = new TextRulesService({ db, clock });
  const images = buildImages({ ...parts, bus: hub });
  const messages = buildMessages({ ...parts, social, texts });
  return {
    social,
    messages: messages.service,
    texts,
    images,
    handlers: { ...socialHandlers({ db, clock, social }), ...messages.handlers, ...images.handlers },
    async [Symbol.asyncDispose]() {
      await images[Symbol.asyncDispose]();
      await messages[Symbol.asyncDispose]();
      await social[Symbol.asyncDispose]();
    },
  };
}

interface ImageParts {
  db: Kysely<Database>;
  bus: Pick<Bus, "push">;
  blobs: Blobs;
  clock: Clock;
  random: Random;
  serverSecret: string;
  limits: Limits;
  /** What looks at uploads; null where an operator switched it off. */
  classifier: FrameClassifier | null;
  isShadow: boolean;
  logger: Logger;
}

const forgetEveryMs = 3_600_000;

/** Pictures of people, their review, and what serves and forgets them until it is disposed. */
function buildImages(parts: ImageParts) {
  const { blobs, clock, logger } = parts;
  const service = new ImageService(parts);
  const review = new ImageReview({ ...parts, images: service });
  const forgetting = new Periodic({
    clock,
    logger,
    name: "unused pictures",
    pauseMs: () => forgetEveryMs,
    work: () => service.forgetStale(),
  });
  return {
    service,
    review,
    handlers: imageHandlers(service, review),
    routes: (app: FastifyInstance): void =>
      mediaRoutes(app, { blobs, isPublic: (key) => service.isPublic(key), addresses: service.addresses }),
    [Symbol.asyncDispose]: () => forgetting[Symbol.asyncDispose](),
  };
}

interface MessageParts {
  db: Kysely<Database>;
  hub: Hub;
  calls: Pick<CallService, "otherIn">;
  social: SocialService;
  texts: TextRulesService;
  limits: Limits;
  official: OfficialAccount;
  clock: Clock;
  logger: Logger;
}

/** Conversations with their calls, and who is told that somebody writes. */
function buildMessages({ db, hub, calls, social, texts, limits, official, clock, logger }: MessageParts) {
  const service = new MessageService({ db, directory: social, texts, bus: hub, limits, clock, logger, official });
  const typing = new TypingDesk({ db, bus: hub, otherInCall: (userId) => calls.otherIn(userId), clock, logger });
  social.useMessaging(service);
  hub.listen({
    typing: (userId, externalId) => typing.typing(userId, externalId),
    gone: (userId) => typing.gone(userId),
  });
  return {
    service,
    handlers: messageHandlers(service),
    async [Symbol.asyncDispose]() {
      await typing[Symbol.asyncDispose]();
    },
  };
}
