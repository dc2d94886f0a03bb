import type { Kysely } from "kysely";
import type { BanNotice } from "@fava/wire/codes.ts";
import { type BanFacts, caseRules } from "@fava/wire/moderation.ts";
import { banReasonKey, knownBanReason } from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";
import { catalogText } from "#lib/catalog-text.ts";
import type { SessionKeys } from "./session-keys.ts";
import { banInForce, type BanRow } from "./session-store.ts";

/** The notice for a user who is banned at `at`; null if not banned. `language` defaults to the account's language. */
export async function banNotice(
  db: Kysely<Database>,
  userId: bigint,
  { keys, at, language }: { keys: SessionKeys; at: Date; language?: string },
): Promise<BanNotice | null> {
  const ban = await banInForce(db, userId, at);
  if (!ban) return null;
  return {
    isBan: true,
    id: ban.user_no,
    reason_id: ban.reason_id,
    reason: catalogText(language ?? ban.language, banReasonKey(ban.reason_id)),
    time: ban.until?.toISOString() ?? null,
    appeal_token: keys.appealToken(ban.id, at.getTime()),
    facts: banFacts(ban),
  };
}

export function banFacts(ban: BanRow): BanFacts {
  return {
    at: ban.created_at.getTime(),
    until: ban.until?.getTime() ?? null,
    reason_id: knownBanReason(ban.reason_id),
    by: ban.decided_by === null && ban.rule !== null ? "software" : "person",
    is_provisional: ban.is_provisional,
    rule: caseRules.find((rule) => rule === ban.rule) ?? null,
    call_at: ban.call_at?.getTime() ?? null,
    reports: Number(ban.reports ?? 0n),
    strike: ban.strike,
    strike_until: ban.strike_until?.getTime() ?? null,
  };
}
