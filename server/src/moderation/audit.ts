import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";

/** Kinds of rows of the audit log; the catalogs name them by `desk.event.<kind>`. */
export type AuditKind =
  | "report"
  | "flag"
  | "suspend"
  | "claim"
  | "look"
  | "audit"
  | "note"
  | "label"
  | "unlabel"
  | "clear"
  | "reject"
  | "warn"
  | "forbid"
  | "ask_second"
  | "second_agree"
  | "second_shorten"
  | "second_lift"
  | "lapse"
  | "reset"
  | "image_approve"
  | "image_reject"
  | "image_delete"
  | "images_delete"
  | "role"
  | "appeal"
  | "appeal_upheld"
  | "appeal_shortened"
  | "appeal_lifted"
  | "unrelated"
  | "open_linked"
  | "pause"
  | "unpause"
  | "ask_look"
  | "ask_text"
  | "text_accept"
  | "text_refuse"
  | "ask_age"
  | "age_passed"
  | "age_failed"
  | "mute"
  | "reopen"
  | "strike"
  | "strike_revoked"
  | "notice"
  /** A change of an authority's request; without subject, so that moderators do not see it at a person. */
  | "authority";

export interface AuditEntry {
  at: Date;
  /** The moderator; null for software. Never a reporter, since moderators read the log. */
  actorId: bigint | null;
  kind: AuditKind;
  subjectId: bigint | null;
  caseId?: bigint | null;
  reasonId?: number | null;
  note?: string;
  /** Stored as JSON: versions, scores and thresholds of a judgement; values before and after a change. */
  detail?: object;
}

export async function writeAudit(db: Kysely<Database>, entry: AuditEntry): Promise<void> {
  await db
    .insertInto("audit_log")
    .values({
      at: entry.at,
      actor_id: entry.actorId,
      kind: entry.kind,
      subject_id: entry.subjectId,
      case_id: entry.caseId ?? null,
      reason_id: entry.reasonId ?? null,
      note: entry.note ?? "",
      detail: JSON.stringify(entry.detail ?? {}, (_key, value: unknown) =>
        typeof value === "bigint" ? String(value) : value,
      ),
    })
    .execute();
}

export async function logRestricted(
  db: Kysely<Database>,
  actorId: bigint,
  { at, caseId, act }: { at: Date; caseId: bigint | null; act: "list" | "read" | "claim" | "decide" },
): Promise<void> {
  await db.insertInto("restricted_access").values({ at, actor_id: actorId, case_id: caseId, act }).execute();
}
