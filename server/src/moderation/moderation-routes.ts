import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import { badInput } from "#lib/errors.ts";
import type { TextQuestionService } from "#people/text-question-service.ts";
import type { Clock } from "#ports/clock.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { AgeAsks } from "./age-asks.ts";
import type { AppealAnswers } from "./appeal-answers.ts";
import type { AppealService } from "./appeal-service.ts";
import { type CaseService, caseIdOf, type DeskReader } from "./case-service.ts";
import type { Decisions } from "./decisions.ts";
import type { EvidenceAccess } from "./evidence-access.ts";
import type { ModerationService } from "./moderation-service.ts";
import type { Reopening } from "./reopening.ts";
import type { ReportService } from "./report-service.ts";
import { ruleRates, type TextFindings } from "./text-findings.ts";
import type { TextRulesService } from "./text-service.ts";

const messageIdMax = 9_223_372_036_854_775_807n;

export function reportHandlers(reports: ReportService): Pick<Handlers, "feedback" | "chatReport"> {
  return {
    feedback: async ({ session }, { other_id, id, call_id, line_id, note = "" }) => {
      await reports.reportPerson({
        reporterId: session.userId,
        reportedId: BigInt(other_id),
        reasonId: id,
        callId: call_id ?? null,
        lineId: (call_id !== undefined && line_id) || null,
        note,
      });
      return {};
    },
    chatReport: async ({ session }, { other_id, id, message_id, note = "" }) => {
      const messageId = BigInt(message_id);
      if (messageId > messageIdMax) throw badInput("no such message", "message_id");
      await reports.reportMessage({
        reporterId: session.userId,
        reportedId: BigInt(other_id),
        reasonId: id,
        messageId,
        note,
      });
      return {};
    },
  };
}

type CaseCalls =
  | "adminDesk"
  | "adminReportList"
  | "adminCase"
  | "adminClaim"
  | "adminLook"
  | "adminReportOperate"
  | "adminReportReopen"
  | "adminSecondOperate"
  | "adminQuickForbid"
  | "adminAgeAsk"
  | "pauseAsk"
  | "textAsk"
  | "muteAsk"
  | "adminTextList"
  | "adminTextOperate";

export function moderationHandlers(parts: {
  cases: CaseService;
  decisions: Decisions;
  ageAsks: Pick<AgeAsks, "ask">;
  reopening: Reopening;
  evidenceAccess: EvidenceAccess;
  moderation: Pick<ModerationService, "requestReview">;
  questions: Pick<TextQuestionService, "askAboutText" | "askAboutMute" | "list" | "operate">;
}): Pick<Handlers, CaseCalls> {
  const { cases, decisions, ageAsks, reopening, evidenceAccess, moderation, questions } = parts;
  return {
    adminDesk: (context) => cases.numbers(readerOf(context)),
    adminReportList: (context, input) => cases.list(readerOf(context), input),
    adminCase: (context, { id }) => cases.read(readerOf(context), caseIdOf(id, "id")),
    adminClaim: (context, { item, on }) => cases.claim(readerOf(context), item, on === 1),
    adminLook: async (context, { id }) => ({ url: await evidenceAccess.look(readerOf(context), id) }),
    adminReportOperate: async (context, { id, ...operate }) => ({
      state: await decisions.operate(readerOf(context), caseIdOf(id, "id"), operate),
    }),
    adminReportReopen: async (context, { id }) => {
      await reopening.reopen(readerOf(context), caseIdOf(id, "id"));
      return {};
    },
    adminSecondOperate: async (context, { id, operation, note }) => {
      await decisions.second(readerOf(context), caseIdOf(id, "id"), { operation, note });
      return {};
    },
    adminQuickForbid: async (context, { other_id, again, ...forbid }) => ({
      state: await decisions.quickForbid(readerOf(context), BigInt(other_id), { ...forbid, isAgain: again === 1 }),
    }),
    adminAgeAsk: async (context, { id, note }) => ({
      until: (await ageAsks.ask(readerOf(context), caseIdOf(id, "id"), note)).getTime(),
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
    pauseAsk: async ({ session }) => ({ due_at: (await moderation.requestReview(session.userId))?.getTime() ?? null }),
  };
}

interface TextParts {
  db: Kysely<Database>;
  clock: Clock;
  findings: Pick<TextFindings, "dispute" | "isDelivered" | "lastUndelivered">;
  texts: Pick<TextRulesService, "read">;
}

export function textHandlers({
  db,
  clock,
  findings,
  texts,
}: TextParts): Pick<Handlers, "textDispute" | "adminTextRules"> {
  /** The rules that match a text, scanned for the reader of the writer's newest undelivered text. */
  const undeliveredRules = async (about: Parameters<TextFindings["lastUndelivered"]>[0], text: string) => {
    const last = await findings.lastUndelivered(about);
    if (!last) return [];
    const { noted } = await texts.read({ writerId: about.writerId, readerId: last.readerId, text });
    return noted.map(({ ruleId }) => ruleId);
  };
  return {
    textDispute: async ({ session }, { place, text, client_id: lineRef }) => {
      const about = { writerId: session.userId, place };
      const isDelivered = lineRef !== undefined && (await findings.isDelivered({ ...about, lineRef }));
      const what = isDelivered ? { lineRef } : { ruleIds: await undeliveredRules(about, text) };
      await findings.dispute({ ...about, what });
      return {};
    },
    adminTextRules: () => ruleRates(db, clock.nowMs()),
  };
}

type AppealCalls = "appealStatus" | "appealAdd" | "adminAppealList" | "adminAppeal" | "adminAppealOperate";
type AnswerCalls = "appealPushInfo" | "appealPushAdd" | "appealPushDel";

export function appealHandlers(appeals: AppealService): Pick<Handlers, AppealCalls> {
  return {
    appealStatus: (_context, { appeal_token }) => appeals.status(appeal_token),
    appealAdd: ({ language }, { appeal_token, ground, text, email }) =>
      appeals.add(appeal_token, { ground, text, email, language }),
    adminAppealList: (context) => appeals.list(readerOf(context)),
    adminAppeal: (context, { id }) => appeals.info(readerOf(context), id),
    adminAppealOperate: async (context, { id, outcome, hours, answer }) => {
      await appeals.operate(readerOf(context), id, { outcome, answer, ...(hours === undefined ? {} : { hours }) });
      return {};
    },
  };
}

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

function readerOf({ session, language }: SignedInContext): DeskReader {
  return { userId: session.userId, role: session.role, language };
}
