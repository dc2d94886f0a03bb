import type { ModerationService } from "#moderation/moderation-service.ts";
import type { TextRulesService } from "#moderation/text-service.ts";
import { type TextQuestionOptions, TextQuestionService } from "#people/text-question-service.ts";
import type { DisposalStack } from "#lib/disposal-stack.ts";

type Parts = Omit<TextQuestionOptions, "scan" | "restrictionsChanged"> & {
  texts: Pick<TextRulesService, "sureFindings">;
  moderation: Pick<ModerationService, "changed">;
  disposal: DisposalStack;
};

/** What people ask moderators about their texts and mutes. */
export function openQuestions(parts: Parts): TextQuestionService {
  const { texts, moderation, disposal } = parts;
  return disposal.use(
    new TextQuestionService({
      ...parts,
      scan: (userId, text) => texts.sureFindings(userId, text),
      restrictionsChanged: (userId) => moderation.changed(userId),
    }),
  );
}
