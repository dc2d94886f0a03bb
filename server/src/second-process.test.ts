import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { beanWorld } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { testProgram } from "#test/fixtures/compiled-programs.ts";
import { createTestDatabase, type TestDatabase } from "#test/fixtures/database.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import type { MeteredCallsLine } from "#test/fixtures/metered-calls.ts";
import { readConfig } from "./config.ts";
import { AppContext } from "./context.ts";
import { ServerSecret } from "#lib/server-secret.ts";

const logger = pino({ level: "silent" });
const program = testProgram("server/test/fixtures/metered-calls.ts");

/** A process with calls that continue by themselves, on a fast clock, until it is ended. */
function startCalls(url: string, people: readonly bigint[]) {
  const words = [program, url, "gathered", "300", ...people.map(String)];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  leftovers.push({ [Symbol.asyncDispose]: async () => void child.kill("SIGKILL") });
  const exited = once(child, "exit");
  createInterface({ input: child.stdout }).on("line", (text) => {
    if ((JSON.parse(text) as MeteredCallsLine).type === "ready") child.stdin.write("go\n");
  });
  return { child, exited };
}

async function startServer(database: TestDatabase, clock: TestClock): Promise<AppContext> {
  const config = readConfig({
    GOOGLE_CLIENT_ID: "client",
    FACEBOOK_APP_ID: "app",
    FACEBOOK_APP_SECRET: "secret",
    APPLE_CLIENT_ID: "client",
    APPLE_REDIRECT_URI: "https://fava.example/apple",
    MODERATION: "off",
  });
  return AppContext.create(
    { config, database, serverSecret: new ServerSecret("of a test, and long enough"), logger },
    { clock },
  );
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(50);
}

const hourMs = 3_600_000;
const transfersOf = "select count(*) from bean_transfers where reference = any ($1)";
const holdsOf = "select count(*) from bean_holds where reference = any ($1)";

test("[START-69] leaves live calls of another server alone, and fences a hanging server whose calls were taken over", async () => {
  const world = await beanWorld();
  const { database, ledger } = world;
  const count = async (query: string, ...values: unknown[]): Promise<number> => {
    const { rows } = await database.pool.query<{ count: bigint }>(query, values);
    return Number(rows[0]?.count);
  };
  const paidMinutes = () => count("select count(*) from bean_transfers where kind = 'call'");
  const people: bigint[] = [];
  for (let made = 0; made < 10; made += 1) people.push(await world.person(1_000_000n));
  const { child, exited } = startCalls(database.url, people);
  await until(async () => (await paidMinutes()) > 10);
  const {
    rows: [first],
  } = await database.pool.query<{ id: string }>("select id from processes");
  {
    // It judges no other server before its clock advances: on a busy machine the first may be silent for a while.
    const clock = new TestClock();
    // Nor does the first judge it meanwhile, although it does not beat, nor while it starts.
    const beat = () =>
      database.pool.query("update processes set beat_at = now() + interval '1 hour' where id <> $1", [first?.id]);
    const beating = setInterval(() => void beat(), 200);
    await using second = await startServer(database, clock).finally(() => clearInterval(beating));
    await beat();
    const paid = await paidMinutes();
    await until(async () => (await paidMinutes()) > paid + 10);
    expect(await count("select count(*) from calls where end_reason = 'restart'")).toBe(0);

    child.kill("SIGSTOP");
    await until(async () => {
      clock.advance(1_000);
      return (await count("select count(*) from processes")) === 1;
    });
    const { rows } = await database.pool.query<{ id: string }>("select id from calls where owner_epoch = 2");
    const taken = rows.map(({ id }) => id);
    expect(taken.length).toBeGreaterThan(0);
    expect(await ledger.openHolds()).toEqual([]);
    // The calls continue here without their users, and end.
    await until(async () => {
      clock.advance(1_000);
      return (await count("select count(*) from calls where ended_at is null")) === 0;
    });
    expect(
      await count("select count(*) from calls where end_reason = 'restart' and id = any ($1)", taken),
    ).toBeGreaterThan(0);
    expect(await ledger.openHolds()).toEqual([]);
    const written = [await count(transfersOf, taken), await count(holdsOf, taken)];

    child.kill("SIGCONT");
    // It reads that it was considered dead, and ends.
    expect(await exited).toEqual([1, null]);
    expect([await count(transfersOf, taken), await count(holdsOf, taken)]).toEqual(written);
    expect(second.http.server.listening).toBe(false);
  }
  // Calls that it began after its death was recorded, before it knew.
  await using third = await startServer(database, new TestClock());
  expect(await ledger.openHolds()).toEqual([]);
  expect(third.http.server.listening).toBe(false);
  await expectSoundLedger(database.db);
});

test("reports the days of calls on both servers, also after the next day is made", async () => {
  await using database = await createTestDatabase();
  const evening = Date.UTC(2026, 0, 1, 22);
  const clocks = [new TestClock(evening), new TestClock(evening)] as const;
  await using first = await startServer(database, clocks[0]);
  await using second = await startServer(database, clocks[1]);
  const ahead = async ({ http }: AppContext) =>
    Number(/^fava_call_days_ahead (\d+)$/m.exec((await http.inject("/metrics")).body)?.[1]);
  const pass = (hours: number) => clocks.forEach((clock) => clock.advance(hours * hourMs));
  pass(3);
  await vi.waitFor(
    async () => {
      pass(1);
      expect([await ahead(first), await ahead(second)]).toEqual([7, 7]);
    },
    // Hourly work is done long before another day has passed.
    { timeout: 30_000, interval: 250 },
  );
});

test("runs all periodic work of two servers as jobs, without a lease", async () => {
  await using database = await createTestDatabase();
  await using first = await startServer(database, new TestClock());
  await using second = await startServer(database, new TestClock());
  const names = [
    "age checks",
    "clusters",
    "erasure",
    "exports",
    "figures of the day",
    "kind words",
    "mails",
    "moderation upkeep",
    "old age checks",
    "old calls",
    "old reports of browsers",
    "order checks",
    "outbox",
    "reconciliation",
    "refunds",
    "reminders of hours",
    "retention",
    "rings",
    "unused pictures",
  ];
  await vi.waitFor(
    async () => {
      const { rows } = await database.pool.query<{ key: string }>("select key from graphile_worker.jobs order by key");
      expect(rows.map(({ key }) => key)).toEqual(names);
    },
    { timeout: 30_000, interval: 50 },
  );
  expect((await database.pool.query("select from leases")).rows).toEqual([]);
  expect([first, second].map(({ http }) => http.server.listening)).toEqual([false, false]);
});
