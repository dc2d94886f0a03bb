import { type Kysely, sql } from "kysely";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { myWeek } from "@fava/wire/endpoints/social.ts";
import { weekMs } from "@fava/wire/limits.ts";
import { isCallSince } from "#db/call-days.ts";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";

/** Sums up a user's calls that connected in the last 7 days. Erased accounts count as people, without a country. */
export async function readWeek(
  { db, clock }: { db: Kysely<Database>; clock: Clock },
  userId: bigint,
): Promise<OutputOf<typeof myWeek>> {
  const now = new Date(clock.nowMs());
  const since = new Date(now.getTime() - weekMs);
  const callsAs = (mine: "offerer_id" | "answerer_id", other: "offerer_id" | "answerer_id") => sql`
    select ${sql.ref(other)} as other_id, greatest(interval '0', coalesce(ended_at, ${now}) - connected_at) as span
    from calls
    where ${sql.ref(mine)} = ${userId} and matched_at >= ${since}::timestamptz - interval '1 minute'
      and connected_at >= ${since} and ${isCallSince("id", since)}`;
  const { rows } = await sql<OutputOf<typeof myWeek>>`
    select
      count(distinct other_id)::integer as people,
      count(distinct users.country_id)::integer as countries,
      coalesce(floor(extract(epoch from sum(span))), 0)::integer as seconds
    from (${callsAs("offerer_id", "answerer_id")} union all ${callsAs("answerer_id", "offerer_id")}) as own_calls
    left join users on users.id = other_id`.execute(db);
  return rows[0] ?? { people: 0, countries: 0, seconds: 0 };
}
