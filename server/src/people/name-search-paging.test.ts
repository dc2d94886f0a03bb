import { beforeAll, expect, test } from "vitest";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { plansOf } from "#test/fixtures/plans.ts";
import { contextOf, type SocialWorld } from "#test/fixtures/social-world.ts";
import { ensureDaysOf, newCallId } from "#db/call-days.ts";
import { seededRandom } from "#test/fakes/random.ts";

const crowd = 20_000;
const known = 4_000;
const namesLookedAtMax = 10_000;

let messages: MessageWorld;
let world: SocialWorld;
let me: bigint;

/** A user with thousands of relations of each kind, to users who know few others. */
beforeAll(async () => {
  messages = await MessageWorld.open();
  world = messages.social;
  me = await world.person({ nickname: "known to all" });
  const connection = await world.database.pool.connect();
  // Without triggers, which would take longer than the test. The rows are valid.
  await connection.query("set session_replication_role = replica");
  await connection.query(
    `insert into users (user_no, external_id, nickname, country_id, sex, birthday)
     select (20000000 + n)::text, 'crowd-' || n, 'crowd ' || lpad((n / 10)::text, 5, '0'), 18, 1, '2000-01-01'
     from generate_series(1, $1::integer) as n`,
    [crowd],
  );
  await connection.query(
    "create table crowd as select id, row_number() over (order by id) as n from users where id > $1",
    [String(me)],
  );
  await connection.query("analyze");
  for (const [table, each] of Object.entries({ follows: 4, likes: 1, blocks: 1, meet_wishes: 1 })) {
    await connection.query(`insert into ${table} (user_id, other_id, at)
      select one.id, other.id, now() from crowd as one cross join generate_series(0, ${each - 1}) as distance
      join crowd as other on other.n = (one.n + distance) % ${crowd} + 1`);
  }
  for (const table of ["follows", "likes"]) {
    await connection.query(
      `insert into ${table} (user_id, other_id, at) select $1, id, now() from crowd where n <= $2`,
      [String(me), known],
    );
    await connection.query(
      `insert into ${table} (user_id, other_id, at) select id, $1, now() from crowd where n <= $2`,
      [String(me), known],
    );
  }
  const call = newCallId(seededRandom(1), world.clock.nowMs());
  await ensureDaysOf(world.database.db, [call], new Set());
  await connection.query(
    `insert into calls (id, offerer_id, answerer_id, offerer_price, answerer_price, matched_at, connected_at)
     select $3 || one.n, one.id, other.id, 0, 0, $1, $1
     from crowd as one join crowd as other on other.n = one.n % $2::integer + 1`,
    [new Date(world.clock.nowMs()), crowd, call],
  );
  await connection.query("analyze");
  await connection.query(
    `with made as (
       insert into conversations (low_id, high_id, accepted, created_at)
       select $1, id, true, now() from crowd where n <= $2 returning id, high_id
     ), written as (
       insert into messages (conversation_id, sender_id, client_id, kind, text, sent_at)
       select id, high_id, 'crowd', 'text', 'hello', now() from made returning id, conversation_id, sender_id
     )
     insert into conversation_sides (user_id, other_id, conversation_id, last_message_id)
     select $1, sender_id, conversation_id, id from written union all select sender_id, $1, conversation_id, id from written`,
    [String(me), known],
  );
  await connection.query("analyze");
  connection.release(true);
}, 60_000);

const input = () => ({ user_id: Number(me), cursor: undefined });
const search = (text: string, country = 0) =>
  world.handlers.userSearch(contextOf(me), { ...input(), text, sex: 0, minAge: 18, maxAge: 65, country });

test.each([
  ["follows", () => world.handlers.followList(contextOf(me), input())],
  ["fans", () => world.handlers.fansList(contextOf(me), input())],
  ["friends", () => world.handlers.friendList(contextOf(me), input())],
  ["likes", () => world.handlers.likeList(contextOf(me), input())],
  ["blocked people", () => world.handlers.blockList(contextOf(me), input())],
  ["recent people", () => world.handlers.recentList(contextOf(me), input())],
  ["search", () => search("crowd 0")],
  ["search in a country", () => search("crowd", 1)],
  ["search by filters alone", () => search("")],
  ["search by filters alone in a country", () => search("", 1)],
  ["conversations", () => messages.page(me)],
  ["a message", () => messages.thread(me, me + 1n)],
])("reads %s by index lookups, never a whole table", async (_name, read) => {
  const plans = await plansOf(world.database.pool, read);
  expect(plans.length).toBeGreaterThan(0);
  const whole = /Seq Scan on (?:users|follows|likes|blocks|meet_wishes|calls|conversation\w*|messages)/;
  expect(plans.filter((plan) => whole.test(plan))).toEqual([]);
});

test("reads a page of names in index order from its cursor, however many match", async () => {
  const { next } = await search("crowd");
  for (const cursor of [undefined, next ?? ""]) {
    const plans = await plansOf(world.database.pool, () =>
      world.handlers.userSearch(contextOf(me), {
        ...input(),
        text: "crowd",
        sex: 0,
        minAge: 18,
        maxAge: 65,
        country: 0,
        cursor,
      }),
    );
    expect(plans[0]).toContain("users_names");
    expect(plans[0]).not.toContain("Sort");
  }
});

test("finds a user behind the first 10,000 matching names by a longer prefix only", async () => {
  const { pool } = world.database;
  const ordered = await pool.query<{ id: bigint }>(
    "select id from users where nickname like 'crowd %' order by nickname, id limit 2 offset $1",
    [namesLookedAtMax - 1],
  );
  const [last, behind] = ordered.rows.map(({ id }) => id);
  await pool.query("update users set sex = 2 where id = any($1)", [[String(last), String(behind)]]);
  const women = async (text: string) => {
    const asked = { ...input(), text, sex: 2 as const, minAge: 18, maxAge: 65, country: 0 };
    return (await world.handlers.userSearch(contextOf(me), asked)).rows.map(({ user_id }) => BigInt(user_id));
  };
  expect(await women("crowd")).toEqual([last]);
  expect(await women("crowd 01")).toEqual([last, behind]);
});
