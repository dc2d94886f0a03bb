import type { BanNotice } from "@fava/wire/codes.ts";
import { banReasonDefault } from "@fava/wire/reasons.ts";
import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import type { SessionKeys } from "./session-keys.ts";
import { banInForce } from "./store.ts";

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
  };
}
