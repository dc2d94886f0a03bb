import { type Kysely, type Selectable, sql } from "kysely";
import type { AskedTextPlace } from "@fava/wire/endpoints/text-questions.ts";
import { evidenceKeptMs, listPageRows, textReviewPromisedMs } from "@fava/wire/limits.ts";
import { roles } from "@fava/wire/people.ts";
import { isNotHeld } from "#db/holds.ts";
import type { Database } from "#db/schema.ts";
import { badInput } from "#lib/errors.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Viewer } from "#moderation/ban-policy.ts";
import type { RuledSpan } from "#moderation/text-service.ts";

type Db = Kysely<Database>;
export type QuestionRow = Selectable<Database["text_questions"]>;

export interface AskedText {
  readonly userId: bigint;
  readonly place: AskedTextPlace;
  readonly text: string;
}

/** What the keyed hash covers that recognizes an answered text after the text is erased. */
export function hashedText({ place, text }: Omit<AskedText, "userId">): string {
  return `asked-text/v1\0${place}\0${text}`;
}

export async function answerTo(
  db: Db,
  serverSecret: ServerSecret,
  asked: AskedText,
): Promise<"accepted" | "refused" | undefined> {
  const answer = await db
    .selectFrom("text_questions")
    .select("state")
    .where("user_id", "=", asked.userId)
    .where("place", "=", asked.place)
    .where("text_hash", "in", [...serverSecret.storedMacs(hashedText(asked))])
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return answer?.state === "open" ? undefined : answer?.state;
}

/** Stores a question about a text. The caller ensures that no question of that place and source is open. */
export async function insertTextQuestion(
  db: Db,
  {
    userId,
    place,
    text,
    ...rest
  }: AskedText & {
    source: QuestionRow["source"];
    before: string;
    findings: readonly RuledSpan[];
    at: Date;
  },
): Promise<Date> {
  const due_at = new Date(rest.at.getTime() + textReviewPromisedMs);
  await db
    .insertInto("text_questions")
    .values({
      user_id: userId,
      place,
      text,
      source: rest.source,
      before: rest.before,
      findings: JSON.stringify(rest.findings),
      asked_at: rest.at,
      due_at,
    })
    .execute();
  return due_at;
}

export function openQuestion(db: Db, userId: bigint, place: AskedTextPlace): Promise<QuestionRow | undefined> {
  return db
    .selectFrom("text_questions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("place", "=", place)
    .where("source", "=", "person")
    .where("state", "=", "open")
    .executeTakeFirst();
}

/** Open questions that the viewer may answer: none of the viewer, and for a moderator none of a colleague. */
function waitingFor(db: Db, { userId, role }: Viewer) {
  const roleBelow = role >= roles.administrator ? roles.administrator + 1 : roles.moderator;
  return db
    .selectFrom("text_questions")
    .innerJoin("users", "users.id", "text_questions.user_id")
    .where("text_questions.state", "=", "open")
    .where("users.deleted_at", "is", null)
    .where("users.id", "<>", userId)
    .where("users.role", "<", roleBelow);
}

/** Mutes first, because their deadline is an hour. */
const rank = sql<number>`case when place = 'mute' then 0 else 1 end`;

export async function questionPage(db: Db, viewer: Viewer, cursor: string | undefined) {
  const after = readCursor(cursor);
  const rows = await waitingFor(db, viewer)
    .leftJoin("restraints", "restraints.id", "text_questions.restraint_id")
    .selectAll("text_questions")
    .select(["users.user_no", "users.nickname", "users.about", "users.location", "users.avatar_key"])
    .select(["restraints.rule as mute_rule", "restraints.until as mute_until", rank.as("rank")])
    .select((row) =>
      row
        .selectFrom("cases")
        .select("cases.id")
        .whereRef("cases.subject_id", "=", "text_questions.user_id")
        .where("cases.queue", "=", "reports")
        .where("cases.state", "<>", "decided")
        .limit(1)
        .as("case_id"),
    )
    .where(sql<boolean>`(${rank}, due_at, text_questions.id) > (${after.rank}, ${after.dueAt}, ${after.id})`)
    .orderBy(rank)
    .orderBy("due_at")
    .orderBy("text_questions.id")
    .limit(listPageRows + 1)
    .execute();
  const shown = rows.slice(0, listPageRows);
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  return { rows: shown, next: last ? `${last.rank}.${last.due_at.getTime()}.${last.id}` : null };
}

export async function waitingQuestions(db: Db, viewer: Viewer): Promise<{ waiting: number; oldest: Date | null }> {
  const { waiting, oldest } = await waitingFor(db, viewer)
    .select((row) => [row.fn.countAll<bigint>().as("waiting"), row.fn.min("asked_at").as("oldest")])
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), oldest };
}

/** @throws EndpointError 400 for a cursor that `questionPage` cannot have made. */
function readCursor(cursor = "0.0.0"): { rank: number; dueAt: Date; id: bigint } {
  const [, place, due, id] = /^([01])\.(\d{1,15})\.(\d{1,18})$/.exec(cursor) ?? [];
  if (place === undefined || due === undefined || id === undefined) throw badInput("invalid cursor", "cursor");
  return { rank: Number(place), dueAt: new Date(Number(due)), id: BigInt(id) };
}

/** Erases the texts of questions that were answered longer ago than evidence is kept. */
export async function eraseAnsweredTexts(db: Db, at: Date): Promise<void> {
  await db
    .updateTable("text_questions")
    .set({ text: "", before: "", findings: "[]" })
    .where("answered_at", "<=", new Date(at.getTime() - evidenceKeptMs))
    .where((where) => where.or([where("text", "<>", ""), where("before", "<>", "")]))
    .where(isNotHeld("text_questions.user_id", at))
    .execute();
}
