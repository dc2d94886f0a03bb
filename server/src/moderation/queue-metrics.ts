import { type Kysely, sql } from "kysely";
import { roles } from "@fava/wire/people.ts";
import type { Database } from "#db/schema.ts";
import type { Base } from "#lib/base.ts";
import { addQueriedGauge } from "#lib/metric-registration.ts";
import { waitingCountOf } from "#people/image-service.ts";
import { waitingQuestions } from "#people/text-question-service.ts";
import type { Viewer } from "./ban-policy.ts";
import { waitingCount } from "./case-store.ts";
import { overdueNotices } from "./notice-store.ts";

type Db = Kysely<Database>;

/** Sees the cases of everybody. */
const everyone: Viewer = { userId: 0n, role: roles.administrator };

/** What waits for moderators, and what is late. Every server reports the counts of the database. */
export function queueMetrics({ db, clock, metrics, logger }: Pick<Base, "db" | "clock" | "metrics" | "logger">): void {
  const now = () => new Date(clock.nowMs());
  addQueriedGauge(metrics, {
    name: "fava_cases_waiting",
    help: "What waits for moderators, by the tab of the desk",
    label: "queue",
    read: () => waitingByQueue(db, now()),
    logger,
  });
  addQueriedGauge(metrics, {
    name: "fava_notices_overdue",
    help: "Open notices that are due within 8 hours or late",
    read: () => overdueNotices(db, now()),
    logger,
  });
  addQueriedGauge(metrics, {
    name: "fava_appeals_overdue",
    help: "Appeals whose answer is late",
    read: async () => (await countsOf(db, now())).late,
    logger,
  });
}

async function waitingByQueue(db: Db, at: Date): Promise<Record<string, number>> {
  const { appeals, seconds, notices } = await countsOf(db, at);
  return {
    reports: await waitingCount(db, everyone, { queue: "reports", at }),
    restricted: await waitingCount(db, everyone, { queue: "restricted", at }),
    avatars: await waitingCountOf(db, "avatar"),
    photos: await waitingCountOf(db, "photo"),
    texts: (await waitingQuestions(db, everyone)).waiting,
    appeals: appeals + seconds,
    notices,
  };
}

async function countsOf(db: Db, at: Date) {
  const { rows } = await sql<Record<"appeals" | "late" | "seconds" | "notices", number>>`
    with waiting_appeals as (
      select answer_by from appeals join users on users.id = appeals.user_id
      where appeals.state = 'received' and users.erased_at is null
    )
    select
      (select count(*)::integer from waiting_appeals) as appeals,
      (select count(*)::integer from waiting_appeals where answer_by < ${at}) as late,
      (select count(*)::integer from cases where state = 'second') as seconds,
      (select count(*)::integer from notices where decided_at is null) as notices`.execute(db);
  return rows[0] ?? { appeals: 0, late: 0, seconds: 0, notices: 0 };
}
