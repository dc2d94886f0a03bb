import fc from "fast-check";
import { Registry } from "prom-client";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freeMatchesPerDayMax, freeMs, payerSilenceMs, unseenPauseMs } from "@fava/wire/limits.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { meterMetrics } from "./call-metrics.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { MeterWorld, ownPauseMs } from "#test/fixtures/meter-world.ts";
import { beansOf } from "./meter-machine.ts";

let world: MeterWorld;
let ana: bigint;
let bo: bigint;

beforeAll(async () => {
  world = await MeterWorld.open();
});

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

test.each([
  [
    "that no picture comes",
    async () => {
      world.media(ana, "stalled");
      await world.pass(14_500);
      world.media(ana, "playing");
      await world.pass(500);
    },
  ],
  [
    "nothing, with a connection of its own that it drops",
    async () => {
      world.bus.close(ana, 1006);
      await world.pass(10_500);
      world.bus.resume(ana);
      await world.pass(4_500);
    },
  ],
  [
    "that another camera opens",
    async () => {
      world.media(ana, "camera_off");
      world.media(ana, "camera_switching");
      await world.pass(14_500);
      world.media(ana, "camera_on");
      await world.pass(500);
    },
  ],
  [
    "that another microphone opens",
    async () => {
      world.media(ana, "mic_switching");
      await world.pass(14_500);
      world.media(ana, "mic_on");
      await world.pass(500);
    },
  ],
  [
    "that the other shows what must not be shown",
    async () => {
      const callId = world.calls.current(ana)?.match.roomId ?? "";
      world.calls.setShown(bo, callId, "doubted");
      await world.pass(14_500);
      world.calls.setShown(bo, callId, "shown");
      await world.pass(500);
    },
  ],
])("[BEANS-273] resumes after ten seconds of a call in which a payer reports %s", async (_, cheat) => {
  await world.call([ana, bo]);
  for (let times = 0; times < 5; times += 1) await cheat();
  await leave(ana);
  // 75 s: 10 s are free, and the payer's own reports pause the meter for 10 s.
  expect(await world.balance(ana)).toBe(10_000n - 1_467n);
});

test("[BEANS-403] resumes after twenty seconds of a call in which a payer sends no video and sees the partner's", async () => {
  await world.call([ana, bo]);
  for (let times = 0; times < 5; times += 1) {
    world.media(bo, "stalled");
    await world.pass(14_500);
    world.media(bo, "playing");
    await world.pass(500);
  }
  expect(world.told(ana).at(-1)).toMatchObject({ meter: { clock: "running", stopped: null } });
  await leave(ana);
  // 75 s: 10 s are free, and the meter pauses for 20 s.
  expect(await world.balance(ana)).toBe(10_000n - 1_200n);
});

test("[BEANS-404] charges a payer in full whose own video is paused, once or every five seconds", async () => {
  await world.call([ana, bo]);
  world.media(ana, "picture_paused");
  await world.pass(30_000);
  for (let times = 0; times < 8; times += 1) {
    world.media(ana, times % 2 === 0 ? "picture_back" : "picture_paused");
    await world.pass(5_000);
  }
  await leave(ana);
  // 70 s: 10 s are free.
  expect(await world.balance(ana)).toBe(10_000n - 1_600n);
});

test("[BEANS-404] charges nothing while the partner's video is paused, and tells the payer why", async () => {
  await world.call([ana, bo]);
  await world.pass(40_000);
  world.media(bo, "picture_paused");
  expect(world.told(ana).at(-1)?.meter).toMatchObject({ clock: "stopped", stopped: "network" });
  await world.pass(200_000);
  world.media(bo, "picture_back");
  expect(world.told(ana).at(-1)?.meter).toMatchObject({ clock: "running", stopped: null });
  await leave(ana);
  expect(await world.balance(ana)).toBe(10_000n - 800n);
});

test.each(["camera", "mic"] as const)(
  "[BEANS-502] charges nothing while the partner's %s is replaced, and tells the payer that the call reconnects",
  async (device) => {
    await world.call([ana, bo]);
    await world.pass(40_000);
    world.media(bo, `${device}_off`);
    world.media(bo, `${device}_switching`);
    expect(world.told(ana).at(-1)?.meter).toMatchObject({ clock: "stopped", stopped: "reconnecting" });
    await world.pass(5_000);
    world.media(bo, `${device}_on`);
    expect(world.told(ana).at(-1)?.meter).toMatchObject({ clock: "running", stopped: null });
    await leave(ana);
    expect(await world.balance(ana)).toBe(10_000n - 800n);
  },
);

test("[BEANS-275] charges a payer in full whose camera the system has taken away", async () => {
  await world.call([ana, bo]);
  world.media(ana, "camera_off");
  await world.pass(70_000);
  await leave(ana);
  expect(await world.balance(ana)).toBe(10_000n - 1_600n);
});

test("[BEANS-403] pauses beyond that while the server itself sees the partner's connection lost", async () => {
  await world.call([ana, bo]);
  await world.pass(40_000);
  for (let times = 0; times < 5; times += 1) {
    world.media(bo, "stalled");
    world.bus.close(bo, 1006);
    await world.pass(10_000);
    world.bus.resume(bo);
    world.media(bo, "playing");
  }
  await leave(ana);
  expect(await world.balance(ana)).toBe(10_000n - 800n);
});

test("charges the partner nothing while a page is gone, and its own user after ten seconds; then both resume", async () => {
  const callId = await world.call([ana, bo], [1_600, 1_600]);
  await world.pass(40_000);
  world.bus.close(ana, socketCloseCodes.pageGone);
  await world.pass(11_000);
  world.told(bo);
  world.bus.arrive(ana);
  world.calls.join(ana, callId);
  await world.pass(2_000);
  expect(world.told(bo)).toEqual([]);
  world.media(ana, "playing");
  const running = (counted_ms: number) => ({ meter: { clock: "running", stopped: null, counted_ms } });
  expect([world.told(ana).at(-1), world.told(bo).at(-1)]).toMatchObject([running(43_000), running(40_000)]);
  await world.pass(20_000);
  await leave(ana);
  expect(await world.balance(ana)).toBe(10_000n - 1_414n);
  expect(await world.balance(bo)).toBe(10_000n - 1_334n);
});

test("charges the partner up to then if a page does not return", async () => {
  await world.call([ana, bo], [0, 1_600]);
  await world.pass(40_000);
  world.bus.close(ana, socketCloseCodes.pageGone);
  await world.pass(60_000);
  expect(world.calls.current(bo)).toBeNull();
  expect(await world.balance(bo)).toBe(10_000n - 800n);
});

test("pauses for a video that the owner's camera confirms as explicit", async () => {
  const callId = await world.call([ana, bo]);
  await world.pass(40_000);
  world.calls.setShown(bo, callId, "doubted");
  await world.pass(5_000);
  world.calls.setShown(bo, callId, "hidden");
  await world.pass(100_000);
  await leave(ana);
  expect(await world.balance(ana)).toBe(10_000n - 800n);
});

test("charges a payer who never reports seeing the partner, unless neither does", async () => {
  await Promise.all(
    Array.from({ length: freeMatchesPerDayMax }, (_, number) => world.work.open({ userId: ana, callId: `${number}` })),
  );
  world.match([ana, bo]);
  world.answer(bo);
  await world.pass(9_000);
  await leave(ana);
  expect(await world.balance(ana)).toBe(10_000n);
  world.match([ana, bo]);
  world.media(bo, "playing");
  await world.pass(4_000);
  world.answer(bo);
  await world.pass(5_000);
  await leave(ana);
  expect(await world.balance(ana)).toBe(10_000n - 54n);
  world.match([ana, bo]);
  world.answer(bo);
  world.media(bo, "playing");
  // One second per step, so that the database keeps up.
  for (let second = 0; second < 10; second += 1) await world.pass(1_000);
  expect(world.calls.current(ana)).toBeNull();
  expect(await world.balance(ana)).toBe(10_000n - 54n - 187n);
});

const claims = {
  playing: () => world.media(ana, "playing"),
  stalled: () => world.media(ana, "stalled"),
  "camera off": () => world.media(ana, "camera_off"),
  "camera on": () => world.media(ana, "camera_on"),
  "another camera": () => world.media(ana, "camera_switching"),
  "another microphone": () => world.media(ana, "mic_switching"),
  "microphone on": () => world.media(ana, "mic_on"),
  away: () => world.media(ana, "away"),
  back: () => world.media(ana, "back"),
  "picture paused": () => world.media(ana, "picture_paused"),
  "picture back": () => world.media(ana, "picture_back"),
  lost: () => world.bus.close(ana, 1006),
  returned: () => world.bus.resume(ana),
  "page gone": () => world.bus.close(ana, socketCloseCodes.pageGone),
  "page back": (callId: string) => {
    world.bus.arrive(ana);
    if (world.calls.isIn(ana, callId)) world.calls.join(ana, callId);
  },
  // The partner reports that they get no video from the payer.
  "sends nothing": () => world.media(bo, "stalled"),
  "sends again": () => world.media(bo, "playing"),
  // A frame of the payer's page casts doubt on Bo's video. An own frame of Bo's clears it.
  "saw something": (callId: string) => world.calls.setShown(bo, callId, "doubted"),
  "looked at": (callId: string) => world.calls.setShown(bo, callId, "shown"),
};
const claimsArbitrary = fc.array(
  fc.tuple(fc.constantFrom(...(Object.keys(claims) as (keyof typeof claims)[])), fc.integer({ min: 0, max: 15 })),
  { maxLength: 30 },
);

test("[BEANS-275] makes no video cheaper by anything that a payer reports or omits, but for the two budgets of pauses", async () => {
  await fc.assert(
    fc.asyncProperty(claimsArbitrary, async (said) => {
      const payer = await world.beans.person(1_000_000n);
      ana = payer;
      const callId = world.match([payer, bo]);
      world.answer(bo);
      world.media(bo, "playing");
      await world.meters.idle();
      let seconds = 0;
      for (const [claim, forSeconds] of said) {
        if (world.calls.current(payer) === null) break;
        claims[claim](callId);
        for (let second = 0; second < forSeconds && world.calls.current(payer); second += 1) {
          await world.pass(1_000);
          seconds += 1;
        }
      }
      await leave(payer);
      const paidMs = seconds * 1_000 - freeMs - ownPauseMs - unseenPauseMs - payerSilenceMs;
      const cost = 1_000_000n - (await world.balance(payer));
      expect(cost).toBeGreaterThanOrEqual(beansOf(1_600n, Math.max(0, paidMs)));
    }),
    fuzz(60),
  );
});

test("reports how long the meters of ended calls ran and were paused", async () => {
  await world.forget();
  await world.call([ana, bo]);
  await world.pass(20_000);
  world.media(bo, "camera_off");
  await world.pass(30_000);
  await leave(ana);
  const metrics = new Registry();
  meterMetrics(metrics, world.meters);
  const lines = (await metrics.metrics()).split("\n");
  expect(lines).toContain('fava_paid_call_seconds_total{clock="ran"} 20');
  expect(lines).toContain('fava_paid_call_seconds_total{clock="stood"} 30');
});

describe("free seconds", () => {
  test("[BEANS-262] begin the first matches of a UTC day, and no others, whichever server counts them", async () => {
    for (let match = 0; match < freeMatchesPerDayMax; match += 1) {
      await world.call([ana, bo]);
      await world.pass(9_000);
      await leave(ana);
      if (match === 9) await world.forget();
    }
    expect(await world.balance(ana)).toBe(10_000n);
    await world.call([ana, bo]);
    await world.pass(6_000);
    await leave(ana);
    expect(await world.balance(ana)).toBe(10_000n - 160n);
    world.beans.clock.advance(86_400_000);
    await world.call([ana, bo]);
    await world.pass(6_000);
    await leave(ana);
    expect(await world.balance(ana)).toBe(10_000n - 160n);
  });

  test("[BEANS-262] counts a match that was never live", async () => {
    world.match([ana, bo]);
    await leave(ana);
    const { rows } = await world.beans.database.pool.query("select matches from free_matches where user_id = $1", [
      ana,
    ]);
    expect(rows).toEqual([{ matches: 1 }]);
  });

  test("[BEANS-262] counts a repeated request for one match once", async () => {
    const side = { userId: ana, callId: "one" };
    expect([await world.work.open(side), await world.work.open(side)]).toMatchObject([
      { isFree: true },
      { isFree: true },
    ]);
    await Promise.all(
      Array.from({ length: 30 }, (_, number) => world.work.open({ userId: ana, callId: `call${number}` })),
    );
    const { rows } = await world.beans.database.pool.query("select matches from free_matches where user_id = $1", [
      ana,
    ]);
    expect(rows).toEqual([{ matches: freeMatchesPerDayMax }]);
    expect(await world.work.open({ userId: ana, callId: "more" })).toMatchObject({ isFree: false });
  });
});
