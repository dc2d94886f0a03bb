import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { migrate } from "./migrate.ts";

type Db = Awaited<ReturnType<typeof createTestDatabase>>["db"];
let db: Db;

let made = 20_000_000;

async function userOf(name: string): Promise<bigint> {
  made += 1;
  const { rows } = await sql<{ id: bigint }>`
    insert into users (user_no, external_id, nickname, country_id)
    values (${String(made)}, ${name}, ${name}, 1) returning id`.execute(db);
  return rows[0]!.id;
}

/** A case about a new person, with what else is known of it. */
async function caseOf(name: string, rule: string, state: "open" | "second" | "decided" = "open"): Promise<bigint> {
  const subject = await userOf(name);
  const { rows } = await sql<{ id: bigint }>`
    insert into cases (subject_id, box, reason_id, rule, harm, state, opened_at, changed_at)
    values (${subject}, 'reports', 6, ${rule}, 3, ${state}, now(), now()) returning id`.execute(db);
  await flag(rows[0]!.id, rule);
  return rows[0]!.id;
}

const flag = (caseId: bigint, rule: string) =>
  sql`
  insert into audit_log (at, kind, subject_id, case_id, detail)
  select now(), 'flag', subject_id, id, ${JSON.stringify({ rule })} from cases where id = ${caseId}`.execute(db);

beforeAll(async () => {
  ({ db } = await createTestDatabase({ migrated: false }));
  await migrate(db, { upTo: "0036-visible-names" });
});

test("[TEXT-745] ends mutes and closes cases that findings alone led to, and keeps every other one", async () => {
  const closed = [await caseOf("contact", "contact_in_chat"), await caseOf("abuse", "abuse_in_chat")];
  const kept = {
    reported: await caseOf("reported", "contact_in_chat"),
    flagged: await caseOf("flagged", "abuse_in_chat"),
    banned: await caseOf("banned", "abuse_in_chat"),
    second: await caseOf("second", "abuse_in_chat", "second"),
    decided: await caseOf("decided", "abuse_in_chat", "decided"),
    other: await caseOf("other", "skip_rate"),
  };
  const reporter = await userOf("mia");
  await sql`
    insert into reports (reporter_id, reported_id, reason_id, case_id, at)
    select ${reporter}, subject_id, 5, id, now() from cases where id = ${kept.reported}`.execute(db);
  await flag(kept.flagged, "repeated_text");
  await sql`
    insert into bans (user_id, reason_id, reason, case_id, until)
    select subject_id, 2, '', id, now() + interval '1 day' from cases where id = ${kept.banned}`.execute(db);
  await sql`
    insert into claims (item, moderator_id, until)
    select 'case:' || id, ${reporter}, now() from cases where id = any(${[closed[0]!, kept.reported]}::bigint[])`.execute(
    db,
  );
  const mutes = { contact_in_chat: "contact", abuse_in_chat: "abuse", spam: "other" };
  for (const [rule, name] of Object.entries(mutes)) {
    await sql`
      insert into restraints (user_id, what, rule, from_at, until)
      select id, 'chat', ${rule}, now(), now() + interval '1 day' from users where external_id = ${name}`.execute(db);
    await sql`
      insert into signals (user_id, rule, dry_run, at)
      select id, ${rule}, false, now() from users where external_id = ${name}`.execute(db);
  }
  await sql`
    insert into stopped_texts (user_id, place, findings, at)
    values (${reporter}, 'about', 'email,abuse', now()), (${reporter}, 'about', 'email', now() - interval '40 days')`.execute(
    db,
  );

  expect(await migrate(db)).toContain("0038-text-findings");

  const states = await db
    .selectFrom("cases")
    .select(["id", "state", "operation", "decided_by"])
    .orderBy("id")
    .execute();
  const stateOf = (id: bigint) => states.find((one) => one.id === id);
  for (const id of closed) expect(stateOf(id)).toMatchObject({ state: "decided", operation: 1, decided_by: null });
  expect(Object.values(kept).map((id) => stateOf(id)?.state)).toEqual([
    "open",
    "open",
    "open",
    "second",
    "decided",
    "open",
  ]);
  expect(stateOf(kept.decided)).toMatchObject({ operation: null });
  expect(await db.selectFrom("claims").select("item").execute()).toEqual([{ item: `case:${kept.reported}` }]);
  const left = await db.selectFrom("restraints").select("rule").where("lifted_at", "is", null).execute();
  expect(left).toEqual([{ rule: "spam" }]);
  expect(await db.selectFrom("signals").select("rule").execute()).toEqual([{ rule: "spam" }]);
  const audit = await db
    .selectFrom("audit_log")
    .select(["kind", "actor_id", "case_id"])
    .where("kind", "=", "clear")
    .execute();
  expect(audit.map(({ case_id }) => case_id)).toEqual(expect.arrayContaining([...closed, null, null]));
  expect(audit).toHaveLength(4);
  const findings = await db
    .selectFrom("text_findings")
    .select(["writer_id", "kind", "rule_id"])
    .orderBy("kind")
    .execute();
  expect(findings).toEqual([
    { writer_id: reporter, kind: "email", rule_id: "contact:email" },
    { writer_id: reporter, kind: "insult", rule_id: "unknown" },
  ]);
});

test("[TEXT-745] lets a server of the previous version refuse texts and erase its records", async () => {
  const { rows } = await sql<{ user_id: bigint }>`select distinct user_id from stopped_texts`.execute(db);
  const userId = rows[0]!.user_id;
  await sql`insert into stopped_texts (user_id, place, findings, at) values (${userId}, 'about', 'link', now())`.execute(
    db,
  );
  const { rows: read } = await sql`
    select id, place, findings, at from stopped_texts where user_id = ${userId} order by id`.execute(db);
  expect(read).toMatchObject([{ findings: "email" }, { findings: "insult" }]);
  await sql`delete from stopped_texts where user_id = ${userId}`.execute(db);
  expect(await db.selectFrom("text_findings").select("id").execute()).toEqual([]);
});
