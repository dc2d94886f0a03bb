import { type Kysely, sql } from "kysely";
import { isCallSince } from "#db/call-days.ts";
import type { Database } from "#db/schema.ts";

/** An account is new until it has had this many calls. */
export const newCalls = 10;

/**
 * Whether an account was made after `since`, or has had fewer than ten calls; of a long time only those calls are counted
 * that are still kept. A call in which a picture passed is one, so that most people's calls need not be read.
 */
export async function isNewAccount(
  db: Kysely<Database>,
  person: { userId: bigint; created_at: Date | null; passed_calls: number },
  since: Date,
): Promise<boolean> {
  const { userId, created_at, passed_calls } = person;
  if (created_at !== null && created_at > since) return true;
  if (passed_calls >= newCalls) return false;
  const sinceThen = isCallSince("id", created_at ?? since);
  const { rows } = await sql<{ calls: bigint }>`
    select count(*) as calls from (
      select from calls where offerer_id = ${userId} and connected_at is not null and ${sinceThen}
      union all
      select from calls where answerer_id = ${userId} and connected_at is not null and ${sinceThen}
      limit ${newCalls}
    ) as talked`.execute(db);
  return Number(rows[0]?.calls ?? 0n) < newCalls;
}
