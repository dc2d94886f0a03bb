import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import type { DisposalStack } from "#lib/disposal-stack.ts";
import { ChatFilter } from "#moderation/chat-filter.ts";
import { Counting } from "#moderation/counting.ts";
import { TextFindings } from "#moderation/text-findings.ts";
import { scanText, TextRulesService } from "#moderation/text-service.ts";
import type { Clock } from "#ports/clock.ts";

interface TextBase {
  db: Kysely<Database>;
  clock: Clock;
  logger: Logger;
  disposal: DisposalStack;
}

/** What looks through texts, and the record of what is found in them. */
export function openTexts({ db, clock, logger, disposal }: TextBase) {
  const counting = disposal.use(new Counting({ logger }));
  const findings = new TextFindings({ db, clock, counting });
  const filter = new ChatFilter({ clock, scan: scanText, log: findings });
  return { counting, findings, filter, texts: new TextRulesService({ db, log: findings }) };
}
