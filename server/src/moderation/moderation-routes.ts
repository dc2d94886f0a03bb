import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import { type CaseDesk, caseIdOf, type DeskReader } from "./case-desk.ts";
import type { Decisions } from "./decisions.ts";
import type { EvidenceDesk } from "./evidence-desk.ts";

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
  desk: CaseDesk;
  decisions: Decisions;
  looks: EvidenceDesk;
}): Pick<Handlers, CaseCalls> {
  const { desk, decisions, looks } = parts;
  return {
    adminDesk: (context) => desk.numbers(readerOf(context)),
    adminReportList: (context, input) => desk.list(readerOf(context), input),
    adminCase: (context, { id }) => desk.read(readerOf(context), caseIdOf(id, "id")),
    adminClaim: (context, { item, on }) => desk.claim(readerOf(context), item, on === 1),
    adminLook: async (context, { id }) => ({ url: await looks.look(readerOf(context), id) }),
    adminReportOperate: async (context, { id, ...operate }) => ({
      state: await decisions.operate(readerOf(context), caseIdOf(id, "id"), operate),
    }),
    adminSecondOperate: async (context, { id, operation, note }) => {
      await decisions.second(readerOf(context), caseIdOf(id, "id"), { operation, note });
      return {};
    },
    adminQuickForbid: async (context, { other_id, hours, reason_id, note }) => ({
      state: await decisions.quickForbid(readerOf(context), BigInt(other_id), { hours, reason_id, note }),
    }),
  };
}

function readerOf({ session, language }: SignedInContext): DeskReader {
  return { userId: session.userId, role: session.role, language };
}
