import { type Kysely, sql } from "kysely";
import { type LiveQueue, liveQueues } from "@fava/wire/endpoints/operator.ts";
import { caseReviewGoalMs } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { waitsForAge } from "./case-store.ts";

interface QueueState {
  queue: LiveQueue;
  waiting: number;
  /** When its oldest item began to wait, in milliseconds since the epoch. */
  oldest_at: number | null;
  /** Items beyond the promised time; null for a queue without one. */
  overdue: number | null;
}

/** Queues whose items have a day or hour by which they are decided. */
const promised: readonly LiveQueue[] = ["reports", "restricted", "texts", "notices", "appeals", "authorities"];

/** Everything that waits for a decision, by queue. */
export async function queueStates(db: Kysely<Database>, at: Date): Promise<QueueState[]> {
  const goal = sql`make_interval(secs => ${caseReviewGoalMs / 1_000})`;
  const { rows } = await sql<{ queue: LiveQueue; waiting: bigint; oldest: Date | null; overdue: bigint }>`
    select queue, count(*) as waiting, min(since) as oldest, count(*) filter (where due <= ${at}) as overdue from (
      select queue, opened_at as since, opened_at + ${goal} as due from cases
      where state <> 'decided' and not ${waitsForAge(sql`${at}::timestamptz`)}
      union all
      select kind || 's', created_at, null from images
      where kind in ('avatar', 'photo') and status = 'pending' and removed_at is null
      union all
      select 'appeals', at, answer_by from appeals join users on users.id = appeals.user_id
      where state = 'received' and users.erased_at is null
      union all
      select 'texts', asked_at, due_at from text_questions where state = 'open'
      union all
      select 'notices', at, due_at from notices where decided_at is null
      union all
      select 'authorities', received_at, due_at from authority_requests where closed_at is null
      union all
      select 'orders', changed_at, null from payment_orders where state = 'review'
    ) as items group by queue`.execute(db);
  return liveQueues.map((queue) => {
    const row = rows.find((one) => one.queue === queue);
    return {
      queue,
      waiting: Number(row?.waiting ?? 0n),
      oldest_at: row?.oldest?.getTime() ?? null,
      overdue: promised.includes(queue) ? Number(row?.overdue ?? 0n) : null,
    };
  });
}
