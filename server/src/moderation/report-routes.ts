import { badInput } from "#lib/errors.ts";
import type { Handlers } from "#ports/handlers.ts";
import type { ReportService } from "./report-service.ts";

const messageIdMax = 9_223_372_036_854_775_807n;

/** Reports about people and about messages. */
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
