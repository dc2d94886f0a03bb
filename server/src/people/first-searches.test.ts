import { beforeEach, expect, test, vi } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { FirstSearches } from "./first-searches.ts";

const clock = new TestClock(Date.parse("2026-11-28T23:59:00Z"));
const errors: object[] = [];
const logger = { error: (details: object) => void errors.push(details) };
let database: TestDatabase;
let ids: bigint[];

beforeEach(async () => {
  errors.length = 0;
  database = await createTestDatabase();
  const { rows } = await database.pool.query<{ id: bigint }>(
    `insert into users (user_no, external_id, nickname, country_id, first_search_on, erased_at)
     values ('20000001', 'a', 'Ana', 18, null, null), ('20000002', 'b', 'Bo', 18, '2026-11-01', null),
       ('20000003', 'c', 'Deleted', 18, null, now()), ('20000004', 'd', 'Mia', 18, null, null) returning id`,
  );
  ids = rows.map(({ id }) => id);
});

const days = async () =>
  (
    await database.pool.query<{ day: string | null }>(
      "select first_search_on::text as day from users where user_no like '2000000_' order by user_no",
    )
  ).rows.map(({ day }) => day);

function open(db = database.db): FirstSearches {
  const searches = new FirstSearches({ db, clock, logger });
  leftovers.push(searches);
  return searches;
}

test("stores the day of a first search, and never again", async () => {
  const searches = open();
  for (const id of ids.slice(0, 3)) searches.searched(id);
  expect(await days()).toEqual([null, "2026-11-01", null, null]);
  clock.advance(10_000);
  const stored = ["2026-11-28", "2026-11-01", null, null];
  await vi.waitFor(async () => expect(await days()).toEqual(stored));
  clock.advance(86_400_000);
  for (const id of ids.slice(0, 3)) searches.searched(id);
  const after = open();
  for (const id of ids.slice(0, 3)) after.searched(id);
  await after[Symbol.asyncDispose]();
  await searches[Symbol.asyncDispose]();
  expect(await days()).toEqual(stored);
  expect(errors).toEqual([]);
});

test("stores what waits when the server stops", async () => {
  const searches = open();
  searches.searched(ids[3]!);
  await searches[Symbol.asyncDispose]();
  expect((await days())[3]).toBe(new Date(clock.nowMs()).toISOString().slice(0, 10));
});

test("tries again after the database was away", async () => {
  const searches = open();
  searches.searched(ids[3]!);
  await database.pool.query("alter table users rename to users_away");
  clock.advance(10_000);
  await vi.waitFor(() => expect(errors).toHaveLength(1));
  await database.pool.query("alter table users_away rename to users");
  await searches[Symbol.asyncDispose]();
  expect((await days())[3]).not.toBeNull();
});
