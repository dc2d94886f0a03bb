import { describe, expect, test } from "vitest";
import { byOther, byPayer, endMeter, liveMeter, MeterBench, ownPauseMs, price } from "#test/fixtures/meter-bench.ts";
import { meterDueMs } from "./meter-machine.ts";

const rich = { balance: 100_000n, have: 100_000n, limit: "balance" } as const;
const lastMeter = (bench: MeterBench) => bench.told.at(-1)?.reading.meter;

describe("what a call costs", () => {
  test("[BEANS-260] counts nothing before both sides have video", () => {
    const bench = new MeterBench();
    bench.answerAll();
    bench.sleep(9_000);
    bench.send({ type: "tick" });
    expect([bench.asked, bench.told, meterDueMs(bench.state)]).toEqual([[], [], null]);
    expect(endMeter(bench)).toBe(0n);
    expect(bench.measured).toBeNull();
  });

  test.each([
    [9_999, 0n],
    [10_000, 0n],
    [10_999, 0n],
    // One second at 1,600 beans a minute costs 26.67 beans, rounded up.
    [11_000, 27n],
    [40_000, 800n],
    [69_999, 1_574n],
    [70_000, 1_600n],
    [71_000, 1_627n],
    [190_000, 4_800n],
    [200_500, 5_067n],
  ])("[BEANS-261] charges for %i ms of video %i beans", (ms, beans) => {
    const bench = liveMeter();
    bench.run(ms);
    expect(endMeter(bench)).toBe(beans);
    expect(bench.openHolds).toBe(0);
  });

  test("[BEANS-262] charges from the first second where the day's free seconds are used up", () => {
    const bench = new MeterBench();
    bench.answer("refused");
    bench.send({ type: "live" });
    bench.run(30_000);
    expect(endMeter(bench)).toBe(800n);
  });

  test("[BEANS-263] pauses with the video, and a pause gives no new free seconds", () => {
    const bench = liveMeter();
    bench.run(8_000);
    bench.send({ type: "picture", pause: { why: "camera_off", budget: null } });
    expect(lastMeter(bench)).toMatchObject({ clock: "stopped", stopped: "camera_off", counted_ms: 8_000 });
    bench.run(600_000);
    bench.send({ type: "picture", pause: null });
    expect(lastMeter(bench)).toMatchObject({ clock: "free", stopped: null, counted_ms: 8_000 });
    bench.run(32_000);
    expect(endMeter(bench)).toBe(800n);
  });

  test("[BEANS-273] pauses for ten seconds of the call in all by the payer's reports alone, and tells when it resumes", () => {
    const bench = liveMeter();
    bench.run(20_000);
    bench.send({ type: "picture", pause: byPayer });
    expect(lastMeter(bench)).toMatchObject({ clock: "stopped", stopped: "reconnecting", counted_ms: 20_000 });
    bench.run(4_000);
    bench.send({ type: "picture", pause: null });
    bench.run(10_000);
    bench.send({ type: "picture", pause: byPayer });
    bench.run(ownPauseMs - 4_000);
    expect(lastMeter(bench)).toMatchObject({ clock: "running", stopped: null, counted_ms: 30_000 });
    bench.run(10_000);
    bench.send({ type: "picture", pause: null });
    bench.send({ type: "picture", pause: { why: "blurred", budget: "own-word" } });
    bench.run(10_000);
    expect(lastMeter(bench)).toMatchObject({ clock: "running", stopped: null });
    expect(endMeter(bench)).toBe(1_067n);
    expect(bench.measured).toEqual({ type: "measured", countedMs: 50_000, pausedMs: ownPauseMs });
  });

  test("[BEANS-273] pauses beyond that by the partner's reports, or what the server saw", () => {
    const bench = liveMeter();
    bench.run(20_000);
    for (const pause of [byPayer, byOther, byPayer]) {
      bench.send({ type: "picture", pause });
      bench.run(15_000);
    }
    expect(endMeter(bench)).toBe(800n);
  });

  test("begins three seconds after the partner plays the payer's video, without a report of the payer", () => {
    const bench = new MeterBench();
    bench.answerAll();
    bench.send({ type: "seen" });
    bench.run(1_000);
    bench.send({ type: "seen" });
    expect(bench.told).toEqual([]);
    bench.run(2_000 + 40_000);
    bench.send({ type: "live" });
    expect(endMeter(bench)).toBe(800n);
  });

  test("begins earlier if the payer reports it", () => {
    const bench = new MeterBench();
    bench.answerAll();
    bench.send({ type: "seen" });
    bench.run(1_000);
    bench.send({ type: "live" });
    bench.run(40_000);
    expect(endMeter(bench)).toBe(800n);
  });

  test("[BEANS-264] holds a minute when it begins, and posts the previous one with it", () => {
    const bench = liveMeter();
    bench.run(9_999);
    expect(bench.holds.size).toBe(0);
    bench.run(1);
    expect([...bench.holds]).toEqual([[1, null]]);
    bench.run(60_000);
    expect([...bench.holds]).toEqual([
      [1, price],
      [2, null],
    ]);
  });

  test("[BEANS-264] posts the last minute of a call that ends before the next one could be held", () => {
    const bench = liveMeter();
    bench.run(69_999);
    bench.sleep(1);
    bench.send({ type: "tick" });
    // The request was still queued and is not wanted now.
    bench.asked.length = 0;
    expect(endMeter(bench)).toBe(price);
    expect(bench.openHolds).toBe(0);
  });

  test("[BEANS-265] tells the payer of a refused hold and closes the call at the minute's start", () => {
    const bench = liveMeter();
    bench.run(69_999);
    bench.sleep(1);
    bench.send({ type: "tick" });
    bench.answer("refused", { balance: 400n, have: 400n, limit: "balance" });
    expect(bench.closed).toBe(true);
    expect(bench.told.at(-1)).toMatchObject({
      pushType: 2,
      reading: { isEnough: 0, meter: { spent: 1_600, balance: 400, left_ms: 0, limit: "balance" } },
    });
    expect(endMeter(bench)).toBe(price);
  });
});

describe("what the payer is told", () => {
  test("contains price, counted and free time, cost, balance, time left and its limit", () => {
    const bench = liveMeter();
    bench.run(40_000);
    bench.send({ type: "funds", funds: { balance: 10_000n, have: 3_300n, limit: "cap" } });
    expect(bench.told.at(-1)?.reading).toEqual({
      isEnough: 1,
      meter: {
        price: 1_600,
        clock: "running",
        stopped: null,
        counted_ms: 40_000,
        free_ms: 10_000,
        spent: 800,
        balance: 9_200,
        left_ms: 30_000 + 120_000,
        limit: "cap",
      },
    });
  });

  test("is sent when the call becomes live, the clock stops or starts, and at each minute", () => {
    const bench = liveMeter();
    const clocks = () => bench.told.splice(0).map(({ reading }) => reading.meter.clock);
    expect(clocks()).toEqual(["free"]);
    bench.run(10_000);
    expect(clocks()).toEqual(["running"]);
    bench.run(60_000);
    expect(clocks()).toEqual(["running"]);
    bench.send({ type: "picture", pause: byOther });
    bench.send({ type: "picture", pause: byOther });
    expect(clocks()).toEqual(["stopped"]);
    bench.send({ type: "picture", pause: null });
    expect(clocks()).toEqual(["running"]);
  });

  test("is sent once after a top-up, and not without a change", () => {
    const bench = liveMeter();
    bench.run(10_000);
    bench.told.length = 0;
    bench.send({ type: "funds", funds: { balance: 1_600n, have: 0n, limit: "balance" } });
    bench.send({ type: "funds", funds: { balance: 1_600n, have: 0n, limit: "balance" } });
    bench.send({ type: "funds", funds: rich });
    expect(bench.told.map(({ pushType, reading }) => [pushType, reading.isEnough])).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });
});

describe("when things break", () => {
  test("[BEANS-266] counts nothing while the ledger fails, and continues the call", () => {
    const bench = liveMeter();
    bench.run(10_000 + 60_000 - 1);
    bench.sleep(1);
    bench.send({ type: "tick" });
    bench.sleep(3_000);
    bench.answer("failed");
    expect(lastMeter(bench)).toMatchObject({ clock: "stopped", stopped: "connecting", spent: 1_600 });
    bench.sleep(300_000);
    bench.answer("failed");
    bench.answer("done");
    bench.run(30_000);
    expect(endMeter(bench)).toBe(2_400n);
  });

  test("[BEANS-266] leaves a minute free whose hold takes longer than the minute", () => {
    const bench = liveMeter();
    bench.sleep(10_000);
    bench.send({ type: "tick" });
    bench.sleep(60_000);
    bench.send({ type: "tick" });
    bench.answer("done");
    bench.run(15_000);
    expect(endMeter(bench)).toBe(400n);
  });

  test.each([
    ["with free seconds", "done"],
    ["without", "refused"],
  ] as const)("[BEANS-266] charges no time of a ledger that is slow at first, %s", (_, answer) => {
    const bench = new MeterBench();
    bench.send({ type: "live" });
    bench.sleep(15_000);
    bench.answer(answer);
    bench.run(30_000);
    expect(endMeter(bench)).toBe(800n);
  });

  test("charges nothing for a late timer", () => {
    const bench = liveMeter();
    bench.sleep(9_000_000);
    bench.send({ type: "tick" });
    bench.answerAll();
    bench.sleep(9_000_000);
    expect(endMeter(bench)).toBe(price);
  });

  test("[BEANS-282] charges nothing for a call that we end", () => {
    const bench = liveMeter();
    bench.run(100_000);
    expect(bench.posted).toBe(price);
    expect(endMeter(bench, "failure")).toBe(0n);
    expect(bench.openHolds).toBe(0);
  });

  test("refunds the minute in which the video stopped to the user who stays in a lost call", () => {
    const bench = liveMeter();
    bench.run(100_000);
    bench.send({ type: "picture", pause: byOther });
    bench.run(12_000);
    expect(endMeter(bench, "other_lost")).toBe(price);
    expect(bench.credited).toBe(800n);
  });

  test("dates a stall noticed just after a minute began into the previous minute", () => {
    const bench = liveMeter();
    bench.run(131_400);
    bench.send({ type: "picture", pause: byOther });
    expect(endMeter(bench, "other_lost")).toBe(price);
  });

  test("charges the previous minute only if a user is lost while the ledger fails", () => {
    const bench = liveMeter();
    bench.run(69_999);
    bench.sleep(1);
    bench.send({ type: "tick" });
    bench.answer("failed");
    bench.sleep(60_000);
    expect(endMeter(bench, "other_lost")).toBe(price);
    expect(bench.credited).toBe(0n);
  });
});
