import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { roles } from "@fava/wire/people.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";
import type { AuditKind } from "./audit.ts";
import { waitingCount } from "./case-rows.ts";
import type { Viewer } from "./enforcement.ts";

/** What counts as a decision of somebody's day. */
const decisionKinds: readonly AuditKind[] = [
  "clear",
  "reject",
  "warn",
  "forbid",
  "ask_second",
  "second_agree",
  "second_shorten",
  "second_lift",
  "image_approve",
  "image_reject",
  "appeal_upheld",
  "appeal_shortened",
  "appeal_lifted",
];

/** Lengths of the queues as this viewer may work on them. */
export async function deskNumbers(
  db: Kysely<Database>,
  viewer: Viewer,
  at: Date,
): Promise<Omit<OutputOf<Endpoints["adminDesk"]>, "inspection">> {
  const today = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
  const { rows } = await sql<{ avatars: bigint; photos: bigint; appeals: bigint; decided_today: bigint }>`
    select
      (select count(*) from images where kind = 'avatar' and status = 'pending' and removed_at is null) as avatars,
      (select count(*) from images where kind = 'photo' and status = 'pending' and removed_at is null) as photos,
      (select count(*) from appeals where state = 'received')
        + (select count(*) from cases where state = 'second') as appeals,
      (select count(*) from audit_log
        where actor_id = ${viewer.userId} and at >= ${today} and kind = any(${decisionKinds})) as decided_today
    `.execute(db);
  const [row] = rows;
  if (!row) throw new Error("counts without a row");
  return {
    reports: await waitingCount(db, viewer, "reports"),
    avatars: Number(row.avatars),
    photos: Number(row.photos),
    appeals: Number(row.appeals),
    restricted: viewer.role >= roles.administrator ? await waitingCount(db, viewer, "restricted") : 0,
    decided_today: Number(row.decided_today),
  };
}
