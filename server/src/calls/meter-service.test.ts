import { setImmediate } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { reconnectGiveUpMs, stallGiveUpMs } from "@fava/wire/limits.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { ledgerWays, purchase } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { MeterWorld } from "#test/fixtures/meter-world.ts";

let world: MeterWorld;
let ana: bigint;
let bo: bigint;

beforeEach(async () => {
  ana = await world.beans.person(10_000n);
  bo = await world.beans.person(10_000n);
});

afterEach(async () => {
  world.beforeWork = async () => {};
  world.afterWork = async () => {};
  await world.settle();
  await expectSoundLedger(world.beans.database.db);
});

async function leave(userId: bigint): Promise<void> {
  world.calls.leave(userId, "stop");
  await world.meters.idle();
}

describe.each(ledgerWays)("meters whose minutes go %s", (way) => {
  beforeAll(async () => {
    world = await MeterWorld.open(way);
  });

  describe("a call with a filter", () => {
    test("[BEANS-261] costs its seconds after the free ones, rounded up once, in transfers of at most a minute", async () => {
      const callId = await world.call([ana, bo]);
      await world.pass(10_000 + 60_000 + 30_400);
      expect(await world.beans.ledger.account(ana)).toMatchObject({ balance: 8_400n, held: 1_600n });
      await leave(bo);
      expect(await world.beans.ledger.account(ana)).toMatchObject({ balance: 7_600n, held: 0n });
      const { rows } = await world.beans.database.pool.query(
        "select key, kind, amount, reference from bean_transfers where reference = $1 order by id",
        [callId],
      );
      expect(rows).toEqual([
        { key: `call:${callId}:min:1:${ana}`, kind: "call", amount: 1_600n, reference: callId },
        { key: `call:${callId}:min:2:${ana}`, kind: "call", amount: 800n, reference: callId },
      ]);
    });

    test("charges the passed time when another server takes the call over, and nothing more on this server", async () => {
      const callId = await world.call([ana, bo]);
      await world.pass(10_000 + 60_000 + 30_400);
      await world.meters.settle(callId);
      expect(await world.beans.ledger.account(ana)).toMatchObject({ balance: 7_600n, held: 0n });
      await world.pass(60_000);
      await world.meters.settle(callId);
      await leave(bo);
      expect([await world.balance(ana), world.meters.count]).toEqual([7_600n, 0]);
    });

    test("[BEANS-270] charges each side for its own filters", async () => {
      await world.call([ana, bo], [2_000, 800]);
      await world.pass(40_000);
      await leave(ana);
      expect([await world.balance(ana), await world.balance(bo)]).toEqual([9_000n, 9_600n]);
      await world.call([ana, bo], [0, 0]);
      expect(world.meters.count).toBe(0);
    });

    test("[BEANS-263] pauses while the partner's camera is off, not while the own one is", async () => {
      await world.call([ana, bo]);
      await world.pass(20_000);
      world.media(ana, "camera_off");
      await world.pass(10_000);
      world.media(bo, "camera_off");
      await world.pass(100_000);
      world.media(bo, "away");
      world.media(bo, "camera_on");
      await world.pass(100_000);
      world.media(bo, "back");
      await world.pass(10_000);
      await leave(ana);
      expect(await world.balance(ana)).toBe(10_000n - 800n);
      expect(world.told(ana).map(({ meter }) => [meter?.clock, meter?.stopped])).toEqual([
        ["free", null],
        ["running", null],
        ["stopped", "camera_off"],
        ["running", null],
      ]);
    });

    test("pauses while our checks hide the partner's video, and tells so; not for the own one", async () => {
      const callId = await world.call([ana, bo]);
      await world.pass(20_000);
      for (const [userId, forMs] of [
        [ana, 10_000],
        [bo, 100_000],
      ] as const) {
        world.calls.setShown(userId, callId, "hidden");
        await world.pass(forMs);
        world.calls.setShown(userId, callId, "shown");
        await world.pass(5_000);
      }
      await leave(ana);
      expect(await world.balance(ana)).toBe(10_000n - 800n);
      expect(world.told(ana).map(({ meter }) => meter?.stopped)).toEqual([null, null, "blurred", null]);
    });

    test("[BEANS-263] pauses while the partner gets no video or has lost the connection", async () => {
      await world.call([ana, bo]);
      await world.pass(20_000);
      world.media(bo, "stalled");
      await world.pass(stallGiveUpMs - 1_000);
      world.media(bo, "playing");
      await world.pass(10_000);
      world.media(bo, "stalled");
      world.bus.close(bo, 1006);
      await world.pass(reconnectGiveUpMs - 1_000);
      world.media(bo, "playing");
      world.bus.resume(bo);
      await world.pass(10_000);
      await leave(ana);
      expect(await world.balance(ana)).toBe(10_000n - 800n);
    });

    test("[BEANS-263] pauses while the partner's connection is lost, also if no page reports a stall", async () => {
      await world.call([ana, bo]);
      await world.pass(30_000);
      world.bus.close(bo, 1006);
      await world.pass(reconnectGiveUpMs - 1_000);
      world.bus.resume(bo);
      await world.pass(10_000);
      await leave(ana);
      expect(await world.balance(ana)).toBe(10_000n - 800n);
    });

    test("[BEANS-263] does not count video that stalled before the call was live until it is there", async () => {
      world.match([ana, bo]);
      world.media(bo, "playing");
      world.media(bo, "stalled");
      world.media(ana, "playing");
      await world.pass(stallGiveUpMs - 1_000);
      world.media(bo, "playing");
      await world.pass(40_000);
      await leave(ana);
      expect(await world.balance(ana)).toBe(9_200n);
    });
  });

  describe("running out", () => {
    test("is announced a minute ahead; at the minute's start the call ends for both", async () => {
      const poor = await world.beans.person(3_500n);
      const callId = await world.call([poor, bo]);
      await world.pass(10_000);
      expect(world.told(poor).map(({ is_enough, meter }) => [is_enough, meter?.left_ms])).toEqual([
        [1, 10_000 + 120_000],
        [1, 120_000],
      ]);
      await world.pass(60_000);
      expect(world.told(poor)).toMatchObject([
        {
          type: 1,
          roomId: callId,
          is_enough: 0,
          meter: { left_ms: 60_000, limit: "balance", spent: 1_600, balance: 1_900 },
        },
      ]);
      world.bus.take(bo);
      await world.pass(60_000);
      expect(world.bus.take(poor)).toMatchObject([
        { code: 100_006, type: 2, is_enough: 0, meter: { spent: 3_200, balance: 300, left_ms: 0 } },
      ]);
      expect(world.bus.take(bo)).toEqual([{ code: 100_002, roomId: callId, reason: "left" }]);
      expect(world.calls.current(bo)).toBeNull();
      expect(await world.balance(poor)).toBe(300n);
    });

    test("announces a top-up in the call at once, and continues", async () => {
      const poor = await world.beans.person(1_600n);
      await world.call([poor, bo]);
      await world.pass(30_000);
      expect(world.told(poor).at(-1)).toMatchObject({ type: 1, is_enough: 0 });
      await world.beans.ledger.post(purchase(poor, 5_000n, `second${poor}`));
      await world.meters.idle();
      expect(world.told(poor)).toMatchObject([
        { type: 1, is_enough: 1, meter: { left_ms: 40_000 + 180_000, balance: 6_066 } },
      ]);
      await world.pass(60_000);
      expect(world.calls.current(poor)).not.toBeNull();
    });

    test("keeps the announcements of the call after a top-up before it is live", async () => {
      const poor = await world.beans.person(1_600n);
      world.match([poor, bo]);
      await world.beans.ledger.post(purchase(poor, 1_000n, `second${poor}`));
      for (const userId of [poor, bo]) world.media(userId, "playing");
      await world.pass(30_000);
      expect(world.told(poor).at(-1)).toMatchObject({ type: 1, is_enough: 0, meter: { balance: 2_600 } });
      await world.beans.ledger.post(purchase(poor, 1_000n, `third${poor}`));
      await world.meters.idle();
      expect(world.told(poor)).toMatchObject([{ type: 1, is_enough: 1 }]);
    });

    test("ends the call at a spending cap like at an empty balance, and announces a lowered cap at once", async () => {
      const callId = await world.call([ana, bo]);
      await world.pass(20_000);
      world.told(ana);
      await world.beans.askForCap(ana, 2_000n);
      world.beans.ledger.announce(ana);
      await world.meters.idle();
      expect(world.told(ana)).toMatchObject([{ type: 1, is_enough: 0, meter: { left_ms: 50_000, limit: "cap" } }]);
      await world.pass(50_000);
      expect(world.told(ana)).toMatchObject([{ type: 2, roomId: callId, meter: { limit: "cap", spent: 1_600 } }]);
      expect(await world.balance(ana)).toBe(8_400n);
    });

    test("counts the rest of the running minute as spendable in the next search", async () => {
      const poor = await world.beans.person(1_600n);
      await world.call([poor, bo]);
      await world.pass(25_000);
      expect(await world.beans.ledger.of(poor)).toBe(0n);
      expect(await world.meters.spendable(poor)).toEqual({ have: 1_200n, limit: "balance" });
      world.calls.leave(poor, "next");
      expect(await world.meters.spendable(poor)).toEqual({ have: 1_200n, limit: "balance" });
    });
  });

  describe("a ledger that fails", () => {
    test("[BEANS-266] continues the call, charges nothing until the ledger is back, and nothing twice", async () => {
      await world.call([ana, bo]);
      await world.pass(20_000);
      world.beforeWork = async () => {
        throw new Error("no connection");
      };
      await world.passFailing(350_000);
      expect(world.calls.current(ana)).not.toBeNull();
      world.beforeWork = async () => {};
      await world.passFailing(5_000);
      await world.meters.idle();
      await world.pass(15_000);
      await leave(ana);
      expect(await world.balance(ana)).toBe(10_000n - 1_600n - 400n);
    });

    test("[BEANS-266] retries an unconfirmed commit, which moves nothing twice", async () => {
      let failures = 0;
      world.afterWork = async () => {
        failures += 1;
        if (failures % 2 === 1) throw new Error("connection reset");
      };
      world.live([ana, bo]);
      await world.passFailing(150_000);
      world.calls.leave(bo, "stop");
      await world.passFailing(15_000);
      await world.meters.idle();
      const cost = 10_000n - (await world.balance(ana));
      expect(cost).toBeGreaterThan(1_600n);
      expect(cost).toBeLessThanOrEqual(3_734n);
    });

    test("delays the holds of a user's next call until the one before is settled", async () => {
      await world.call([ana, bo]);
      await world.pass(30_000);
      world.beforeWork = async () => {
        throw new Error("no connection");
      };
      world.calls.leave(ana, "next");
      world.live([ana, bo]);
      await world.passFailing(100_000);
      expect(await world.beans.ledger.openHolds()).toHaveLength(1);
      world.beforeWork = async () => {};
      await world.passFailing(5_000);
      await world.meters.idle();
      await leave(ana);
      expect(await world.balance(ana)).toBe(10_000n - 534n);
    });

    test("refuses the next search after a second, by the database's answer or because it is slow", async () => {
      await world.call([ana, bo]);
      await world.pass(30_000);
      world.beforeWork = async () => {
        throw new DatabaseUnavailableError("away");
      };
      world.calls.leave(ana, "next");
      const refusal = () => {
        const asked = world.meters.spendable(ana).catch((error: unknown) => error);
        world.beans.clock.advance(1_000);
        return asked;
      };
      const reading = vi.spyOn(world.beans.ledger, "spendable");
      reading.mockRejectedValueOnce(new DatabaseUnavailableError("away"));
      expect(await refusal()).toMatchObject({ name: "DatabaseUnavailableError", reason: "away" });
      expect(await refusal()).toMatchObject({ name: "DatabaseUnavailableError", reason: "slow" });
      reading.mockRestore();
      world.beforeWork = async () => {};
      await world.passFailing(5_000);
      await world.meters.idle();
      expect(await world.meters.spendable(ana)).toEqual({ have: 10_000n - 534n, limit: "balance" });
    });
  });
});

test("batches minutes that begin within 100 ms, but not while stopping", async () => {
  world = await MeterWorld.open("gathered", 100);
  const { clock, ledger, database } = world.beans;
  const people: bigint[] = [];
  for (let count = 0; count < 4; count += 1) people.push(await world.beans.person(10_000n));
  const [cy = 0n, di = 0n, ed = 0n, flo = 0n] = people;
  let taken = 0;
  world.beforeWork = async (what) => void (taken += what === "takeMinute" ? 1 : 0);
  await world.call([cy, di]);
  clock.advance(50);
  await world.call([ed, flo]);
  clock.advance(10_049);
  await setImmediate();
  expect(taken).toBe(0);
  clock.advance(1);
  await world.meters.idle();
  expect(taken).toBe(2);
  const { rows } = await database.pool.query("select distinct xmin::text from bean_holds");
  expect(rows).toHaveLength(1);
  clock.advance(60_000);
  await world[Symbol.asyncDispose]();
  expect(await ledger.openHolds()).toEqual([]);
});
