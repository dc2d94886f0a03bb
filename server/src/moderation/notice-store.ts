import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { minorNoticeDueMs, noticeAlertMs, noticeDueMs, noticeKeptMs, noticeUrgentMs } from "@fava/wire/limits.ts";
import { type NoticeKind, noticeKinds } from "@fava/wire/notices.ts";
import { roles } from "@fava/wire/people.ts";
import { type Queue, type ReportReason, reasons } from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";
import { badInput, refused } from "#lib/errors.ts";
import { logRestricted } from "./audit.ts";
import { requireCaseAccess, type Viewer } from "./ban-policy.ts";
import { hideImages, imagesWithKey } from "./noticed-images.ts";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;
export type NoticeData = Selectable<Database["notices"]>;

const rowsMax = 200;

/** The reason of the case that an upheld notice opens. */
export const noticeReasons: { readonly [Kind in NoticeKind]: ReportReason } = {
  minor: reasons.minor.id,
  intimate: reasons.pornography.id,
  illegal: reasons.violation.id,
  rights: reasons.violation.id,
};

/** When a notice has to be decided. The deadline is stored: neither a restart nor a clock change moves it. */
export function noticeDueAt(kind: NoticeKind, at: Date): Date {
  return new Date(at.getTime() + (kind === "minor" ? minorNoticeDueMs : noticeDueMs));
}

export function queueOfNotice(kind: NoticeKind): Queue {
  return kind === "minor" ? "restricted" : "reports";
}

export interface NoticeRecord extends NoticeData {
  user_no: string | null;
  nickname: string | null;
  avatar_key: string | null;
  role: number | null;
}

function records(db: Db) {
  return db
    .selectFrom("notices")
    .leftJoin("users", "users.id", "notices.subject_id")
    .selectAll("notices")
    .select(["users.user_no", "users.nickname", "users.avatar_key", "users.role"]);
}

export function noticeById(db: Db, id: bigint): Promise<NoticeRecord | undefined> {
  return records(db).where("notices.id", "=", id).executeTakeFirst();
}

/**
 * Open notices: those with little time left first, by deadline; then by kind and deadline. A notice that waits for its
 * sender's answer comes last.
 */
export function openNotices(db: Db, viewer: Viewer, at: Date): Promise<NoticeRecord[]> {
  const urgentBefore = new Date(at.getTime() + noticeUrgentMs);
  const isLater = sql`notices.due_at > ${urgentBefore}`;
  const kinds = sql.join(noticeKinds.map((kind) => sql.lit(kind)));
  return (
    records(db)
      .where("notices.decided_at", "is", null)
      // Otherwise many notices about minors would fill a moderator's list, which leaves them out.
      .$if(viewer.role < roles.administrator, (notices) => notices.where("notices.kind", "<>", "minor"))
      .orderBy(sql`notices.state = 'asked'`)
      .orderBy(isLater)
      .orderBy(sql`case when ${isLater} then array_position(array[${kinds}], notices.kind) else 0 end`)
      .orderBy("notices.due_at")
      .orderBy("notices.id")
      .limit(rowsMax)
      .execute()
  );
}

/** Open notices that have so little time left that administrators are alerted. */
export async function overdueNotices(db: Db, at: Date): Promise<number> {
  const { rows } = await sql<{ overdue: bigint }>`
    select count(*) as overdue from notices
    where decided_at is null and due_at <= ${new Date(at.getTime() + noticeAlertMs)}`.execute(db);
  return Number(rows[0]?.overdue ?? 0n);
}

/** @throws EndpointError 403 `role`, `colleague` or `own_case`, if the viewer may not see the notice. */
export function requireNoticeAccess(viewer: Viewer, { kind, subject_id, role }: NoticeRecord): void {
  requireCaseAccess(viewer, { subjectId: subject_id ?? 0n, subjectRole: role ?? 0, queue: queueOfNotice(kind) });
}

/**
 * Links the pictures of an address to the notice and hides them, except those that a moderator left at the decision of
 * an earlier notice.
 */
export async function linkPictures(
  trx: Trx,
  noticeId: bigint,
  { key, at }: { key: string; at: Date },
): Promise<{ user_id: bigint }[]> {
  const images = await imagesWithKey(trx, key, at);
  if (images.length === 0) return [];
  await trx
    .insertInto("notice_pictures")
    .values(images.map(({ id }) => ({ notice_id: noticeId, image_id: id })))
    .execute();
  const judged = await trx
    .selectFrom("notice_pictures")
    .innerJoin("notices", "notices.id", "notice_pictures.notice_id")
    .select("image_id")
    .where("notices.decided_at", "is not", null)
    .where(
      "image_id",
      "in",
      images.map(({ id }) => id),
    )
    .execute();
  const hidden = images.filter(({ id }) => !judged.some(({ image_id }) => image_id === id));
  await hideImages(
    trx,
    hidden.map(({ id }) => id),
    at,
  );
  return images;
}

/**
 * Shows the pictures of a decided notice, unless another open notice hides them. A notice that came after the first
 * decision hides none: otherwise a stranger could hide a picture for good by one notice after the other. Returns their
 * owners.
 */
export async function showPictures(trx: Trx, noticeId: bigint): Promise<bigint[]> {
  const { rows } = await sql<{ user_id: bigint }>`
    update images set hidden_at = null
    where hidden_at is not null and id in (select image_id from notice_pictures where notice_id = ${noticeId})
      and not exists (
        select from notice_pictures join notices on notices.id = notice_pictures.notice_id
        where notice_pictures.image_id = images.id and notices.id <> ${noticeId} and notices.decided_at is null
          and notices.at <= (
            select min(decided_at) from notice_pictures as earlier join notices on notices.id = earlier.notice_id
            where earlier.image_id = images.id
          )
      )
    returning user_id`.execute(trx);
  return rows.map(({ user_id }) => user_id);
}

export async function namedPictures(db: Db, noticeId: bigint): Promise<ReadonlySet<bigint>> {
  const rows = await db.selectFrom("notice_pictures").select("image_id").where("notice_id", "=", noticeId).execute();
  return new Set(rows.map(({ image_id }) => image_id));
}

export async function isHiding(db: Db, noticeId: bigint): Promise<boolean> {
  const row = await db
    .selectFrom("notice_pictures")
    .innerJoin("images", "images.id", "notice_pictures.image_id")
    .select("images.id")
    .where("notice_id", "=", noticeId)
    .where("images.hidden_at", "is not", null)
    .where("images.removed_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Pictures by id, with their owners. */
export function picturesOf(db: Db, ids: readonly bigint[]) {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("images")
    .innerJoin("users", "users.id", "images.user_id")
    .select(["images.id", "images.public_id", "images.blob_key", "images.phash", "images.hidden_at"])
    .select(["users.id as user_id", "users.user_no", "users.nickname", "users.avatar_key", "users.role"])
    .where("images.id", "in", ids)
    .where("images.removed_at", "is", null)
    .orderBy("images.id")
    .execute();
}

/** Erases what senders wrote, a fixed time after the decision (rule PRIV-8). */
export async function eraseOldNotices(db: Db, at: Date): Promise<void> {
  await db
    .updateTable("notices")
    .set({ sealed: null, same_as: null, phash: null, reason: "", question: "" })
    .where("sealed", "is not", null)
    .where("decided_at", "<=", new Date(at.getTime() - noticeKeptMs))
    .execute();
}

/** @throws EndpointError 400 for an unknown notice; 403 as `requireNoticeAccess`; 406 `already_decided`. */
export async function requireOpenNotice(db: Db, viewer: Viewer, { id, at }: { id: string; at: Date }): Promise<void> {
  const notice = /^\d{1,18}$/.test(id) ? await noticeById(db, BigInt(id)) : undefined;
  if (!notice) throw badInput("no such item", "item");
  requireNoticeAccess(viewer, notice);
  if (notice.decided_at !== null) throw refused("already_decided");
  if (notice.kind === "minor") await logRestricted(db, viewer.userId, { at, caseId: null, act: "claim" });
}
