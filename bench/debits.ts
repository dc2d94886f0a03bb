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
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";

const connections = 20;
const workMs = 10_000;
const quickWorkMs = 1_000;
/** Enough for any number of debits of one bean. */
const beans = 100_000_000n;

type Work = (userId: bigint) => Promise<unknown>;

/** Debits over the embedded PostgreSQL as `npm start` runs it: every commit is on disk before it is answered. */
export async function benchDebits({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const directory = await mkdtemp(join(tmpdir(), "fava-bench-debits-"));
  try {
    await using server = await startEmbedded({ directory, log: (message) => console.error(message) });
    await using database = openDatabase(server.url, { max: connections });
    await migrate(database.db);
    return await measureAll(database, isQuick ? quickWorkMs : workMs);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measureAll(database: OpenedDatabase, forMs: number): Promise<BenchmarkReport> {
  const ledger = new Ledger({ db: database.db, clock: systemClock });
  const people = await makePeople(database);
  const [hot = 0n] = people;
  const debit: Work = (userId) =>
    ledger.post({
      key: randomUUID(),
      kind: "call",
      from: { userId },
      to: { house: "filter-revenue" },
      amount: 1n,
      reference: "bench",
    });
  const minute: Work = async (userId) => {
    const key = randomUUID();
    await ledger.hold({ key, userId, amount: 2n, reference: "bench" });
    await ledger.settleHold(key, 1n);
  };
  const own = await measure(people, debit, forMs);
  const one = await measure(
    people.map(() => hot),
    debit,
    forMs,
  );
  const minutes = await measure(people, minute, forMs);
  const { findings, transferCount } = await checkLedger(database.db);
  const breaches = findings.reduce((sum, { breachCount }) => sum + breachCount, 0);
  const row = (name: string, { perSecond, tookMs }: Figures) => [
    name,
    perSecond,
    percentile(tookMs, 50),
    percentile(tookMs, 99),
  ];
  return {
    title: `Ledger: ${connections} connections, each one transfer after the other`,
    columns: ["", "a second", "p50 ms", "p99 ms"],
    rows: [
      row("debits, an account each", own),
      row("debits, all of one account", one),
      row("minutes (hold and settlement), an account each", minutes),
    ],
    goals: [
      { name: "debits, an account each", unit: "a second", better: "higher", reach: 2_000, measured: own.perSecond },
      { name: "breaches of the ledger check", unit: "breaches", better: "lower", reach: 0, measured: breaches },
    ],
    notes: [
      `${forMs / 1_000} s each on the embedded PostgreSQL with durable commits; product and database share the machine`,
      `afterwards the ledger check read all ${transferCount} transfers`,
    ],
  };
}

interface Figures {
  perSecond: number;
  tookMs: readonly number[];
}

/** One worker a connection, each for its person. */
async function measure(people: readonly bigint[], work: Work, forMs: number): Promise<Figures> {
  const tookMs: number[] = [];
  const beganMs = performance.now();
  const endMs = beganMs + forMs;
  const worker = async (userId: bigint) => {
    for (let startMs = performance.now(); startMs < endMs; startMs = performance.now()) {
      await work(userId);
      tookMs.push(performance.now() - startMs);
    }
  };
  await Promise.all(people.map(worker));
  return { perSecond: (tookMs.length * 1_000) / (performance.now() - beganMs), tookMs };
}

async function makePeople(database: OpenedDatabase): Promise<bigint[]> {
  const { rows } = await database.pool.query<{ id: bigint }>(
    `insert into users (user_no, external_id, nickname, country_id)
     select (10000000 + number)::text, 'bench-' || number, 'bench', 18 from generate_series(1, $1::integer) as number
     returning id`,
    [connections],
  );
  for (const { id } of rows) await giveBeans(database.db, id, beans);
  return rows.map(({ id }) => id);
}
