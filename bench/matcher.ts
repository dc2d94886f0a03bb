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

/** Of a hundred people so many chose languages and interests, and so many leave out countries. */
interface Choices {
  readonly taggedPercent: number;
  readonly leavingOutPercent: number;
}
const plain: Choices = { taggedPercent: 0, leavingOutPercent: 0 };
const tagged: Choices = { taggedPercent: 60, leavingOutPercent: 0 };
const leaving: Choices = { taggedPercent: 0, leavingOutPercent: 20 };

const columns = [
  "waiting",
  "tags %",
  "leaving out %",
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
  choices: Choices;
  ours: Figures;
  naive: Figures;
  /** Of a hundred pairs of two who named languages, so many with a common one; and of random such pairs. */
  sharedPercent: number;
  chancePercent: number;
}

/**
 * The matcher alone beside a naive array in the same run: mean and p99 of one start request, by how many wait, with nobody
 * and with most people having chosen languages and interests, and with many who leave out countries.
 */
export async function benchMatcher({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const all = [plain, tagged, leaving].flatMap((choices) =>
    (isQuick ? quickSizes : sizes).map((size) => measureSize(size, choices)),
  );
  const of = (wanted: Choices) => all.filter(({ choices }) => choices === wanted);
  const [least, most] = [of(plain)[0]!, of(plain).at(-1)!];
  const [leastTagged, mostTagged, mostLeaving] = [of(tagged)[0]!, of(tagged).at(-1)!, of(leaving).at(-1)!];
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
      measured: leastTagged.sharedPercent / leastTagged.chancePercent,
    },
    {
      name: `mean at ${mostLeaving.waiting} waiting, many leaving out countries, to the mean without`,
      unit: "times",
      better: "lower",
      reach: 2,
      measured: mostLeaving.ours.meanUs / most.ours.meanUs,
    },
  ] as const;
  return {
    title: "Matcher alone: one start request (search, then match or wait)",
    columns,
    rows: all.map(({ waiting, choices, ours, naive, sharedPercent, chancePercent }) => [
      readableCount(waiting),
      choices.taggedPercent,
      choices.leavingOutPercent,
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
      "the array knows nothing of tags and countries that are left out; a common language: of pairs of two who named some",
      `ours is the quietest of ${rounds} rounds; both include the clock's own cost`,
    ],
  };
}

function measureSize({ waiting, requests, naiveRequests }: Size, choices: Choices): Measured {
  const random = seededRandom(seed);
  const population = new Population(waiting * peoplePerWaiter, random, choices);
  const crowd = new Crowd(population, { waiting, random });
  crowd.fill();
  const figures: Figures[] = [];
  for (let round = 0; round < rounds; round += 1) figures.push(measure(requests, () => crowd.step()));
  const ours = figures.reduce((quietest, each) => (each.meanUs < quietest.meanUs ? each : quietest));
  const { sharedPercent } = crowd;
  const naive = measureNaive({ crowd, population, random }, naiveRequests);
  return { waiting: crowd.count, choices, ours, naive, sharedPercent, chancePercent: chance(population, random) };
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
