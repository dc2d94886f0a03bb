import { loadavg } from "node:os";
import { type Browser, chromium } from "@playwright/test";
import { chromium as chromiumOptions } from "../browser.config.ts";
import { BareFacePerson, serveBareFaces } from "./bare-face.ts";
import { type FaceMeeter, FacePerson } from "./face-person.ts";
import type { FaceNotes } from "./face-watch.ts";
import { measureTimeToHide } from "./time-to-hide.ts";
import { signInAsKnown } from "./known-people.ts";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport, Goal, PeerFigure } from "./report.ts";
import { type ServedProduct, serveProduct } from "./served-product.ts";

const rounds = 20;
const quickRounds = 3;
/**
 * Pause between two matches: enough to close the connection, prepare the next offers and inspect the searching user.
 * Three people take turns, so the same two meet again after three matches; the matcher keeps them apart for 15 s.
 */
const betweenMatchesMs = 6_500;
/**
 * Time to stay in a match: the call's first look comes within 3 s and is judged. After a few calls that ended before
 * it, the next ones would start covered.
 */
const settleMs = 4_000;
/** Pause of the bare pages, which inspect no one: enough to close the connection and start the encoders. */
const bareMatchesMs = 2_000;
const bareSettleMs = 1_000;
/** As real cameras do; the tests' camera makes fewer, and a picture would wait for the next frame. */
const framesPerSecond = 30;
const goalMs = {
  pushToClear: { p50: 300, p95: 600 },
  pressToPush: 60,
  nextToClear: 400,
  exposure: 4_000,
} as const;

interface MatchNotes {
  readonly kind: "start" | "next";
  /** The page that pressed, and the page that waited. */
  readonly presser: FaceNotes;
  readonly partner: FaceNotes;
}

interface Measured {
  readonly matches: readonly MatchNotes[];
  /** Of the bare pages; one of their rounds precedes each round of the product. */
  readonly bare: readonly MatchNotes[];
  readonly loads: readonly number[];
  /** The very first match: the server had inspected no one before it. */
  readonly first: MatchNotes;
}

/** Measures the time from the press to a clear face, and how long pictures are shown that should be hidden, with three Chromium pages. */
export async function benchFirstFace({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const measured = await measurePages(isQuick ? quickRounds : rounds);
  return report(measured, await measureTimeToHide({ isQuick }));
}

async function measurePages(count: number): Promise<Measured> {
  // `npm start` builds the web app if it is stale: an older build may lack what this looks for.
  await using product = await serveProduct({ program: ["tools/start.mjs"], environment: { MODERATION: "auto" } });
  await using bareHost = await serveBareFaces();
  const browser = await openFaceBrowser();
  try {
    const people = await openFaces(browser, product, ["Wanda", "Carl", "Nuria"]);
    const bare: BareFacePerson[] = [];
    while (bare.length < people.length) bare.push(await BareFacePerson.open(browser, bareHost));
    return await measureRounds({ people: trio(people), bare: trio(bare), count });
  } finally {
    await browser.close();
  }
}

/** People with known accounts and no past partners, each in their own page, at home. */
async function openFaces(browser: Browser, product: ServedProduct, names: readonly string[]): Promise<FacePerson[]> {
  const whos = names.map((name) => ({ name: `Face ${name}` }));
  await signInAsKnown(product, whos);
  const people: FacePerson[] = [];
  for (const who of whos) people.push(await FacePerson.open(browser, { url: product.url, who }));
  return people;
}

function openFaceBrowser(): Promise<Browser> {
  const { args, ...launchOptions } = chromiumOptions;
  const camera = "--use-fake-device-for-media-stream";
  return chromium.launch({
    ...launchOptions,
    args: [...args.filter((argument) => !argument.startsWith(camera)), `${camera}=fps=${framesPerSecond}`],
  });
}

/** The last two partners, and the third person. */
type Trio = readonly [talking: FaceMeeter, other: FaceMeeter, waiting: FaceMeeter];

function trio([talking, other, waiting]: readonly FaceMeeter[]): Trio {
  if (!talking || !other || !waiting) throw new Error("a round takes three");
  return [talking, other, waiting];
}

/**
 * Runs the rounds in order, each after a bare one, during which the product's pages are at home with closed cameras.
 */
async function measureRounds({ people, bare, count }: { people: Trio; bare: Trio; count: number }): Promise<Measured> {
  const meetBare = meetings({ betweenMs: bareMatchesMs, settleMs: bareSettleMs });
  const meet = meetings({ betweenMs: betweenMatchesMs, settleMs });
  let [now, bareNow] = [people, bare];
  await now[1].wait();
  const first = await meet({ kind: "start", presser: now[0], partner: now[1] });
  await now[2].wait();
  const measured = { matches: [] as MatchNotes[], bare: [] as MatchNotes[], loads: [] as number[] };
  // The first round does not count: the page compiles its code in it.
  for (let round = 0; round <= count; round += 1) {
    await allHome(now);
    const bareMatches = await meetInTurns(bareNow, meetBare);
    await allHome(bareNow);
    const matches = await meetInTurns(now, meet);
    [now, bareNow] = [turned(now), turned(bareNow)];
    if (round === 0) continue;
    measured.matches.push(...matches);
    measured.bare.push(...bareMatches);
    measured.loads.push(loadavg()[0]!);
  }
  return { ...measured, first };
}

/** Sends one person home after the other, since two searches at once would match outside the measurement. */
async function allHome([talking, other, waiting]: Trio): Promise<void> {
  for (const person of [waiting, talking, other]) await person.goHome();
}

function turned([talking, other, waiting]: Trio): Trio {
  return [other, waiting, talking];
}

/**
 * All three are at home; the first two had the last call. One presses Start and meets the third. The third presses Next
 * and meets the second, and the first waits.
 */
async function meetInTurns(
  [talking, other, waiting]: Trio,
  meet: ReturnType<typeof meetings>,
): Promise<[start: MatchNotes, next: MatchNotes]> {
  await waiting.wait();
  const start = await meet({ kind: "start", presser: talking, partner: waiting });
  await other.wait();
  const next = await meet({ kind: "next", presser: waiting, partner: other });
  return [start, next];
}

interface Meeting {
  kind: MatchNotes["kind"];
  presser: FaceMeeter;
  partner: FaceMeeter;
}

/** Makes matches in order, with enough time between them. */
function meetings(times: { betweenMs: number; settleMs: number }): (meeting: Meeting) => Promise<MatchNotes> {
  let lastMs = performance.now();
  return async ({ kind, presser, partner }) => {
    const button = await presser.findButton(kind);
    await new Promise((resolve) => setTimeout(resolve, lastMs + times.betweenMs - performance.now()));
    lastMs = performance.now();
    const bothClear = Promise.all([presser.untilClear(kind), partner.untilClear(kind)]);
    await button.press();
    await bothClear;
    await presser.page.waitForTimeout(times.settleMs);
    return { kind, presser: await presser.notes(), partner: await partner.notes() };
  };
}

type HideFigures = Awaited<ReturnType<typeof measureTimeToHide>>;

function report(measured: Measured, exposure: HideFigures): BenchmarkReport {
  const ours = figuresOf(measured.matches);
  const bare = figuresOf(measured.bare);
  return {
    title: `First face: ${measured.matches.length} matches of three Chromium pages of 1000x700, models on, beside ${measured.bare.length} of three bare pages`,
    columns: [
      "",
      "values",
      "least ms",
      "p50 ms",
      "p95 ms",
      "most ms",
      "bare p50 ms",
      "bare p95 ms",
      "ours to bare, p50",
    ],
    rows: [
      ...ours.map(({ name, valuesMs }, index) => besideBare(name, { valuesMs, bareMs: bare[index]!.valuesMs })),
      ...exposure.rows.map(({ name, valuesMs }) => row(name, valuesMs)),
    ],
    goals: [...goalsOf(ours), ...exposure.rows.map(hideGoal)],
    peers: [besidePeer(named.clear, { ours, bare })],
    notes: [...notesOn(measured), ...exposure.notes],
  };
}

interface Figure {
  readonly name: string;
  readonly valuesMs: readonly number[];
}

const named = {
  clear: "match push to clear face, both pages",
  startToPush: "press Start to match push, partner waiting",
  nextToPush: "press Next to match push, partner waiting",
  nextToClear: "press Next to clear face of a third person",
} as const;

/** The figures that both the product and the bare pages have. */
function figuresOf(matches: readonly MatchNotes[]): Figure[] {
  const start = sidesOf(matches.filter(({ kind }) => kind === "start"));
  const next = sidesOf(matches.filter(({ kind }) => kind === "next"));
  const pages = [start.pressers, start.partners, next.pressers, next.partners].flat();
  const figure = (name: string, notes: readonly FaceNotes[], time: (notes: FaceNotes) => number) => ({
    name,
    valuesMs: notes.map(time),
  });
  return [
    figure(named.clear, pages, toClear),
    figure("- after Start, who pressed", start.pressers, toClear),
    figure("- after Start, who waited", start.partners, toClear),
    figure("- after Next, who pressed", next.pressers, toClear),
    figure("- after Next, who waited", next.partners, toClear),
    figure("match push to first frame, both pages", pages, toFrame),
    figure("first frame to clear face, both pages", pages, covered),
    figure(named.startToPush, start.pressers, toPush),
    figure(named.nextToPush, next.pressers, toPush),
    figure("press Start to clear face", start.pressers, pressToClear),
    figure(named.nextToClear, next.pressers, pressToClear),
  ];
}

function goalsOf(figures: readonly Figure[]): Goal[] {
  const valuesOf = (name: string) => figures.find((figure) => figure.name === name)?.valuesMs ?? [];
  const { pushToClear, pressToPush, nextToClear } = goalMs;
  const clear = valuesOf(named.clear);
  return [
    goal(named.clear, { valuesMs: clear, percent: 50, reach: pushToClear.p50 }),
    goal(named.clear, { valuesMs: clear, percent: 95, reach: pushToClear.p95 }),
    goal("press Start to match push", { valuesMs: valuesOf(named.startToPush), percent: 50, reach: pressToPush }),
    goal("press Next to match push", { valuesMs: valuesOf(named.nextToPush), percent: 50, reach: pressToPush }),
    goal("press Next to clear face", { valuesMs: valuesOf(named.nextToClear), percent: 50, reach: nextToClear }),
  ];
}

function besidePeer(name: string, figures: { ours: readonly Figure[]; bare: readonly Figure[] }): PeerFigure {
  const p50 = (of: readonly Figure[]) => percentile(of.find((figure) => figure.name === name)?.valuesMs ?? [], 50);
  const bars = [
    { name: "Fava", value: p50(figures.ours) },
    { name: "bare pages", value: p50(figures.bare) },
  ];
  return { name: `${name}, p50`, unit: "ms", bars };
}

function hideGoal({ name, valuesMs }: Figure): Goal {
  return goal(name, { valuesMs, percent: 95, reach: goalMs.exposure });
}

function notesOn({ matches, loads, first }: Measured): string[] {
  const pages = matches.flatMap(({ presser, partner: other }) => [presser, other]);
  const load = [0, 50, 100].map((percent) => percentile(loads, percent).toFixed(1)).join(" / ");
  const long = pages.flatMap(({ longTasksMs }) => (longTasksMs.length > 0 ? [Math.max(...longTasksMs)] : []));
  const [presser, partner] = [first.presser, first.partner].map((one) => Math.round(toClear(one)));
  return [
    "bare: two buttons, two pictures, the browser's own connection and a relay, in the same browser and the same turns",
    "fake cameras of 30 pictures a second, loopback, no relay; a page that was inspected during its search or last call",
    "the database marks the accounts as a month and ten calls old",
    `load average of one minute, after each round: ${load} (least / p50 / most)`,
    `${long.length} of ${pages.length} pages had a task over 50 ms, at most ${Math.round(Math.max(0, ...long))} ms`,
    `the very first match, before which the presser was never inspected: push to clear face ${presser} ms for the presser, ${partner} ms for the waiting page`,
    `offers inside the match push: ${matches.filter((match) => match.presser.hadOffer).length} of ${matches.length}`,
  ];
}

function sidesOf(matches: readonly MatchNotes[]): { pressers: FaceNotes[]; partners: FaceNotes[] } {
  return { pressers: matches.map(({ presser }) => presser), partners: matches.map(({ partner }) => partner) };
}

function goal(
  name: string,
  { valuesMs, percent, reach }: { valuesMs: readonly number[]; percent: number; reach: number },
): Goal {
  const measured = percentile(valuesMs, percent);
  return { name: `${name}, p${percent}`, unit: "ms", better: "lower", reach, measured };
}

const toPush = ({ pressedMs, matchedMs }: FaceNotes) => matchedMs - pressedMs;
const toFrame = ({ matchedMs, frameMs }: FaceNotes) => frameMs - matchedMs;
const toClear = ({ matchedMs, clearMs }: FaceNotes) => clearMs - matchedMs;
const covered = ({ frameMs, clearMs }: FaceNotes) => clearMs - frameMs;
const pressToClear = ({ pressedMs, clearMs }: FaceNotes) => clearMs - pressedMs;

function row(name: string, values: readonly number[]): (string | number)[] {
  return [name, String(values.length), ...[0, 50, 95, 100].map((percent) => percentile(values, percent))];
}

function besideBare(
  name: string,
  { valuesMs, bareMs }: { valuesMs: readonly number[]; bareMs: readonly number[] },
): (string | number)[] {
  const [bareP50, bareP95] = [percentile(bareMs, 50), percentile(bareMs, 95)];
  return [...row(name, valuesMs), bareP50, bareP95, percentile(valuesMs, 50) / bareP50];
}
