import { type Kysely, type Migration, sql } from "kysely";
import { createMinutesGathered } from "./0014-gathered-beans.ts";

/*
 * Calls and their events become tables of days (docs/decisions/039-growth-of-the-database.md), while servers write to
 * them. What is there becomes the partition of all ids that carry no day: nothing is copied. Three steps, each a
 * transaction of its own: that no id carries a day is stated, which needs a moment's lock; it is proven, which reads all
 * of both tables and holds nobody up; and believed, when the tables change places in a moment.
 */

const tables = { calls: "id", call_events: "call_id" } as const;
/** Behind every letter of an id without a day; `server/src/db/call-days.ts` makes the others. */
const mark = sql.lit("~");

/** Says of both that they hold ids without a day, and makes room for what others need of a call that is gone. */
export const stated: Migration = {
  async up(db) {
    await waitShortly(db);
    await sql`
      create table call_prices (
        call_id text not null,
        user_id bigint not null references users (id),
        price integer not null check (price > 0),
        primary key (user_id, call_id)
      )`.execute(db);
    await sql`comment on table call_prices is ${sql.lit("Of paid calls whose day is gone: beans a minute, for the statement of who paid.")}`.execute(
      db,
    );
    for (const table of ["cases", "bans"]) {
      await sql`alter table ${sql.table(table)} add column call_at timestamptz`.execute(db);
      await sql`comment on column ${sql.ref(`${table}.call_at`)} is ${sql.lit("When its call was, once the call's day is gone.")}`.execute(
        db,
      );
    }
    for (const [table, key] of Object.entries(tables)) {
      await sql`
        alter table ${sql.table(table)}
        add constraint ${sql.id(`${table}_undated`)} check (${sql.ref(key)} ~<~ ${mark}) not valid`.execute(db);
    }
  },
};

/** Reads all rows, beside everybody who reads and writes. */
export const proven: Migration = {
  async up(db) {
    for (const table of Object.keys(tables)) {
      await sql`alter table ${sql.table(table)} validate constraint ${sql.id(`${table}_undated`)}`.execute(db);
    }
  },
};

/**
 * Without keys from and to other tables: whoever drops a day with them has to lock all of users, or to read all reports.
 * Events lose their numbers, which nobody reads, and the index over them.
 */
export const swapped: Migration = {
  async up(db) {
    await waitShortly(db);
    await sql`lock table calls, call_events, reports in access exclusive mode`.execute(db);
    await sql`alter table reports drop constraint reports_call_id_fkey`.execute(db);
    await sql`alter table call_events drop constraint call_events_call_id_fkey, drop column id`.execute(db);
    await sql`drop trigger call_events_append_only on call_events`.execute(db);
    for (const [table, key] of Object.entries(tables)) await becomePartition(db, table, key);
    await sql`
      create trigger call_events_append_only before update or delete on call_events
      for each row execute function refuse_change()`.execute(db);
    await sql`
      create trigger call_events_no_truncate before truncate on call_events
      for each statement execute function refuse_change()`.execute(db);
    await createMinutesGathered(db, callsOfEpochs);
  },
};

/** The order of the partitions is that of the bytes, whatever language the database sorts by. */
async function becomePartition(db: Kysely<unknown>, table: string, key: string): Promise<void> {
  const before = `${table}_before`;
  await sql`alter table ${sql.table(table)} rename to ${sql.id(before)}`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select indexrelid::regclass::text as name from pg_index where indrelid = ${before}::regclass`.execute(db);
  for (const { name } of rows) {
    await sql`alter index ${sql.id(name)} rename to ${sql.id(name.replace(table, before))}`.execute(db);
  }
  await sql`
    create table ${sql.table(table)} (like ${sql.table(before)} including all)
    partition by range (${sql.ref(key)} text_pattern_ops)`.execute(db);
  const { rows: comments } = await sql<{ comment: string | null }>`
    select obj_description(${before}::regclass, 'pg_class') as comment`.execute(db);
  const comment = comments[0]?.comment;
  if (comment) await sql`comment on table ${sql.table(table)} is ${sql.lit(comment)}`.execute(db);
  const undated = sql.id(`${table}_undated`);
  await sql`alter table ${sql.table(table)} drop constraint ${undated}`.execute(db);
  await sql`
    alter table ${sql.table(table)} attach partition ${sql.table(before)} for values from (minvalue) to (${mark})`.execute(
    db,
  );
  await sql`alter table ${sql.table(before)} drop constraint ${undated}`.execute(db);
}

/**
 * As before, but planned each time by the ids, or each plan would be over all days; and not by a join, of which the planner
 * could not know in which days its calls are. When a call ended has the same answer as why, and an index that is full of
 * calls which have ended since.
 */
const callsOfEpochs = sql`
        execute '
          select array(
            select id from calls
            where id = any ($1) and owner_epoch = $2[array_position($1, id)] and end_reason is null
            for share skip locked
          )' into v_calls using p_calls, p_epochs`;

/** Whoever waits longer for a table holds up everybody behind; the migration is begun anew. */
async function waitShortly(db: Kysely<unknown>): Promise<void> {
  await sql`set local lock_timeout = 500`.execute(db);
}
