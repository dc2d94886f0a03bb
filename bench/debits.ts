import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@fava/server/adapters/local/clock.ts";
import { checkLedger } from "@fava/server/billing/ledger-check.ts";
import { Ledger } from "@fava/server/billing/ledger.ts";
import { startEmbedded } from "@fava/server/db/embedded.ts";
import { migrate } from "@fava/server/db/migrate.ts";
import { openDatabase, type OpenedDatabase } from "@fava/server/db/pool.ts";
import { giveBeans } from "@fava/server/test/fixtures/give-beans.ts";
import { percentile } from "./percentile.ts";
import { cpuUse } from "./process-tree.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";

const connections = 20;
/** Callers at once where many people pay, over the same connections. */
const crowd = 200;
/** Each kind of work in turn, so that whatever else the machine does falls upon all of them. */
const rounds = 5;
const roundMs = 2_000;
const quickRoundMs = 200;
/** Enough for any number of debits of one bean. */
const beans = 100_000_000n;

type Work = (userId: bigint) => Promise<unknown>;

interface Race {
  readonly name: string;
  /** One after the other each, all at once. */
  readonly callers: readonly bigint[];
  readonly work: Work;
}

/** Debits over the embedded PostgreSQL as `npm start` runs it: every commit is on disk before it is answered. */
export async function benchDebits({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const directory = await mkdtemp(join(tmpdir(), "fava-bench-debits-"));
  try {
    await using server = await startEmbedded({ directory, log: (message) => console.error(message) });
    await using database = openDatabase(server.url, { max: connections });
    await migrate(database.db);
    return await measureAll(database, isQuick ? quickRoundMs : roundMs);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measureAll(database: OpenedDatabase, forMs: number): Promise<BenchmarkReport> {
  const races = await openRaces(database);
  const figures = new Map(races.map(({ name }) => [name, { done: 0, ms: 0, productMs: 0, databaseMs: 0, tookMs: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    for (const race of races) await run(race, forMs, figures.get(race.name)!);
  }
  const { findings, transferCount } = await checkLedger(database.db);
  const breaches = findings.reduce((sum, { breachCount }) => sum + breachCount, 0);
  const perSecond = (name: string) => {
    const { done, ms } = figures.get(name)!;
    return (done * 1_000) / ms;
  };
  return {
    title: `Ledger: ${connections} connections, callers that each make one order after the other`,
    columns: ["", "a second", "p50 ms", "p99 ms", "CPU us, product", "CPU us, database"],
    rows: races.map(({ name }) => {
      const { done, tookMs, productMs, databaseMs } = figures.get(name)!;
      const times = [percentile(tookMs, 50), percentile(tookMs, 99)];
      return [name, perSecond(name), ...times, (productMs * 1_000) / done, (databaseMs * 1_000) / done];
    }),
    goals: [
      { name: ownDebits, unit: "a second", better: "higher", reach: 6_000, measured: perSecond(ownDebits) },
      { name: ownMinutes, unit: "a second", better: "higher", reach: 2_500, measured: perSecond(ownMinutes) },
      { name: "breaches of the ledger check", unit: "breaches", better: "lower", reach: 0, measured: breaches },
    ],
    notes: [
      `${rounds} rounds of ${forMs / 1_000} s each, by turns, on the embedded PostgreSQL with durable commits; product and database share the machine`,
      "a minute settles the hold of the one before and makes its own; alone: each order by itself, in prepared statements; no owner: without asking whose the call is, as before decision 029",
      `afterwards the ledger check read all ${transferCount} transfers`,
    ],
  };
}

const ownDebits = "debits, an account each, together";
const ownMinutes = "minutes, an account each, together";

async function openRaces(database: OpenedDatabase): Promise<Race[]> {
  const many = await makePeople(database);
  const few = many.slice(0, connections);
  const hot = few.map(() => many[0] ?? 0n);
  const common = { db: database.db, clock: systemClock };
  const together = new Ledger(common);
  const alone = new Ledger({ ...common, isGathering: false });
  const takeMinute = minutes();
  return [
    { name: "debits, an account each, alone", callers: few, work: debits(alone) },
    { name: ownDebits, callers: few, work: debits(together) },
    { name: `debits of ${crowd} people, together`, callers: many, work: debits(together) },
    { name: "debits, all of one account, alone", callers: hot, work: debits(alone) },
    { name: "debits, all of one account, together", callers: hot, work: debits(together) },
    { name: "minutes, an account each, alone", callers: few, work: takeMinute(alone) },
    { name: ownMinutes, callers: few, work: takeMinute(together) },
    { name: `minutes of ${crowd} people, together`, callers: many, work: takeMinute(together) },
    { name: "minutes, an account each, together, no owner", callers: few, work: takeMinute(together, null) },
    { name: `minutes of ${crowd} people, together, no owner`, callers: many, work: takeMinute(together, null) },
  ];
}

function debits(ledger: Ledger): Work {
  return (userId) =>
    ledger.post({
      key: randomUUID(),
      kind: "call",
      from: { userId },
      to: { house: "filter-revenue" },
      amount: 1n,
      reference: "bench",
    });
}

/** One call that never ends for each person, whichever ledger its next minute is taken by; null: whoever has it. */
function minutes(): (ledger: Ledger, epoch?: number | null) => Work {
  const taken = new Map<bigint, string>();
  return (ledger, epoch = 1) =>
    (userId) => {
      const [before, key] = [taken.get(userId), randomUUID()];
      taken.set(userId, key);
      return ledger.takeMinute({
        settle: before === undefined ? null : { key: before, amount: 2n },
        hold: { key, userId, amount: 2n, reference: `bench-${userId}` },
        epoch,
      });
    };
}

interface Figures {
  done: number;
  ms: number;
  /** Processor time. */
  productMs: number;
  databaseMs: number;
  readonly tookMs: number[];
}

async function run({ callers, work }: Race, forMs: number, figures: Figures): Promise<void> {
  const before = cpuUse(process.pid);
  const beganMs = performance.now();
  const endMs = beganMs + forMs;
  const caller = async (userId: bigint) => {
    for (let startMs = performance.now(); startMs < endMs; startMs = performance.now()) {
      await work(userId);
      figures.done += 1;
      figures.tookMs.push(performance.now() - startMs);
    }
  };
  await Promise.all(callers.map(caller));
  figures.ms += performance.now() - beganMs;
  const after = cpuUse(process.pid);
  if (!before || !after) return;
  figures.productMs += after.ownMs - before.ownMs;
  figures.databaseMs += after.childrenMs - before.childrenMs;
}

async function makePeople(database: OpenedDatabase): Promise<bigint[]> {
  const { rows } = await database.pool.query<{ id: bigint }>(
    `insert into users (user_no, external_id, nickname, country_id)
     select (10000000 + number)::text, 'bench-' || number, 'bench', 18 from generate_series(0, $1::integer) as number
     order by number desc returning id`,
    [crowd],
  );
  for (const { id } of rows) await giveBeans(database.db, id, beans);
  await database.pool.query(
    `insert into calls (id, offerer_id, answerer_id, offerer_price, answerer_price, matched_at, owner, owner_epoch)
     select 'bench-' || id, id, (select id from users where user_no = '10000000'), 2, 0, now(), 'bench', 1 from users
     where user_no > '10000000' and nickname = 'bench'`,
  );
  return rows.slice(0, crowd).map(({ id }) => id);
}
