import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freeMs, serverLostGiveUpMs } from "@fava/wire/limits.ts";
import { seeds, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { ledgerWays } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { MeterWorld } from "#test/fixtures/meter-world.ts";
import { beansOf } from "./meter-machine.ts";

const price = 1_600;
const secondsMax = 200;
const stories = 4;

describe.each(ledgerWays)("the meter of a call whose server has died (%s)", (way) => {
  let world: MeterWorld;
  let ana: bigint;
  let bo: bigint;

  beforeEach(async () => {
    world = await MeterWorld.open(way);
    [ana, bo] = [await world.beans.person(10_000n), await world.beans.person()];
  });
  afterEach(async () => {
    await world.settle();
    await expectSoundLedger(world.beans.database.db);
    await world[Symbol.asyncDispose]();
  });

  const keys = async () => {
    const { rows } = await world.beans.database.pool.query("select key from bean_holds order by id");
    return rows.map(({ key }: { key: string }) => key.split(":")[3]);
  };
  const account = () => world.beans.ledger.account(ana);

  test("[BEANS-400] frees the begun minute, waits until both see each other, resumes after the paid ones", async () => {
    const callId = await world.call([ana, bo]);
    await world.pass(100_000);
    expect([await account(), await keys()]).toEqual([{ balance: 8_400n, held: 1_600n, debt: 0n }, ["1", "2"]]);
    await world.adopt(callId, [ana, bo]);
    expect(await account()).toEqual({ balance: 8_400n, held: 0n, debt: 0n });
    world.bus.take(ana);
    world.calls.join(ana, callId);
    await world.pass(4_000);
    world.comeBack(bo, callId);
    // The payer has not reported that they play the partner's video, and nothing else may start the minute.
    await world.pass(5_000);
    expect(await account()).toEqual({ balance: 8_400n, held: 0n, debt: 0n });
    world.media(ana, "playing");
    await world.meters.idle();
    expect([await account(), await keys()]).toEqual([{ balance: 8_400n, held: 1_600n, debt: 0n }, ["1", "2", "3"]]);
    const [reading] = world.told(ana).slice(-1);
    expect(reading?.meter).toMatchObject({ clock: "running", spent: 1_600, counted_ms: 60_000, free_ms: 0 });
    await world.pass(90_000);
    world.calls.leave(bo, "next");
    await world.meters.idle();
    expect(await account()).toEqual({ balance: 10_000n - 3n * 1_600n + 800n, held: 0n, debt: 0n });
    expect(await keys()).toEqual(["1", "2", "3", "4"]);
  });

  test("refunds a call to which no user returns in full", async () => {
    const callId = await world.call([ana, bo]);
    await world.pass(100_000);
    await world.adopt(callId, [ana, bo]);
    await world.pass(serverLostGiveUpMs);
    expect(await account()).toEqual({ balance: 10_000n, held: 0n, debt: 0n });
  });

  test.each([
    ["the payer comes back to it, and the other does not", 0, 10_000n],
    ["the other does, and the payer does not: their minutes stay paid", 1, 8_400n],
  ] as const)("settles a call that ends because a user stays away: %s", async (_, whoComes, balance) => {
    const callId = await world.call([ana, bo]);
    await world.pass(100_000);
    await world.adopt(callId, [ana, bo]);
    world.comeBack([ana, bo][whoComes] ?? 0n, callId);
    await world.pass(serverLostGiveUpMs);
    expect([await account(), world.calls.current(bo)]).toEqual([{ balance, held: 0n, debt: 0n }, null]);
  });

  test("refunds what the call has cost before, if a violation ends it", async () => {
    const callId = await world.call([ana, bo]);
    await world.pass(100_000);
    await world.adopt(callId, [ana, bo]);
    for (const userId of [ana, bo]) world.comeBack(userId, callId);
    await world.pass(20_000);
    world.calls.cut(bo);
    await world.meters.idle();
    expect(await account()).toEqual({ balance: 10_000n, held: 0n, debt: 0n });
  });

  test("[BEANS-501] refunds once what the call has cost before and after, if it ends for want of frames", async () => {
    const callId = await world.call([ana, bo]);
    await world.pass(100_000);
    await world.adopt(callId, [ana, bo]);
    for (const userId of [ana, bo]) world.comeBack(userId, callId);
    await world.pass(20_000);
    const back = world.meters.endUnchecked(callId, { missingId: bo, cause: "none" });
    world.calls.cutUnchecked(bo, { cause: "none", back });
    await world.meters.idle();
    const sql = "select amount, reason from bean_transfers where reference = $1 and kind = 'credit'";
    const { rows } = await world.beans.database.pool.query(sql, [callId]);
    expect(rows).toEqual([{ amount: back.get(ana), reason: "unchecked_call" }]);
    expect(await account()).toEqual({ balance: 10_000n, held: 0n, debt: 0n });
    expect(await world.meters.creditCall({ callId, userId: ana, reason: "fake_person" })).toBe(0n);
  });

  test("[BEANS-500] refunds the time since the adoption if no frame of the payer was judged since", async () => {
    const callId = await world.call([ana, bo]);
    await world.pass(100_000);
    await world.adopt(callId, [ana, bo]);
    for (const userId of [ana, bo]) world.comeBack(userId, callId);
    await world.pass(30_000);
    const back = world.meters.endUnchecked(callId, { missingId: ana, cause: "none" });
    world.calls.cutUnchecked(ana, { cause: "none", back });
    await world.meters.idle();
    expect([back.get(ana), await account()]).toEqual([800n, { balance: 8_400n, held: 0n, debt: 0n }]);
  });

  test(
    "[BEANS-400] charges whole minutes once and the last one by seconds, however often servers die; only the running minute is free",
    async () => {
      for (const seed of seeds(stories)) {
        const random = seededRandom(seed);
        const [payer, other] = [await world.beans.person(1_000_000n), await world.beans.person()];
        const callId = await world.call([payer, other]);
        let [cost, isHeld] = [0n, false];
        const lives = random.integer(2, 4);
        for (let life = 1; life <= lives; life += 1) {
          const seconds = random.integer(0, secondsMax);
          await world.pass(seconds * 1_000);
          const paidMs = Math.max(0, seconds * 1_000 - (isHeld ? 0 : freeMs));
          // The first minute is held when the free seconds end.
          isHeld ||= seconds * 1_000 >= freeMs;
          if (life === lives) cost += beansOf(BigInt(price), paidMs);
          else cost += BigInt(price) * BigInt(Math.floor(paidMs / 60_000));
          if (life === lives) break;
          await world.adopt(callId, [payer, other]);
          for (const userId of [payer, other]) world.comeBack(userId, callId);
          await world.meters.idle();
        }
        world.calls.leave(other, "next");
        await world.meters.idle();
        expect([seed, 1_000_000n - (await world.balance(payer))]).toEqual([seed, cost]);
      }
    },
    storyTimeoutMs(60_000),
  );
});
