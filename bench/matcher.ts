import { loadavg } from "node:os";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { Crowd } from "./crowd.ts";
import { NaiveArray } from "./naive-array.ts";
import { Population } from "./population.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";

const seed = 20_261_121;
/** With eight people for each waiting one, enough men who want women exist to fill the pool. */
const peoplePerWaiter = 8;
const rounds = 5;

interface Size {
  waiting: number;
  requests: number;
  /** The array takes milliseconds per request if many wait, so it gets few requests. */
  naiveRequests: number;
}
/** The last size is the most people who can wait at one server. */
const sizes: Size[] = [
  { waiting: 1_000, requests: 100_000, naiveRequests: 20_000 },
  { waiting: 10_000, requests: 100_000, naiveRequests: 5_000 },
  { waiting: 50_000, requests: 100_000, naiveRequests: 1_000 },
];

interface Figures {
  meanUs: number;
  p99Us: number;
}

/** Measures mean and p99 of one start request by the number of waiting people, beside a naive array in the same run. */
export async function benchMatcher({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const measured = sizes.map((size) =>
    measureSize(isQuick ? { ...size, requests: size.requests / 10, naiveRequests: size.naiveRequests / 10 } : size),
  );
  const most = measured.at(-1)!;
  return {
    title: "Matcher alone: one start request (search, then match or wait)",
    columns: ["waiting", "mean us", "p99 us", "array mean us", "array p99 us", "array to ours, mean"],
    rows: measured.map(({ waiting, ours, naive }) => [
      waiting.toLocaleString("en"),
      ours.meanUs,
      ours.p99Us,
      naive.meanUs,
      naive.p99Us,
      naive.meanUs / ours.meanUs,
    ]),
    goals: [
      { name: `p99 at ${most.waiting} waiting`, unit: "us", better: "lower", reach: 12, measured: most.ours.p99Us },
      {
        name: "growth of the mean from the least to the most",
        unit: "times",
        better: "lower",
        reach: 5,
        measured: most.ours.meanUs / measured[0]!.ours.meanUs,
      },
    ],
    peers: [
      {
        name: `mean of a request at ${most.waiting} waiting`,
        unit: "us",
        bars: [
          { name: "Fava", value: most.ours.meanUs },
          { name: "naive array", value: most.naive.meanUs },
        ],
      },
    ],
    notes: [
      `the people of bench/population.ts, seed ${seed}; retries of the pool run between the requests`,
      "the array ignores tags and excluded countries",
      `ours is the quietest of ${rounds} rounds; both include the clock's own cost; load average ${loadavg()[0]!.toFixed(1)}`,
    ],
  };
}

function measureSize({ waiting, requests, naiveRequests }: Size) {
  const random = seededRandom(seed);
  const population = new Population(waiting * peoplePerWaiter, random);
  const crowd = new Crowd(population, { waiting, random });
  crowd.fill();
  const figures = Array.from({ length: rounds }, () => measure(requests, () => crowd.step()));
  const ours = figures.reduce((quietest, each) => (each.meanUs < quietest.meanUs ? each : quietest));
  const array = new NaiveArray(crowd.waiting(), population.isExcluded);
  const target = array.count;
  // People of a second population of the same kind, so that no one waits twice.
  const naive = measure(naiveRequests, () => {
    const person = population.seeker(random.integer(0, population.size - 1));
    const seeker = { ...person, userId: person.userId + BigInt(population.size) };
    const beganMs = performance.now();
    array.start(seeker);
    const tookUs = (performance.now() - beganMs) * 1_000;
    if (array.count > target) array.cancelAt(random.integer(0, array.count - 1));
    return tookUs;
  });
  return { waiting: crowd.count, ours, naive };
}

function measure(requests: number, request: () => number): Figures {
  const tookUs = Float64Array.from({ length: requests }, request).sort();
  return {
    meanUs: tookUs.reduce((sum, each) => sum + each, 0) / requests,
    p99Us: tookUs[Math.floor(requests * 0.99)]!,
  };
}
