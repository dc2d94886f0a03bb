import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { buildImages } from "#build-images.ts";
import { buildMessages, type MessageParts } from "#build-messages.ts";
import type { Database } from "#db/schema.ts";
import type { OfficialAccount } from "#features/messages/official.ts";
import { socialHandlers } from "#features/social/routes.ts";
import { SocialService } from "#features/social/service.ts";
import { TextRulesService } from "#features/text/service.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { Limits } from "#ports/limits.ts";
import type { Random } from "#ports/random.ts";
import type { Hub } from "#socket/hub.ts";

export interface PeopleParts {
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
