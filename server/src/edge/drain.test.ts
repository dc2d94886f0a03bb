import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { Drain } from "./drain.ts";

const logger = pino({ level: "silent" });
const stepMs = 50;

let clock: TestClock;
let happened: string[];
let people: Set<bigint>;
let others: () => Promise<boolean>;
/** Pending work of leases, and the pending take-over of dead servers. */
let underWay: Promise<void>;
const calls = { roomCount: 0 };
let open: string | null;
let passing: number;

beforeEach(() => {
  clock = new TestClock();
  happened = [];
  people = new Set([1n, 2n, 3n]);
  others = async () => true;
  underWay = Promise.resolve();
  calls.roomCount = 0;
  open = null;
  passing = 0;
});

const atMs = (what: string) => void happened.push(`${clock.monotonicMs()}: ${what}`);

function newDrain(drainMs = 600_000): Drain {
  return new Drain({
    hub: {
      presentCount: () => people.size,
      userIds: () => [...people],
      refuseMore: () => atMs("refuse"),
      move: (userId, to) => {
        atMs(to === undefined ? `move ${userId}` : `move ${userId} to ${to}`);
        return true;
      },
      cut: (userId) => atMs(`cut ${userId}`),
    },
    calls,
    passing: () => passing,
    open: () => open,
    matches: { leave: () => atMs("leave") },
    leases: { letGo: () => (atMs("let go"), underWay) },
    processes: { drain: () => (atMs("drain"), underWay), areOthers: () => others() },
    clock,
    logger,
    drainMs,
  });
}

/** Advances the clock; returns whether the server stops now. */
async function pass(run: Promise<void>, ms: number): Promise<boolean> {
  let isOver = false;
  void run.then(() => (isOver = true));
  for (let passedMs = 0; passedMs <= ms; passedMs += stepMs) {
    for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    if (passedMs < ms) clock.advance(stepMs);
  }
  return isOver;
}

describe("one of several servers that stops", () => {
  test("releases its leases at once, moves its users once proxies know, and waits for its calls", async () => {
    calls.roomCount = 1;
    const drain = newDrain();
    expect([drain.isDraining, drain.roomsWaitedFor]).toEqual([false, 0]);
    const run = drain.run();
    expect(await pass(run, 0)).toBe(false);
    expect([happened, drain.isDraining, drain.roomsWaitedFor]).toEqual([
      ["0: drain", "0: leave", "0: let go"],
      true,
      1,
    ]);
    happened = [];
    await pass(run, 1_700);
    expect(happened).toEqual(["1500: refuse", "1500: move 1", "1550: move 2", "1550: move 3"]);
    people.clear();
    expect(await pass(run, 300_000)).toBe(false);
    calls.roomCount = 0;
    expect(await pass(run, 300)).toBe(true);
    expect(happened).toHaveLength(4);
  });

  test("moves all users to the open server, where one is known", async () => {
    const run = newDrain().run();
    open = "other";
    await pass(run, 1_700);
    expect(happened.slice(4)).toEqual(["1500: move 1 to other", "1550: move 2 to other", "1550: move 3 to other"]);
    people.clear();
    expect(await pass(run, 300)).toBe(true);
  });

  test("waits a while for users of other servers whose sockets it passes on", async () => {
    people.clear();
    passing = 1;
    const run = newDrain().run();
    expect(await pass(run, 10_000)).toBe(false);
    passing = 0;
    expect(await pass(run, 300)).toBe(true);
    passing = 1;
    const again = newDrain().run();
    expect(await pass(again, 17_000)).toBe(true);
  });

  test("spreads the moves of many users over five seconds", async () => {
    people = new Set(Array.from({ length: 2_000 }, (_, index) => BigInt(index)));
    const run = newDrain().run();
    await pass(run, 1_500 + 2_500);
    const moves = () => happened.filter((what) => what.includes("move")).length;
    expect(Math.abs(moves() - 1_000)).toBeLessThan(50);
    await pass(run, 2_600);
    expect(moves()).toBe(2_000);
  });

  test("cuts the sockets of pages that cannot move, after a while and once", async () => {
    const run = newDrain().run();
    await pass(run, 14_000);
    people.delete(2n);
    await pass(run, 40_000);
    expect(happened.filter((what) => what.includes("cut")).map((what) => what.split(": ")[1])).toEqual([
      "cut 1",
      "cut 3",
    ]);
    people.clear();
    expect(await pass(run, 300)).toBe(true);
  });
});

describe("a server stops at once", () => {
  test("where no other server could take over, or the operator has chosen so", async () => {
    others = async () => false;
    const alone = newDrain();
    expect(await pass(alone.run(), 0)).toBe(true);
    expect([happened, alone.isDraining]).toEqual([["0: drain"], false]);
    others = async () => true;
    expect(await pass(newDrain(0).run(), 0)).toBe(true);
    expect(happened).toHaveLength(1);
  });

  test("when the last of the others ends meanwhile; not when the database does not answer", async () => {
    calls.roomCount = 1;
    const run = newDrain().run();
    await pass(run, 5_000);
    others = () => Promise.reject(new Error("away"));
    expect(await pass(run, 5_000)).toBe(false);
    others = async () => false;
    expect(await pass(run, 300)).toBe(true);
  });

  test("where what was under way does not end in five seconds", async () => {
    underWay = new Promise(() => undefined);
    people.clear();
    const run = newDrain().run();
    expect(await pass(run, 11_000)).toBe(false);
    expect(await pass(run, 1_000)).toBe(true);
    expect(happened).toEqual(["0: drain", "5000: leave", "5000: let go", "6500: refuse"]);
  });

  test("ends when its time is over or no one waits", async () => {
    calls.roomCount = 1;
    const run = newDrain(20_000).run();
    expect(await pass(run, 19_500)).toBe(false);
    expect(await pass(run, 1_000)).toBe(true);
    const drain = newDrain();
    const again = drain.run();
    await pass(again, 3_000);
    drain[Symbol.dispose]();
    expect(await pass(again, 0)).toBe(true);
  });
});
