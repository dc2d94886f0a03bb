import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import { type CaseService, caseIdOf, type DeskReader } from "./case-service.ts";
import type { Decisions } from "./decisions.ts";
import type { EvidenceAccess } from "./evidence-access.ts";

type CaseCalls =
  | "adminDesk"
  | "adminReportList"
  | "adminCase"
  | "adminClaim"
  | "adminLook"
  | "adminReportOperate"
  | "adminSecondOperate"
  | "adminQuickForbid";

/** Cases at the desk: reading, claiming and deciding them. */
export function moderationHandlers(parts: {
  cases: CaseService;
  decisions: Decisions;
  evidenceAccess: EvidenceAccess;
}): Pick<Handlers, CaseCalls> {
  const { cases, decisions, evidenceAccess } = parts;
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
  };
}

function readerOf({ session, language }: SignedInContext): DeskReader {
  return { userId: session.userId, role: session.role, language };
}
