import { type Kysely, sql } from "kysely";

/**
 * Records what the text rules find by rule, in place of `stopped_texts`, and ends the chat mutes and closes the open cases
 * that came from findings alone. The cause is no decision of a person: the user is not notified.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A migration that waits longer for a table holds up every query behind it.
  await sql`set local lock_timeout = 500`.execute(db);
  await endMutes(db);
  await closeCases(db);
  // A signal of these rules had a user watched, and their picture covered at the start of calls.
  await sql`delete from signals where rule in (${textRules})`.execute(db);
  // Last: a new reference to `users`, and the end of one, lock that table until the step is committed.
  await createTable(db);
  await replaceStoppedTexts(db);
}

/** Rules by which three hidden or refused lines a day led to a mute and a case. */
const textRules = sql.join(["contact_in_chat", "abuse_in_chat"].map((rule) => sql.lit(rule)));

async function createTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table text_findings (
      id bigint generated always as identity primary key,
      writer_id bigint not null references users (id),
      reader_id bigint references users (id),
      place text not null check (place in ('call', 'message', 'nickname', 'about', 'location')),
      line_ref text,
      kind text not null check (kind in (
        'phone', 'email', 'link', 'handle', 'account_number', 'address', 'advert',
        'insult', 'threat', 'hate', 'solicitation', 'minor'
      )),
      rule_id text not null,
      at timestamptz not null,
      disputed_at timestamptz,
      reported_at timestamptz
    )`.execute(db);
  // A line that is sent again, and a text that is refused again, is one row.
  await sql`
    create unique index text_findings_line on text_findings (
      writer_id, place, coalesce(line_ref, ''), coalesce(reader_id, 0), rule_id
    )`.execute(db);
  await sql`create index text_findings_writer on text_findings (writer_id, at)`.execute(db);
  await sql`create index text_findings_reader on text_findings (reader_id) where reader_id is not null`.execute(db);
  await sql`create index text_findings_at on text_findings (at)`.execute(db);
  await sql`
    comment on table text_findings is
      'What the text rules found in a text that was hidden, covered or refused; the text itself is not kept.'`.execute(
    db,
  );
  const comments = {
    reader_id: "Null where the text has no single reader, such as a nickname.",
    line_ref: "Client id of the line or message; null for an undelivered text.",
    rule_id: "Language and phrase of the rule, such as en:kill yourself, or contact:phone.",
    disputed_at: "When the writer said that the text did not mean this.",
    reported_at: "When the reader reported the writer.",
  };
  for (const [column, means] of Object.entries(comments)) {
    await sql`comment on column ${sql.ref(`text_findings.${column}`)} is ${sql.lit(means)}`.execute(db);
  }
}

/** Moves the records that are younger than 30 days; those of abuse have no phrase. */
async function replaceStoppedTexts(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into text_findings (writer_id, place, kind, rule_id, at)
    select user_id, place, case finding when 'abuse' then 'insult' else finding end,
      case when finding in ('abuse', 'solicitation') then 'unknown' else 'contact:' || finding end, at
    from stopped_texts, unnest(string_to_array(findings, ',')) as finding
    where at > now() - interval '30 days'
    order by at desc
    on conflict do nothing`.execute(db);
  await sql`drop table stopped_texts`.execute(db);
  // Servers of the version before go on refusing texts, and read and erase what they recorded.
  await sql`
    create view stopped_texts as
    select id, writer_id as user_id, place, kind as findings, at from text_findings`.execute(db);
  await sql`create rule stopped_texts_insert as on insert to stopped_texts do instead nothing`.execute(db);
}

async function endMutes(db: Kysely<unknown>): Promise<void> {
  await sql`
    with ended as (
      update restraints set lifted_at = now()
      where what = 'chat' and rule in (${textRules}) and lifted_at is null and (until is null or until > now())
      returning user_id, rule
    )
    insert into audit_log (at, kind, subject_id, detail)
    select now(), 'clear', user_id, json_build_object('rule', rule, 'ended', 'mute')::text from ended`.execute(db);
}

/**
 * Closes cases as cleared that nothing but findings led to: no report, no other flag, no picture that a partner sent, no
 * ban and no pause.
 */
async function closeCases(db: Kysely<unknown>): Promise<void> {
  await sql`
    with closed as (
      update cases set state = 'decided', operation = 1, decided_at = now(), changed_at = now()
      where state = 'open' and rule in (${textRules})
        and not exists (select from reports where reports.case_id = cases.id)
        and not exists (select from sent_views where sent_views.case_id = cases.id)
        and not exists (select from bans where bans.case_id = cases.id)
        and not exists (select from restraints where restraints.case_id = cases.id)
        and not exists (
          select from audit_log
          where audit_log.subject_id = cases.subject_id and audit_log.case_id = cases.id and kind = 'flag'
            and (audit_log.detail::json ->> 'rule') not in (${textRules})
        )
      returning id, subject_id, reason_id, rule
    ), freed as (
      delete from claims where item in (select 'case:' || id from closed)
    )
    insert into audit_log (at, kind, subject_id, case_id, reason_id, detail)
    select now(), 'clear', subject_id, id, reason_id, json_build_object('rule', rule, 'ended', 'case')::text
    from closed`.execute(db);
}
