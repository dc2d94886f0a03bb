import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import type { Handlers } from "#ports/handlers.ts";
import { ruleRates, type TextFindings } from "./text-findings.ts";
import type { TextRulesService } from "./text-service.ts";

interface TextParts {
  db: Kysely<Database>;
  clock: Clock;
  findings: Pick<TextFindings, "dispute">;
  texts: Pick<TextRulesService, "read">;
}

/** What writers say of findings in their texts, and what the desk reads of that. */
export function textHandlers({
  db,
  clock,
  findings,
  texts,
}: TextParts): Pick<Handlers, "textDispute" | "adminTextRules"> {
  return {
    textDispute: async ({ session }, { place, text, client_id }) => {
      const writerId = session.userId;
      const ruleIds = async () =>
        (await texts.read({ writerId, readerId: null, text })).noted.map(({ ruleId }) => ruleId);
      const what = client_id === undefined ? { ruleIds: await ruleIds() } : { lineRef: client_id };
      await findings.dispute({ writerId, place, what });
      return {};
    },
    adminTextRules: () => ruleRates(db, clock.nowMs()),
  };
}
