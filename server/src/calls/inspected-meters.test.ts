import { pino } from "pino";
import { beforeAll, expect, test } from "vitest";
import { pushCodes } from "@fava/wire/pushes.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { pictureThat, ScriptedFrames } from "#test/fakes/scripted-frames.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { ScriptedModeration } from "#test/fixtures/inspection-world.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { MeterWorld } from "#test/fixtures/meter-world.ts";
import { InspectionService } from "./inspection-service.ts";
import { inspectionSettingsDefault } from "./inspection-settings.ts";

let ana: bigint;
let bo: bigint;
let world: MeterWorld;
let inspection: InspectionService;
let told: Map<bigint, ReturnType<MeterWorld["bus"]["take"]>>;
beforeAll(async () => {
  world = await MeterWorld.open();
  leftovers.push(world);
  [ana, bo] = [await world.beans.person(10_000n), await world.beans.person(10_000n)];
  const { bus, calls, meters } = world;
  const { clock } = world.beans;
  inspection = new InspectionService({
    bus,
    calls,
    meters,
    classifier: new ScriptedFrames(),
    moderation: new ScriptedModeration(new Map()),
    sampler: { offer: () => undefined },
    settings: inspectionSettingsDefault,
    clock,
    random: seededRandom(2),
    logger: pino({ level: "silent" }),
    memoryBytesMax: 1_000_000,
    loopsAct: false,
  });
  leftovers.push(inspection);
  world.consumers.push(inspection);
  told = new Map([ana, bo].map((userId) => [userId, []]));
});

/** Advances the clock second by second. The pages in `uploading` upload each requested frame at once. */
async function pass(seconds: number, uploading: readonly bigint[]): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    for (const userId of [ana, bo]) {
      for (const message of world.bus.take(userId)) {
        told.get(userId)?.push(message);
        if (!("type" in message) || message.type !== "inspect" || !uploading.includes(userId)) continue;
        const { roomId, ticket } = message;
        if (world.calls.isIn(userId, roomId)) await inspection.take(userId, { roomId, ticket, bytes: pictureThat() });
      }
    }
    world.beans.clock.advance(1_000);
    world.bus.tick();
    await world.meters.idle();
  }
}

function endOf(userId: bigint, code: number) {
  return told.get(userId)?.find((message) => "code" in message && message.code === code && "unchecked" in message);
}

test("[BEANS-500] [BEANS-501] [SAFE-506] gives back what both are told when the inspection ends a paid call of a silent page", async () => {
  const callId = await world.call([ana, bo], [1_600, 1_600]);
  await pass(60, [ana, bo]);
  await pass(60, [ana]);
  expect(world.calls.isIn(bo, callId)).toBe(false);
  const { rows } = await world.beans.database.pool.query(
    "select amount, reason from bean_transfers where reference = $1 and kind = 'credit' order by amount desc",
    [callId],
  );
  expect(rows).toMatchObject([{ reason: "unchecked_call" }, { reason: "unchecked_call" }]);
  const [all, part] = rows.map(({ amount }) => Number(amount));
  const ofAna = { cause: "none", whose: "other", returned: all };
  expect(endOf(ana, pushCodes.otherLeft)).toMatchObject({ reason: "cut", unchecked: ofAna });
  const ofBo = { cause: "none", whose: "own", returned: part };
  expect(endOf(bo, pushCodes.callMessage)).toMatchObject({ why: "unchecked", unchecked: ofBo });
  // Ana's meter paused 20 s after Bo's last frame. Bo's meter ran on, and he pays only until that frame.
  expect([await world.balance(ana), all]).toEqual([10_000n, expect.toSatisfy((beans) => beans <= beansOf(82))]);
  const paid = 10_000 - Number(await world.balance(bo));
  expect([paid, part]).toEqual([
    expect.toSatisfy((beans) => beans >= beansOf(35) && beans <= beansOf(60)),
    expect.toSatisfy((beans) => beans >= beansOf(40)),
  ]);
  await world.settle();
  await expectSoundLedger(world.beans.database.db);
});

function beansOf(seconds: number): number {
  return (1_600 * seconds) / 60;
}
