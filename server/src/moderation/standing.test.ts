import { type Kysely, sql } from "kysely";
import { expect, test, vi } from "vitest";
import { seeds, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import type { Database } from "#db/schema.ts";
import { EndpointError } from "#lib/errors.ts";
import { isNewAccount, knownPerson, newAccountCalls, readStanding } from "#people/standing-service.ts";
import { type AccountRestrictions, untilDecidedMs } from "#ports/moderation.ts";
import type { Random } from "#ports/random.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { AppealWorld } from "#test/fixtures/appeal-world.ts";
import { noAgePolicy } from "#test/fixtures/matched.ts";
import type { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { liftMutes, lockSubject } from "./case-store.ts";
import { runModerationUpkeep } from "./upkeep.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Standings are cached for less than this. */
const shortestWaitMs = 2 * minuteMs;
const peopleCount = 4;
const steps = 60;
const rulesOfReports = ["report", "reports_many"];

/** Computes the restrictions from each source table by its own query. The stored row must equal them. */
async function restrictionsBySources(
  db: Kysely<Database>,
  userId: bigint,
  nowMs: number,
): Promise<AccountRestrictions> {
  const now = new Date(nowMs);
  const [since, flaggedSince] = [new Date(nowMs - dayMs), new Date(nowMs - 30 * dayMs)];
  const { rows } = await sql<{
    paused_until: Date | null;
    is_paused_until_decided: boolean;
    muted_until: Date | null;
    created_at: Date | null;
    passed_calls: number;
    is_asked: boolean;
    is_watched: boolean;
    starts_covered: boolean;
    hints_age: boolean;
    is_received_only: boolean;
  }>`
    select
      coalesce((
        select bool_or(what = 'age') from restraints where user_id = ${userId} and lifted_at is null
      ), false) as is_asked,
      max(until) filter (where what = 'matching') as paused_until,
      coalesce(bool_or(what = 'matching' and until is null), false) as is_paused_until_decided,
      max(until) filter (where what = 'chat') as muted_until,
      (select created_at from users where id = ${userId}) as created_at,
      coalesce((select passed_calls from users where id = ${userId}), 0) as passed_calls,
      exists (select from reports where reported_id = ${userId} and at > ${since})
        or exists (select from cases where subject_id = ${userId} and opened_at > ${since})
        or exists (select from signals where user_id = ${userId} and at > ${since} and not dry_run) as is_watched,
      not exists (
        select from users where id = ${userId} and created_at <= ${since} and passed_calls >= ${newAccountCalls}
      )
        or exists (
          select from cases
          where subject_id = ${userId} and rule <> all(${rulesOfReports})
            and (opened_at > ${flaggedSince} or state <> 'decided')
        )
        or exists (select from signals where user_id = ${userId} and at > ${flaggedSince} and not dry_run)
        or exists (select from strikes where user_id = ${userId} and at > ${flaggedSince} and revoked_at is null)
        or exists (
          select from bans
          where user_id = ${userId} and created_at > ${flaggedSince} and ended_because is distinct from 'lifted'
        ) as starts_covered,
      exists (select from users where id = ${userId}) and not exists (
        select from cases
        where subject_id = ${userId} and queue = 'restricted' and state = 'decided' and operation in (1, 2, 3)
      ) as hints_age,
      exists (
        select from sent_views
        where subject_id = ${userId} and at > ${flaggedSince} and case_id is not null and was_right is distinct from false
      ) as is_received_only
    from restraints
    where user_id = ${userId} and lifted_at is null and (until is null or until > ${now})`.execute(db);
  const row = rows[0]!;
  return {
    pausedUntil: row.is_paused_until_decided ? untilDecidedMs : (row.paused_until?.getTime() ?? null),
    mutedUntil: row.muted_until?.getTime() ?? null,
    isNew: await isNewAccount(db, { userId, ...row }, since),
    isWatched: row.is_watched,
    ageGate: row.is_asked ? "asked" : null,
    startsCovered: row.starts_covered || row.is_watched || row.is_received_only,
    isReceivedOnly: row.is_received_only,
    hintsAge: row.hints_age,
  };
}

async function isBannedNow(db: Kysely<Database>, userId: bigint, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom("standing")
    .select(sql<boolean>`coalesce(banned_until > ${new Date(nowMs)}, false)`.as("is_banned"))
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.is_banned ?? false;
}

/** Makes random events for a few users: moderators' decisions, calls, and time that passes. */
class History {
  readonly #appeals: AppealWorld;
  readonly #random: Random;
  readonly #world: ModerationWorld;
  readonly #people: bigint[] = [];
  readonly #moderators: bigint[] = [];

  static async begin(seed: number): Promise<History> {
    const history = new History(await AppealWorld.open(), seededRandom(seed));
    const { cases } = history.#appeals;
    for (let number = 0; number < peopleCount; number += 1)
      history.#people.push(await cases.person(number % 2 === 0 ? { passedCalls: 10 } : { ageMs: dayMs / 2 }));
    history.#moderators.push(await cases.moderator(), await cases.moderator(), await cases.administrator());
    return history;
  }

  private constructor(appeals: AppealWorld, random: Random) {
    this.#appeals = appeals;
    this.#random = random;
    this.#world = appeals.cases;
  }

  async step(): Promise<string> {
    const userId = this.#one(this.#people);
    const { moderation } = this.#world;
    const dryRun = this.#random.integer(0, 1) === 0;
    const acts: readonly (readonly [string, number, () => Promise<unknown>])[] = [
      ["report", 8, async () => this.#world.reported(userId, { reasonId: this.#one([4, 5, 6, 10, 11]) })],
      ["open", 5, async () => moderation.open(await this.#world.flag(userId, { rule: "frozen_picture" }))],
      ["contradict", 6, () => this.#contradict(userId)],
      ["suspend", 4, async () => moderation.suspend(await this.#world.flag(userId))],
      ["note", 4, async () => moderation.note({ userId, rule: "skip_rate", dryRun, withinMs: dayMs })],
      ["mute", 3, async () => moderation.muteChat(userId, { rule: "repeated_text", untilMs: this.#nowMs + 3_600_000 })],
      ["unmute", 2, () => this.#unmute(userId)],
      ["pass", 6, async () => moderation.callPassed(userId)],
      ["call", 3, async () => this.#world.call(userId, await this.#world.person())],
      ["decide", 14, () => this.#decide()],
      ["second", 8, () => this.#second()],
      ["forbid", 3, () => this.#forbid(userId)],
      ["appeal", 8, () => this.#appeal()],
      ["time", 10, async () => this.#wait()],
      ["upkeep", 4, () => this.#upkeep()],
    ];
    let drawn = this.#random.integer(
      1,
      acts.reduce((sum, [, weight]) => sum + weight, 0),
    );
    const [name, , act] = acts.find(([, weight]) => (drawn -= weight) <= 0)!;
    try {
      await act();
      return name;
    } catch (error) {
      if (error instanceof EndpointError) return `${name} refused`;
      throw error;
    }
  }

  /** The restrictions of all users now: as stored, as cached, and as computed from the source tables. */
  async look(): Promise<{ rows: unknown[]; remembered: unknown[]; sources: unknown[] }> {
    const { db, moderation, sanctions } = this.#world;
    const [rows, remembered, sources]: unknown[][] = [[], [], []];
    const inForce = (untilMs: number | null) => (untilMs !== null && untilMs > this.#nowMs ? untilMs : null);
    for (const userId of this.#people) {
      const isBanned = (await sanctions.banNotice(userId)) !== null;
      sources!.push({ ...(await restrictionsBySources(db, userId, this.#nowMs)), isBanned });
      remembered!.push({ ...(await moderation.restrictionsOf(userId)), isBanned });
      const { restrictions } = await readStanding(db, userId, { nowMs: this.#nowMs, agePolicy: noAgePolicy });
      const [pausedUntil, mutedUntil] = [restrictions.pausedUntil, restrictions.mutedUntil].map(inForce);
      const isBannedByRow = await isBannedNow(db, userId, this.#nowMs);
      rows!.push({ ...restrictions, pausedUntil, mutedUntil, isBanned: isBannedByRow });
    }
    return { rows: rows!, remembered: remembered!, sources: sources! };
  }

  get #nowMs(): number {
    return this.#world.clock.nowMs();
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[this.#random.integer(0, items.length - 1)]!;
  }

  async #contradict(userId: bigint): Promise<void> {
    const senderId = await this.#world.person();
    const callId = await this.#world.call(senderId, userId);
    const signal = await this.#world.flag(userId, { rule: "views_differ", reasonId: 11, callId });
    await this.#world.moderation.openByView({ ...signal, callId }, senderId);
  }

  async #unmute(userId: bigint): Promise<void> {
    await this.#world.db.transaction().execute(async (trx) => {
      await lockSubject(trx, userId);
      await liftMutes(trx, userId, new Date(this.#nowMs));
    });
    this.#world.moderation.changed(userId);
  }

  async #decide(): Promise<void> {
    const { db, cases } = this.#world;
    const waiting = await db.selectFrom("cases").select("id").where("state", "=", "open").orderBy("id").execute();
    if (waiting.length === 0) return;
    const { id } = this.#one(waiting);
    const [by, operation] = [this.#one(this.#moderators), this.#one([1, 2, 3, 4, 4] as const)];
    const forbid =
      operation === 4 ? { hours: this.#one([24, 168, 0] as const), reason_id: this.#one([1, 2, 5] as const) } : {};
    await this.#world.withClaim(by, `case:${id}`, async () =>
      cases.decisions.operate(await this.#world.viewer(by), id, { operation, note: "seen", ...forbid }),
    );
  }

  async #second(): Promise<void> {
    const { db, cases } = this.#world;
    const waiting = await db.selectFrom("cases").select("id").where("state", "=", "second").orderBy("id").execute();
    if (waiting.length === 0) return;
    const [{ id }, by, operation] = [this.#one(waiting), this.#one(this.#moderators), this.#one([1, 2, 4] as const)];
    await this.#world.withClaim(by, `case:${id}`, async () =>
      cases.decisions.second(await this.#world.viewer(by), id, { operation, note: "again" }),
    );
  }

  async #forbid(userId: bigint): Promise<void> {
    const by = await this.#world.viewer(this.#one(this.#moderators));
    const hours = this.#one([24, 0] as const);
    await this.#world.cases.decisions.quickForbid(by, userId, { hours, reason_id: 2, note: "seen", isAgain: true });
  }

  /** A banned user appeals, and a moderator answers. */
  async #appeal(): Promise<void> {
    const bans = await this.#world.db
      .selectFrom("bans")
      .select(["id", "user_id"])
      .where("decided_by", "is not", null)
      .orderBy("id")
      .execute();
    if (bans.length === 0) return;
    const { id: banId, user_id: userId } = this.#one(bans);
    const { appeal } = await this.#appeals.write({ userId, banId, token: String(banId) });
    const outcome = this.#one(["upheld", "shortened", "lifted"] as const);
    const hours = outcome === "shortened" ? { hours: 1 as const } : {};
    await this.#appeals.decide(this.#one(this.#moderators), appeal?.id ?? "", { outcome, ...hours });
  }

  #wait(): void {
    const waits = [shortestWaitMs, 3_600_000, dayMs - minuteMs, dayMs, 2 * dayMs, 31 * dayMs];
    this.#world.clock.advance(this.#one(waits));
  }

  /** Advances the clock. A change by time alone sends no event, so it shows only once the cache entry has expired. */
  async #upkeep(): Promise<void> {
    const { db, clock, logger } = this.#world;
    await runModerationUpkeep({ db, clock, logger, ...this.#world.upkept });
    clock.advance(shortestWaitMs);
  }
}

test.each(seeds(4))(
  "keeps the row of a user equal to the source tables through any history (seed %i)",
  async (seed) => {
    const history = await History.begin(seed);
    for (let step = 1; step <= steps; step += 1) {
      const name = await history.step();
      const { rows, remembered, sources } = await history.look();
      expect(rows, `step ${step}, ${name}`).toEqual(sources);
      expect(remembered, `step ${step}, ${name}`).toEqual(sources);
    }
  },
  storyTimeoutMs(120_000),
);

/** Statements that change one source table by itself, as the product never does. `$1`: the user, `$2`: now. */
const changesOfSources: Record<string, readonly string[]> = {
  restraints: [
    "insert into restraints (user_id, what, rule, from_at) values ($1, 'matching', 'report', now())",
    "insert into restraints (user_id, what, rule, from_at, until) values ($1, 'chat', 'report', now(), $2::timestamptz + interval '1 day')",
    "update restraints set until = $2::timestamptz + interval '2 days' where user_id = $1 and what = 'chat'",
    "update restraints set lifted_at = $2 where user_id = $1 and what = 'matching'",
    "insert into restraints (user_id, what, rule, from_at, until) values ($1, 'age', 'age_asked', now(), $2)",
    "delete from restraints where user_id = $1",
  ],
  bans: [
    "insert into bans (user_id, reason_id, created_at, until) values ($1, 2, $2, $2::timestamptz + interval '1 day')",
    "update bans set until = null where user_id = $1",
    "update bans set ended_early_at = $2 where user_id = $1",
    "update bans set ended_because = 'lifted' where user_id = $1",
    "insert into bans (user_id, reason_id, created_at, until) values ($1, 2, $2, null)",
    "delete from bans where user_id = $1",
  ],
  strikes: [
    "insert into strikes (user_id, reason_id, at, expires_at) values ($1, 2, $2, $2)",
    "update strikes set revoked_at = $2 where user_id = $1",
    "insert into strikes (user_id, reason_id, at, expires_at) values ($1, 2, $2, $2)",
    "delete from strikes where user_id = $1",
  ],
  cases: [
    "insert into cases (subject_id, queue, reason_id, rule, harm, opened_at, changed_at) values ($1, 'reports', 4, 'report', 1, $2, $2)",
    "update cases set rule = 'skip_rate' where subject_id = $1",
    "update cases set opened_at = $2::timestamptz - interval '40 days' where subject_id = $1",
    "update cases set state = 'decided' where subject_id = $1",
    "delete from cases where subject_id = $1",
  ],
  signals: ["insert into signals (user_id, rule, dry_run, at) values ($1, 'skip_rate', false, $2)"],
  reports: [
    "insert into reports (reporter_id, reported_id, reason_id, at) select id, $1::bigint, 4, $2 from users where id <> $1",
  ],
  sent_views: [
    "insert into sent_views (sender_id, subject_id, call_id, at) select id, $1::bigint, 'one', $2 from users where id <> $1",
    "insert into cases (subject_id, queue, reason_id, rule, harm, opened_at, changed_at) values ($1, 'reports', 4, 'report', 1, $2, $2)",
    "update sent_views set case_id = (select id from cases where subject_id = $1) where subject_id = $1",
    "update sent_views set was_right = true where subject_id = $1",
    "update sent_views set was_right = false where subject_id = $1",
  ],
};

test.each(Object.entries(changesOfSources))("follows %s by themselves", async (_table, changes) => {
  const { cases: world } = await AppealWorld.open();
  const [userId] = [await world.person({ passedCalls: 10 }), await world.person()];
  const at = new Date(world.clock.nowMs());
  for (const change of changes) {
    await world.database.pool.query(change, change.includes("$2") ? [userId, at] : [userId]);
    const isBanned = (await world.sanctions.banNotice(userId)) !== null;
    const { restrictions } = await readStanding(world.db, userId, { nowMs: at.getTime(), agePolicy: noAgePolicy });
    expect({ ...restrictions, isBanned: await isBannedNow(world.db, userId, at.getTime()) }, `after ${change}`).toEqual(
      {
        ...(await restrictionsBySources(world.db, userId, at.getTime())),
        isBanned,
      },
    );
  }
});

test("keeps the row right when two transactions change one user at the same moment", async () => {
  const { cases: world } = await AppealWorld.open();
  for (let round = 0; round < 10; round += 1) {
    const userId = await world.person({ passedCalls: 10 });
    const flag = await world.flag(userId);
    await Promise.all([
      world.reported(userId, { reasonId: 11 }),
      world.moderation.suspend(flag),
      world.moderation.note({ userId, rule: "skip_rate", dryRun: false, withinMs: dayMs }),
      world.moderation.muteChat(userId, { rule: "repeated_text", untilMs: world.clock.nowMs() + dayMs }),
      world.reported(userId),
    ]);
    expect(await world.moderation.restrictionsOf(userId)).toEqual(
      await restrictionsBySources(world.db, userId, world.clock.nowMs()),
    );
  }
});

test("reads what another transaction commits while both wait for the row", async () => {
  const { cases: world } = await AppealWorld.open();
  const userId = await world.person({ passedCalls: 10 });
  const { pool } = world.database;
  const note = "insert into signals (user_id, rule, dry_run, at) values ($1, 'skip_rate', false, $2)";
  const at = new Date(world.clock.nowMs());
  // This creates the user's row in `standing`.
  await pool.query(note, [userId, new Date(at.getTime() - 40 * dayMs)]);
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select from standing where user_id = $1 for update", [userId]);
  const mute = "insert into restraints (user_id, what, rule, from_at, until) values ($1, 'chat', 'report', $2, $3)";
  const changes = [pool.query(note, [userId, at]), pool.query(mute, [userId, at, new Date(at.getTime() + dayMs)])];
  const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await vi.waitFor(async () => expect((await pool.query(waits)).rowCount).toBe(2));
  await holder.query("commit");
  holder.release();
  await Promise.all(changes);
  const { restrictions } = await readStanding(world.db, userId, { nowMs: at.getTime(), agePolicy: noAgePolicy });
  expect(restrictions).toEqual(await restrictionsBySources(world.db, userId, at.getTime()));
});

test("undoes a change of the row with the transaction that made it", async () => {
  const { cases: world } = await AppealWorld.open();
  const userId = await world.person({ passedCalls: 10 });
  const [until, at] = [new Date(world.clock.nowMs() + dayMs), new Date(world.clock.nowMs())];
  const undone = world.db.transaction().execute(async (trx) => {
    const pause = { user_id: userId, what: "matching", rule: "report", case_id: null, from_at: at, until } as const;
    await trx.insertInto("restraints").values(pause).execute();
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await world.moderation.restrictionsOf(userId)).toMatchObject({ pausedUntil: null });
});

test("returns nothing without an account", async () => {
  const { cases: world } = await AppealWorld.open();
  expect(await knownPerson(world.db, 9_999_999n)).toBeNull();
  expect(await world.standings.of(9_999_999n)).toMatchObject({ person: null, restrictions: { startsCovered: true } });
});
