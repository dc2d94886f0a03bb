import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reconnectGiveUpMs } from "@fava/wire/limits.ts";
import { ledgerWays } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { noAdoption } from "#test/fixtures/matched.ts";
import { MeterWorld, ownProcess } from "#test/fixtures/meter-world.ts";
import { CallRecovery, DatabaseRoomClaims } from "./room-claims.ts";

let world: MeterWorld;
let ana: bigint;
let bo: bigint;

beforeEach(async () => {
  ana = await world.beans.person(10_000n);
  bo = await world.beans.person(10_000n);
});

afterEach(async () => {
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

  describe("refunds", () => {
    test("[BEANS-282] refunds a call that a stopping server ends, with the reason in the statement", async () => {
      const callId = await world.call([ana, bo]);
      await world.pass(100_000);
      world.calls.endAll();
      await world.meters.idle();
      expect(await world.balance(ana)).toBe(10_000n);
      const { rows } = await world.beans.database.pool.query(
        "select kind, amount, reason from bean_transfers where reference = $1 order by id",
        [callId],
      );
      expect(rows).toEqual([
        { kind: "call", amount: 1_600n, reason: null },
        { kind: "credit", amount: 1_600n, reason: "failed_call" },
      ]);
    });

    test("refunds the minute of the loss to the user who stays; the lost one pays", async () => {
      const callId = await world.call([ana, bo], [1_600, 1_600]);
      await world.pass(100_000);
      world.bus.close(bo, 1006);
      await world.pass(reconnectGiveUpMs + 1_000);
      expect(world.calls.current(ana)).toBeNull();
      // Bo pays for 2 s of the loss. The limited pause covers the rest.
      expect([await world.balance(ana), await world.balance(bo)]).toEqual([8_400n, 7_546n]);
      expect(await world.meters.creditCall({ callId, userId: ana, reason: "fake_person" })).toBe(1_600n);
      expect(await world.balance(ana)).toBe(10_000n);
    });

    test("[SAFE-41] refunds a call that our checks cut to the user without a violation; the other one pays", async () => {
      for (const end of [() => world.calls.cut(bo), () => world.calls.leave(bo, "banned")]) {
        const before = [await world.balance(ana), await world.balance(bo)] as const;
        const callId = await world.call([ana, bo], [1_600, 1_600]);
        await world.pass(100_000);
        end();
        await world.meters.idle();
        expect([await world.balance(ana), (await world.balance(bo)) - before[1]]).toEqual([before[0], -2_400n]);
        const { rows } = await world.beans.database.pool.query(
          "select kind, amount, reason from bean_transfers where reference = $1 and kind = 'credit'",
          [callId],
        );
        expect(rows).toEqual([{ kind: "credit", amount: 1_600n, reason: "moderated_call" }]);
      }
    });

    /** Ends the call as the inspection does. Returns the credit that each user was told. */
    const endUnchecked = async (callId: string, missingId: bigint, cause: "none" | "ours" = "none") => {
      const back = world.meters.endUnchecked(callId, { missingId, cause });
      world.calls.cutUnchecked(missingId, { cause, back });
      await world.meters.idle();
      return [back.get(ana), back.get(bo)];
    };
    const creditsOf = async (callId: string) => {
      const sql = "select amount, reason from bean_transfers where reference = $1 and kind = 'credit' order by amount";
      const { rows } = await world.beans.database.pool.query(sql, [callId]);
      return rows;
    };

    test("[BEANS-500] refunds all to the user with frames, and to the other one the time since the last judged frame", async () => {
      const callId = await world.call([ana, bo], [1_600, 1_600]);
      await world.pass(70_000);
      world.calls.looked(bo, callId);
      world.calls.looked(ana, callId);
      await world.pass(50_500);
      world.calls.looked(ana, callId);
      await world.pass(500);
      // Bo was judged after 60 s of paid time and paid for 111 s, so 51 s are credited.
      expect(await endUnchecked(callId, bo)).toEqual([2_960n, 1_360n]);
      expect([await world.balance(ana), await world.balance(bo)]).toEqual([10_000n, 8_400n]);
      expect(await creditsOf(callId)).toEqual([
        { amount: 1_360n, reason: "unchecked_call" },
        { amount: 2_960n, reason: "unchecked_call" },
      ]);
    });

    test("[BEANS-500] rounds in favour of the user without frames, and refunds all where none was ever judged", async () => {
      const callId = await world.call([ana, bo], [0, 1_600]);
      await world.pass(20_000);
      await world.pass(1_700);
      world.calls.looked(bo, callId);
      await world.pass(20_000);
      // 31.7 s are charged as 31 s. The last frame was judged after 11.7 s, which count as 11 s.
      expect(await endUnchecked(callId, bo)).toEqual([undefined, 534n]);
      expect(await world.balance(bo)).toBe(10_000n - 827n + 534n);
      const other = await world.call([ana, bo], [0, 1_600]);
      const before = await world.balance(bo);
      await world.pass(40_000);
      expect(await endUnchecked(other, bo)).toEqual([undefined, 800n]);
      expect(await world.balance(bo)).toBe(before);
    });

    test("[BEANS-500] refunds all to both where the cause is ours", async () => {
      const callId = await world.call([ana, bo], [1_600, 1_600]);
      await world.pass(70_000);
      world.calls.looked(bo, callId);
      await world.pass(20_000);
      expect(await endUnchecked(callId, bo, "ours")).toEqual([2_134n, 2_134n]);
      expect([await world.balance(ana), await world.balance(bo)]).toEqual([10_000n, 10_000n]);
    });

    test("[BEANS-501] refunds once, and returns 0 where nothing was paid", async () => {
      const callId = await world.call([ana, bo]);
      await world.pass(100_000);
      const [back, none] = await endUnchecked(callId, bo);
      expect([await world.balance(ana), none]).toEqual([10_000n, undefined]);
      expect(await creditsOf(callId)).toEqual([{ amount: back, reason: "unchecked_call" }]);
      expect(world.meters.endUnchecked(callId, { missingId: bo, cause: "none" })).toEqual(new Map());
      expect(await world.meters.creditCall({ callId, userId: ana, reason: "fake_person" })).toBe(0n);
      const free = await world.call([ana, bo]);
      await world.pass(5_000);
      expect(await endUnchecked(free, ana)).toEqual([0n, undefined]);
    });

    test("[BEANS-284] refunds a call once, however often it is requested", async () => {
      const callId = await world.call([ana, bo]);
      await world.pass(50_000);
      world.calls.leave(bo, "stop");
      const credits = await Promise.all(
        (["moderated_call", "moderated_call", "fake_person"] as const).map((reason) =>
          world.meters.creditCall({ callId, userId: ana, reason }),
        ),
      );
      expect(credits).toEqual([1_067n, 0n, 0n]);
      expect(await world.balance(ana)).toBe(10_000n);
      expect(await world.meters.creditCall({ callId, userId: bo, reason: "moderated_call" })).toBe(0n);
    });
  });

  describe("once another server owns the call", () => {
    const takeOver = (callId: string) =>
      world.beans.database.pool.query(
        "update calls set owner = 'another', owner_epoch = owner_epoch + 1 where id = $1",
        [callId],
      );

    test("rejects the next minute: the meter stops silently, and the room ends as a restart", async () => {
      const callId = await world.call([ana, bo], [1_600, 800]);
      await world.pass(100_000);
      const before = [await world.beans.ledger.account(ana), await world.beans.ledger.account(bo)];
      await takeOver(callId);
      world.told(ana);
      world.told(bo);
      await world.pass(20_000);
      await world.pass(20_000);
      expect([await world.beans.ledger.account(ana), await world.beans.ledger.account(bo)]).toEqual(before);
      expect([world.calls.current(ana), world.calls.current(bo), world.meters.count]).toEqual([null, null, 0]);
      expect(world.log.calls.get(callId)?.endReason).toBe("restart");
      for (const { key } of await world.beans.ledger.openHolds()) await world.beans.ledger.settleHold(key, 0n);
    });

    test("settles and refunds nothing at the end of the call, which is the other server's work", async () => {
      const callId = await world.call([ana, bo]);
      await world.pass(100_000);
      const before = await world.beans.ledger.account(ana);
      await takeOver(callId);
      world.calls.endAll();
      await world.meters.idle();
      expect(await world.beans.ledger.account(ana)).toEqual(before);
      for (const { key } of await world.beans.ledger.openHolds()) await world.beans.ledger.settleHold(key, 0n);
    });
  });

  describe("after a crash", () => {
    test("releases every open hold and refunds the cut call; an ended call stays paid", async () => {
      const { ledger, clock, database } = world.beans;
      const parts = { db: database.db, ledger, clock, self: "survivor", log: world.log };
      const claims = new DatabaseRoomClaims(parts);
      const warned: object[] = [];
      const recovery = new CallRecovery({
        ...parts,
        claims,
        adoption: noAdoption,
        logger: { warn: (line: object) => void warned.push(line) },
      });
      await world.call([ana, bo]);
      await world.pass(40_000);
      await leave(ana);
      await world.call([ana, bo], [1_600, 800]);
      await world.pass(100_000);
      expect(await world.beans.ledger.openHolds()).toHaveLength(2);
      await world.forget();
      await world.log.flush();
      expect(await recovery.takeOver(ownProcess)).toBe(true);
      expect(warned).toEqual([{ process: ownProcess, adopted: 0, ended: 1, credited: "2400" }]);
      expect(await ledger.openHolds()).toEqual([]);
      expect([await world.balance(ana), await world.balance(bo)]).toEqual([9_200n, 10_000n]);
      expect(await recovery.takeOver(ownProcess)).toBe(true);
      expect(warned).toHaveLength(1);
    });
  });
});
