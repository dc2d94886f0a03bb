import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sendStatsMs } from "@fava/wire/limits.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { type Ladder, openLadder, type RungNumber, rungs, type SendReading, stepLadder } from "./quality-ladder.ts";

const soundKbps = 50;
const fine: SendReading = {
  availableKbps: 2_000,
  sentKbps: 400,
  loss: 0,
  soundLoss: 0,
  resentShare: 0,
  roundTripMs: 50,
  soundRoundTripMs: 50,
  delayGrowthMs: null,
  limitedBy: "nothing",
};

/** A browser that estimates no capacity. */
const unknown = { availableKbps: null } as const;

/** A ladder that gets a reading every two seconds. */
class Climb {
  ladder: Ladder;
  nowMs = 0;
  /** When the rung changed, and to which. */
  readonly changes: { atMs: number; rung: RungNumber }[] = [];

  constructor(rung: RungNumber) {
    this.ladder = openLadder(rung);
  }

  get rung(): RungNumber {
    return this.ladder.rung;
  }

  read(reading: Partial<SendReading>): this {
    this.nowMs += sendStatsMs;
    const { rung } = this.ladder;
    this.ladder = stepLadder(this.ladder, { ...fine, ...reading }, this.nowMs);
    if (this.rung !== rung) this.changes.push({ atMs: this.nowMs, rung: this.rung });
    return this;
  }

  /** Feeds readings for this long. */
  last(ms: number, reading: Partial<SendReading> | (() => Partial<SendReading>)): this {
    for (const untilMs = this.nowMs + ms; this.nowMs < untilMs;)
      this.read(typeof reading === "function" ? reading() : reading);
    return this;
  }

  /**
   * Feeds readings of a network with this capacity. Chromium estimates half more than the network carries now, and at
   * most its capacity.
   */
  over(ms: number, carriedKbps: number, wantedKbps = Infinity): this {
    return this.last(ms, () => {
      const pictureKbps = this.rung === 0 ? 0 : rungs[this.rung].pictureKbpsMax;
      const wanted = soundKbps + Math.min(pictureKbps, wantedKbps);
      const sentKbps = Math.min(wanted, carriedKbps);
      const loss = wanted > carriedKbps ? 0.03 : 0;
      return { sentKbps, soundLoss: loss, availableKbps: Math.min(carriedKbps, sentKbps * 1.5 + 10), loss };
    });
  }
}

describe("the sent quality goes down", () => {
  test.each([
    ["little less than its rung needs", { from: 3, to: 2, reading: { availableKbps: 249 } }],
    ["less than the next one needs, too", { from: 3, to: 2, reading: { availableKbps: 90 } }],
    ["much less", { from: 3, to: 1, reading: { availableKbps: 80 } }],
    ["nearly nothing", { from: 4, to: 1, reading: { availableKbps: 10 } }],
    ["less than the highest rung needs", { from: 4, to: 3, reading: { availableKbps: 499, sentKbps: 450 } }],
    ["enough, with a loss of 9 %", { from: 4, to: 3, reading: { loss: 0.09 } }],
    ["enough, with a loss of 11 %", { from: 4, to: 2, reading: { loss: 0.11 } }],
    ["enough, with a loss of a third", { from: 4, to: 1, reading: { loss: 0.33 } }],
    [
      "less than is sent, which only a growing delay shows",
      { from: 4, to: 3, reading: { ...unknown, delayGrowthMs: 201 } },
    ],
    [
      "so little that a second of packets waits in a buffer",
      { from: 4, to: 1, reading: { ...unknown, delayGrowthMs: 1_001 } },
    ],
  ] as const)("after two readings in a row, at once, if the network carries %s", (_, { from, to, reading }) => {
    const climb = new Climb(from).read(reading).read({}).read(reading);
    expect(climb.rung).toBe(from);
    expect(climb.read(reading).rung).toBe(to);
  });

  test("not while little is sent, because the browser then estimates little", () => {
    expect(new Climb(3).last(60_000, { availableKbps: 100, sentKbps: 80 }).changes).toEqual([]);
  });

  test("by one rung after three readings with a slow processor on the top rung, and on no other rung", () => {
    const slow = { limitedBy: "processor" } as const;
    const climb = new Climb(4).read(slow).read(slow).read({}).read(slow).read(slow);
    expect(climb.rung).toBe(4);
    expect(climb.read(slow).rung).toBe(3);
    expect(climb.last(8_000, slow).rung).toBe(3);
  });

  test("not for readings of the previous rung", () => {
    const climb = new Climb(4).last(4_000, { availableKbps: 300 });
    expect(climb.rung).toBe(3);
    expect(climb.read({ availableKbps: 200 }).rung).toBe(3);
    expect(climb.read({ availableKbps: 200 }).rung).toBe(2);
  });
});

describe("the sent quality goes up", () => {
  test("by one rung after ten seconds of good readings", () => {
    const climb = new Climb(1).last(12_000, {});
    expect(climb.rung).toBe(2);
    expect(climb.last(10_000, {}).rung).toBe(2);
    expect(climb.read({}).rung).toBe(3);
  });

  test.each([
    ["loses 2 % of the packets", { loss: 0.02 }],
    ["makes the browser send less than it could", { limitedBy: "way" }],
    ["carries what is sent, with nothing more known", { availableKbps: 420, sentKbps: 400 }],
  ] as const)("not if the network %s", (_, reading) => {
    expect(new Climb(2).last(120_000, reading).changes).toEqual([]);
  });

  test("also while little is sent and the browser estimates little", () => {
    expect(new Climb(1).last(12_000, { availableKbps: 130, sentKbps: 90 }).rung).toBe(2);
  });

  test("by the loss alone when the browser estimates no capacity", () => {
    expect(new Climb(2).last(12_000, { availableKbps: null }).rung).toBe(3);
    expect(new Climb(2).last(60_000, { availableKbps: null, loss: 0.05 }).rung).toBe(2);
  });

  test("without an estimate of the capacity, only while the delay has grown by 100 ms at most", () => {
    expect(new Climb(2).last(60_000, { ...unknown, delayGrowthMs: 101 }).changes).toEqual([]);
    expect(new Climb(2).last(12_000, { ...unknown, delayGrowthMs: 100 }).rung).toBe(3);
  });

  test("after twice the time when a rung did not hold, after a minute at most, and after ten seconds again when one did", () => {
    const climb = new Climb(2);
    const waits: number[] = [];
    for (let times = 0; times < 5; times += 1) {
      const fromMs = climb.nowMs;
      while (climb.rung === 2) climb.read({});
      // Subtract one interval, because the ladder counts from the first good reading.
      waits.push(climb.nowMs - fromMs - sendStatsMs);
      while (climb.rung === 3) climb.read({ availableKbps: 200 });
    }
    expect(waits).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
    while (climb.rung === 2) climb.read({});
    climb.last(32_000, { loss: 0.05 });
    climb.last(4_000, { availableKbps: 200 });
    expect(climb.last(12_000, {}).rung).toBe(3);
  });

  test("never changes by two rungs at once, and at most six times a minute, for any readings", () => {
    const reading = fc.record({
      availableKbps: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 2_000 })),
      sentKbps: fc.integer({ min: 0, max: 1_500 }),
      loss: fc.constantFrom(0, 0, 0, 0.01, 0.05, 0.09, 0.5),
      soundLoss: fc.constantFrom(0, 0, 0.01, 0.13),
      resentShare: fc.constantFrom(0, 0, 0, 0.1, 0.5),
      roundTripMs: fc.constantFrom(null, 50, 50, 900, 3_000),
      soundRoundTripMs: fc.constantFrom(null, 50, 50, 900, 3_000),
      delayGrowthMs: fc.constantFrom(null, 0, 150, 600),
      limitedBy: fc.constantFrom("nothing" as const, "nothing" as const, "processor" as const, "way" as const),
    });
    const stretch = fc.tuple(fc.integer({ min: 1, max: 20 }), reading);
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 30 }), (stretches) => {
        const climb = new Climb(3);
        for (const [times, said] of stretches) climb.last(times * sendStatsMs, said);
        const from = (index: number) => climb.changes[index - 1]?.rung ?? 3;
        const ups = climb.changes.filter(({ rung }, index) => rung > from(index));
        for (const [index, { rung }] of climb.changes.entries()) expect(rung).toBeLessThanOrEqual(from(index) + 1);
        for (const { atMs } of ups)
          expect(ups.filter((up) => up.atMs >= atMs && up.atMs < atMs + 60_000).length).toBeLessThanOrEqual(6);
      }),
      fuzz(200),
    );
  });

  test.each([80, 150, 220, 300, 420, 560, 900, 1_500, 4_000])(
    "changes at most six times in the first minute at %i kbit/s, and at most three times in any later one",
    (carriedKbps) => {
      const climb = new Climb(3).over(600_000, carriedKbps);
      const between = (fromMs: number) =>
        climb.changes.filter(({ atMs }) => atMs > fromMs && atMs <= fromMs + 60_000).length;
      expect(between(0)).toBeLessThanOrEqual(6);
      for (let fromMs = 60_000; fromMs < 540_000; fromMs += 5_000) expect(between(fromMs)).toBeLessThanOrEqual(3);
    },
  );

  test("reaches the top when the network carries it, and goes up within 25 seconds after a bad network recovers", () => {
    const climb = new Climb(3).over(20_000, 4_000);
    expect(climb.rung).toBe(4);
    climb.over(30_000, 80);
    expect(climb.rung).toBe(1);
    expect(climb.over(24_000, 4_000).rung).toBe(2);
    expect(climb.over(60_000, 4_000).rung).toBe(4);
  });
});

describe("the video is paused", () => {
  test.each([
    ["carries nearly nothing", { availableKbps: 59 }],
    ["loses a fifth", { loss: 0.21 }],
    ["loses every eighth audio packet", { loss: 0.13, soundLoss: 0.13 }],
    ["has a round trip of more than 1.5 s", { roundTripMs: 1_501 }],
  ] as const)("after six seconds on the lowest rung, if the network %s", (_, reading) => {
    const climb = new Climb(1).last(4_000, reading).read({}).last(4_000, reading);
    expect(climb.rung).toBe(1);
    expect(climb.read(reading).rung).toBe(0);
  });

  test.each([4, 3, 2, 1] as const)(
    "after four seconds in which the browser mostly repeats lost packets, from rung %i",
    (from) => {
      const climb = new Climb(from).last(60_000, { ...unknown, resentShare: 0.4 }).read({ resentShare: 0.41 });
      expect(climb.rung).not.toBe(0);
      expect(climb.read({ resentShare: 0.41 }).rung).toBe(0);
    },
  );

  test("not for users who sign, whose video goes to the lowest rung", () => {
    const climb = new Climb(4);
    climb.ladder = openLadder(4, true);
    expect(climb.last(60_000, { resentShare: 0.9, loss: 0.9 }).rung).toBe(1);
  });

  test("not for a growing delay alone", () => {
    expect(new Climb(4).last(60_000, { ...unknown, delayGrowthMs: 900 }).rung).toBe(1);
  });

  test("within twelve seconds after the network fails, from any rung", () => {
    for (const rung of [4, 3, 2, 1] as const)
      expect(new Climb(rung).last(12_000, { availableKbps: 40, loss: 0.3 }).rung).toBe(0);
  });

  test("and tried again after ten seconds of good sound, even if the browser estimates no more than that", () => {
    const sound = { availableKbps: 45, sentKbps: 40, limitedBy: "way" } as const;
    expect(new Climb(0).last(30_000, { ...sound, soundLoss: 0.05 }).rung).toBe(0);
    expect(new Climb(0).last(30_000, { ...sound, soundRoundTripMs: 1_000 }).rung).toBe(0);
    // The last report on the video stays in the statistics.
    expect(new Climb(0).last(12_000, { ...sound, loss: 0.5, roundTripMs: 1_800 }).rung).toBe(1);
  });

  test("and tried again after twice the time whenever it does not hold, after a minute at most", () => {
    const climb = new Climb(0);
    const waits: number[] = [];
    for (let times = 0; times < 4; times += 1) {
      const fromMs = climb.nowMs;
      while (climb.rung === 0) climb.read({ availableKbps: 45 });
      waits.push(climb.nowMs - fromMs - sendStatsMs);
      while (climb.rung > 0) climb.read({ availableKbps: 45 });
    }
    expect(waits).toEqual([10_000, 20_000, 40_000, 60_000]);
  });
});
