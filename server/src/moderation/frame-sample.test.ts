import { expect, test } from "vitest";
import type { UnflaggedFrame } from "#ports/moderation.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { FrameSample, framesOfDay } from "./frame-sample.ts";
import { dayMs, type DrawnFrame } from "./sampled-frames.ts";

const bytes = Buffer.alloc(1);
const frameOf = (number: number, day = 20_000): UnflaggedFrame => ({
  subjectId: BigInt(number),
  callId: "call",
  frame: { kind: "frame", view: "own", at: new Date(day * dayMs + 1), bytes, facts: {} },
});

/** The sample of a site, as the database keeps it. */
function siteSample() {
  let kept: readonly DrawnFrame[] = [];
  return {
    get kept() {
      return kept;
    },
    keep: async (_day: number, size: number, drawn: readonly DrawnFrame[]) => {
      kept = [...kept, ...drawn].toSorted((one, other) => one.draw - other.draw).slice(0, size);
      return kept.length < size ? Infinity : (kept.at(-1)?.draw ?? 0);
    },
  };
}

test("[SAFE-600] draws each of a day's frames with the same chance, over all servers", async () => {
  const [frames, size, runs] = [60, 10, 3_000];
  const times = Array.from({ length: frames }, () => 0);
  for (let run = 0; run < runs; run += 1) {
    const store = siteSample();
    const servers = [0, 1].map(
      (server) => new FrameSample({ store, random: seededRandom(2 * run + server), weekly: 70 }),
    );
    for (let number = 0; number < frames; number += 1) {
      servers[number % 3 === 0 ? 0 : 1]?.offer(frameOf(number));
      if (number % 17 === 0) for (const server of servers) await server.flush();
    }
    for (const server of servers) await server.flush();
    expect(store.kept).toHaveLength(size);
    for (const { subjectId } of store.kept) times[Number(subjectId)]! += 1;
  }
  // Chi-squared with 59 degrees of freedom, 99.99 %; a sample without replacement has a smaller variance.
  const expected = (runs * size) / frames;
  const chiSquared = times.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(chiSquared).toBeLessThan(107);
});

test("[SAFE-600] keeps nothing if the operator asks for no frames", async () => {
  const store = siteSample();
  const sample = new FrameSample({ store, random: seededRandom(1), weekly: 0 });
  sample.offer(frameOf(1));
  await sample.flush();
  expect(store.kept).toEqual([]);
});

test("[SAFE-600] spreads the frames of a week over its days", () => {
  for (const weekly of [0, 1, 6, 60, 700]) {
    for (const first of [20_000, 20_003]) {
      const days = Array.from({ length: 7 }, (_, index) => framesOfDay(weekly, first + index));
      expect(days.reduce((sum, count) => sum + count, 0)).toBe(weekly);
      expect(Math.max(...days) - Math.min(...days)).toBeLessThanOrEqual(1);
    }
  }
});

test("stores the drawn frames with the next flush after a failure, each under its day", async () => {
  const stored: [day: number, people: bigint[]][] = [];
  let isDown = true;
  const keep = async (day: number, _size: number, drawn: readonly DrawnFrame[]) => {
    if (isDown) throw new Error("the database is away");
    stored.push([day, drawn.map(({ subjectId }) => subjectId)]);
    return Infinity;
  };
  const sample = new FrameSample({ store: { keep }, random: seededRandom(1), weekly: 70 });
  sample.offer(frameOf(1));
  await expect(sample.flush()).rejects.toThrow("the database is away");
  isDown = false;
  sample.offer(frameOf(2, 20_001));
  await sample.flush();
  await sample.flush();
  expect(stored).toEqual([
    [20_000, [1n]],
    [20_001, [2n]],
  ]);
});
