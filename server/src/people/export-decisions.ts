import type { Kysely } from "kysely";
import { operations } from "@fava/wire/moderation.ts";
import type { Database } from "#db/schema.ts";
import { type Entry, paged } from "./export-queries.ts";

type Db = Kysely<Database>;
type Row = Entry & { readonly id: bigint };

/** Decisions about the user, without reporters, moderators and users who share a device or address. */
export async function* decisions(db: Db, userId: bigint): AsyncGenerator<Entry> {
  for (const [decision, rows] of [
    ["ban", bans],
    ["pause", pauses],
    ["mute", mutes],
    ["age_check", ageAsks],
    ["strike", strikes],
    ["warning", warnings],
    ["appeal", appeals],
    ["noticed", signals],
    ["asked", questions],
    ["notice", notices],
  ] as const) {
    for await (const row of rows(db, userId)) yield { decision, ...row };
  }
}

function bans(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return paged<Row>((last, limit) =>
    db
      .selectFrom("bans")
      .select(["id", "reason_id", "reason", "created_at", "until", "is_provisional", "rule"])
      .select((row) => row("decided_by", "is", null).and("rule", "is not", null).as("by_software"))
      .select(["call_id", "ended_early_at", "ended_because"])
      .where("user_id", "=", userId)
      .where("id", ">", last?.id ?? 0n)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}

function pauses(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return restraints(db, userId, "matching");
}

function mutes(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return restraints(db, userId, "chat");
}

function ageAsks(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return restraints(db, userId, "age");
}

function restraints(db: Db, userId: bigint, what: "matching" | "chat" | "age"): AsyncGenerator<Entry> {
  return paged<Row>((last, limit) =>
    db
      .selectFrom("restraints")
      .select(["id", "rule", "from_at", "until", "lifted_at"])
      .$if(what === "matching", (pauses) => pauses.select("look_asked_at"))
      .where("user_id", "=", userId)
      .where("what", "=", what)
      .where("id", ">", last?.id ?? 0n)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}

function strikes(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return paged<Row>((last, limit) =>
    db
      .selectFrom("strikes")
      .select(["id", "ban_id", "reason_id", "at", "expires_at", "revoked_at"])
      .where("user_id", "=", userId)
      .where("id", ">", last?.id ?? 0n)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}

function warnings(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return paged<Row>((last, limit) =>
    db
      .selectFrom("cases")
      .select(["id", "reason_id", "decided_at as at"])
      .where("subject_id", "=", userId)
      .where("operation", "=", operations.warn)
      .where("id", ">", last?.id ?? 0n)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}

function signals(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return paged<Row>((last, limit) =>
    db
      .selectFrom("signals")
      .select(["id", "rule", "at"])
      .where("user_id", "=", userId)
      .where("id", ">", last?.id ?? 0n)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}

function appeals(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return paged<Row>((last, limit) =>
    db
      .selectFrom("appeals")
      .select(["id", "ban_id", "ground", "text", "email", "at", "answer_by", "state"])
      .select(["decided_at", "answer", "new_until", "beans_returned"])
      .where("user_id", "=", userId)
      .where("id", ">", last?.id ?? 0n)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}

/** Notices about the user: neither what the sender wrote nor who it was. Without open ones and suspected minors. */
function notices(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return paged<Row>((last, limit) =>
    db
      .selectFrom("notices")
      .select(["id", "kind", "state", "at", "decided_at"])
      .where("subject_id", "=", userId)
      .where("decided_at", "is not", null)
      .where("kind", "<>", "minor")
      .where("id", ">", last?.id ?? 0n)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}

/** Texts and mutes that a moderator reviewed for the user, with the answers. */
function questions(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return paged<Row>((last, limit) =>
    db
      .selectFrom("text_questions")
      .select(["id", "place", "source", "text", "asked_at", "due_at", "state", "answered_at"])
      .where("user_id", "=", userId)
      .where("id", ">", last?.id ?? 0n)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}
