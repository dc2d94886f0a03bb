import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import type { Handlers } from "#ports/handlers.ts";
import { ruleRates, type TextFindings } from "./text-findings.ts";
import type { TextRulesService } from "./text-service.ts";

interface TextParts {
  db: Kysely<Database>;
  clock: Clock;
  findings: Pick<TextFindings, "dispute" | "isDelivered" | "lastUndelivered">;
  texts: Pick<TextRulesService, "read">;
}

/** Disputes of findings by their writers, and the desk's rates of disputed findings by rule. */
export function textHandlers({
  db,
  clock,
  findings,
  texts,
}: TextParts): Pick<Handlers, "textDispute" | "adminTextRules"> {
  /** The rules that find something in a text for the reader of the writer's newest undelivered text. */
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
