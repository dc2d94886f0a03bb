import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { beforeAll, expect, test } from "vitest";
import { readConfig } from "#config.ts";
import { AppContext } from "#context.ts";
import { roomClaimsContract } from "#test/contracts/room-claims-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { type BeanWorld, beanWorld, minuteHold } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import type { TestDatabase } from "#test/fixtures/database.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import type { MeteredCallsLine } from "#test/fixtures/metered-calls.ts";
import { CallStore } from "./call-store.ts";
import { CallRecovery, DatabaseRoomClaims } from "./room-claims.ts";

const logger = pino({ level: "silent" });
let world: BeanWorld;
let ana: bigint;
let bo: bigint;

beforeAll(async () => {
  world = await beanWorld();
  [ana, bo] = [await world.person(1_000_000n), await world.person()];
});

/** The parts of one process; its rows are written when somebody asks for them. */
function processParts(self: string) {
  const { ledger, clock } = world;
  const { db } = world.database;
  const store = new CallStore({ db, self, clock: new TestClock(), logger });
  leftovers.push(store);
  const log = {
    make: async (room: Parameters<CallStore["make"]>[0]) => {
      const epoch = store.make(room);
      await store.flush();
      return epoch;
    },
  };
  const parts = { db, ledger, clock, self, log };
  const claims = new DatabaseRoomClaims(parts);
  return { claims, recovery: new CallRecovery({ ...parts, claims, logger }) };
}

const newRoom = (people: readonly [bigint, bigint] = [ana, bo]) => ({
  id: randomUUID(),
  offererId: people[0],
  answererId: people[1],
  offererPrice: 1_600,
  answererPrice: 0,
  matchedAtMs: world.clock.nowMs(),
});

roomClaimsContract("PostgreSQL", () =>
  Promise.resolve({
    claimsOf: (self: string) => Promise.resolve(processParts(self).claims),
    room: () => Promise.resolve(newRoom()),
  }),
);

/** A call of a process that dies: the first minute is paid, the second runs. */
async function paidCall(owner: string): Promise<{ id: string; payer: bigint }> {
  const payer = await world.person(10_000n);
  const room = newRoom([payer, bo]);
  const epoch = await processParts(owner).claims.make(room);
  const hold = (minute: number) => minuteHold(payer, { id: room.id, minute, amount: 1_600n });
  await world.ledger.takeMinute({ settle: null, hold: hold(1), epoch });
  await world.ledger.takeMinute({ settle: { key: hold(1).key, amount: 1_600n }, hold: hold(2), epoch });
  return { id: room.id, payer };
}

test("[START-71] [BEANS-287] with the room its open hold is released, and what comes late for it is refused", async () => {
  const { id, payer } = await paidCall("adopted");
  const { claims } = processParts("survivor");
  expect(await claims.adopt([id], "adopted")).toEqual([{ id, epoch: 2 }]);
  const account = { balance: 8_400n, held: 0n, debt: 0n };
  expect(await world.ledger.account(payer)).toEqual(account);
  const hold = minuteHold(payer, { id, minute: 3, amount: 1_600n });
  await expect(world.ledger.takeMinute({ settle: null, hold, epoch: 1 })).rejects.toThrow("another process's");
  expect(await world.ledger.account(payer)).toEqual(account);
  await claims.end([{ id, epoch: 2 }], "restart");
});

test("[START-66] [START-70] two survivors share the calls of a dead process: each ends once, and costs nothing", async () => {
  const calls = await Promise.all(Array.from({ length: 30 }, () => paidCall("shared")));
  const survivors = ["one", "other"].map((self) => processParts(`survivor ${self}`).recovery);
  await Promise.all(survivors.map((recovery) => recovery.takeOver("shared")));
  for (const recovery of survivors) expect(await recovery.takeOver("shared")).toBe(true);
  for (const { id, payer } of calls) {
    expect(await world.ledger.account(payer)).toEqual({ balance: 10_000n, held: 0n, debt: 0n });
    const { rows } = await world.database.pool.query(
      "select end_reason, owner_epoch, (select count(*)::integer from call_events where call_id = calls.id) as events from calls where id = $1",
      [id],
    );
    expect(rows).toEqual([{ end_reason: "restart", owner_epoch: 2, events: 1 }]);
  }
  await expectSoundLedger(world.database.db);
});

test("[START-70] a survivor that dies in the middle leaves nothing that the next one does not find", async () => {
  const { id, payer } = await paidCall("first to die");
  await processParts("second to die").claims.adopt([id], "first to die");
  expect(await processParts("survivor").recovery.takeOver("second to die")).toBe(true);
  expect(await world.ledger.account(payer)).toEqual({ balance: 10_000n, held: 0n, debt: 0n });
});

test("[BEANS-280] a call that had ended, and whose last minute was not settled, is given back; others that had ended stay", async () => {
  const [cut, settled] = [await paidCall("ended"), await paidCall("ended")];
  await world.ledger.settleHold(minuteHold(settled.payer, { id: settled.id, minute: 2, amount: 0n }).key, 800n);
  const { pool } = world.database;
  await pool.query("update calls set ended_at = now(), end_reason = 'next' where owner = 'ended'");
  expect(await processParts("survivor").recovery.takeOver("ended")).toBe(true);
  expect(await world.ledger.of(cut.payer)).toBe(10_000n);
  expect(await world.ledger.of(settled.payer)).toBe(7_600n);
  const { rows } = await pool.query("select distinct end_reason from calls where id = any ($1)", [
    [cut.id, settled.id],
  ]);
  expect(rows).toEqual([{ end_reason: "next" }]);
});

const program = fileURLToPath(new URL("../../test/fixtures/metered-calls.ts", import.meta.url));

/** A process with calls that go on by themselves, in hurried time, until it is ended. */
function startCalls(url: string, people: readonly bigint[]) {
  const words = ["--import", "tsx", program, url, "gathered", "300", ...people.map(String)];
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
  return AppContext.create({ config, database, serverSecret: "of a test, and long enough", logger }, { clock });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(50);
}

const transfersOf = "select count(*) from bean_transfers where reference = any ($1)";
const holdsOf = "select count(*) from bean_holds where reference = any ($1)";

test("[START-68] [START-69] a second process leaves live calls alone; one that hangs is fenced once its calls are another's", async () => {
  const { database, ledger, person } = await beanWorld();
  const count = async (query: string, ...values: unknown[]): Promise<number> => {
    const { rows } = await database.pool.query<{ count: bigint }>(query, values);
    return Number(rows[0]?.count);
  };
  const paidMinutes = () => count("select count(*) from bean_transfers where kind = 'call'");
  const people: bigint[] = [];
  for (let made = 0; made < 10; made += 1) people.push(await person(1_000_000n));
  const { child, exited } = startCalls(database.url, people);
  await until(async () => (await paidMinutes()) > 10);
  {
    // It judges nobody before its clock goes on: on a busy machine the first may well be silent for a while.
    const clock = new TestClock();
    await using second = await startServer(database, clock);
    const paid = await paidMinutes();
    await until(async () => (await paidMinutes()) > paid + 10);
    expect(await count("select count(*) from calls where end_reason = 'restart'")).toBe(0);

    child.kill("SIGSTOP");
    await until(async () => {
      clock.advance(1_000);
      return (await count("select count(*) from processes")) === 1;
    });
    const { rows } = await database.pool.query<{ id: string }>("select id from calls where end_reason = 'restart'");
    const taken = rows.map(({ id }) => id);
    expect(taken.length).toBeGreaterThan(0);
    expect(await count("select count(*) from calls where ended_at is null")).toBe(0);
    expect(await ledger.openHolds()).toEqual([]);
    const written = [await count(transfersOf, taken), await count(holdsOf, taken)];

    child.kill("SIGCONT");
    // It reads that it was taken for dead, and ends.
    expect(await exited).toEqual([1, null]);
    expect([await count(transfersOf, taken), await count(holdsOf, taken)]).toEqual(written);
    expect(second.http.server.listening).toBe(false);
  }
  // Calls that it began after it had died, before it knew.
  await using third = await startServer(database, new TestClock());
  expect(await ledger.openHolds()).toEqual([]);
  expect(third.http.server.listening).toBe(false);
  await expectSoundLedger(database.db);
});
