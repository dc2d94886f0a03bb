import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import { type Moderation, reasonOfRule } from "#ports/moderation.ts";

const dayMs = 86_400_000;
const monthMs = 30 * dayMs;
/** An address with more users belongs to a network operator. Devices have no such limit: each belongs to one person. */
const addressPeopleMax = 5;
const rowsMax = 200;

/**
 * Opens a case about each user of a banned user's device or rarely shared address, at most monthly. Returns a count.
 */
export async function findClusters(options: {
  db: Kysely<Database>;
  clock: Clock;
  moderation: Pick<Moderation, "note" | "open">;
  dryRun: boolean;
}): Promise<number> {
  const { db, clock, moderation, dryRun } = options;
  const now = new Date(clock.nowMs());
  const found = await sql<{ user_id: bigint; banned_id: bigint; what: string }>`
    with banned as (
      select distinct user_id from bans
      where ended_early_at is null and not is_provisional and (until is null or until > ${now})
    ), newcomers as (
      select distinct user_id, ip, device_id from login_events
      where at > ${new Date(now.getTime() - dayMs)}
        and user_id not in (select user_id from banned)
    ), shared as (
      select newcomers.user_id, other.user_id as banned_id, 'device' as what
      from newcomers join login_events other on other.device_id = newcomers.device_id and other.device_id <> ''
      where other.user_id in (select user_id from banned)
      union
      select newcomers.user_id, other.user_id, 'address'
      from newcomers join login_events other on other.ip = newcomers.ip and other.ip <> ''
      where other.user_id in (select user_id from banned)
        and (select count(distinct user_id) from login_events neighbour where neighbour.ip = newcomers.ip)
          <= ${addressPeopleMax}
    )
    select distinct on (user_id) user_id, banned_id, what from shared
    where not exists (
      select 1 from signals
      where signals.user_id = shared.user_id and rule = 'cluster' and at > ${new Date(now.getTime() - monthMs)}
    ) and not exists (
      select 1 from unrelated_accounts
      where low_id = least(shared.user_id, banned_id) and high_id = greatest(shared.user_id, banned_id)
    )
    order by user_id, what desc limit ${rowsMax}`.execute(db);
  for (const { user_id, banned_id, what } of found.rows) {
    const detail = { with: String(banned_id), what };
    await moderation.note({ userId: user_id, rule: "cluster", dryRun, withinMs: monthMs, detail });
    if (dryRun) continue;
    const about = { subjectId: user_id, callId: null, evidence: [] };
    await moderation.open({ ...about, rule: "cluster", reasonId: reasonOfRule.cluster });
  }
  return found.rows.length;
}
