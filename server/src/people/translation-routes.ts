import { badInput } from "#lib/errors.ts";
import type { Handlers } from "#ports/handlers.ts";
import { fromNewest } from "./conversation-rows.ts";
import type { TranslationService } from "./translation-service.ts";

export function translationHandlers(
  translations: TranslationService,
): Pick<Handlers, "textTranslate" | "adminTextTranslate"> {
  return {
    textTranslate: async ({ session }, { user_id, target, message_id: messageId, text }) => {
      if (BigInt(user_id) !== session.userId) throw badInput("user_id is not the caller", "user_id");
      if (messageId === undefined && text !== undefined) return translations.text(text, target);
      if (messageId === undefined || text !== undefined) throw badInput("give one of both", "message_id");
      const id = BigInt(messageId);
      if (id >= fromNewest) throw badInput("no such message", "message_id");
      return translations.message(session.userId, id, target);
    },
    adminTextTranslate: (_context, { text, target }) => translations.text(text, target),
  };
}
