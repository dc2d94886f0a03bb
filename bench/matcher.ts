import type { Random } from "@fava/server/ports/random.ts";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { Crowd } from "./crowd.ts";
import { NaiveArray } from "./naive-array.ts";
import { Population } from "./population.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";

const seed = 20_261_121;
/** With eight people for each that waits, enough men who want women exist to fill the pool. */
const peoplePerWaiter = 8;
const rounds = 5;

interface Size {
  waiting: number;
  requests: number;
  /** The array takes milliseconds a request when many wait, so it gets few of them. */
  naiveRequests: number;
}
const sizes: Size[] = [
  { waiting: 1_000, requests: 100_000, naiveRequests: 20_000 },
  { waiting: 10_000, requests: 100_000, naiveRequests: 5_000 },
  { waiting: 100_000, requests: 100_000, naiveRequests: 500 },
  { waiting: 1_000_000, requests: 200_000, naiveRequests: 100 },
];
const quickSizes: Size[] = [
  { waiting: 1_000, requests: 20_000, naiveRequests: 2_000 },
  { waiting: 10_000, requests: 20_000, naiveRequests: 500 },
  { waiting: 100_000, requests: 20_000, naiveRequests: 100 },
];

interface Figures {
  meanUs: number;
  p99Us: number;
}

/** The matcher alone beside a naive array in the same run: mean and p99 of one start request, by how many wait. */
export async function benchMatcher({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const measured = (isQuick ? quickSizes : sizes).map(measureSize);
  const [least, most] = [measured[0]!, measured.at(-1)!];
  const goals = [
    { name: `p99 at ${least.waiting} waiting`, unit: "us", better: "lower", reach: 6, measured: least.ours.p99Us },
    { name: `p99 at ${most.waiting} waiting`, unit: "us", better: "lower", reach: 12, measured: most.ours.p99Us },
    {
      name: "growth of the mean from the least to the most",
      unit: "times",
      better: "lower",
      reach: 5,
      measured: most.ours.meanUs / least.ours.meanUs,
    },
  ] as const;
  return {
    title: "Matcher alone: one start request (search, then match or wait)",
    columns: ["waiting", "mean us", "p99 us", "requests/s", "array mean us", "array p99 us", "array requests/s"],
    rows: measured.map(({ waiting, ours, naive }) => [
      readableCount(waiting),
      ours.meanUs,
      ours.p99Us,
      1_000_000 / ours.meanUs,
      naive.meanUs,
      naive.p99Us,
      1_000_000 / naive.meanUs,
    ]),
    goals,
    notes: [
      `the people of bench/population.ts, seed ${seed}; retries of the pool run between the requests`,
      `ours is the quietest of ${rounds} rounds; both include the clock's own cost`,
    ],
  };
}

function measureSize({ waiting, requests, naiveRequests }: Size): { waiting: number; ours: Figures; naive: Figures } {
  const random = seededRandom(seed);
  const population = new Population(waiting * peoplePerWaiter, random);
  const crowd = new Crowd(population, { waiting, random });
  crowd.fill();
  const figures: Figures[] = [];
  for (let round = 0; round < rounds; round += 1) figures.push(measure(requests, () => crowd.step()));
  const ours = figures.reduce((quietest, each) => (each.meanUs < quietest.meanUs ? each : quietest));
  return { waiting: crowd.count, ours, naive: measureNaive({ crowd, population, random }, naiveRequests) };
}

interface Scene {
  crowd: Crowd;
  population: Population;
  random: Random;
}

function measureNaive({ crowd, population, random }: Scene, requests: number): Figures {
  const array = new NaiveArray(crowd.waiting(), population.isExcluded);
  const target = array.count;
  // People of a second population of the same kind, so that nobody waits twice.
  return measure(requests, () => {
    const person = population.seeker(random.integer(0, population.size - 1));
    const seeker = { ...person, userId: person.userId + BigInt(population.size) };
    const beganMs = performance.now();
    array.start(seeker);
    const tookUs = (performance.now() - beganMs) * 1_000;
    if (array.count > target) array.cancelAt(random.integer(0, array.count - 1));
    return tookUs;
  });
}

function measure(requests: number, request: () => number): Figures {
  const tookUs = Float64Array.from({ length: requests }, request).sort();
  return {
    meanUs: tookUs.reduce((sum, each) => sum + each, 0) / requests,
    p99Us: tookUs[Math.floor(requests * 0.99)]!,
  };
}

function readableCount(count: number): string {
  return count.toLocaleString("en");
}
