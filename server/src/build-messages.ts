import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import type { CallService } from "#features/call/service.ts";
import type { OfficialAccount } from "#features/messages/official.ts";
import { messageHandlers } from "#features/messages/routes.ts";
import { MessageService } from "#features/messages/service.ts";
import { TypingDesk } from "#features/messages/typing-desk.ts";
import type { SocialService } from "#features/social/service.ts";
import type { TextRulesService } from "#features/text/service.ts";
import type { Clock } from "#ports/clock.ts";
import type { Limits } from "#ports/limits.ts";
import type { Hub } from "#socket/hub.ts";

export interface MessageParts {
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
export function buildMessages({ db, hub, calls, social, texts, limits, official, clock, logger }: MessageParts) {
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
