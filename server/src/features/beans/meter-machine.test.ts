import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type MeterEffect,
  meterDueMs,
  type MeterEnd,
  type MeterEvent,
  type MeterState,
  stepMeter,
} from "./meter-machine.ts";
import { beansOf, type Funds, type Stop } from "./meter-state.ts";

const price = 1_600n;
const rich: Funds = { balance: 100_000n, have: 100_000n, limit: "balance" };
type Told<Event> = Event extends unknown ? Omit<Event, "nowMs"> : never;

/** A meter with a ledger that does what it is told, when it is told to. */
class Bench {
  nowMs = 0;
  state: MeterState = { kind: "waiting", price };
  readonly told: Extract<MeterEffect, { type: "tell" }>[] = [];
  /** Ledger work that was asked for and not answered, the oldest first. */
  readonly asked: MeterEffect[] = [];
  readonly holds = new Map<number, bigint | null>();
  credited = 0n;
  closed = false;
  /** Time in which both sides had video, by a count of our own. */
  trulyCountedMs = 0;
  freeGranted = false;
  #stopped: Stop | null = null;
  #isLive = false;

  send(event: Told<MeterEvent>): void {
    if (event.type === "live") this.#isLive = true;
    if (event.type === "picture" || event.type === "live") this.#stopped = event.stopped;
    if (event.type === "ended") this.#isLive = false;
    const { state, effects } = stepMeter(this.state, { ...event, nowMs: this.nowMs } as MeterEvent);
    this.state = state;
    for (const effect of effects) {
      if (effect.type === "tell") this.told.push(effect);
      else if (effect.type === "close-call") this.closed = true;
      else this.asked.push(effect);
    }
  }

  /** Time passes without the timer being heard. */
  sleep(ms: number): void {
    this.nowMs += ms;
    if (this.#isLive && this.#stopped === null) this.trulyCountedMs += ms;
  }

  /** Time passes, ticks come when they are due, and the ledger answers at once. */
  run(ms: number): void {
    const untilMs = this.nowMs + ms;
    this.answerAll();
    for (let due = meterDueMs(this.state); due !== null && due <= untilMs; due = meterDueMs(this.state)) {
      this.sleep(due - this.nowMs);
      this.send({ type: "tick" });
      this.answerAll();
    }
    this.sleep(untilMs - this.nowMs);
  }

  answerAll(funds = rich): void {
    while (this.asked.length > 0) this.answer("done", funds);
  }

  /** The oldest work is done, refused, or fails before or after it took effect; then it stays to be tried again. */
  answer(how: "done" | "refused" | "failed" | "unconfirmed", funds = rich): void {
    const [work] = this.asked;
    if (!work) return;
    if (how === "failed" || how === "unconfirmed") {
      if (how === "unconfirmed") this.#do(work, false);
      return work.type === "take-minute" ? this.send({ type: "failing" }) : undefined;
    }
    this.asked.shift();
    const isRefused = how === "refused" && !(work.type === "take-minute" && this.holds.has(work.minute));
    this.#do(work, isRefused);
    if (work.type === "open") {
      this.freeGranted = how === "done";
      this.send({ type: "opened", isFree: how === "done", funds });
    }
    if (work.type === "take-minute") this.send({ type: isRefused ? "refused" : "held", funds });
  }

  get openHolds(): number {
    return [...this.holds.values()].filter((posted) => posted === null).length;
  }

  get posted(): bigint {
    return [...this.holds.values()].reduce<bigint>((sum, posted) => sum + (posted ?? 0n), 0n);
  }

  #do(work: MeterEffect, isRefused: boolean): void {
    if (work.type === "take-minute") {
      if (work.settle) this.#settle(work.settle);
      if (!isRefused && !this.holds.has(work.minute)) this.holds.set(work.minute, null);
    }
    if (work.type === "finish") {
      for (const settlement of work.settlements) if (this.holds.has(settlement.minute)) this.#settle(settlement);
      if (work.credit.of === "call") this.credited = this.posted;
      if (work.credit.of === "minute")
        this.credited = work.credit.beans < this.posted ? work.credit.beans : this.posted;
    }
    if (this.openHolds > 1) throw new Error("two open holds");
  }

  #settle({ minute, amount }: { minute: number; amount: bigint }): void {
    const before = this.holds.get(minute);
    if (before === undefined) throw new Error(`minute ${minute} was never held`);
    if (before !== null && before !== amount) throw new Error(`minute ${minute} was settled as ${before}`);
    if (amount > price) throw new Error("more than was held");
    this.holds.set(minute, amount);
  }
}

function live(): Bench {
  const bench = new Bench();
  bench.send({ type: "live", stopped: null });
  bench.answerAll();
  return bench;
}

function end(bench: Bench, why: MeterEnd = "left"): bigint {
  bench.send({ type: "ended", why });
  bench.answerAll();
  return bench.posted - bench.credited;
}

const lastMeter = (bench: Bench) => bench.told.at(-1)?.reading.meter;

describe("what a call costs", () => {
  test("[BEANS-260] nothing is counted before both sides have video", () => {
    const bench = new Bench();
    bench.sleep(9_000);
    bench.send({ type: "tick" });
    expect([bench.asked, bench.told, meterDueMs(bench.state)]).toEqual([[], [], null]);
    expect(end(bench)).toBe(0n);
  });

  test.each([
    [9_999, 0n],
    [10_000, 0n],
    [10_999, 0n],
    // One second of 1,600 a minute is 26.67 beans, rounded up.
    [11_000, 27n],
    [40_000, 800n],
    [69_999, 1_574n],
    [70_000, 1_600n],
    [71_000, 1_627n],
    [190_000, 4_800n],
    [200_500, 5_067n],
  ])("[BEANS-261] after %i ms of video it has cost %i beans", (ms, beans) => {
    const bench = live();
    bench.run(ms);
    expect(end(bench)).toBe(beans);
    expect(bench.openHolds).toBe(0);
  });

  test("[BEANS-262] where the day's free seconds are used up, the first second costs", () => {
    const bench = new Bench();
    bench.send({ type: "live", stopped: null });
    bench.answer("refused");
    bench.run(30_000);
    expect(end(bench)).toBe(800n);
  });

  test("[BEANS-263] the clock stands while the picture does, and a pause gives no new free seconds", () => {
    const bench = live();
    bench.run(8_000);
    bench.send({ type: "picture", stopped: "camera_off" });
    expect(lastMeter(bench)).toMatchObject({ clock: "stopped", stopped: "camera_off", counted_ms: 8_000 });
    bench.run(600_000);
    bench.send({ type: "picture", stopped: null });
    expect(lastMeter(bench)).toMatchObject({ clock: "free", stopped: null, counted_ms: 8_000 });
    bench.run(32_000);
    expect(end(bench)).toBe(800n);
  });

  test("[BEANS-264] a minute is held when it begins, and the one before posted with it", () => {
    const bench = live();
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

  test("[BEANS-265] a refused hold tells the payer and closes the call at the minute's start", () => {
    const bench = live();
    bench.run(69_999);
    bench.sleep(1);
    bench.send({ type: "tick" });
    bench.answer("refused", { balance: 400n, have: 400n, limit: "balance" });
    expect(bench.closed).toBe(true);
    expect(bench.told.at(-1)).toMatchObject({
      pushType: 2,
      reading: { isEnough: 0, meter: { spent: 1_600, balance: 400, left_ms: 0, limit: "balance" } },
    });
    expect(end(bench)).toBe(price);
  });
});

describe("what the payer is told", () => {
  test("[PUSH-62] price, counted and free time, cost, balance and time left, with what limits it", () => {
    const bench = live();
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

  test("[PUSH-60] when the call becomes live, the clock stops or starts, and at each minute", () => {
    const bench = live();
    const clocks = () => bench.told.splice(0).map(({ reading }) => reading.meter.clock);
    expect(clocks()).toEqual(["free"]);
    bench.run(10_000);
    expect(clocks()).toEqual(["running"]);
    bench.run(60_000);
    expect(clocks()).toEqual(["running"]);
    bench.send({ type: "picture", stopped: "reconnecting" });
    bench.send({ type: "picture", stopped: "reconnecting" });
    expect(clocks()).toEqual(["stopped"]);
    bench.send({ type: "picture", stopped: null });
    expect(clocks()).toEqual(["running"]);
  });

  test("[PUSH-63] once after a top-up, and not where nothing changed", () => {
    const bench = live();
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
  test("[BEANS-266] while the ledger fails nothing counts, and the call goes on", () => {
    const bench = live();
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
    expect(end(bench)).toBe(2_400n);
  });

  test("[BEANS-266] a hold that takes longer than its minute leaves that minute free", () => {
    const bench = live();
    bench.sleep(10_000);
    bench.send({ type: "tick" });
    bench.sleep(60_000);
    bench.send({ type: "tick" });
    bench.answer("done");
    bench.run(15_000);
    expect(end(bench)).toBe(400n);
  });

  test("[BEANS-267] a timer that comes late costs nothing", () => {
    const bench = live();
    bench.sleep(9_000_000);
    bench.send({ type: "tick" });
    bench.answerAll();
    bench.sleep(9_000_000);
    expect(end(bench)).toBe(price);
  });

  test("[BEANS-282] a call that we end costs nothing at all", () => {
    const bench = live();
    bench.run(100_000);
    expect(bench.posted).toBe(price);
    expect(end(bench, "failure")).toBe(0n);
    expect(bench.openHolds).toBe(0);
  });

  test("[BEANS-283] whoever stays in a lost call gets the minute back in which the picture stopped", () => {
    const bench = live();
    bench.run(100_000);
    bench.send({ type: "picture", stopped: "reconnecting" });
    bench.run(12_000);
    expect(end(bench, "other_lost")).toBe(price);
    expect(bench.credited).toBe(800n);
  });

  test("[BEANS-283] a picture that was noticed to stand just after a minute began stopped in the one before", () => {
    const bench = live();
    bench.run(131_400);
    bench.send({ type: "picture", stopped: "reconnecting" });
    expect(end(bench, "other_lost")).toBe(price);
  });
});

const stops: (Stop | null)[] = [null, null, "reconnecting", "camera_off"];
const fundsArbitrary: fc.Arbitrary<Funds> = fc
  .tuple(fc.bigInt(0n, 8_000n), fc.bigInt(0n, 3_200n))
  .map(([have, held]) => ({ balance: have + held, have, limit: "balance" }));
const actionArbitrary = fc.oneof(
  fc.record({ do: fc.constant("run" as const), ms: fc.integer({ min: 0, max: 90_000 }) }),
  fc.record({ do: fc.constant("sleep" as const), ms: fc.integer({ min: 0, max: 90_000 }) }),
  fc.record({ do: fc.constant("tick" as const) }),
  fc.record({ do: fc.constant("live" as const) }),
  fc.record({ do: fc.constant("picture" as const), stopped: fc.constantFrom(...stops) }),
  fc.record({
    do: fc.constant("answer" as const),
    how: fc.constantFrom("done", "done", "failed", "unconfirmed", "refused"),
  }),
  fc.record({ do: fc.constant("funds" as const), funds: fundsArbitrary }),
);
type Action = typeof actionArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

function act(bench: Bench, action: Action): void {
  switch (action.do) {
    case "run":
      return bench.run(action.ms);
    case "sleep":
      return bench.sleep(action.ms);
    case "tick":
      return bench.send({ type: "tick" });
    case "live":
      return bench.state.kind === "waiting" ? bench.send({ type: "live", stopped: null }) : undefined;
    case "picture":
      return bench.state.kind === "waiting" ? undefined : bench.send({ type: "picture", stopped: action.stopped });
    case "answer":
      return bench.answer(action.how as "done" | "failed" | "unconfirmed" | "refused");
    case "funds":
      return bench.send({ type: "funds", funds: action.funds });
  }
}

const endArbitrary = fc.constantFrom<MeterEnd>("left", "left", "other_lost", "failure");

describe("in any order of events", () => {
  test("[BEANS-268] nobody pays for a second not counted, nor twice, nor has two holds, and none stays open", () => {
    fc.assert(
      fc.property(fc.array(actionArbitrary, { maxLength: 60 }), endArbitrary, (actions, why) => {
        const bench = new Bench();
        for (const action of actions) {
          act(bench, action);
          for (const { reading } of bench.told.splice(0)) {
            const { counted_ms, free_ms, spent, left_ms } = reading.meter;
            expect(counted_ms).toBeLessThanOrEqual(bench.trulyCountedMs);
            expect(BigInt(spent)).toBeLessThanOrEqual(beansOf(price, Math.max(0, counted_ms - free_ms)));
            expect(left_ms).toBeGreaterThanOrEqual(0);
          }
        }
        const net = end(bench, why);
        expect(bench.openHolds).toBe(0);
        const paidMs = bench.trulyCountedMs - (bench.freeGranted ? 10_000 : 0);
        expect(net).toBeLessThanOrEqual(beansOf(price, Math.max(0, paidMs)));
        if (why === "failure") expect(net).toBe(0n);
      }),
      { numRuns: 2_000 },
    );
  });

  test("[BEANS-268] without faults every counted second after the free ones is paid, once", () => {
    const pause = fc.tuple(fc.integer({ min: 0, max: 200_000 }), fc.constantFrom(...stops));
    fc.assert(
      fc.property(fc.array(pause, { maxLength: 12 }), (pauses) => {
        const bench = live();
        for (const [ms, stopped] of pauses) {
          bench.run(ms);
          bench.send({ type: "picture", stopped });
        }
        expect(end(bench)).toBe(beansOf(price, Math.max(0, bench.trulyCountedMs - 10_000)));
      }),
    );
  });
});
