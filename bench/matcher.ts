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

const taggedPercents = [0, 60] as const;
type TaggedPercent = (typeof taggedPercents)[number];

const columns = [
  "waiting",
  "tags %",
  "mean us",
  "p99 us",
  "requests/s",
  "array mean us",
  "array p99 us",
  "array requests/s",
  "common language %",
  "by chance %",
] as const;

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

interface Measured {
  waiting: number;
  taggedPercent: TaggedPercent;
  ours: Figures;
  naive: Figures;
  /** Of a hundred pairs of two who named languages, so many with a common one; and of random such pairs. */
  sharedPercent: number;
  chancePercent: number;
}

/**
 * The matcher alone beside a naive array in the same run: mean and p99 of one start request, by how many wait, with nobody
 * and with most people having chosen languages and interests.
 */
export async function benchMatcher({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const all = taggedPercents.flatMap((taggedPercent) =>
    (isQuick ? quickSizes : sizes).map((size) => measureSize(size, taggedPercent)),
  );
  const measured = all.filter(({ taggedPercent }) => taggedPercent === 0);
  const tagged = all.filter(({ taggedPercent }) => taggedPercent > 0);
  const [least, most, mostTagged] = [measured[0]!, measured.at(-1)!, tagged.at(-1)!];
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
    {
      name: `p99 at ${mostTagged.waiting} waiting, most with tags`,
      unit: "us",
      better: "lower",
      reach: 20,
      measured: mostTagged.ours.p99Us,
    },
    {
      name: `mean at ${mostTagged.waiting} waiting, most with tags, to the mean without`,
      unit: "times",
      better: "lower",
      reach: 2,
      measured: mostTagged.ours.meanUs / most.ours.meanUs,
    },
    {
      name: "pairs with a common language, to those of chance, at the least that wait",
      unit: "times",
      better: "higher",
      reach: 2,
      measured: tagged[0]!.sharedPercent / tagged[0]!.chancePercent,
    },
  ] as const;
  return {
    title: "Matcher alone: one start request (search, then match or wait)",
    columns,
    rows: all.map(({ waiting, taggedPercent, ours, naive, sharedPercent, chancePercent }) => [
      readableCount(waiting),
      taggedPercent,
      ours.meanUs,
      ours.p99Us,
      1_000_000 / ours.meanUs,
      naive.meanUs,
      naive.p99Us,
      1_000_000 / naive.meanUs,
      sharedPercent,
      chancePercent,
    ]),
    goals,
    notes: [
      `the people of bench/population.ts, seed ${seed}; retries of the pool run between the requests`,
      "the array knows nothing of tags; a common language: of pairs of two who named some",
      `ours is the quietest of ${rounds} rounds; both include the clock's own cost`,
    ],
  };
}

function measureSize({ waiting, requests, naiveRequests }: Size, taggedPercent: TaggedPercent): Measured {
  const random = seededRandom(seed);
  const population = new Population(waiting * peoplePerWaiter, random, { taggedPercent });
  const crowd = new Crowd(population, { waiting, random });
  crowd.fill();
  const figures: Figures[] = [];
  for (let round = 0; round < rounds; round += 1) figures.push(measure(requests, () => crowd.step()));
  const ours = figures.reduce((quietest, each) => (each.meanUs < quietest.meanUs ? each : quietest));
  const { sharedPercent } = crowd;
  const naive = measureNaive({ crowd, population, random }, naiveRequests);
  return { waiting: crowd.count, taggedPercent, ours, naive, sharedPercent, chancePercent: chance(population, random) };
}

/** Of a hundred random pairs of two who named languages, so many have a common one; 0 where nobody named any. */
function chance(population: Population, random: Random): number {
  const drawn = Array.from({ length: 20_000 }, () => population.talk(random.integer(0, population.size - 1)));
  const named = drawn.filter((talk) => talk !== undefined);
  const pairs = named.flatMap((one, at) => (at % 2 === 1 ? [[named[at - 1]!, one] as const] : []));
  const shared = pairs.filter(([one, other]) => one.languages.some((id) => other.languages.includes(id)));
  return pairs.length === 0 ? 0 : (100 * shared.length) / pairs.length;
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
