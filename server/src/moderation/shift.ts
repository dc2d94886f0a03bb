import { type Kysely, sql } from "kysely";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { deskTexts } from "@fava/wire/endpoints/desk.ts";
import {
  handoverKeptMs,
  handoverNotesShownMax,
  onShiftMs,
  onShiftShownMax,
  shiftBreakMs,
  shiftSeenEveryMs,
} from "@fava/wire/limits.ts";
import { roles } from "@fava/wire/people.ts";
import type { Database } from "#db/schema.ts";
import type { Viewer } from "./ban-policy.ts";

type Db = Kysely<Database>;
type Shift = OutputOf<Endpoints["adminShift"]>;
type Written = Omit<ParsedInputOf<Endpoints["adminShiftWrite"]>, "user_id">;

/** Records that a moderator's desk is open. Writes at most once a minute, because each open desk asks often. */
export async function noteOnShift(db: Db, { userId }: Viewer, at: Date): Promise<void> {
  const ago = (ms: number) => new Date(at.getTime() - ms);
  await sql`
    insert into desk_shifts (user_id, since_at, seen_at) values (${userId}, ${at}, ${at})
    on conflict (user_id) do update set
      since_at = case when desk_shifts.seen_at < ${ago(shiftBreakMs)} then excluded.since_at else desk_shifts.since_at end,
      seen_at = excluded.seen_at
    where desk_shifts.seen_at <= ${ago(shiftSeenEveryMs)}`.execute(db);
}

export async function readShift(db: Db, { userId }: Viewer, at: Date): Promise<Shift> {
  const people = await db
    .selectFrom("desk_shifts")
    .innerJoin("users", "users.id", "desk_shifts.user_id")
    .select(["users.id", "nickname", "since_at"])
    .where("role", ">=", roles.moderator)
    .where("seen_at", ">", new Date(at.getTime() - onShiftMs))
    .orderBy("since_at")
    .limit(onShiftShownMax)
    .execute();
  const notes = await db
    .selectFrom("desk_texts")
    .innerJoin("users", "users.id", "desk_texts.user_id")
    .select(["users.id", "nickname", "desk_texts.at", "text"])
    .where("what", "=", "handover")
    .where("role", ">=", roles.moderator)
    .where("desk_texts.at", ">", new Date(at.getTime() - handoverKeptMs))
    .orderBy("desk_texts.at", "desc")
    .limit(handoverNotesShownMax)
    .execute();
  const answers = await db
    .selectFrom("desk_texts")
    .select(["what", "text"])
    .where("user_id", "=", userId)
    .where("what", "<>", "handover")
    .execute();
  return {
    people: people.map(({ id, nickname, since_at }) => ({
      name: nickname,
      since: since_at.getTime(),
      mine: id === userId,
    })),
    notes: notes.map((row) => ({ name: row.nickname, at: row.at.getTime(), mine: row.id === userId, text: row.text })),
    answers: deskTexts
      .filter((what) => what !== "handover")
      .map((what) => answers.find((row) => row.what === what)?.text ?? ""),
  };
}

/** An empty text deletes the stored one. */
export async function writeDeskText(
  db: Db,
  { userId }: Viewer,
  { what, text, at }: Written & { at: Date },
): Promise<void> {
  const trimmed = text.trim();
  if (trimmed === "") {
    await db.deleteFrom("desk_texts").where("user_id", "=", userId).where("what", "=", what).execute();
    return;
  }
  await db
    .insertInto("desk_texts")
    .values({ user_id: userId, what, text: trimmed, at })
    .onConflict((conflict) => conflict.columns(["user_id", "what"]).doUpdateSet({ text: trimmed, at }))
    .execute();
}

export async function forgetHandovers(db: Db, at: Date): Promise<void> {
  await db
    .deleteFrom("desk_texts")
    .where("what", "=", "handover")
    .where("at", "<=", new Date(at.getTime() - handoverKeptMs))
    .execute();
}
