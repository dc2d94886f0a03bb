import { pino } from "pino";
import { beforeAll, expect, test } from "vitest";
import { processLockClass } from "#db/processes.ts";
import { newCallId } from "#db/call-days.ts";
import type { RoomClaims } from "#ports/room-claims.ts";
import { roomClaimsContract } from "#test/contracts/room-claims-contract.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { type BeanWorld, beanWorld, minuteHold } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { noAdoption } from "#test/fixtures/matched.ts";
import { CallStore } from "./call-store.ts";
import type { CallAdoption } from "./call-adoption.ts";
import { type AdoptionOutcome, CallRecovery, DatabaseRoomClaims, RunningCalls } from "./room-claims.ts";

const random = seededRandom(1);
const logger = pino({ level: "silent" });
let world: BeanWorld;
let ana: bigint;
let bo: bigint;

beforeAll(async () => {
  world = await beanWorld();
  [ana, bo] = [await world.person(1_000_000n), await world.person()];
});

type Claims = Pick<RoomClaims, "adopt" | "end">;

/** The parts of one server, which writes a call's row at once. */
function processParts(
  self: string,
  adoption: Pick<CallAdoption, "goOn"> = noAdoption,
  claimsOf: (claims: Claims) => Claims = (claims) => claims,
) {
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
  const recovery = new CallRecovery({ ...parts, claims: claimsOf(claims), adoption, logger });
  return { claims, recovery };
}

const newRoom = (people: readonly [bigint, bigint] = [ana, bo]) => ({
  id: newCallId(random, world.clock.nowMs()),
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

/** A call of a server that will die: the first minute is paid, the second one runs. */
async function paidCall(owner: string): Promise<{ id: string; payer: bigint }> {
  const payer = await world.person(10_000n);
  const room = newRoom([payer, bo]);
  const epoch = await processParts(owner).claims.make(room);
  const hold = (minute: number) => minuteHold(payer, { id: room.id, minute, amount: 1_600n });
  await world.ledger.takeMinute({ settle: null, hold: hold(1), epoch });
  await world.ledger.takeMinute({ settle: { key: hold(1).key, amount: 1_600n }, hold: hold(2), epoch });
  return { id: room.id, payer };
}

test("[START-71] releases the open hold with the room, and rejects late charges of the old owner", async () => {
  const { id, payer } = await paidCall("adopted");
  const { claims } = processParts("survivor");
  expect(await claims.adopt([id], "adopted")).toEqual([{ id, epoch: 2 }]);
  const account = { balance: 8_400n, held: 0n, debt: 0n };
  expect(await world.ledger.account(payer)).toEqual(account);
  const hold = minuteHold(payer, { id, minute: 3, amount: 1_600n });
  await expect(world.ledger.takeMinute({ settle: null, hold, epoch: 1 })).rejects.toThrow("belongs to another server");
  expect(await world.ledger.account(payer)).toEqual(account);
  await claims.end([{ id, epoch: 2 }], "restart");
});

test("[START-66] [START-70] ends each call of a dead server once and without cost, between two survivors", async () => {
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

test("[START-70] lets the next server finish the work of a survivor that dies in the middle", async () => {
  const { id, payer } = await paidCall("first to die");
  await processParts("second to die").claims.adopt([id], "first to die");
  expect(await processParts("survivor").recovery.takeOver("second to die")).toBe(true);
  expect(await world.ledger.account(payer)).toEqual({ balance: 10_000n, held: 0n, debt: 0n });
});

test.each(["adopt", "goOn", "end"] as const)(
  "finishes a takeover that failed after the calls changed hands, with each outcome as decided (%s)",
  async (failing) => {
    const { pool } = world.database;
    const [dead, self] = [`dead before ${failing}`, `failing at ${failing}`];
    await pool.query("insert into processes (id) values ($1)", [dead]);
    const outcomes: AdoptionOutcome[] = ["goes on", "left", "restart"];
    const calls = await Promise.all(outcomes.map(() => paidCall(dead)));
    const said = new Map(calls.map(({ id }, index) => [id, outcomes[index]!]));
    let failures = 1;
    const failAt = (step: typeof failing) => {
      if (step === failing && (failures -= 1) === 0) throw new Error("no answer");
    };
    const goOn: CallAdoption["goOn"] = async (rooms) => {
      failAt("goOn");
      const answered = new Map(rooms.map(({ id }) => [id, said.get(id)!]));
      // The users of this call do something else from now on.
      for (const { id } of rooms) if (said.get(id) === "goes on") said.set(id, "left");
      return answered;
    };
    // Makes the change but loses its response.
    const claimsOf = (claims: Claims): Claims => ({
      adopt: async (...words) => {
        const adopted = await claims.adopt(...words);
        failAt("adopt");
        return adopted;
      },
      end: async (...words) => {
        const ended = await claims.end(...words);
        failAt("end");
        return ended;
      },
    });
    const { recovery } = processParts(self, { goOn }, claimsOf);
    await expect(recovery.takeOver(dead)).rejects.toThrow("no answer");
    expect(await processParts("another survivor").recovery.takeOver(dead)).toBe(true);
    expect(await recovery.takeOver(dead)).toBe(true);
    const { rows } = await pool.query("select id, end_reason, owner from calls where id = any ($1)", [
      calls.map(({ id }) => id),
    ]);
    const ends = new Map(rows.map(({ id, ...row }: { id: string }) => [id, row]));
    expect(calls.map(({ id }) => ends.get(id))).toEqual(
      [null, "left", "restart"].map((end_reason) => ({ end_reason, owner: self })),
    );
    const balances = await Promise.all(calls.map(({ payer }) => world.ledger.account(payer)));
    expect(balances).toEqual([8_400n, 8_400n, 10_000n].map((balance) => ({ balance, held: 0n, debt: 0n })));
    await expectSoundLedger(world.database.db);
  },
);

test("refunds an ended call whose last minute was not settled, and leaves other ended calls alone", async () => {
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

test("[CALL-130] continues or ends each call of a server that has just died as decided, and refunds those ended by a restart", async () => {
  const { pool } = world.database;
  await pool.query("insert into processes (id) values ('just dead')");
  const outcomes: AdoptionOutcome[] = ["goes on", "left", "not_joined", "restart"];
  const calls = await Promise.all(outcomes.map(() => paidCall("just dead")));
  const said = new Map(calls.map(({ id }, index) => [id, outcomes[index]!]));
  const { recovery } = processParts("survivor of it", { goOn: async () => said });
  expect(await recovery.takeOver("just dead")).toBe(true);
  const { rows } = await pool.query("select id, end_reason, owner, owner_epoch from calls where id = any ($1)", [
    calls.map(({ id }) => id),
  ]);
  expect(rows).toHaveLength(4);
  for (const { id, ...row } of rows as { id: string }[]) {
    const outcome = said.get(id);
    const end_reason = outcome === "goes on" ? null : outcome;
    expect(row).toEqual({ end_reason, owner: "survivor of it", owner_epoch: 2 });
  }
  // Nobody pays for the running minute. The minute before is paid, unless the call ended as a restart.
  const balances = await Promise.all(calls.map(({ payer }) => world.ledger.account(payer)));
  expect(balances).toEqual([8_400n, 8_400n, 8_400n, 10_000n].map((balance) => ({ balance, held: 0n, debt: 0n })));
  expect(recovery.figures).toEqual({ adopted: 1, ended: 3, credited: 1_600n, minutesGiven: 4 });
  await expectSoundLedger(world.database.db);
});

test("[CALL-130] ends calls of a server that died a minute ago or is unknown, since their pages have gone", async () => {
  const { pool } = world.database;
  await pool.query("insert into processes (id, beat_at) values ('long dead', now() - interval '61 seconds')");
  const ids = [(await paidCall("long dead")).id, (await paidCall("unknown")).id];
  const { recovery } = processParts("late survivor", { goOn: () => Promise.reject(new Error("not asked")) });
  for (const dead of ["long dead", "unknown"]) expect(await recovery.takeOver(dead)).toBe(true);
  const { rows } = await pool.query("select end_reason from calls where id = any ($1)", [ids]);
  expect(rows).toEqual([{ end_reason: "restart" }, { end_reason: "restart" }]);
});

test("reads from the database whether a call is live, who is in it, and what continuing it needs", async () => {
  const running = new RunningCalls({ db: world.database.db, clock: world.clock });
  const { id, payer } = await paidCall("running");
  expect([await running.isOf(id, payer), await running.isOf(id, bo), await running.isOf(id, ana)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([await running.areIn(bo, payer), await running.areIn(payer, ana)]).toEqual([true, false]);
  const owners = () => Promise.all([payer, 999_999n].map((userId) => running.ownerOf(userId)));
  expect(await owners()).toEqual([{ owner: "running", isAdopted: false }, null]);
  const [written] = await running.written([id]);
  expect(written).toMatchObject({ id, offerer_id: payer, answerer_id: bo, offerer_price: 1_600, connected_at: null });
  expect(written).toMatchObject({ offerer_language: "en", answerer_language: "en", is_blocked: false });
  const { pool } = world.database;
  await pool.query("update calls set owner = 'survivor', owner_epoch = 2 where id = $1", [id]);
  expect(await owners()).toEqual([{ owner: "survivor", isAdopted: true }, null]);
  await pool.query("insert into blocks (user_id, other_id, at) values ($1, $2, now())", [bo, payer]);
  expect(await running.written([id])).toMatchObject([{ is_blocked: true }]);
  await pool.query("update calls set ended_at = now(), end_reason = 'stop' where id = $1", [id]);
  expect([await running.isOf(id, payer), await running.areIn(bo, payer), await running.written([id])]).toEqual([
    false,
    false,
    [],
  ]);
  expect(await owners()).toEqual([null, null]);
});

test("treats the owner of a call as alive only with its lock and a recent heartbeat", async () => {
  const { pool, db } = world.database;
  const running = new RunningCalls({ db, clock: world.clock });
  const [cem, dia] = [await world.person(), await world.person()];
  const room = newRoom([cem, dia]);
  await processParts("holder").claims.make(room);
  const place = { id: room.id, owner: "holder", isLeaving: false, isLive: false };
  const gone = { ...place, isOwnerAlive: false };
  const alive = { ...place, isOwnerAlive: true };
  expect(await running.placeOf(cem, room.id)).toEqual(gone);
  const { rows } = await pool.query("insert into processes (id) values ('holder') returning lock_number");
  const lock = [processLockClass, rows[0].lock_number];
  expect(await running.placeOf(cem, room.id)).toEqual(gone);
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1, $2)", lock);
    expect(await running.placeOf(cem, room.id)).toEqual(alive);
    expect(await running.placeOf(dia, null)).toEqual(alive);
    expect(await running.placeOf(ana, room.id)).toBeNull();
    await pool.query("update processes set draining = true where id = 'holder'");
    expect(await running.placeOf(cem, null)).toEqual({ ...alive, isLeaving: true });
    await pool.query("update processes set beat_at = clock_timestamp() - interval '4 s' where id = 'holder'");
    expect((await running.placeOf(cem, room.id))?.isOwnerAlive).toBe(false);
    await client.query("select pg_advisory_unlock($1, $2)", lock);
  } finally {
    client.release();
    await pool.query("delete from processes where id = 'holder'");
  }
  await processParts("holder").claims.end([{ id: room.id, epoch: 1 }], "restart");
  expect(await running.placeOf(cem, room.id)).toBeNull();
});

test("[START-71] lets one of two servers take a call when both are asked for it", async () => {
  const { id } = await paidCall("asked");
  const goneOn: string[] = [];
  const goOn: CallAdoption["goOn"] = async (rooms) => {
    goneOn.push(...rooms.map((room) => room.id));
    return new Map(rooms.map((room): [string, AdoptionOutcome] => [room.id, "goes on"]));
  };
  const both = ["first", "second"].map((self) => processParts(self, { goOn }).recovery);
  const taken = await Promise.all(both.map((recovery) => recovery.take(id, "asked")));
  expect([taken.filter((epoch) => epoch === 2).length, goneOn]).toEqual([1, [id]]);
  for (const recovery of both) expect(await recovery.take(id, "asked")).toBeNull();
  await expectSoundLedger(world.database.db);
  const owner = taken[0] ? "first" : "second";
  await processParts(owner).claims.end([{ id, epoch: 2 }], "restart");
});
