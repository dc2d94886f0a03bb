import type { BanNotice } from "@fava/wire/codes.ts";
import { type BanFacts, caseRules } from "@fava/wire/moderation.ts";
import { banReasonDefault, banReasonIds } from "@fava/wire/reasons.ts";
import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import type { SessionKeys } from "./session-keys.ts";
import { type BanRow, banInForce } from "./store.ts";

/** Reason of a ban whose id the lists do not know: "violation". */
const reasonUnknown = 4;

/** What a person reads who is banned at this time, or null. */
export async function banNotice(
  db: Kysely<Database>,
  userId: bigint,
  { keys, at }: { keys: SessionKeys; at: Date },
): Promise<BanNotice | null> {
  const ban = await banInForce(db, userId, at);
  if (!ban) return null;
  return {
    id: ban.user_no,
    reason_id: ban.reason_id,
    reason: ban.reason === "" ? banReasonDefault : ban.reason,
    time: ban.until?.toISOString() ?? null,
    appeal_token: keys.appealToken(ban.id, at.getTime()),
    facts: banFacts(ban),
  };
}

/** A ban in facts, which the page writes out in the reader's language. */
export function banFacts(ban: BanRow): BanFacts {
  return {
    at: ban.created_at.getTime(),
    until: ban.until?.getTime() ?? null,
    reason_id: banReasonIds.find((id) => id === ban.reason_id) ?? reasonUnknown,
    by: ban.decided_by === null && ban.rule !== null ? "software" : "person",
    is_provisional: ban.is_provisional,
    rule: caseRules.find((rule) => rule === ban.rule) ?? null,
    call_at: ban.call_at?.getTime() ?? null,
    reports: Number(ban.reports ?? 0n),
    strike: ban.strike,
    strike_until: ban.strike_until?.getTime() ?? null,
  };
}
