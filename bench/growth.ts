import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@fava/server/adapters/local/clock.ts";
import { systemRandom } from "@fava/server/adapters/local/random.ts";
import { Ledger } from "@fava/server/billing/ledger.ts";
import { CallStore } from "@fava/server/calls/call-store.ts";
import { ensureDaysOf, newCallId } from "@fava/server/db/call-days.ts";
import { startEmbedded } from "@fava/server/db/embedded.ts";
import { createLogger } from "@fava/server/edge/http/logger.ts";
import { migrate } from "@fava/server/db/migrate.ts";
import { openDatabase, type OpenedDatabase } from "@fava/server/db/pool.ts";
import { giveBeans } from "@fava/server/test/fixtures/give-beans.ts";
import { cpuUse } from "./process-tree.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";

const dayMs = 86_400_000;
const people = 1_000;
const eventsOfCall = 8;
/** Days of calls that are kept, as whoever has run for half a year has them. */
const daysKept = 180;
/** Calls of one write: a hundred matches a second, written four times in it. */
const callsAtOnce = 25;
const writeEveryMs = 250;
const readEveryMs = 20;
/** By turns, so that whatever else the machine does falls upon both. */
const rounds = 10;
const roundMs = 1_500;
const minuteCallers = 32;
const versionBefore = "0016-owners";

/**
 * A full database is brought to tables by day while the version before writes and reads; then both versions write calls
 * and take minutes by turns, each in its own tables.
 */
export async function benchGrowth({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const calls = isQuick ? 50_000 : 1_000_000;
  const directory = await mkdtemp(join(tmpdir(), "fava-bench-growth-"));
  try {
    await using server = await startEmbedded({ directory, log: (message) => console.error(message) });
    await using admin = openDatabase(server.url, { max: 1 });
    await admin.pool.query("create database old");
    const urlOf = (name: string) => Object.assign(new URL(server.url), { pathname: name }).href;
    {
      await using filled = openDatabase(urlOf("old"), { max: 1 });
      await migrate(filled.jobs, { upTo: versionBefore });
      await fill(filled, calls);
    }
    await admin.pool.query("set statement_timeout = 0");
    await admin.pool.query("create database carried template old strategy file_copy");
    await using old = openDatabase(urlOf("old"), { max: minuteCallers });
    await using carried = openDatabase(urlOf("carried"), { max: minuteCallers });
    const migration = await carryOver(carried, isQuick ? 1_000 : 5_000);
    await ensureDaysOf(carried.jobs, keptIds(), new Set());
    const costs = await compare(old, carried);
    return reportOf(calls, migration, costs);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Ids of all days that are kept: to have their partitions made. */
function keptIds(): string[] {
  return Array.from({ length: daysKept }, (_, day) => newCallId(systemRandom, Date.now() - day * dayMs));
}

/** Keys are not checked and triggers not run: a call at a time it would take an hour. */
async function fill({ pool }: OpenedDatabase, calls: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set session_replication_role = replica");
    await client.query("set statement_timeout = 0");
    await client.query(
      `insert into users (user_no, external_id, nickname, country_id)
       select (10000000 + number)::text, 'bench-' || number, 'bench', 18 from generate_series(0, $1) as number`,
      [people],
    );
    await client.query(
      `insert into calls (id, offerer_id, answerer_id, offerer_price, answerer_price, matched_at, connected_at, ended_at, end_reason, owner)
       select encode(sha256(number::text::bytea), 'hex'), 1 + number % $2, 1 + (number + 7) % $2, 0, 0,
         now() - number * interval '10 seconds', now() - number * interval '10 seconds', now(), 'next', 'gone'
       from generate_series(1, $1::integer) as number`,
      [calls, people],
    );
    await client.query(
      `insert into call_events (call_id, user_id, kind, at)
       select id, offerer_id, 'joined', matched_at from calls cross join generate_series(1, $1)`,
      [eventsOfCall],
    );
    await client.query("vacuum analyze");
  } finally {
    client.release(true);
  }
}

interface Migration {
  readonly steadyMs: { readonly write: number; readonly read: number };
  readonly longestMs: { readonly write: number; readonly read: number };
  readonly tookMs: number;
  readonly writes: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

async function carryOver(database: OpenedDatabase, steadyForMs: number): Promise<Migration> {
  const size = async () => {
    const { rows } = await database.pool.query<{ bytes: string }>(
      "select pg_database_size(current_database()) as bytes",
    );
    return Number(rows[0]?.bytes);
  };
  const longest = { write: 0, read: 0 };
  let [isOver, writes] = [false, 0];
  const timed = async (kind: "write" | "read", work: () => Promise<unknown>) => {
    const from = performance.now();
    await work();
    longest[kind] = Math.max(longest[kind], performance.now() - from);
  };
  const log = await logOf(database);
  const serve = async () => {
    while (!isOver) {
      await timed("write", () =>
        writeBefore(
          log,
          newMatches(() => randomUUID()),
        ),
      );
      writes += 1;
      await delay(writeEveryMs);
    }
  };
  const read = async () => {
    for (let person = 1; !isOver; person = (person % people) + 1) {
      await timed("read", () =>
        database.pool.query("select id from calls where offerer_id = $1 order by matched_at desc limit 1", [person]),
      );
      await delay(readEveryMs);
    }
  };
  const running = [serve(), read()];
  await delay(steadyForMs);
  const steadyMs = { ...longest };
  const bytesBefore = await size();
  [longest.write, longest.read] = [0, 0];
  const from = performance.now();
  await migrate(database.jobs);
  const tookMs = performance.now() - from;
  await delay(steadyForMs);
  isOver = true;
  await Promise.all(running);
  log.release(true);
  return { steadyMs, longestMs: longest, tookMs, writes, bytesBefore, bytesAfter: await size() };
}

type Match = Parameters<CallStore["make"]>[0];

function newMatches(id: () => string): Match[] {
  return Array.from({ length: callsAtOnce }, (_, index) => ({
    id: id(),
    offererId: BigInt(1 + index),
    answererId: BigInt(1 + callsAtOnce + index),
    offererPrice: 0,
    answererPrice: 0,
    matchedAtMs: Date.now(),
  }));
}

interface Cost {
  calls: number;
  productMs: number;
  databaseMs: number;
}

type Costs = ReadonlyMap<string, readonly [before: Cost, after: Cost]>;

async function compare(before: OpenedDatabase, after: OpenedDatabase): Promise<Costs> {
  const oldLog = await logOf(before);
  const logger = createLogger({ level: "error" });
  const store = new CallStore({ db: after.log, self: "bench", clock: systemClock, logger });
  const works = [
    [
      "a match's rows in the call log",
      () =>
        writeBefore(
          oldLog,
          newMatches(() => randomUUID()),
        ),
      () => writeAfter(store),
    ],
    ["a paid minute", await minutesOf(before, () => randomUUID()), await minutesOf(after, dated)],
  ] as const;
  // Plans that were made while tables were empty read them through: once there is something in them, both count anew.
  for (const [, ...both] of works) for (const work of both) await measure(work, noCost());
  for (const { pool } of [before, after]) await pool.query("analyze");
  const costs = new Map<string, [Cost, Cost]>();
  for (const [name] of works) costs.set(name, [noCost(), noCost()]);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, ...both] of works) {
      // Who is first has the caches cold: in turns, too.
      for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) await measure(both[side]!, costs.get(name)![side]!);
    }
  }
  await store[Symbol.asyncDispose]();
  oldLog.release();
  return costs;
}

const noCost = (): Cost => ({ calls: 0, productMs: 0, databaseMs: 0 });
const dated = () => newCallId(systemRandom, Date.now());

/** `work` answers how much of it was done. */
async function measure(work: () => Promise<number>, cost: Cost): Promise<void> {
  const from = cpuUse(process.pid);
  const endMs = performance.now() + roundMs;
  while (performance.now() < endMs) cost.calls += await work();
  const to = cpuUse(process.pid);
  if (!from || !to) return;
  cost.productMs += to.ownMs - from.ownMs;
  cost.databaseMs += to.childrenMs - from.childrenMs;
}

const kinds = Array.from({ length: eventsOfCall }, () => "joined" as const);

/** Made with half of its events, and ended with the others a write later: as most calls are. */
async function writeAfter(store: CallStore): Promise<number> {
  const matches = newMatches(dated);
  const tell = (half: number) => {
    for (const { id, offererId, matchedAtMs } of matches)
      for (const kind of kinds.slice(half * 4, half * 4 + 4))
        store.event({ callId: id, userId: offererId, kind, atMs: matchedAtMs });
  };
  for (const match of matches) store.make(match).catch(() => undefined);
  tell(0);
  await store.flush();
  for (const match of matches) {
    const { id, matchedAtMs } = match;
    store.connected(match, matchedAtMs);
    store.ended(id, { atMs: matchedAtMs + 1_000, reason: "next" });
  }
  tell(1);
  await store.flush();
  return matches.length;
}

interface Connection {
  query(statement: string | { name: string; text: string; values: string[] }): Promise<unknown>;
  release(destroy?: boolean): void;
}

/** As the call log's connection was. */
async function logOf({ pool }: OpenedDatabase): Promise<Connection> {
  const connection = await pool.connect();
  for (const way of ["seqscan", "hashjoin", "mergejoin"]) await connection.query(`set enable_${way} = off`);
  return connection;
}

/** The same in the statement of the version before. */
async function writeBefore(log: Connection, matches: readonly Match[]): Promise<number> {
  const list = (rows: readonly (string | number | bigint)[]) => `{${rows.join(",")}}`;
  const events = matches.flatMap((match) => kinds.slice(4).map(() => match));
  for (const isNew of [true, false]) {
    const made = isNew ? matches : [];
    const changed = isNew ? [] : matches;
    const values = [
      list(made.map(({ id }) => id)),
      list(made.map(({ offererId }) => offererId)),
      list(made.map(({ answererId }) => answererId)),
      list(made.map(({ matchedAtMs }) => matchedAtMs)),
      list(changed.map(({ id }) => id)),
      list(changed.map(({ matchedAtMs }) => matchedAtMs)),
      list(events.map(({ id }) => id)),
      list(events.map(({ offererId }) => offererId)),
      list(events.map(() => "joined")),
      list(events.map(({ matchedAtMs }) => matchedAtMs)),
    ];
    await log.query({ name: "write_calls_before", text: writtenBefore, values });
  }
  return matches.length;
}

const writtenBefore = `
  with made as (
    insert into calls (
      id, offerer_id, answerer_id, offerer_price, answerer_price, matched_at, connected_at, ended_at, end_reason,
      owner, owner_epoch
    )
    select id, offerer_id, answerer_id, 0, 0, to_timestamp(matched_at / 1000.0), null, null, null, 'bench', 1
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
      as row (id, offerer_id, answerer_id, matched_at)
    on conflict (id) do nothing returning id
  ), changed as (
    update calls set
      connected_at = coalesce(calls.connected_at, to_timestamp(change.at / 1000.0)),
      ended_at = coalesce(calls.ended_at, to_timestamp(change.at / 1000.0)),
      end_reason = coalesce(calls.end_reason, 'next')
    from unnest($5::text[], $6::bigint[]) as change (id, at)
    where calls.id = change.id and calls.owner = 'bench'
  )
  insert into call_events (call_id, user_id, kind, at)
  select event.call_id, event.user_id, event.kind, to_timestamp(event.at / 1000.0)
  from unnest($7::text[], $8::bigint[], $9::text[], $10::bigint[]) as event (call_id, user_id, kind, at)
  where exists (select from made where made.id = event.call_id)
    or (select calls.owner = 'bench' from calls where calls.id = event.call_id limit 1)`;

/** Minutes of as many people at once, each settling the one before. */
async function minutesOf(database: OpenedDatabase, id: () => string): Promise<() => Promise<number>> {
  const ledger = new Ledger({ db: database.db, clock: systemClock });
  const callers = Array.from({ length: minuteCallers }, (_, index) => ({
    userId: BigInt(100 + index),
    reference: id(),
    before: null as string | null,
  }));
  for (const { userId, reference } of callers) {
    await giveBeans(database.db, userId, 1_000_000_000n);
    await database.pool.query(
      `insert into calls (id, offerer_id, answerer_id, offerer_price, answerer_price, matched_at, owner, owner_epoch)
       values ($1, $2, 1, 2, 0, now(), 'bench', 1)`,
      [reference, userId],
    );
  }
  return async () => {
    const takeNext = async (caller: (typeof callers)[number]) => {
      const key = randomUUID();
      const settle = caller.before === null ? null : { key: caller.before, amount: 2n };
      await ledger.takeMinute({ settle, hold: { key, amount: 2n, ...caller }, epoch: 1 });
      caller.before = key;
    };
    await Promise.all(callers.map(takeNext));
    return callers.length;
  };
}

function reportOf(calls: number, migration: Migration, costs: Costs): BenchmarkReport {
  const perCall = ({ calls: done, productMs, databaseMs }: Cost) => [
    (productMs * 1_000) / done,
    (databaseMs * 1_000) / done,
  ];
  const { steadyMs, longestMs, tookMs, writes, bytesBefore, bytesAfter } = migration;
  const rows = [...costs].flatMap(([name, [before, after]]) => [
    [`${name}, before`, ...perCall(before)],
    [`${name}, by day`, ...perCall(after)],
  ]);
  const ratio = (name: string, [before, after]: readonly [Cost, Cost]) => ({
    name: `${name}: database, by day over before`,
    unit: "times",
    better: "lower" as const,
    reach: 1.05,
    measured: after.databaseMs / after.calls / (before.databaseMs / before.calls),
  });
  return {
    title: `Growth: ${calls} calls with ${eventsOfCall} events each carried over to ${daysKept} days and more`,
    columns: ["", "CPU us, product", "CPU us, database"],
    rows,
    goals: [
      ...[...costs].map(([name, both]) => ratio(name, both)),
      { name: "longest wait of a write", unit: "ms", better: "lower", reach: 1_000, measured: longestMs.write },
      { name: "longest wait of a read", unit: "ms", better: "lower", reach: 1_000, measured: longestMs.read },
    ],
    notes: [
      `the migration took ${Math.round(tookMs)} ms beside ${writes} writes of ${callsAtOnce} calls; before it the longest write took ${Math.round(steadyMs.write)} ms, the longest read ${Math.round(steadyMs.read)}`,
      `the database held ${Math.round(bytesBefore / 1e6)} MB before and ${Math.round(bytesAfter / 1e6)} MB after it`,
      `${rounds} rounds of ${roundMs / 1_000} s each, by turns, on the embedded PostgreSQL with durable commits; a call is written in two goes of ${callsAtOnce} calls, before without the call log around the statement, so that the product's shares cannot be compared`,
    ],
  };
}
