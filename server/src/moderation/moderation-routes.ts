import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { TextQuestionService } from "#people/text-question-service.ts";
import { type CaseService, caseIdOf, type DeskReader } from "./case-service.ts";
import type { Decisions } from "./decisions.ts";
import type { EvidenceAccess } from "./evidence-access.ts";
import type { ModerationService } from "./moderation-service.ts";

type CaseCalls =
  | "adminDesk"
  | "adminReportList"
  | "adminCase"
  | "adminClaim"
  | "adminLook"
  | "adminReportOperate"
  | "adminSecondOperate"
  | "adminQuickForbid"
  | "pauseAsk"
  | "textAsk"
  | "muteAsk"
  | "adminTextList"
  | "adminTextOperate";

/** Cases and questions at the desk, read, claimed and decided; and what people ask a moderator to look at. */
export function moderationHandlers(parts: {
  cases: CaseService;
  decisions: Decisions;
  evidenceAccess: EvidenceAccess;
  moderation: Pick<ModerationService, "askForLook">;
  questions: Pick<TextQuestionService, "askAboutText" | "askAboutMute" | "list" | "operate">;
}): Pick<Handlers, CaseCalls> {
  const { cases, decisions, evidenceAccess, moderation, questions } = parts;
  return {
    adminDesk: (context) => cases.numbers(readerOf(context)),
    adminReportList: (context, input) => cases.list(readerOf(context), input),
    adminCase: (context, { id }) => cases.read(readerOf(context), caseIdOf(id, "id")),
    adminClaim: (context, { item, on }) => cases.claim(readerOf(context), item, on === 1),
    adminLook: async (context, { id }) => ({ url: await evidenceAccess.look(readerOf(context), id) }),
    adminReportOperate: async (context, { id, ...operate }) => ({
      state: await decisions.operate(readerOf(context), caseIdOf(id, "id"), operate),
    }),
    adminSecondOperate: async (context, { id, operation, note }) => {
      await decisions.second(readerOf(context), caseIdOf(id, "id"), { operation, note });
      return {};
    },
    adminQuickForbid: async (context, { other_id, again, ...forbid }) => ({
      state: await decisions.quickForbid(readerOf(context), BigInt(other_id), { ...forbid, isAgain: again === 1 }),
    }),
    textAsk: async ({ session }, { place, text }) => ({
      due_at: (await questions.askAboutText(session.userId, place, text)).getTime(),
    }),
    muteAsk: async ({ session }) => ({ due_at: (await questions.askAboutMute(session.userId))?.getTime() ?? null }),
    adminTextList: (context, { cursor }) => questions.list(readerOf(context), cursor),
    adminTextOperate: async (context, { id, operation }) => {
      await questions.operate(readerOf(context), id, operation);
      return {};
    },
    pauseAsk: async ({ session }) => ({ due_at: (await moderation.askForLook(session.userId))?.getTime() ?? null }),
  };
}

function readerOf({ session, language }: SignedInContext): DeskReader {
  return { userId: session.userId, role: session.role, language };
}
