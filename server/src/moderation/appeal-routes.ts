import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { AppealAnswers } from "./appeal-answers.ts";
import type { AppealService } from "./appeal-service.ts";

type AppealCalls = "appealStatus" | "appealAdd" | "adminAppealList" | "adminAppeal" | "adminAppealOperate";
type AnswerCalls = "appealPushInfo" | "appealPushAdd" | "appealPushDel";

/** Appeals from both ends: of the person, by the token of the ban, and of the desk. */
export function appealHandlers(appeals: AppealService): Pick<Handlers, AppealCalls> {
  return {
    appealStatus: (_context, { appeal_token }) => appeals.status(appeal_token),
    appealAdd: ({ language }, { appeal_token, ground, text, email }) =>
      appeals.add(appeal_token, { ground, text, email, language }),
    adminAppealList: (context) => appeals.list(viewerOf(context)),
    adminAppeal: (context, { id }) => appeals.info(viewerOf(context), id),
    adminAppealOperate: async (context, { id, outcome, hours, answer }) => {
      await appeals.operate(viewerOf(context), id, { outcome, answer, ...(hours === undefined ? {} : { hours }) });
      return {};
    },
  };
}

/** Where whoever appealed is told of the answer, by the token of the ban. */
export function appealAnswerHandlers(
  appeals: Pick<AppealService, "sentWith">,
  answers: Pick<AppealAnswers, "info" | "add" | "forget">,
): Pick<Handlers, AnswerCalls> {
  return {
    appealPushInfo: async (_context, { appeal_token, endpoint }) =>
      answers.info(await appeals.sentWith(appeal_token), endpoint),
    appealPushAdd: async ({ language }, { appeal_token, ...browser }) =>
      answers.add(await appeals.sentWith(appeal_token), { ...browser, language }),
    appealPushDel: async (_context, { appeal_token }) => {
      await answers.forget(await appeals.sentWith(appeal_token));
      return {};
    },
  };
}

function viewerOf({ session, language }: SignedInContext) {
  return { userId: session.userId, role: session.role, language };
}
