import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import { systemClock } from "#adapters/local/clock.ts";
import { Ledger } from "#billing/ledger.ts";
import { CallStore } from "#calls/call-store.ts";
import { createLogger } from "#edge/http/logger.ts";
import { minuteHold, purchase } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { childrenOf } from "#test/fixtures/child-processes.ts";
import { type Edge, openEdge } from "#test/fixtures/edge.ts";
import { signedCall } from "#test/fixtures/signed-call.ts";
import { type EmbeddedDatabase, livingServer, startEmbedded } from "./embedded.ts";
import { migrate } from "./migrate.ts";
import { openDatabase, type OpenedDatabase } from "./pool.ts";
import { newCallId } from "#db/call-days.ts";
import { systemRandom } from "#adapters/local/random.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** How long a request may take when the database hangs: two seconds, and more for a busy machine. */
const noticedMs = 3_500;
/** How long a request may take after the outage is detected. */
const refusedMs = 1_000;
const root = mkdtempSync(join(tmpdir(), `fava-outage-${process.pid}-`));
chmodSync(root, 0o755);

let server: EmbeddedDatabase;
let port = 0;
let database: OpenedDatabase;
let logged: { level: string; msg: string }[];
let edge: Edge;

/** After a kill the database starts on another port; its address stays the same. */
const way = createServer((incoming) => {
  const outgoing = connect(port, "127.0.0.1");
  for (const [one, other] of [
    [incoming, outgoing],
    [outgoing, incoming],
  ] as const) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
    one.pipe(other);
  }
});

async function startServer(): Promise<string> {
  server = await startEmbedded({ directory: join(root, "database"), log: () => undefined, durable: false });
  const url = new URL(server.url);
  port = Number(url.port);
  url.port = String((way.address() as AddressInfo).port);
  return url.href;
}

/** Signals every process of the database, so that connections stay open without answers. */
function signalAll(signal: NodeJS.Signals): void {
  const postmaster = livingServer(join(server.directory, "pgdata"))?.pid;
  // Number 0 would mean every process of this test.
  if (!postmaster) throw new Error("the database does not run");
  for (const pid of [postmaster, ...childrenOf(postmaster, "")]) process.kill(pid, signal);
}

beforeAll(async () => {
  await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
  const url = await startServer();
  const stream = { write: (line: string) => void logged.push(JSON.parse(line) as (typeof logged)[number]) };
  const logger = createLogger({ level: "info", stream });
  logged = [];
  database = openDatabase(url, {
    max: 4,
    outages: {
      clock: systemClock,
      began: (error) => logger.error({ err: error }, "away"),
      ended: () => logger.info("back"),
      connectionLost: (error) => logger.warn({ err: error }, "one connection"),
    },
  });
  await migrate(database.jobs);
  edge = await openEdge(
    { transparency: async () => void (await sql`select 1`.execute(database.db)) as never },
    { logger },
  );
});
afterEach(async () => {
  signalAll("SIGCONT");
  await vi.waitUntil(() => logged.some(({ msg }) => msg === "back"), { timeout: 20_000 });
  await expectSoundLedger(database.jobs);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  way.close();
  rmSync(root, { recursive: true, force: true });
});

const call = async () => {
  const startMs = performance.now();
  const { status, code, data } = await signedCall(edge.visitor, endpoints.transparency, {});
  return { status, code, data, ms: performance.now() - startMs };
};
const calls = (count: number) => Promise.all(Array.from({ length: count }, call));

/** Log lines of the outage, without those of requests. */
const told = () => logged.filter(({ level, msg }) => level !== "info" || msg === "back").map(({ msg }) => msg);

async function person(): Promise<bigint> {
  const id = crypto.randomUUID();
  const { rows } = await sql<{ id: bigint }>`
    insert into users (user_no, external_id, nickname, country_id)
    values ((10000001 + (select count(*) from users))::text, ${id}, 'ana', 18) returning id`.execute(database.db);
  return rows[0]?.id ?? 0n;
}

async function expectAwayAndBack(comeBack: () => Promise<void> | void): Promise<void> {
  const first = await calls(10);
  for (const { ms, ...answer } of first) {
    expect(answer).toEqual({ status: 503, code: 503, data: { retry_after: 3 } });
    expect(ms).toBeLessThan(noticedMs);
  }
  for (const { code, ms } of await calls(10)) {
    expect(code).toBe(503);
    expect(ms).toBeLessThan(refusedMs);
  }
  expect(told()).toEqual(["away"]);
  await comeBack();
  await vi.waitFor(async () => expect((await call()).code).toBe(200), { timeout: 20_000 });
  expect((await calls(20)).map(({ code }) => code)).toEqual(Array(20).fill(200));
  expect(told()).toEqual(["away", "back"]);
}

test("answers 503 within two seconds while the database hangs, logs start and end once, and recovers by itself", async () => {
  logged.length = 0;
  expect((await calls(10)).map(({ code }) => code)).toEqual(Array(10).fill(200));
  signalAll("SIGSTOP");
  await expectAwayAndBack(() => signalAll("SIGCONT"));
});

test("does the same after the database is killed, and uses its successor at once", async () => {
  logged.length = 0;
  expect((await calls(10)).map(({ code }) => code)).toEqual(Array(10).fill(200));
  signalAll("SIGKILL");
  await server.lost;
  await expectAwayAndBack(async () => {
    await server[Symbol.asyncDispose]();
    await startServer();
  });
});

test("[START-18] counts each payment and minute once when requests are retried after the database hung", async () => {
  logged.length = 0;
  const ledger = new Ledger({ db: database.db, clock: systemClock });
  const [ana, bo] = [await person(), await person()];
  await ledger.post(purchase(ana, 1_000_000n));
  const works = Array.from({ length: 200 }, (_, minute) => async () => {
    const hold = minuteHold(ana, { id: "call", minute, amount: 100n });
    await ledger.post(purchase(bo, 10n, `order${minute}`));
    await database.db.transaction().execute(async (trx) => {
      await ledger.hold(hold, trx);
      await ledger.settleHold(hold.key, 60n, trx);
    });
  });
  const first = works.map((work) => work());
  await Promise.race(first);
  signalAll("SIGSTOP");
  const outcomes = await Promise.allSettled(first);
  const failed = outcomes.filter(({ status }) => status === "rejected");
  expect(failed.length).toBeGreaterThan(0);
  for (const { reason } of failed as PromiseRejectedResult[]) {
    expect(reason).toMatchObject({ name: "DatabaseUnavailableError", reason: "away" });
  }
  signalAll("SIGCONT");
  await vi.waitFor(() => expect(told()).toEqual(["away", "back"]), { timeout: 20_000 });
  for (const work of works) await work();
  expect(await ledger.openHolds()).toEqual([]);
  expect([await ledger.of(ana), await ledger.of(bo)]).toEqual([1_000_000n - 200n * 60n, 200n * 10n]);
});

test("writes calls that continued during an outage when the database is back", async () => {
  logged.length = 0;
  const [ana, bo] = [await person(), await person()];
  const logger = createLogger({ level: "warn", stream: { write: (line) => void logged.push(JSON.parse(line)) } });
  await using store = new CallStore({ db: database.db, self: "own", clock: systemClock, logger });
  const row = { offererId: ana, answererId: bo, offererPrice: 0, answererPrice: 0 };
  signalAll("SIGSTOP");
  const ids = [newCallId(systemRandom, Date.now()), newCallId(systemRandom, Date.now())] as const;
  void store.make({ id: ids[0], ...row, matchedAtMs: Date.now() });
  await vi.waitFor(() => expect(told()).toEqual(["away"]), { timeout: 5_000 });
  void store.make({ id: ids[1], ...row, matchedAtMs: Date.now() });
  expect(await call()).toMatchObject({ code: 503 });
  signalAll("SIGCONT");
  await store.flush();
  const written = await database.db.selectFrom("calls").select("id").orderBy("id").execute();
  expect(written).toEqual(ids.toSorted().map((id) => ({ id })));
  expect(told()).toEqual(["away", "back"]);
});
